#include "data/import/path_layout.h"

#include <algorithm>
#include <cstddef>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

Error BadLayout(std::string_view what, std::string_view text) {
  return BadInput(fmt::format("{} in the layout '{}'", what, text), "--layout",
                  "write it like '{user}/{label}/{*}.png'");
}

void Join(std::string& to, std::string_view piece) {
  if (!to.empty()) to += '_';
  to += piece;
}

}  // namespace

std::vector<std::string_view> SplitPath(std::string_view path) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (slash == path.npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

PathLayout::PathLayout(std::string_view text) {
  bool has_user = false;
  for (const std::string_view name : SplitPath(text)) {
    if (name.empty()) throw BadLayout("an empty name", text);
    names_.push_back(ParseName(name, text));
    for (const Piece& piece : names_.back()) has_user |= piece.user;
  }
  if (!has_user) throw BadLayout("no {user}", text);
}

PathLayout::Piece PathLayout::Placeholder(std::string_view inside,
                                          std::string_view text) {
  if (inside == "*") return {};
  if (inside == "user") return {.literal = "", .user = true};
  if (inside == "label") return {.literal = "", .label = true};
  if (inside == "user,label" || inside == "label,user") {
    return {.literal = "", .user = true, .label = true};
  }
  throw BadLayout(
      fmt::format(
          "{{{}}} is not one of {{user}}, {{label}}, {{user,label}}, {{*}}",
          inside),
      text);
}

PathLayout::Name PathLayout::ParseName(std::string_view name,
                                       std::string_view text) {
  Name pieces;
  while (!name.empty()) {
    const std::size_t brace = name.find_first_of("{}");
    if (brace != 0) {
      pieces.push_back({.literal = std::string(name.substr(0, brace))});
      name.remove_prefix(std::min(brace, name.size()));
      continue;
    }
    const std::size_t close = name.find('}');
    if (name.front() == '}' || close == name.npos) {
      throw BadLayout("a brace without its partner", text);
    }
    if (!pieces.empty() && pieces.back().literal.empty()) {
      throw BadLayout("two placeholders with nothing between them", text);
    }
    pieces.push_back(Placeholder(name.substr(1, close - 1), text));
    name.remove_prefix(close + 1);
  }
  return pieces;
}

// From the right: each literal at its last place that leaves a character for
// the placeholder behind it. An earlier place could only take from what is
// still to be matched, so there is no need to come back.
bool PathLayout::MatchName(const Name& pieces, std::string_view name,
                           std::vector<std::string_view>& values) {
  const std::size_t first_value = values.size();
  std::size_t open_end = name.size();  // what is left is name[0, open_end)
  bool after_placeholder = false;      // one to the right waits for its begin
  for (std::size_t i = pieces.size(); i-- > 0;) {
    const std::string& literal = pieces[i].literal;
    if (literal.empty()) {
      after_placeholder = true;
      continue;
    }
    std::size_t at = name.npos;
    if (!after_placeholder) {
      const std::string_view left = name.substr(0, open_end);
      if (left.ends_with(literal)) at = open_end - literal.size();
    } else if (open_end > literal.size()) {
      at = i == 0 ? (name.starts_with(literal) ? 0 : name.npos)
                  : name.rfind(literal, open_end - 1 - literal.size());
    }
    if (at == name.npos) return false;
    if (after_placeholder) {
      values.push_back(
          name.substr(at + literal.size(), open_end - at - literal.size()));
    }
    open_end = at;
    after_placeholder = false;
  }
  if (after_placeholder) {
    if (open_end == 0) return false;
    values.push_back(name.substr(0, open_end));
  } else if (open_end != 0) {
    return false;
  }
  std::reverse(values.begin() + static_cast<std::ptrdiff_t>(first_value),
               values.end());
  return true;
}

std::optional<Owner> PathLayout::Match(std::string_view path) const {
  const std::vector<std::string_view> parts = SplitPath(path);
  if (parts.size() != names_.size()) return std::nullopt;
  Owner owner;
  for (std::size_t n = 0; n < names_.size(); ++n) {
    std::vector<std::string_view> values;
    if (!MatchName(names_[n], parts[n], values)) return std::nullopt;
    std::size_t next = 0;
    for (const Piece& piece : names_[n]) {
      if (!piece.literal.empty()) continue;
      const std::string_view value = values[next++];
      if (piece.user) Join(owner.user, value);
      if (piece.label) Join(owner.label, value);
    }
  }
  return owner;
}

}  // namespace sfumato::data

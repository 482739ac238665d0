#include "data/import/html.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "data/import/html_entities.h"

namespace sfumato::data {
namespace {

using base::IsDigit;
using base::IsLetter;

// Tags that begin a new line of text.
constexpr std::array<std::string_view, 36> kBlocks = {
    "address", "article", "aside",  "blockquote", "body",    "br",
    "caption", "center",  "dd",     "details",    "div",     "dl",
    "dt",      "figure",  "footer", "form",       "h1",      "h2",
    "h3",      "h4",      "h5",     "h6",         "header",  "hr",
    "li",      "ol",      "p",      "section",    "summary", "table",
    "tbody",   "td",      "th",     "thead",      "tr",      "ul"};

// Tags whose content is not prose.
constexpr std::array<std::string_view, 5> kLeftOut = {"pre", "script", "style",
                                                      "template", "textarea"};

template <std::size_t n>
bool Among(std::string_view name,
           const std::array<std::string_view, n>& names) {
  return std::binary_search(names.begin(), names.end(), name);
}
static_assert(std::is_sorted(kBlocks.begin(), kBlocks.end()));
static_assert(std::is_sorted(kLeftOut.begin(), kLeftOut.end()));

bool IsSpace(char32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0x85 || c == 0xA0 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}
// Soft hyphens, zero-width spaces (with the non-joiner that Stack Exchange puts
// before them into long words), direction marks, byte order marks.
bool IsUnseen(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD ||
         (c >= 0x200B && c <= 0x200F && c != 0x200D) ||
         (c >= 0x202A && c <= 0x202E) || c == 0x2060 || c == 0xFEFF;
}

// A numeric entity's code point; browsers read 0x80 to 0x9F as Windows-1252.
char32_t NumericValue(char32_t value) {
  static constexpr char16_t kWindows1252[32] = {
      0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
      0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
      0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
  if (value == 0) return base::kReplacementCharacter;
  return value >= 0x80 && value < 0xA0 ? kWindows1252[value - 0x80] : value;
}

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

// The entity that `text` begins with: its value and the bytes it takes. Size 0
// when there is none.
base::CodePoint TakeNumericEntity(std::string_view text) {
  std::size_t at = 2;
  int radix = 10;
  if (at < text.size() && (text[at] == 'x' || text[at] == 'X')) {
    radix = 16;
    ++at;
  }
  const std::size_t digits = at;
  char32_t value = 0;
  for (; at < text.size() && HexDigit(text[at]) < radix; ++at) {
    if (value < 0x110000) {
      value = value * static_cast<char32_t>(radix) +
              static_cast<char32_t>(HexDigit(text[at]));
    }
  }
  if (at == digits) return {.size = 0};
  if (at < text.size() && text[at] == ';') ++at;
  return {NumericValue(value), at};
}

base::CodePoint TakeEntity(std::string_view text) {
  if (text.size() < 3) return {.size = 0};
  if (text[1] == '#') return TakeNumericEntity(text);
  std::size_t end = 1;
  while (end < text.size() && end < 12 &&
         (IsLetter(text[end]) || IsDigit(text[end]))) {
    ++end;
  }
  if (end == text.size() || text[end] != ';') return {.size = 0};
  const auto value = HtmlEntity(text.substr(1, end - 1));
  return value ? base::CodePoint{*value, end + 1} : base::CodePoint{.size = 0};
}

// The code point that `text` begins with, entities resolved.
base::CodePoint TakeCharacter(std::string_view text) {
  if (text.front() == '&') {
    if (const base::CodePoint entity = TakeEntity(text); entity.size > 0) {
      return entity;
    }
  }
  return base::DecodeUtf8(text);
}

// Lines of prose, put together character by character.
class Lines {
 public:
  void Add(char32_t c) {
    if (IsSpace(c)) {
      space_ = true;
    } else if (!IsUnseen(c)) {
      if (space_ && !line_.empty()) line_ += ' ';
      space_ = false;
      prose_ = prose_ || code_depth_ == 0;
      base::AppendUtf8(c, line_);
    }
  }

  void Code(int change) { code_depth_ = std::max(0, code_depth_ + change); }

  // Ends the line; one that is nothing but code is left out.
  void Break() {
    if (prose_ && !line_.empty()) {
      if (!text_.empty()) text_ += '\n';
      text_ += line_;
    }
    line_.clear();
    space_ = false;
    prose_ = false;
  }

  std::string Finish() {
    Break();
    return std::move(text_);
  }

 private:
  std::string text_;
  std::string line_;
  bool space_ = false;  // white space since the last character
  bool prose_ = false;  // the line holds more than code
  int code_depth_ = 0;
};

struct Tag {
  std::string name;  // small letters
  bool closing = false;
  std::size_t size = 0;  // bytes from '<' to behind '>'; 0: no tag
};

// The tag or comment that `text`, from a '<' on, begins with.
Tag TakeTag(std::string_view text) {
  Tag tag;
  if (text.starts_with("<!--")) {
    const std::size_t end = text.find("-->", 4);
    tag.size = end == text.npos ? text.size() : end + 3;
    return tag;
  }
  std::size_t at = 1;
  tag.closing = at < text.size() && text[at] == '/';
  if (tag.closing) ++at;
  const bool declaration =
      at < text.size() && (text[at] == '!' || text[at] == '?');
  if (!declaration && (at == text.size() || !IsLetter(text[at]))) return tag;
  for (; at < text.size() && (IsLetter(text[at]) || IsDigit(text[at])); ++at) {
    tag.name +=
        IsLetter(text[at]) ? static_cast<char>(text[at] | 32) : text[at];
  }
  for (char quote = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      tag.size = at + 1;
      return tag;
    } else if (c == '<') {
      return tag;
    }
  }
  return tag;
}

// Where the content of the element ends: behind its closing tag, or at the
// next tag of the same name, or at the end.
std::size_t SkipElement(std::string_view text, const std::string& name) {
  for (std::size_t at = text.find('<'); at != text.npos;
       at = text.find('<', at + 1)) {
    if (text.substr(at, 2) != "</") continue;
    const Tag tag = TakeTag(text.substr(at));
    if (tag.size > 0 && tag.name == name) return at + tag.size;
  }
  return text.size();
}

}  // namespace

std::string HtmlToText(std::string_view html) {
  Lines lines;
  while (!html.empty()) {
    const Tag tag = html.front() == '<' ? TakeTag(html) : Tag{};
    if (tag.size == 0) {
      const base::CodePoint c = TakeCharacter(html);
      lines.Add(c.value);
      html.remove_prefix(c.size);
      continue;
    }
    html.remove_prefix(tag.size);
    if (Among(tag.name, kLeftOut)) {
      lines.Break();
      if (!tag.closing) html.remove_prefix(SkipElement(html, tag.name));
    } else if (Among(tag.name, kBlocks)) {
      lines.Break();
    } else if (tag.name == "code") {
      lines.Code(tag.closing ? -1 : 1);
    }
  }
  return lines.Finish();
}

std::string PlainToText(std::string_view plain) {
  Lines lines;
  while (!plain.empty()) {
    const base::CodePoint c = base::DecodeUtf8(plain);
    if (c.value == '\n') {
      lines.Break();
    } else {
      lines.Add(c.value);
    }
    plain.remove_prefix(c.size);
  }
  return lines.Finish();
}

}  // namespace sfumato::data

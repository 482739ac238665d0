#include "data/import/markdown.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/ascii.h"
#include "data/import/html.h"

namespace sfumato::data {
namespace {

// Letters, digits and all of UTF-8 beyond ASCII.
bool IsWord(char c) {
  return base::IsLetter(c) || base::IsDigit(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// A link's size, from '[' to behind ')', and its text; size 0 when `text`
// begins with none.
struct Link {
  std::string_view text;
  std::size_t size = 0;
};

Link TakeLink(std::string_view text) {
  constexpr std::size_t kLongest = 4096;  // keeps "[[[[…" linear
  const std::string_view head = text.substr(0, kLongest);
  const std::size_t close = head.find_first_of("[]\n", 1);
  if (close == head.npos || head[close] != ']') return {};
  const std::string_view inside = head.substr(1, close - 1);
  for (const std::string_view prefix : {"tag:", "meta-tag:"}) {
    if (inside.starts_with(prefix)) {
      return {inside.substr(prefix.size()), close + 1};
    }
  }
  if (inside.empty() || head.substr(close + 1, 1) != "(") return {};
  int depth = 0;
  for (std::size_t at = close + 1; at < head.size() && head[at] != '\n'; ++at) {
    if (head[at] == '(') ++depth;
    if (head[at] == ')' && --depth == 0) return {inside, at + 1};
  }
  return {};
}

std::string ReplaceLinks(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Link link = text.front() == '[' ? TakeLink(text) : Link{};
    if (link.size > 0) {
      result += link.text;
      text.remove_prefix(link.size);
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

// A run of one of the marks * _ `.
struct Run {
  std::size_t begin = 0;
  std::size_t size = 0;
  bool opens = false;
  bool closes = false;
};

std::vector<Run> FindRuns(std::string_view text, char mark) {
  std::vector<Run> runs;
  for (std::size_t at = text.find(mark); at != text.npos;
       at = text.find(mark, at)) {
    const std::size_t end =
        std::min(text.find_first_not_of(mark, at), text.size());
    const char before = at == 0 ? '\n' : text[at - 1];
    const char after = end == text.size() ? '\n' : text[end];
    runs.push_back({.begin = at,
                    .size = end - at,
                    .opens = !IsWord(before) && !IsSpace(after),
                    .closes = !IsSpace(before) && !IsWord(after)});
    at = end;
  }
  return runs;
}

// Takes away every opening run with the closing marks it is paired with; marks
// nest, so that a closing run may answer several opening ones.
std::string RemoveMarks(std::string_view text, char mark) {
  std::vector<bool> drop(text.size(), false);
  const auto remove = [&](std::size_t begin, std::size_t size) {
    std::fill_n(drop.begin() + static_cast<std::ptrdiff_t>(begin), size, true);
  };
  std::vector<Run> open;
  for (Run run : FindRuns(text, mark)) {
    const bool closed = run.closes && !open.empty();
    while (run.closes && !open.empty() && open.back().size <= run.size) {
      remove(open.back().begin, open.back().size);
      remove(run.begin, open.back().size);
      run.begin += open.back().size;
      run.size -= open.back().size;
      open.pop_back();
    }
    if (!closed && run.opens) open.push_back(run);
  }
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!drop[i]) result += text[i];
  }
  return result;
}

}  // namespace

std::string CommentToText(std::string_view comment) {
  std::string text = ReplaceLinks(comment);
  for (const char mark : {'`', '*', '_'}) text = RemoveMarks(text, mark);
  return PlainToText(text);
}

}  // namespace sfumato::data

#include "report/markdown_text.h"

#include <algorithm>

namespace sfumato::report {

std::string Plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*_[]<>|#&").find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c;
  }
  return out;
}

std::string PlainWithCode(std::string_view text) {
  std::string out;
  for (bool code = false; !text.empty(); code = !code) {
    const auto tick = std::min(text.find('`'), text.size());
    const std::string_view part = text.substr(0, tick);
    out += code ? "`" + std::string(part) + "`" : Plain(part);
    text.remove_prefix(std::min(tick + 1, text.size()));
  }
  return out;
}

}  // namespace sfumato::report

// Text as it stands in a Markdown file.

#pragma once

#include <string>
#include <string_view>

namespace sfumato::report {

// Signs that mean something in Markdown or HTML stand for themselves, and a
// text stays on one line.
std::string Plain(std::string_view text);

// The same for a text in which `…` marks code.
std::string PlainWithCode(std::string_view text);

}  // namespace sfumato::report

// Text for HTML, XML and SVG.

#pragma once

#include <string>
#include <string_view>

namespace sfumato::base {

// `text` with & < > " ' as entities: safe as content and as an attribute.
std::string EscapeHtml(std::string_view text);

}  // namespace sfumato::base

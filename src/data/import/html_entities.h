// The named characters of HTML 4.01, and &apos;.

#pragma once

#include <optional>
#include <string_view>

namespace sfumato::data {

// The code point that `name` (without '&' and ';') stands for.
std::optional<char32_t> HtmlEntity(std::string_view name);

}  // namespace sfumato::data

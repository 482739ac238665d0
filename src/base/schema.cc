#include "base/schema.h"

#include <cstddef>

namespace sfumato::base {

bool IsOtherVersion(std::string_view schema, std::string_view own) {
  const std::size_t stem = own.find('/') + 1;
  return schema != own && schema.size() > stem &&
         schema.starts_with(own.substr(0, stem)) &&
         schema.find_first_not_of("0123456789", stem) == std::string_view::npos;
}

}  // namespace sfumato::base

// The examples in the headers of `base`.

#include "base/crc32c.h"

namespace sfumato::base {

void Crc32cExample(std::string_view bytes, std::string_view more) {
#include "base/crc32c.example"
}

}  // namespace sfumato::base

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "data/import/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    sfumato::data::ParseIdxMapping(bytes, "fuzz");
  } catch (const sfumato::Error&) {
  }
  return 0;
}

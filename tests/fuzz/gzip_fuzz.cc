#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "data/import/gzip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    sfumato::data::Gunzip(bytes, "fuzz", 1 << 20);
  } catch (const sfumato::Error&) {
  }
  return 0;
}

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "data/import/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto array = sfumato::data::ParseNpy(bytes, "fuzz");
    double sum = 0;
    for (std::size_t i = 0; i < array.count; ++i) sum += array.Value(i);
    volatile double keep = sum;
    (void)keep;
  } catch (const sfumato::Error&) {
  }
  return 0;
}

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/stroke_font.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  try {
    sfumato::base::ParseHershey({reinterpret_cast<const char*>(data), size},
                                "fuzz.jhf");
  } catch (const sfumato::Error&) {
  }
  return 0;
}

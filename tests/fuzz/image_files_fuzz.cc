// Any bytes as an image file: PNG, PGM, PPM or JPEG, whatever they begin with.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "data/import/image_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  try {
    sfumato::base::Image image = sfumato::data::DecodeImage(
        {reinterpret_cast<const char*>(data), size}, "fuzz");
    const std::size_t samples =
        static_cast<std::size_t>(image.width) * image.height * image.channels;
    if (image.pixels.size() != samples) __builtin_trap();
  } catch (const sfumato::Error&) {
  }
  return 0;
}

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "data/import/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto array = sfumato::data::ParseIdx(bytes, "fuzz");
    if (array.data.size() > bytes.size()) std::abort();
  } catch (const sfumato::Error&) {
  }
  return 0;
}

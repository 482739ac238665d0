#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "data/import/leaf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    sfumato::data::ParseLeaf(bytes, "fuzz", [](const auto& user) {
      if (user.numbers.size() + user.texts.size() !=
          user.size() * (user.texts.empty() ? user.width : user.fields)) {
        std::abort();
      }
    });
  } catch (const sfumato::Error&) {
  }
  return 0;
}

// A layout and a path, apart at the first line break: what is found is part of
// the path.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "data/import/natural_order.h"
#include "data/import/path_layout.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = bytes.find('\n');
  if (cut == bytes.npos) return 0;
  const std::string_view text = bytes.substr(0, cut);
  const std::string_view path = bytes.substr(cut + 1);
  const sfumato::data::NaturalLess less;
  if (less(text, path) == less(path, text) && text != path) __builtin_trap();
  try {
    const auto owner = sfumato::data::PathLayout(text).Match(path);
    if (owner && owner->user.empty()) __builtin_trap();
  } catch (const sfumato::Error&) {
  }
  return 0;
}

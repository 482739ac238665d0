// Any bytes as a Stack Exchange dump. The first says how long the pieces are
// in which the rest arrives.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/utf8.h"
#include "data/import/stackexchange_xml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = std::size_t{data[0]} + 1;
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    sfumato::data::DumpParser parser("fuzz",
                                     [](const sfumato::data::DumpRow& row) {
                                       if (!sfumato::base::IsUtf8(row.text))
                                         __builtin_trap();
                                       if (!sfumato::base::IsUtf8(row.title))
                                         __builtin_trap();
                                     });
    while (!rest.empty()) {
      parser.Feed(rest.substr(0, piece));
      rest.remove_prefix(rest.size() < piece ? rest.size() : piece);
    }
    parser.Finish();
  } catch (const sfumato::Error&) {
  }
  return 0;
}

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "data/import/csv.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    sfumato::data::CsvReader csv(bytes, "fuzz");
    std::size_t line = 0, width = 0;
    while (csv.Next()) {
      if (csv.line() <= line || csv.fields().empty()) std::abort();
      if (width != 0 && csv.fields().size() != width) std::abort();
      line = csv.line();
      width = csv.fields().size();
    }
  } catch (const sfumato::Error&) {
  }
  return 0;
}

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "data/import/text_records.h"

// The first byte chooses the form.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1,
                              size - 1);
  std::size_t total = 0;
  const sfumato::data::TextVisitor count =
      [&](std::string_view user, std::string_view said, std::size_t) {
        total += user.size() + said.size();
      };
  try {
    switch (data[0] % 3) {
      case 0:
        sfumato::data::ParseTextJsonl(text, "fuzz", {}, count);
        break;
      case 1:
        sfumato::data::ParseTextCsv(text, "fuzz", {}, 0, count);
        break;
      default:
        sfumato::data::ParseSpeakers(text, "fuzz", count);
    }
  } catch (const sfumato::Error&) {
  }
  return 0;
}

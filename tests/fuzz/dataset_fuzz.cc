// Any JSON as a dataset's description, and any bytes as JSON lines.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/json_lines.h"
#include "data/dataset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto info = sfumato::data::InfoFromJson(json, "fuzz");
    sfumato::data::InfoFromJson(sfumato::data::ToJson(info), "again");
  } catch (const sfumato::Error&) {
  }
  try {
    sfumato::base::ParseJsonLines(text, "fuzz",
                                  [](const nlohmann::json&, int) {});
  } catch (const sfumato::Error&) {
  }
  return 0;
}

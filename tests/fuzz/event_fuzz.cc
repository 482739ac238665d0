// Any bytes as a file of events: read or refused, never worse. What was read
// comes back from its own JSON, and has a cost or a reason why not.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/json_lines.h"
#include "dp/accounting/event.h"
#include "dp/accounting/rdp.h"

namespace {

void Check(const nlohmann::json& line) {
  const sfumato::dp::Event event = sfumato::dp::EventFromJson(line, "fuzz");
  const auto again = nlohmann::json::parse(ToJson(event).dump());
  if (!(sfumato::dp::EventFromJson(again, "again") == event)) std::abort();
  if (Describe(event).empty()) std::abort();
  for (const double order : {1.5, 2.0, 32.0}) {
    const auto cost = sfumato::dp::Rdp(event, order);
    if (!(cost.divergence >= 0 && cost.delta >= 0 && cost.delta < 1)) {
      std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    sfumato::base::ParseJsonLines(
        bytes, "fuzz", [](const nlohmann::json& line, int) { Check(line); });
  } catch (const sfumato::Error&) {
  }
  return 0;
}

#include "dp/ledger/run_parts.h"

#include <algorithm>

#include "fmt/format.h"

namespace sfumato::dp {

std::string PartName(const std::string& run, std::size_t part) {
  return part <= 1 ? run : fmt::format("{} ({})", run, part);
}

bool IsPartOf(std::string_view name, std::string_view run) {
  if (name == run) return true;
  if (!name.starts_with(run)) return false;
  name.remove_prefix(run.size());
  if (!name.starts_with(" (") || !name.ends_with(")")) return false;
  const std::string_view number = name.substr(2, name.size() - 3);
  return !number.empty() && number != "1" && !number.starts_with('0') &&
         std::ranges::all_of(number,
                             [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<RunPart> PartsOf(Ledger& ledger, const std::string& run) {
  std::vector<RunPart> parts;
  for (;;) {
    const std::string name = PartName(run, parts.size() + 1);
    auto found = ledger.FindRun(name);
    if (!found) return parts;
    parts.push_back({.name = name, .run = *std::move(found)});
  }
}

std::int64_t CountOf(std::span<const Event> events) {
  std::int64_t count = 0;
  for (const Event& event : events) count += event.count;
  return count;
}

std::int64_t ReservedRounds(std::span<const RunPart> parts) {
  std::int64_t count = 0;
  for (const RunPart& part : parts) count += CountOf(part.run.reserved);
  return count;
}

}  // namespace sfumato::dp

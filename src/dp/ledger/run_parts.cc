#include "dp/ledger/run_parts.h"

#include "base/ascii.h"
#include "dp/ledger/ledger.h"
#include "fmt/format.h"

namespace sfumato::dp {

std::string PartName(const std::string& run, std::size_t part) {
  return part <= 1 ? run : fmt::format("{} ({})", run, part);
}

std::optional<std::string> PartBefore(std::string_view name,
                                      const std::string& run) {
  if (!name.starts_with(run) || !name.ends_with(")")) return std::nullopt;
  const std::size_t number = run.size() + 2;
  if (name.size() <= number) return std::nullopt;
  const auto part = base::ParseNumber<std::size_t>(
      name.substr(number, name.size() - number - 1));
  if (!part || *part < 2 || PartName(run, *part) != name) return std::nullopt;
  return PartName(run, *part - 1);
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

std::vector<RunPart> Ledger::PartsOf(const std::string& run) {
  std::vector<RunPart> parts;
  for (;;) {
    const std::string name = PartName(run, parts.size() + 1);
    auto found = FindRun(name);
    if (!found) return parts;
    parts.push_back({.name = name, .run = *std::move(found)});
  }
}

std::string Ledger::ReserveMore(const std::string& run,
                                const std::string& population,
                                std::span<const Event> events) {
  const std::string name = PartName(run, PartsOf(run).size() + 1);
  Reserve(name, population, events);
  return name;
}

void Ledger::FinishParts(const std::string& run) {
  for (const RunPart& part : PartsOf(run)) {
    if (!part.run.finished) Finish(part.name);
  }
}

}  // namespace sfumato::dp

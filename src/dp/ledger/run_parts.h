// The parts of a run in a ledger: what it reserved at first under its name, and
// what it reserved again after a stop under "RUN (2)", "RUN (3)", ….
//
//   for (const RunPart& part : PartsOf(ledger, "first")) part.run.released;

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dp/ledger/ledger.h"

namespace sfumato::dp {

struct RunPart {
  std::string name;
  Run run;
};

// Parts count from 1: "first", "first (2)".
std::string PartName(const std::string& run, std::size_t part);
// The number of the part of `run` with this name, 2 or more; otherwise none.
std::optional<std::size_t> PartOf(std::string_view name, std::string_view run);

std::vector<RunPart> PartsOf(Ledger& ledger, const std::string& run);

// How many occurrences they are.
std::int64_t CountOf(std::span<const Event> events);
// Reserved and not yet released, over all parts.
std::int64_t ReservedRounds(std::span<const RunPart> parts);

}  // namespace sfumato::dp

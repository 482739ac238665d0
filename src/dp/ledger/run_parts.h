// How the ledger names what a run reserves again after a stop: the first part
// of "first" is "first", then come "first (2)", "first (3)", …. Included by
// this room alone; others ask Ledger::PartsOf and Ledger::ReserveMore.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sfumato::dp {

// Parts count from 1.
std::string PartName(const std::string& run, std::size_t part);
// The name of the part before this one, where `name` is a later part of `run`;
// otherwise none.
std::optional<std::string> PartBefore(std::string_view name,
                                      const std::string& run);

}  // namespace sfumato::dp

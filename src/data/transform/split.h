// Makes a federated dataset of a pool of examples (data/transform/partition.h).
//
//   data::SplitDataset(mnist, {.users = 100, .only_column = "split",
//                              .only_value = "train"}, "mnist_100");
//
// The users are named user_0001, …; with kColumn, as the column's values.

#pragma once

#include <cstdint>

#include "base/file.h"
#include "data/dataset.h"
#include "data/transform/partition.h"

namespace sfumato::data {

struct SplitSummary {
  std::uint64_t users = 0;
  std::uint64_t examples = 0;
  std::uint64_t unused = 0;    // examples that nobody got
  std::uint64_t left_out = 0;  // examples that only_value does not take
  std::uint64_t smallest = 0;  // examples of a user
  std::uint64_t largest = 0;
};

// Writes the new set to the folder `out`, with classes, columns and provenance
// of the old one. Throws Unsupported for a private set: its users are people,
// and a bound for users who are made up would be a bound for nobody. Throws
// BadInput as PartitionRows does, when a column or value
// is unknown, and when `set` has users already and `regroup` is not asked for.
SplitSummary SplitDataset(const FederatedDataset& set,
                          const PartitionOptions& options,
                          const base::Path& out);

}  // namespace sfumato::data

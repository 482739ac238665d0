// Which users and examples of a set to look at, and rows of images.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/image.h"
#include "data/dataset.h"

namespace sfumato::data {

struct LookOptions {
  std::size_t users = 8;
  std::size_t per_user = 12;
  // Only examples with this value in this column, and users who have one;
  // empty: all.
  std::string only_column = {};
  std::string only_value = {};
  std::uint64_t seed = 1;  // draws the users
};

// A user's number and the numbers of some of their examples.
struct Look {
  std::size_t user = 0;
  std::vector<std::size_t> examples;
};

// Throws BadInput where the column or its value is unknown to the description.
void CheckFilter(const DatasetInfo& info, const LookOptions& options);

// Users drawn alike, in ascending order (all when there are no more), each
// with their first examples. Throws BadInput when the column or its value is
// unknown, or nobody has it.
std::vector<Look> ChooseLooks(const FederatedDataset& set,
                              const LookOptions& options);

// A row for each look, `columns` images wide; what is missing stays blank.
// REQUIRES: an image set, looks not empty.
base::Image DrawLooks(const FederatedDataset& set,
                      const std::vector<Look>& looks, int columns, int scale);

}  // namespace sfumato::data

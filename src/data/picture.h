// Rows of images, a row for each user: how a set of images is looked at.

#pragma once

#include <cstdint>
#include <vector>

#include "base/image.h"
#include "data/dataset.h"

namespace sfumato::data {

// The first `per_user` images of each of `users`. Users with fewer have blank
// places. REQUIRES: an image set, users not empty.
base::Image DrawUsers(const FederatedDataset& set,
                      const std::vector<std::size_t>& users, int per_user,
                      int scale);

// `count` users of the set, drawn with `seed`, in ascending order; all of them
// when there are no more.
std::vector<std::size_t> PickUsers(const FederatedDataset& set,
                                   std::size_t count, std::uint64_t seed);

}  // namespace sfumato::data

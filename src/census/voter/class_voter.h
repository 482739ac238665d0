// A vote for the classes one has: what a census about classes asks.
//
//   const auto voter = MakeClassVoter(set.info(), /*marks=*/1);
//   const Votes votes = voter->VotesOf(set, users, pool);
//
// A user marks `marks` of the classes of their own examples, or all if there
// are fewer, drawn by their id: the same user draws alike in every census. One
// example is enough to have a class. Nothing is learned, so no references are
// needed.

#pragma once

#include <memory>

#include "census/voter/voter.h"
#include "data/dataset.h"

namespace sfumato::census {

// Throws BadInput for data whose classes have no names, and Unsupported for
// private data whose names were collected from its records.
std::unique_ptr<Voter> MakeClassVoter(const data::DatasetInfo& info,
                                      std::int64_t marks);

// Of a folder that it wrote. Throws Corrupt.
std::unique_ptr<Voter> ReadClassVoter(const base::Path& folder);

}  // namespace sfumato::census

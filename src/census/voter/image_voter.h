// How a device votes on its own images.
//
//   const auto voter = LearnImageVoter(reference, {.seed = 7}, pool);
//   const Votes votes = voter->VotesOf(set, users, pool);
//
// A small network (set_network.h) reads the user's images as points
// (image_points.h, class_templates.h) and says for each family how likely it is.
// A family is marked when it leads by more than its margin, which healthy
// reference users do not reach, and when the user also looks like reference
// users with that damage (fit.h); else the answer is none_of_these. Between the
// margin and what most healthy users have, the user cannot tell.

#pragma once

#include <memory>

#include "census/voter/voter.h"

namespace sfumato::census {

// As LearnVoter and ReadVoter, for images.
std::unique_ptr<Voter> LearnImageVoter(const data::FederatedDataset& reference,
                                       const VoterOptions& options,
                                       fed::WorkerPool& pool);
std::unique_ptr<Voter> ReadImageVoter(const base::Path& folder);

}  // namespace sfumato::census

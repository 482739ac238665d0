// How a device votes on its own images.

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

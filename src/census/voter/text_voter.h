// How a device votes on its own text.

#pragma once

#include <memory>

#include "census/voter/voter.h"

namespace sfumato::census {

// As those of voter.h without the word, for text.
void CheckTextReferences(const data::FederatedDataset& reference,
                         const VoterOptions& options);
std::unique_ptr<Voter> LearnTextVoter(const data::FederatedDataset& reference,
                                      const VoterOptions& options,
                                      fed::WorkerPool& pool);
std::unique_ptr<Voter> ReadTextVoter(const base::Path& folder);

}  // namespace sfumato::census

// Users as they vote in a census, for select.by = "vote": each device votes
// again with the voter that the census stored.
//
//   const CensusVoter voter = ReadCensusVoter(config.select, data.set->info());
//   const select::Verdicts verdicts = VotedBy(voter, data, pool);

#pragma once

#include <memory>

#include "census/voter/voter.h"
#include "config/train_config.h"
#include "data/dataset.h"
#include "fed/worker_pool.h"
#include "plan/training_data.h"
#include "plan/vote_source.h"
#include "select/selection.h"

namespace sfumato::train {

struct CensusVoter {
  plan::VoteSource source;
  std::unique_ptr<census::Voter> voter;
};

// Throws as plan::ReadVoteSource and census::ReadVoter; BadInput for a voter of
// another kind of data, or of images of another shape.
CensusVoter ReadCensusVoter(const config::SelectConfig& select,
                            const data::DatasetInfo& info);

// What everybody marks: private data.
select::Verdicts VotedBy(const CensusVoter& voter,
                         const plan::TrainingData& data, fed::WorkerPool& pool);

}  // namespace sfumato::train

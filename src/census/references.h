// What a voter learns from: a dataset, generated people, or what a run's model
// draws; and what the record of a census says about it.

#pragma once

#include <memory>

#include "census/stages.h"
#include "data/dataset.h"
#include "runs/census.h"

namespace sfumato::census {

struct References {
  std::unique_ptr<data::FederatedDataset> set;
  runs::ReferenceRecord record;
};

// Those that the config names; generated and drawn ones are made in the
// census's folder. Throws as plan::ReadReferenceRun, as DrawReferences and as
// opening a dataset does. REQUIRES: the census's people are open.
References OpenReferences(const Census& census);

// What an earlier census learned its voter from, if the voter is still that.
// Throws BadInput for a voter that was changed since and, on private data,
// Unsupported for one of unknown references.
runs::ReferenceRecord ReferenceOfStored(const Census& census);

}  // namespace sfumato::census

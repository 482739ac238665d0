// References of a census that a released model draws (census.reference names a
// run): drawing is post-processing, so what matters is what the run released.
//
//   if (const auto folder = RunOfReference(config.census)) {
//     const ReferenceRun run = ReadReferenceRun(*folder, key);
//     run.epsilon;  // of the draws; not in the census's own
//   }
//
// A run on generated or public data makes public references. One on private
// data was paid for by a population: its ε, δ and population stand beside those
// of the census (rule 5 of docs/privacy_proofs.md). Anything else is refused.

#pragma once

#include <optional>
#include <string>

#include "base/file.h"
#include "config/train_config.h"
#include "data/dataset.h"

namespace sfumato::plan {

struct ReferenceRun {
  base::Path folder = {};
  std::string name = "";  // of the folder
  bool released = false;  // from private data; else public
  std::string population = "";
  double epsilon = 0;
  double delta = 0;

  // For the price and the page; empty for public ones.
  std::string NotCounted() const;
};

// The run whose draws are the references: the folder of a run, or `samples` in
// it. Nothing where the references are a dataset or generated people.
std::optional<base::Path> RunOfReference(const config::CensusConfig& config);

// Throws BadInput for a run that draws nothing, or draws another kind than
// `own`; Unsupported for a run that has not begun, so that nobody knows what it
// learned from.
void CheckReferenceRun(const base::Path& folder, const data::DatasetInfo& own);

// Throws Unsupported for a run on private data whose releases are in no ledger;
// as Ledger::Open, which needs the `key` of its ledger.
ReferenceRun ReadReferenceRun(const base::Path& folder, const std::string& key);

}  // namespace sfumato::plan

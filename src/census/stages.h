// The stages of a census, as functions over one record, in this order:
//
//   OpenData    the people, and that references may be used
//   FixVoter    who votes: learned from references alone, or stored before
//   Price       what the vote will cost, what it would see, and a yes
//   AskThresholds  where two groups need them: private quantiles
//   Ask         one vote of everybody
//   Answer      shares, intervals and the verdict; costs nothing
//   WritePage   the record, and the report
//
// A census by itself and one that is part of an inspection go through the same
// stages; the part finds its price agreed to and its people open.
//
// A stage leaves what it found on disk before the next begins: the voter is a
// folder, complete or absent, and counts are written when they are released. A
// census that resumes votes with the same voter, and does not ask again what it
// has.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "census/census.h"
#include "census/groups.h"
#include "census/voter/voter.h"
#include "dp/ledger/ledger.h"
#include "fed/worker_pool.h"
#include "plan/census_plan.h"
#include "plan/training_data.h"
#include "train/device.h"

namespace sfumato::census {

// Where voters come from; others in tests.
struct VoterSource {
  std::function<std::unique_ptr<Voter>(const data::FederatedDataset& reference,
                                       const VoterOptions&, fed::WorkerPool&)>
      learn = LearnVoter;
  std::function<std::unique_ptr<Voter>(const base::Path& folder)> read =
      ReadVoter;
};

struct Census {
  // Reads the record of a census that resumes. All must outlive it.
  Census(const CensusJob& job, CensusOutcome& outcome,
         const CensusPart* part = nullptr);
  Census(const Census&) = delete;
  Census& operator=(const Census&) = delete;

  void Save() const { runs::WriteCensus(job.folder, record); }
  void SetStage(const std::string& stage);
  base::Path VoterFolder() const { return job.folder / "voter"; }

  const plan::TrainingData& people() const {
    return part == nullptr ? data : part->people;
  }
  // Where a classifier for generated people is trained.
  base::Path ClassifierFolder() const {
    return part == nullptr ? job.folder : part->folder;
  }

  const CensusJob& job;
  const CensusPart* part;  // null: a census by itself
  config::TrainConfig config;
  runs::CensusRecord& record;
  train::Device device;
  fed::WorkerPool pool;
  plan::TrainingData data = {};  // of a census by itself
  // The same users' data as they were, where a vote is on what changed.
  plan::TrainingData before = {};
  std::optional<Measured> measured = {};  // private data
  std::unique_ptr<Voter> voter = {};
  plan::CensusPlan plan = {};
  std::optional<dp::Ledger> own_ledger = {};
  dp::Ledger* ledger = nullptr;
  std::chrono::steady_clock::time_point begun =
      std::chrono::steady_clock::now();
};

void OpenData(Census& census);

// How the census's voter learns from references. `alike`: they are of the
// users' own kind.
VoterOptions VoterOptionsOf(const config::TrainConfig& config,
                            const data::DatasetInfo& reference,
                            const data::DatasetInfo& people, bool alike);

// Whether this voter can answer what is asked. Throws BadInput for one that is
// about something else, reads other data, has another number of marks, or votes
// on changes where there is one state.
void CheckVoter(const Voter& voter, const config::TrainConfig& config,
                const data::DatasetInfo& info);

// Throws as CheckVoter; BadInput for a stored voter that is not the one its
// census voted with, or when the census has begun with another; Unsupported, on
// private data, for a voter of unknown references.
void FixVoter(Census& census, const VoterSource& source = {});

// Refuses what the budget does not pay for before anything is learned, so it
// comes in two parts: CheckPrice before the voter, Price after it, with a yes.
void CheckPrice(Census& census);
void Price(Census& census);

void AskThresholds(Census& census);
void Ask(Census& census);
void Answer(Census& census);
void WritePage(Census& census);

}  // namespace sfumato::census

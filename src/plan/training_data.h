// The data of a run: a dataset of the user's, or generated people, made once
// inside the run's folder.
//
// Whether a run is a simulation depends on every set that it opens, not on
// data.path alone. CheckOrigins refuses all mixtures: test and public sets are
// never private, and the data before is private exactly if the data now is. So
// once it has passed, the origin of data.path holds for everything.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "config/train_config.h"
#include "data/dataset.h"
#include "data/vocabulary.h"
#include "plan/train_plan.h"

namespace sfumato::plan {

struct TrainingData {
  std::unique_ptr<data::FederatedDataset> set;
  std::unique_ptr<data::FederatedDataset> test_set;  // of data.test_path
  // From data.public_path; a discriminator distinguishes `set` from it.
  std::unique_ptr<data::FederatedDataset> public_set;
  std::vector<std::int64_t> users;       // of `set`; may be drawn
  std::vector<std::int64_t> test_users;  // of test_set, or of `set`
  // Ids of `set` and of the set of data.before_path, if private.
  std::vector<std::string> private_ids;
  // The fingerprint of the set, and of the public one.
  std::string description_crc32c;
  // Where the test users' examples are.
  const data::FederatedDataset& test() const {
    return test_set ? *test_set : *set;
  }
  DataFacts facts() const;
  // Throws Corrupt if the bytes of a set have changed since it was written, and
  // BadInput for an id that comes twice in `set`: one user would count twice.
  void CheckSums() const;
};
// Checks every set that the config names.
void CheckSums(const config::DataConfig& config);

// Reads only the description of every set that the config names. Throws
// Unsupported for a private test or public set, if only one of the data before
// and now is private, or for a private set without an id; BadInput for a bug
// put into private data. Throws as FederatedDataset.
void CheckOrigins(const config::DataConfig& config);

// Opens what the config names, after CheckOrigins. Generates people into
// `run_folder`/data if they are not there yet. Throws BadInput, Corrupt.
TrainingData OpenTrainingData(const config::DataConfig& config,
                              const base::Path& run_folder);

// The data as they were, for two states of them: a set of its own
// (data.before_path), or without the bug.
config::DataConfig DataBefore(const config::DataConfig& now);

// Before and now are the same people's data. Who is among private people is
// looked at by nobody. Throws BadInput for another kind or shape, or unless
// half of the users now were there before. REQUIRES: CheckOrigins has passed.
void CheckBefore(const data::FederatedDataset& before,
                 const data::FederatedDataset& now);

// Throws BadInput if a model of `own` cannot judge `other`, because kind, shape
// or classes differ.
void CheckAlike(const data::DatasetInfo& other, const data::DatasetInfo& own,
                const std::string& where);

// Throws BadInput for a bug that is not in the catalogue, is for another kind
// of data, or would be put into private data.
void CheckBug(const config::DataConfig& config, const data::DatasetInfo& info);

// The set of data.public_path, from which a discriminator distinguishes the
// users' examples. Throws Unsupported if it is private, BadInput if its kind or
// shape differs from `own`.
std::unique_ptr<data::FederatedDataset> OpenPublicSet(
    const base::Path& folder, const data::DatasetInfo& own);

// How often each word was used before the bug. Writes no file. Throws
// Unsupported for private text.
data::WordCounts WordsBeforeTheBug(const config::DataConfig& config);

// The description of the data before the bug, without generating any.
data::DatasetInfo InfoOf(const config::DataConfig& config);

// What is known from descriptions alone.
DataFacts FactsOf(const config::DataConfig& config);

}  // namespace sfumato::plan

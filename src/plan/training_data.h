// The data of a run: a dataset of the user's, or generated people, made once
// inside the run's folder.
//
// Whether a run is a simulation is decided by every set that it opens, not by
// data.path alone. CheckOrigins refuses all mixtures that would need another
// answer: test and public sets are never private, and the data before are
// private exactly if the data now are. So once it has passed, the origin of
// data.path is the origin of everything.

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
  // Of data.public_path: a classifier distinguishes `set` from it.
  std::unique_ptr<data::FederatedDataset> public_set;
  std::vector<std::int64_t> users;       // of `set`, that may be drawn
  std::vector<std::int64_t> test_users;  // of test_set, or of `set`
  // Of the private ones among `set` and the set of data.before_path.
  std::vector<std::string> private_ids;
  // The fingerprint of the set, and of the public one.
  std::string description_crc32c;
  // Where the test users' examples are.
  const data::FederatedDataset& test() const {
    return test_set ? *test_set : *set;
  }
  DataFacts facts() const;
  // Throws Corrupt when the bytes of a set are not those that were written.
  void CheckSums() const;
};
// The same for every set that the config names.
void CheckSums(const config::DataConfig& config);

// Looks at the description of every set that the config names, and at nothing
// else. Throws Unsupported for a private test or public set, for private data
// on one side of before and now, for a private set without an id; BadInput for
// a bug put into private data. Throws as FederatedDataset.
void CheckOrigins(const config::DataConfig& config);

// Opens what the config names, after CheckOrigins. Generated people are made in
// `run_folder`/data when they are not there yet. Throws BadInput, Corrupt.
TrainingData OpenTrainingData(const config::DataConfig& config,
                              const base::Path& run_folder);

// Throws BadInput when a model of `own` cannot judge `other`: another kind,
// shape or other classes.
void CheckAlike(const data::DatasetInfo& other, const data::DatasetInfo& own,
                const std::string& where);

// Throws BadInput for a bug that is not in the catalogue, is of another kind of
// data, or would go into private data.
void CheckBug(const config::DataConfig& config, const data::DatasetInfo& info);

// The set of data.public_path, which users' own examples are told from. Throws
// Unsupported when it is private, BadInput when it is of another kind or shape
// than `own`.
std::unique_ptr<data::FederatedDataset> OpenPublicSet(
    const base::Path& folder, const data::DatasetInfo& own);

// How often each word was used, before a bug; no file is made. Throws
// Unsupported for private text.
data::WordCounts WordsBeforeTheBug(const config::DataConfig& config);

// The description of the data as they are before a bug, without making any.
data::DatasetInfo InfoOf(const config::DataConfig& config);

// What can be said without making or opening more than a description.
DataFacts FactsOf(const config::DataConfig& config);

}  // namespace sfumato::plan

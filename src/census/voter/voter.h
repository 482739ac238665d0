// Who votes: a device compares its own examples with what each family of
// damages would make of reference examples, and marks what it finds.
//
//   const auto voter = LearnVoter(reference, {.marks = 1, .seed = 7}, pool);
//   voter->calibration();                      // how reference users vote
//   const Votes votes = voter->VotesOf(set, users, pool);  // private data
//
// A voter is learned from references alone (public, generated or released), and
// is fixed before anybody is asked. A vote is a function of one user's own
// examples and the voter, so one user more or less is one vote more or less.
// Nothing here throws because of a user's data: users without examples, with
// too few, or with others than the voter reads, vote kCannotTell.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "census/answer/calibration.h"
#include "data/dataset.h"
#include "fed/worker_pool.h"

namespace sfumato::census {

struct VoterOptions {
  std::int64_t marks = 1;           // cells that a user may mark
  std::int64_t least_examples = 8;  // who has fewer cannot tell
  std::int64_t most_examples = 50;  // a device looks at that many at most
  std::int64_t classes = 0;  // of a made-up reference user; 0: one to all
  // Whether labels of the users' examples mean what those of the references do.
  bool labels = true;
  // References of another kind than the users' examples (generated ones for
  // real ones). Then healthy users are not like them: the voter marks what is
  // likeliest, sure or not, and it is up to a second group to show how often
  // healthy users are marked.
  bool foreign = false;
  // For users who have two states of their data: votes are about what turned
  // the one into the other (VotesOnChange).
  bool change = false;
  // Families whose strengths are answers of their own ("rotate=30°"): which
  // angle, or how many of a user's sentences. LearnVoter throws BadInput for
  // others than it knows, and for those of one strength.
  std::vector<std::string> split = {};
  std::uint64_t seed = 1;
  // Whether a network for images learns on the GPU. It votes on the processor.
  bool gpu = false;
  // Of the usual lessons and reference users: less is faster, and duller.
  double effort = 1;
  std::function<void(double done, const char* what)> progress = {};
};

// [user]: the cells that the user marks; one at least, `marks` at most.
using Votes = std::vector<std::vector<std::int64_t>>;

class Voter {
 public:
  virtual ~Voter() = default;

  const Calibration& calibration() const { return calibration_; }

  // Whether it learned with options.change, and so votes on changes alone.
  virtual bool on_change() const { return false; }

  // Whether its votes on such data mean anything: of the same kind and shape.
  virtual bool Reads(const data::DatasetInfo& info) const = 0;

  // Private data. REQUIRES: not on_change(). Throws only as the voter's own
  // files would.
  virtual Votes VotesOf(const data::FederatedDataset& set,
                        const std::vector<std::int64_t>& users,
                        fed::WorkerPool& pool) const = 0;

  // The same for what turned a user's examples in `before` into those in `now`:
  // what the user's own examples look like cancels. `user_before`: the number
  // in `before` of each of `users`, −1 for none, who cannot tell. REQUIRES:
  // learned with options.change. Throws Unsupported for a voter about classes.
  virtual Votes VotesOnChange(const data::FederatedDataset& before,
                              const std::vector<std::int64_t>& user_before,
                              const data::FederatedDataset& now,
                              const std::vector<std::int64_t>& users,
                              fed::WorkerPool& pool) const;

  // A folder of its own, complete or absent: `voter.json` (the calibration and
  // what it was learned from) and, of one that learned, `voter.safetensors`.
  virtual void Write(const base::Path& folder) const = 0;

 protected:
  Calibration calibration_;
};

// Images or text. Throws as CheckReferences.
std::unique_ptr<Voter> LearnVoter(const data::FederatedDataset& reference,
                                  const VoterOptions& options,
                                  fed::WorkerPool& pool);

// Throws BadInput for references that are too few (fewer than two per class
// among them) or of a kind that no voter reads, Unsupported for private ones,
// and as CheckSplit. Learns nothing.
void CheckReferences(const data::FederatedDataset& reference,
                     const VoterOptions& options);

// Throws BadInput for families to split that are unknown, or have one strength,
// of such examples.
void CheckSplit(const data::DatasetInfo& info, const VoterOptions& options);

// Throws Corrupt for a damaged folder.
std::unique_ptr<Voter> ReadVoter(const base::Path& folder);

}  // namespace sfumato::census

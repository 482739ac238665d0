// How a device votes on its own images.
//
//   const auto voter = LearnImageVoter(reference, {.seed = 7}, pool);
//   const Votes votes = voter->VotesOf(set, users, pool);
//
// A small network (set_network.h) reads the user's images as points
// (image_points.h, class_templates.h) and says for each family how likely it
// is. A family is marked when it leads by more than its margin, which healthy
// reference users do not reach, and when the user also looks like reference
// users with that damage (fit.h); else the answer is none_of_these. Between the
// margin and what most healthy users have, the user cannot tell.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "census/voter/fit.h"
#include "census/voter/image_ballot.h"
#include "census/voter/image_reader.h"
#include "census/voter/set_network.h"
#include "census/voter/strength_choice.h"
#include "census/voter/voter.h"

namespace sfumato::census {

// A family whose strengths are answers of their own.
struct SplitFamily {
  std::int64_t family = 0;
  std::vector<std::int64_t> cells = {};  // of each strength
  StrengthChoice choice = {};            // of ImageVoter::Vector
};

class ImageVoter : public Voter {
 public:
  struct Parts {
    VoterOptions options = {};
    std::vector<std::string> classes = {};  // of the references; their labels
    ImageReader reader;
    SetNetwork network;
    std::optional<Fit> fit = {};
    Ballot ballot = {};
    // The cell of each family: some have one together, some none.
    std::vector<std::int64_t> cell_of_family = {};
    std::vector<SplitFamily> splits = {};  // instead of a cell together
  };

  explicit ImageVoter(Parts parts) : parts_(std::move(parts)) {}

  bool on_change() const override { return parts_.options.change; }
  bool Reads(const data::DatasetInfo& info) const override;
  Votes VotesOf(const data::FederatedDataset& set,
                const std::vector<std::int64_t>& users,
                fed::WorkerPool& pool) const override;
  Votes VotesOnChange(const data::FederatedDataset& before,
                      const std::vector<std::int64_t>& user_before,
                      const data::FederatedDataset& now,
                      const std::vector<std::int64_t>& users,
                      fed::WorkerPool& pool) const override;
  void Write(const base::Path& folder) const override;

  Parts& parts() { return parts_; }
  Calibration& own_calibration() { return calibration_; }
  at::Tensor Logits(const at::Tensor& points) const;
  // Mean and deviation of the points, in the network's scale.
  at::Tensor Vector(const at::Tensor& points) const;
  // Families, or one of the marks of image_ballot.h.
  std::vector<std::int64_t> Marks(const at::Tensor& points) const;
  bool MarksSplit(const std::vector<std::int64_t>& marks) const;
  // `vector`: of the user; not looked at unless MarksSplit.
  std::vector<std::int64_t> CellsOf(const std::vector<std::int64_t>& marks,
                                    const at::Tensor& vector) const;

 private:
  std::int64_t CellOf(std::int64_t mark, const at::Tensor& vector) const;
  const SplitFamily* SplitOf(std::int64_t mark) const;
  // As far as the voter looks; none where the user has too few.
  ImageSet ImagesOfUser(const data::FederatedDataset& set,
                        std::int64_t user) const;
  // What each user marks of the points that `read` gives; an empty tensor, or
  // an error, is a user who cannot tell.
  Votes Each(std::size_t users,
             const std::function<at::Tensor(std::size_t user)>& read,
             fed::WorkerPool& pool) const;

  Parts parts_;
};

// As those of voter.h without the word, for images.
void CheckImageReferences(const data::FederatedDataset& reference,
                          const VoterOptions& options);
void CheckImageSplit(const data::DatasetInfo& info,
                     const VoterOptions& options);
std::unique_ptr<Voter> LearnImageVoter(const data::FederatedDataset& reference,
                                       const VoterOptions& options,
                                       fed::WorkerPool& pool);
std::unique_ptr<Voter> ReadImageVoter(const base::Path& folder);

}  // namespace sfumato::census

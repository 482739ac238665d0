// Examples as tensors: what a client's step of training is given.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/dataset.h"
#include "models/stack.h"

namespace sfumato::models {

// One step's examples for every lane. A lane with fewer than `batch` examples
// has rows of weight 0; one that is done has no other.
struct Batch {
  at::Tensor inputs;   // [lane, batch, height, width, channel] float
  at::Tensor labels;   // [lane, batch] int64
  at::Tensor weights;  // [lane, batch] float: 1 / examples of the lane, or 0
  at::Tensor keys;  // [lane] int64: names the lane's random stream (ClientKey)
  std::int64_t step = 0;  // of the client's training, from 0
};

// Names the random numbers of one client in one round: a function of seed,
// round and user, whatever thread, lane or machine trains it.
std::int64_t ClientKey(std::uint64_t seed, std::uint64_t round,
                       std::uint64_t user);

// Users' examples as a model takes them. Safe for many threads.
class Examples {
 public:
  virtual ~Examples() = default;
  virtual Shape shape() const = 0;
  virtual std::int64_t classes() const = 0;  // labels lie below it
  virtual std::int64_t users() const = 0;
  virtual std::int64_t user_size(std::int64_t user) const = 0;
  // Whether there is something to learn from example i of `user`: a classifier
  // passes over examples without a label.
  virtual bool labelled(std::int64_t /*user*/, std::int64_t /*i*/) const {
    return true;
  }
  // Writes example i of `user` to `values` (shape().size() numbers) and returns
  // its label; -1: none.
  virtual std::int64_t Read(std::int64_t user, std::int64_t i,
                            std::span<float> values) const = 0;
};

// Pixels 0 … 255 as low … high; features as they are. Throws BadInput for text
// or, where labels are needed, a set without them. A model that does not look
// at labels (kUnused) sees no classes, and the label 0 everywhere. The dataset
// must outlive it.
struct PixelRange {
  float low = 0;
  float high = 1;
};
enum class Labels { kNeeded, kUnused };
std::unique_ptr<Examples> ExamplesOf(const data::FederatedDataset& set,
                                     PixelRange range = {},
                                     Labels labels = Labels::kNeeded);

// The same, for private data: an example that cannot be read is NaN, so that
// its user's update is not finite and counts as zero. An error would reveal
// that the user was drawn, and let one user stop the others.
std::unique_ptr<Examples> SilentExamples(std::unique_ptr<Examples> all);

// Images in -1 … 1 as bytes 0 … 255 in the memory of the CPU, and back to
// float.
at::Tensor ToBytes(const at::Tensor& images);
at::Tensor FromBytes(const at::Tensor& bytes);

// Some users of `all`, renumbered from 0; `all` must outlive them.
std::unique_ptr<Examples> ChosenUsers(const Examples& all,
                                      std::vector<std::int64_t> users);

// The task of telling private data from public ones (T6 of Augenstein et al.
// 2020), on each device: a user's own examples with label 1, then as many
// public ones with label 0, drawn by (seed, user, number) and the same each
// time they are read. A classifier of two classes that dp_fedavg trains on it
// is the discriminator; a device needs no more than the public data beside its
// own. Who has no examples gets none. Throws BadInput for public examples of
// another shape, or none. Both must outlive it.
std::unique_ptr<Examples> AgainstPublic(const Examples& own,
                                        const Examples& open,
                                        std::uint64_t seed);

// `users` made-up users of `size` random images each, drawn when read: nothing
// is stored, however many there are.
struct SyntheticOptions {
  Shape shape = {};
  std::int64_t classes = 10;  // 0: without labels
  std::int64_t users = 0;
  std::int64_t user_size = 0;
  std::uint64_t seed = 1;
};
std::unique_ptr<Examples> SyntheticExamples(const SyntheticOptions& options);

}  // namespace sfumato::models

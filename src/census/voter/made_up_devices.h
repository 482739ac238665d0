// Made-up devices: reference users with something done to their images, as a
// voter would read them.
//
//   const MadeUpDevices devices(reference, options, pool);
//   devices.Make({.part = Part::kMargins, .stream = "healthy", .count = 300},
//                [&](const MadeUpDevice& device) { Use(device.points); });
//
// Devices of one stream are the same ones whenever they are made, and whatever
// else is: each has a stream of its own.

#pragma once

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "census/voter/image_reader.h"
#include "census/voter/image_truths.h"
#include "census/voter/reference_users.h"
#include "census/voter/voter.h"
#include "data/dataset.h"
#include "fed/worker_pool.h"

namespace sfumato::census {

// Healthy users differ, and nobody knows of which kind those are who are asked:
// margins and confusions are of each kind by itself.
struct UserKind {
  std::string words = "";
  std::int64_t classes = 0;  // 0: as references are made
  bool few = false;          // hardly more examples than they need
  bool other_mix = false;    // of classes before than now
};

// Devices to make.
struct DeviceSeries {
  Part part = Part::kLearn;
  std::string stream = "";
  std::int64_t count = 0;
  // What is true of each; unless it is said, nothing was done to them.
  std::function<Truth(std::size_t device, base::Rng&)> draw =
      [](std::size_t, base::Rng&) { return Truth(); };
  const UserKind* kind = nullptr;  // none: any
  // Of each, the part's; −1: any, or made up. Empty: all of them so.
  std::span<const std::int64_t> persons = {};
};

struct MadeUpDevice {
  std::size_t number = 0;   // in the series
  const ImageSet& images;   // with what was done to them
  const at::Tensor points;  // as the reader has them: [image, number]
  const Truth& truth;
};

class MadeUpDevices {
 public:
  // Throws as ReferenceUsers.
  MadeUpDevices(const data::FederatedDataset& reference,
                const VoterOptions& options, fed::WorkerPool& pool);

  const ReferenceUsers& users() const { return users_; }
  const ImageReader& reader() const { return reader_; }
  // Those that a user of these references may be of; the first is the usual
  // one.
  const std::vector<UserKind>& kinds() const { return kinds_; }
  // Of so many users of one kind: with more kinds, not that many of each.
  std::int64_t OfEachKind(std::int64_t users) const;

  // Calls `use` for each device, on all threads.
  void Make(const DeviceSeries& series,
            const std::function<void(const MadeUpDevice&)>& use) const;

 private:
  using Rows = std::vector<ReferenceRow>;

  const UserKind& AnyKind(base::Rng& rng) const;
  Rows RowsOf(Part part, std::int64_t person, const UserKind& kind,
              base::Rng& rng) const;
  Rows TakeBefore(Rows& rows, const UserKind& kind, base::Rng& rng) const;

  const data::FederatedDataset& reference_;
  VoterOptions options_;
  fed::WorkerPool& pool_;
  ReferenceUsers users_;
  std::vector<UserKind> kinds_;
  ImageReader reader_;
};

// How users of these references are made.
ReferenceOptions UsersFor(const VoterOptions& options);

}  // namespace sfumato::census

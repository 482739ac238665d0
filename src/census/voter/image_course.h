// What every step of learning an image voter works with: its families, how much
// to learn from and measure on, and the devices that are made up for that.
//
//   const ImageCourse course = CourseFor(reference, options, pool);
//   course.Say(0.75, "setting margins");
//   course.amounts.lessons;  // of a round, at this effort

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "census/voter/image_families.h"
#include "census/voter/made_up_devices.h"
#include "census/voter/voter.h"
#include "data/dataset.h"
#include "fed/worker_pool.h"

namespace sfumato::census {

// How much is learned from, and measured on.
struct ImageAmounts {
  std::int64_t rounds = 1;        // each with lessons of its own
  std::int64_t lessons = 10'000;  // of a round
  std::int64_t steps = 3500;      // of a round
  std::int64_t healthy_for_margins = 3000;
  std::int64_t healthy_for_fit = 1500;     // to set what fits
  std::int64_t damaged_for_margins = 120;  // of a family
  std::int64_t fit_users = 150;            // of a family
  std::int64_t fit_healthy = 600;
  std::int64_t choice_users = 300;  // of a strength, of a family that is split
  std::int64_t healthy_for_confusion = 4000;
  std::int64_t users_of_strength = 60;
  std::int64_t users_of_pair = 40;  // of families, with several marks
};

struct ImageCourse {
  const data::FederatedDataset& reference;
  VoterOptions options = {};
  ImageAmounts amounts = {};
  fed::WorkerPool& pool;
  MadeUpDevices devices;
  std::vector<ImageFamily> families = {};

  // Of the network: one for each family, and one for other damages.
  std::int64_t outputs() const { return std::ssize(families) + 1; }
  // Whether its strengths are to be answers of their own.
  bool IsSplit(std::size_t family) const;
  void Say(double done, const char* what) const;
};

// Throws as MadeUpDevices and RequireSplittable.
ImageCourse CourseFor(const data::FederatedDataset& reference,
                      const VoterOptions& options, fed::WorkerPool& pool);

// Those that such images have, with strengths that differ on them.
std::vector<ImageFamily> FamiliesFor(const data::DatasetInfo& info,
                                     bool labelled);

// Throws BadInput for keys of no family, and of one that has one strength.
void RequireSplittable(std::span<const ImageFamily> families,
                       std::span<const std::string> split);

}  // namespace sfumato::census

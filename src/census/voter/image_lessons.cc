#include "census/voter/image_lessons.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

using base::Rng;

constexpr std::int64_t kImagesOfLesson = 20;
constexpr std::int64_t kBatches = 4;  // of a step
constexpr std::int64_t kSets = 16;    // of a batch
constexpr double kFirstRate = 2e-3;
constexpr double kLastRate = 1e-5;

struct Lessons {
  at::Tensor points;   // [lesson, image, number]
  at::Tensor targets;  // [lesson, output]
};

// Every image of one level throughout.
bool IsAllBlank(const ImageSet& set) {
  return std::ranges::all_of(set.images, [](const data::Pixels& image) {
    return std::ranges::all_of(
        image, [&](std::uint8_t level) { return level == image.front(); });
  });
}

std::int64_t BlankOutput(const ImageCourse& course) {
  const auto found = std::ranges::find_if(course.families, IsBlank);
  return found - course.families.begin();
}

// Of all that is done until the network is learned, how much is then.
double DoneOfRound(const ImageCourse& course, std::int64_t round, double part) {
  return 0.7 * (static_cast<double>(round) + part) /
         static_cast<double>(course.amounts.rounds);
}

// The memory of the points is used again in the next round.
void DrawLessons(const ImageCourse& course, std::int64_t round, Lessons& to) {
  course.Say(0.02 + DoneOfRound(course, round, 0), "damaging references");
  const std::int64_t count = course.amounts.lessons;
  if (!to.points.defined()) {
    to.points =
        at::empty({count, kImagesOfLesson, course.devices.reader().size()});
  }
  to.targets = at::zeros({count, course.outputs()});
  const std::int64_t blank = BlankOutput(course);
  course.devices.Make(
      {.part = Part::kLearn,
       .stream = fmt::format("lesson {}", round),
       .count = count,
       .draw =
           [&](std::size_t, Rng& rng) {
             return DrawTruth(course.families, course.reference.info().image,
                              course.options.marks, rng);
           }},
      [&](const MadeUpDevice& device) {
        const auto lesson = static_cast<std::int64_t>(device.number);
        const at::Tensor rows = at::arange(kImagesOfLesson, at::kLong)
                                    .remainder(device.points.size(0));
        to.points[lesson].copy_(device.points.index_select(0, rows));
        // Whatever was done, what is left is blank.
        const std::vector<std::int64_t> outputs = IsAllBlank(device.images)
                                                      ? std::vector{blank}
                                                      : device.truth.outputs;
        for (const std::int64_t output : outputs)
          to.targets[lesson][output] = 1;
      });
}

// In batches side by side on the processor's threads, in one on a GPU.
void Teach(const ImageCourse& course, std::int64_t round,
           const Lessons& lessons, SetNetwork& network, Rng& rng) {
  const ImageAmounts& much = course.amounts;
  const std::int64_t batches = course.options.gpu ? 1 : kBatches;
  at::Tensor chosen =
      at::empty({much.steps, batches, kBatches * kSets / batches}, at::kLong);
  auto* of_set = chosen.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < chosen.numel(); ++i) {
    of_set[i] = static_cast<std::int64_t>(rng.Below(much.lessons));
  }
  const at::Device device = course.options.gpu ? at::kCUDA : at::kCPU;
  const at::Tensor points = lessons.points.to(device);
  const at::Tensor targets = lessons.targets.to(device);
  chosen = chosen.to(device);
  for (std::int64_t step = 0; step < much.steps; ++step) {
    // Sets of all sizes, so that few images are judged by few.
    const std::int64_t each =
        4 + static_cast<std::int64_t>(rng.Below(kImagesOfLesson - 3));
    std::vector<SetNetwork::Batch> sets;
    for (std::int64_t b = 0; b < batches; ++b) {
      const auto from = static_cast<std::int64_t>(
          rng.Below(static_cast<std::uint64_t>(kImagesOfLesson - each + 1)));
      sets.push_back(
          {points.narrow(1, from, each).index_select(0, chosen[step][b]),
           targets.index_select(0, chosen[step][b])});
    }
    const double part = static_cast<double>(step) / much.steps;
    const double done =
        (static_cast<double>(round) + part) / static_cast<double>(much.rounds);
    const double rate =
        kLastRate + kFirstRate / 2 * (1 + std::cos(done * std::numbers::pi));
    network.Step(sets, rate, course.pool);
    if (step % 50 == 0) {
      course.Say(0.05 + DoneOfRound(course, round, 0.2 + 0.8 * part),
                 "learning to vote");
    }
  }
}

}  // namespace

SetNetwork TeachNetwork(const ImageCourse& course) {
  SetNetwork network({.inputs = course.devices.reader().size(),
                      .outputs = course.outputs(),
                      .seed = course.options.seed},
                     course.options.gpu ? at::kCUDA : at::kCPU);
  Rng rng(course.options.seed, {base::Key("steps")});
  Lessons lessons;
  for (std::int64_t round = 0; round < course.amounts.rounds; ++round) {
    DrawLessons(course, round, lessons);
    if (round == 0) {
      const at::Tensor all = lessons.points.flatten(0, 1);
      const at::Tensor some = all.slice(0, 0, all.size(0), 7);
      network.SetScale(some.mean(0),
                       some.std(0, /*unbiased=*/false).clamp_min_(1e-3));
    }
    Teach(course, round, lessons, network, rng);
  }
  return network.OnCpu();
}

}  // namespace sfumato::census

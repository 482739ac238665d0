#include "census/voter/image_margins.h"

#include <vector>

#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

using base::Rng;

constexpr double kHealthyFits = 0.998;
constexpr double kDamagedFits = 0.98;

// [device, output]
at::Tensor LogitsOf(const ImageCourse& course, const ImageVoter& voter,
                    const DeviceSeries& series) {
  at::Tensor all = at::empty({series.count, course.outputs()});
  course.devices.Make(series, [&](const MadeUpDevice& device) {
    all[static_cast<std::int64_t>(device.number)].copy_(
        voter.Logits(device.points));
  });
  return all;
}

// Devices as the test of fit takes them.
struct Vectors {
  at::Tensor all;                           // [device, number]
  std::vector<std::int64_t> examples = {};  // [device]
};

Vectors VectorsOf(const ImageCourse& course, const ImageVoter& voter,
                  const DeviceSeries& series) {
  Vectors vectors{
      .all = at::empty({series.count, 2 * course.devices.reader().size()}),
      .examples =
          std::vector<std::int64_t>(static_cast<std::size_t>(series.count))};
  course.devices.Make(series, [&](const MadeUpDevice& device) {
    vectors.examples[device.number] = device.points.size(0);
    vectors.all[static_cast<std::int64_t>(device.number)].copy_(
        voter.Vector(device.points));
  });
  return vectors;
}

// 0: healthy; a family's number + 1; behind them, two damages at once; −1: what
// is in no state.
Truth DrawState(const ImageCourse& course, std::int64_t state, Rng& rng) {
  if (state == 0) return {};
  if (state < 0) {
    return {.damage = DrawOddity(course.reference.info().image, rng)};
  }
  if (state > std::ssize(course.families)) {
    return DrawPair(course.families, rng);
  }
  const auto family = static_cast<std::size_t>(state) - 1;
  return {.damage = course.families[family].draw(rng)};
}

std::int64_t UsersOfState(const ImageCourse& course, std::int64_t state) {
  if (state == 0) return course.amounts.fit_healthy;
  // Those with many ways to be take more users to be known.
  const bool varied =
      state > std::ssize(course.families) ||
      IsHard(course.families[static_cast<std::size_t>(state) - 1]);
  return (varied ? 4 : 1) * course.amounts.fit_users;
}

}  // namespace

Ballot SetMargins(const ImageCourse& course, const ImageVoter& voter) {
  course.Say(0.75, "setting margins");
  const ImageAmounts& much = course.amounts;
  Ballot ballot;
  for (const UserKind& kind : course.devices.kinds()) {
    const Ballot of_kind = BallotFor(
        LogitsOf(course, voter,
                 {.part = Part::kMargins,
                  .stream = "margins " + kind.words,
                  .count = course.devices.OfEachKind(much.healthy_for_margins),
                  .kind = &kind}));
    if (&kind == &course.devices.kinds().front()) {
      ballot = of_kind;
    } else {
      Widen(ballot, of_kind);
    }
  }
  const std::size_t families = course.families.size();
  std::vector<std::int64_t> family_of_user;
  for (std::size_t i = 0; i < families * much.damaged_for_margins; ++i) {
    family_of_user.push_back(static_cast<std::int64_t>(i % families));
  }
  if (course.options.foreign) MarkTheLikeliest(ballot);
  SetBeside(ballot,
            LogitsOf(course, voter,
                     {.part = Part::kMargins,
                      .stream = "beside",
                      .count = std::ssize(family_of_user),
                      .draw =
                          [&](std::size_t i, Rng& rng) {
                            return DrawState(course, family_of_user[i] + 1,
                                             rng);
                          }}),
            family_of_user);
  if (course.options.marks > 1) {
    SetPairs(ballot, LogitsOf(course, voter,
                              {.part = Part::kMargins,
                               .stream = "pairs beside",
                               .count = 5 * much.damaged_for_margins,
                               .draw = [&](std::size_t, Rng& rng) {
                                 return DrawPair(course.families, rng);
                               }}));
  }
  return ballot;
}

Fit LearnFit(const ImageCourse& course, const ImageVoter& voter) {
  course.Say(0.8, "learning what fits");
  const ImageAmounts& much = course.amounts;
  const std::int64_t last = std::ssize(course.families) + 1;
  // Oddities, in no state; then those of each.
  std::vector<std::int64_t> states(static_cast<std::size_t>(4 * much.fit_users),
                                   -1);
  for (std::int64_t state = 0; state <= last; ++state) {
    states.insert(states.end(),
                  static_cast<std::size_t>(UsersOfState(course, state)), state);
  }
  Fit fit(VectorsOf(course, voter,
                    {.part = Part::kLearn,
                     .stream = "fit",
                     .count = std::ssize(states),
                     .draw =
                         [&](std::size_t i, Rng& rng) {
                           return DrawState(course, states[i], rng);
                         }})
              .all,
          states, 0);
  for (const UserKind& kind : course.devices.kinds()) {
    const Vectors healthy =
        VectorsOf(course, voter,
                  {.part = Part::kMargins,
                   .stream = "fit " + kind.words,
                   .count = course.devices.OfEachKind(much.healthy_for_fit),
                   .kind = &kind});
    if (&kind == &course.devices.kinds().front()) {
      fit.SetScatter(healthy.all, healthy.examples);
    }
    fit.Admit(0, healthy.all, healthy.examples, kHealthyFits);
  }
  for (std::int64_t state = 1; state <= last; ++state) {
    const Vectors others = VectorsOf(course, voter,
                                     {.part = Part::kMargins,
                                      .stream = fmt::format("fit of {}", state),
                                      .count = much.fit_users,
                                      .draw = [&](std::size_t, Rng& rng) {
                                        return DrawState(course, state, rng);
                                      }});
    fit.Admit(state, others.all, others.examples, kDamagedFits);
  }
  return fit;
}

}  // namespace sfumato::census

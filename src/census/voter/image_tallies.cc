#include "census/voter/image_tallies.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

using base::Rng;

// A strength that fewer reference users see is left out, and said.
constexpr double kLeastSeen = 0.5;

struct Question {
  std::int64_t family = -1;
  std::string values = "";
  std::int64_t users = 0;
  std::function<Truth(Rng&)> draw = [](Rng&) { return Truth(); };
  const UserKind* kind = nullptr;  // none: any
};

Tally AskUsers(const ImageCourse& course, const ImageVoter& voter,
               const Question& question) {
  Tally tally{.family = question.family, .values = question.values};
  const auto count = static_cast<std::size_t>(question.users);
  tally.marks.resize(count);
  tally.vectors.resize(count);
  const std::string stream =
      fmt::format("confusion {} {}", tally.family, tally.values);
  Rng rng(course.options.seed, {base::Key("round"), base::Key(stream)});
  tally.persons = course.devices.users().Round(Part::kConfusion, count, rng);
  course.devices.Make(
      {.part = Part::kConfusion,
       .stream = stream,
       .count = question.users,
       .draw = [&](std::size_t, Rng& each) { return question.draw(each); },
       .kind = question.kind,
       .persons = tally.persons},
      [&](const MadeUpDevice& device) {
        std::vector<std::int64_t>& marks = tally.marks[device.number];
        marks = voter.Marks(device.points);
        const bool split = std::ranges::any_of(marks, [&](std::int64_t mark) {
          return mark >= 0 && course.IsSplit(static_cast<std::size_t>(mark));
        });
        if (split) tally.vectors[device.number] = voter.Vector(device.points);
      });
  return tally;
}

struct SeenFamily {
  const ImageFamily& family;
  const Strengths& strengths;
};

ImageDamage DrawBoth(const SeenFamily& first, const SeenFamily& second,
                     Rng& rng) {
  const auto draw = [&](const Strengths& seen) {
    return seen[rng.Below(seen.size())]->damage;
  };
  // Not as arguments, whose order is up to the compiler.
  ImageDamage two = draw(second.strengths);
  ImageDamage one = draw(first.strengths);
  return Both(first.family, std::move(one), second.family, std::move(two));
}

}  // namespace

double ShareThatMark(const Tally& tally, std::int64_t mark) {
  const auto found =
      std::ranges::count_if(tally.marks, [&](const auto& of_user) {
        return std::ranges::find(of_user, mark) != of_user.end();
      });
  return static_cast<double>(found) / static_cast<double>(tally.marks.size());
}

bool IsSeen(const Tally& tally) {
  return ShareThatMark(tally, tally.family) >= kLeastSeen;
}

std::vector<Tally> AskAll(const ImageCourse& course, const ImageVoter& voter) {
  std::vector<Tally> tallies;
  const ImageAmounts& much = course.amounts;
  for (const UserKind& kind : course.devices.kinds()) {
    tallies.push_back(AskUsers(
        course, voter,
        {.values = kind.words,
         .users = course.devices.OfEachKind(much.healthy_for_confusion),
         .kind = &kind}));
  }
  const std::size_t families = course.families.size();
  for (std::size_t k = 0; k < families; ++k) {
    course.Say(
        0.88 + 0.12 * static_cast<double>(k) / static_cast<double>(families),
        "asking reference users");
    for (const NamedDamage& strength : course.families[k].strengths) {
      tallies.push_back(AskUsers(
          course, voter,
          {.family = static_cast<std::int64_t>(k),
           .values = strength.values,
           .users = much.users_of_strength,
           .draw = [&](Rng&) { return Truth{.damage = strength.damage}; }}));
    }
  }
  return tallies;
}

std::vector<std::vector<Tally>> AskPairs(
    const ImageCourse& course, const ImageVoter& voter,
    const std::vector<Strengths>& seen,
    const std::vector<std::int64_t>& cell_of_family) {
  const std::size_t families = course.families.size();
  std::vector<std::vector<Tally>> beside(families);
  for (auto& of_family : beside) of_family.resize(families);
  for (std::size_t k = 0; k < families; ++k) {
    course.Say(
        0.95 + 0.05 * static_cast<double>(k) / static_cast<double>(families),
        "asking about two damages");
    for (std::size_t other = 0; other < k; ++other) {
      if (seen[k].empty() || seen[other].empty() ||
          cell_of_family[k] == cell_of_family[other]) {
        continue;
      }
      const SeenFamily mine{course.families[k], seen[k]};
      const SeenFamily partner{course.families[other], seen[other]};
      beside[k][other] = AskUsers(
          course, voter,
          {.family = static_cast<std::int64_t>(k),
           .values = "beside " + partner.family.key,
           .users = course.amounts.users_of_pair,
           .draw = [&](Rng& rng) {
             return Truth{.damage = rng.Bernoulli(0.5)
                                        ? DrawBoth(mine, partner, rng)
                                        : DrawBoth(partner, mine, rng)};
           }});
      beside[other][k] = beside[k][other];
    }
  }
  return beside;
}

}  // namespace sfumato::census

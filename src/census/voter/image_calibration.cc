#include "census/voter/image_calibration.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "census/answer/confusion.h"
#include "census/answer/worth.h"
#include "census/voter/image_cells.h"
#include "census/voter/image_tallies.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::census {
namespace {

using base::Rng;

// Other damages are beside one alike if its users mark it as often: always or
// nearly, often, and hardly ever.
constexpr double kSeenBeside[] = {0.75, kLeastNoticed, 0};
// A strength that fewer reference users with it are taken for is said.
constexpr double kTakenForItself = 0.5;

const NamedDamage& StrengthOf(const ImageFamily& family,
                              const std::string& values) {
  return *std::ranges::find(family.strengths, values, &NamedDamage::values);
}

StrengthChoice LearnChoice(const ImageCourse& course, const ImageVoter& voter,
                           const StrengthCells& split) {
  const ImageFamily& family =
      course.families[static_cast<std::size_t>(split.family)];
  const std::size_t strengths = split.values.size();
  std::vector<std::vector<float>> rows(
      strengths * static_cast<std::size_t>(course.amounts.choice_users));
  std::vector<std::int64_t> strength_of_row(rows.size());
  course.devices.Make(
      {.part = Part::kLearn,
       .stream = fmt::format("choice {}", family.key),
       .count = std::ssize(rows),
       .draw =
           [&](std::size_t i, Rng&) {
             return Truth{
                 .damage =
                     StrengthOf(family, split.values[i % strengths]).damage};
           }},
      [&](const MadeUpDevice& device) {
        const at::Tensor vector = voter.Vector(device.points).contiguous();
        const std::size_t i = device.number;
        rows[i].assign(vector.data_ptr<float>(),
                       vector.data_ptr<float>() + vector.numel());
        strength_of_row[i] = static_cast<std::int64_t>(i % strengths);
      });
  return StrengthChoice::Learn(rows, strength_of_row,
                               static_cast<std::int64_t>(strengths));
}

void GiveCells(const ImageCourse& course, const std::vector<Tally>& tallies,
               ImageVoter& voter) {
  ImageCells chosen =
      ChooseImageCells(course.families, course.options.split, tallies);
  for (const StrengthCells& split : chosen.splits) {
    voter.parts().splits.push_back(
        {.family = split.family,
         .cells = split.cells,
         .choice = LearnChoice(course, voter, split)});
  }
  voter.parts().cell_of_family = std::move(chosen.cell_of_family);
  Calibration& calibration = voter.own_calibration();
  calibration.cells = std::move(chosen.cells);
  calibration.remarks = std::move(chosen.remarks);
  calibration.marks = course.options.marks;
  calibration.split = course.options.split;
}

// People of a set are known by a number of them.
void SayIfFewPeople(const ImageCourse& course, Calibration& calibration) {
  if (!course.reference.info().grouped || course.devices.users().grouped()) {
    return;
  }
  calibration.remarks.push_back(
      "The references have too few people with enough examples to know how "
      "people differ: reference users are mixtures of all of them, and the "
      "level holds for users who are no more different than these.");
}

// The place of the state, and of its cell; the number of states where users
// with that damage are in none.
std::size_t StateOf(const ImageCourse& course, ImageVoter& voter,
                    const Tally& tally) {
  if (tally.family < 0) return 0;
  const Calibration& calibration = voter.calibration();
  const std::size_t none = calibration.states.size();
  if (!IsSeen(tally)) return none;
  const auto k = static_cast<std::size_t>(tally.family);
  const auto& splits = voter.parts().splits;
  const bool split = std::ranges::find(splits, tally.family,
                                       &SplitFamily::family) != splits.end();
  const auto cell =
      split ? calibration.CellOf(StrengthKey(course.families[k], tally.values))
            : static_cast<std::size_t>(voter.parts().cell_of_family[k]);
  return std::min(cell, none);
}

struct Asked {
  const Tally* tally = nullptr;
  std::int64_t beside = -1;  // cell of another damage that they have
};

// What all of these users mark, but for what they were asked beside.
Tried CellsOf(const ImageCourse& course, const ImageVoter& voter,
              const std::vector<Asked>& all) {
  const ReferenceUsers& users = course.devices.users();
  Tried tried{
      .values = all.front().tally->values,
      .votes = std::vector<std::int64_t>(voter.calibration().cells.size())};
  const std::size_t cells = tried.votes.size();
  std::vector<PersonAnswers> persons(
      users.persons(Part::kConfusion),
      {.marks = std::vector<std::int64_t>(cells)});
  for (const auto& [tally, beside] : all) {
    tried.users += std::ssize(tally->marks);
    for (std::size_t i = 0; i < tally->marks.size(); ++i) {
      PersonAnswers* const person =
          persons.empty()
              ? nullptr
              : &persons[static_cast<std::size_t>(tally->persons[i])];
      if (person != nullptr) ++person->asked;
      for (const std::int64_t cell :
           voter.CellsOf(tally->marks[i], tally->vectors[i])) {
        if (cell == beside) continue;
        ++tried.votes[static_cast<std::size_t>(cell)];
        if (person != nullptr) ++person->marks[static_cast<std::size_t>(cell)];
      }
    }
  }
  tried.worth = WorthsOf(persons, cells);
  if (persons.empty()) {
    const VoterOptions& options = course.options;
    const double each = 0.5 * static_cast<double>(options.least_examples +
                                                  options.most_examples);
    tried.worth.assign(cells,
                       WorthOfPool(tried.users, each,
                                   std::ssize(users.All(Part::kConfusion))));
  }
  return tried;
}

// Fills the states, which are healthy and one for each damage that has a cell.
// Returns for each family the strengths that are seen alone, of those that are
// seen beside others.
std::vector<Strengths> FillStates(const ImageCourse& course,
                                  const std::vector<Tally>& tallies,
                                  ImageVoter& voter) {
  Calibration& calibration = voter.own_calibration();
  calibration.states = {{.key = kAsItShouldBe}};
  for (std::size_t c = 1; c <= calibration.families(); ++c) {
    calibration.states.push_back({.key = calibration.cells[c].key});
  }
  std::vector<Strengths> seen(course.families.size());
  for (const Tally& tally : tallies) {
    const std::size_t state = StateOf(course, voter, tally);
    if (state == calibration.states.size()) continue;
    calibration.states[state].tried.push_back(
        CellsOf(course, voter, {{&tally}}));
    if (tally.family < 0) continue;
    const auto k = static_cast<std::size_t>(tally.family);
    const ImageFamily& family = course.families[k];
    if (IsBlank(family) || course.IsSplit(k)) continue;
    seen[k].push_back(&StrengthOf(family, tally.values));
  }
  return seen;
}

// With several marks: how often a damage is marked beside each other one.
void AddBeside(const ImageCourse& course, const std::vector<Strengths>& seen,
               ImageVoter& voter) {
  const auto& cells = voter.parts().cell_of_family;
  const std::vector<std::vector<Tally>> beside =
      AskPairs(course, voter, seen, cells);
  for (std::size_t k = 0; k < beside.size(); ++k) {
    const auto state = static_cast<std::size_t>(cells[k]);
    double below = 2;
    for (const double least : kSeenBeside) {
      std::vector<Asked> alike;
      std::vector<std::string> words;
      for (std::size_t other = 0; other < beside.size(); ++other) {
        const Tally& tally = beside[k][other];
        if (tally.marks.empty()) continue;
        const double share = ShareThatMark(tally, static_cast<std::int64_t>(k));
        if (share < least || share >= below) continue;
        alike.push_back({&tally, cells[other]});
        words.push_back(fmt::format("“{}”", course.families[other].words));
      }
      below = least;
      if (alike.empty()) continue;
      Tried tried = CellsOf(course, voter, alike);
      tried.values = fmt::format("beside {}", fmt::join(words, ", "));
      tried.beside = true;
      voter.own_calibration().states[state].tried.push_back(std::move(tried));
    }
  }
}

void SayIfHardToTell(const std::vector<SplitFamily>& splits,
                     Calibration& calibration) {
  for (const SplitFamily& split : splits) {
    for (const std::int64_t cell : split.cells) {
      const auto c = static_cast<std::size_t>(cell);
      const Tried& tried = calibration.states[c].tried.front();
      if (static_cast<double>(tried.votes[c]) >=
          kTakenForItself * static_cast<double>(tried.users)) {
        continue;
      }
      calibration.remarks.push_back(fmt::format(
          "Hard to tell from other strengths with these references: {}.",
          calibration.cells[c].words));
    }
  }
}

}  // namespace

void Calibrate(const ImageCourse& course, ImageVoter& voter) {
  const std::vector<Tally> tallies = AskAll(course, voter);
  GiveCells(course, tallies, voter);
  SayIfFewPeople(course, voter.own_calibration());
  const std::vector<Strengths> seen = FillStates(course, tallies, voter);
  if (course.options.marks > 1) AddBeside(course, seen, voter);
  SayIfHardToTell(voter.parts().splits, voter.own_calibration());
}

}  // namespace sfumato::census

#include "census/answer/class_answer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "census/answer/answer_parts.h"
#include "census/answer/confusion.h"
#include "census/answer/naming.h"
#include "census/answer/share_text.h"
#include "census/answer/threshold.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

constexpr double kSeenProbability = 0.95;
constexpr double kInside = 0.975;  // of an interval of 95 %
// Of those who marked anything: above this share a class is not known of most.
constexpr double kMostUnknown = 0.5;

bool MarksAll(const Calibration& calibration) {
  return calibration.marks >= static_cast<std::int64_t>(calibration.families());
}

// The other way round: who lost a class marks another one instead.
std::vector<Leak> Displaced(const std::vector<Named>& named, bool more) {
  std::vector<Leak> leaks;
  for (const Named& one : named) {
    if (one.more != more) leaks.push_back({.users = one.reached, .rate = 1});
  }
  return leaks;
}

bool MostHaveNoLabel(const ThresholdQuestion& question) {
  return std::ranges::any_of(question.groups, [](const GroupCounts& group) {
    return group.counts.back() / group.users > kMostUnknown;
  });
}

// What share of the second group more would have to mark a class.
double SeenFrom(const Thresholds& thresholds, std::size_t cell,
                const GroupCounts& last) {
  const double users = std::max(1.0, last.users);
  return thresholds.LeastSeen(cell, thresholds.Of(cell, {}), kSeenProbability) /
         users;
}

std::string Quoted(const std::vector<std::string>& all) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + all[i];
  }
  return all.size() > kMost
             ? fmt::format("{} and {} more", text, all.size() - kMost)
             : text;
}

// Everybody: nothing to compare with.
void Tell(const std::string& people, CensusAnswer& answer) {
  answer.verdict = CensusVerdict::kCounted;
  std::vector<std::string> missing;
  const CellAnswer* least = nullptr;
  const CellAnswer* most = nullptr;
  double high = 0;
  for (std::size_t a = 0; a + 2 < answer.answers.size(); ++a) {
    const CellAnswer& one = answer.answers[a];
    if (!one.supported) {
      missing.push_back(one.words);
      high = std::max(high, one.high);
      continue;
    }
    if (least == nullptr || one.share < least->share) least = &one;
    if (most == nullptr || one.share > most->share) most = &one;
  }
  std::vector<std::string> parts;
  if (most != nullptr) {
    parts.push_back(
        least == most
            ? fmt::format("{} alone was marked, by {} of {}", most->words,
                          ShareText(most->share), people)
            : fmt::format("from {} of {} ({}) to {} ({}) marked a class",
                          ShareText(least->share), people, least->words,
                          ShareText(most->share), most->words));
  }
  if (!missing.empty()) {
    parts.push_back(
        fmt::format("no more than noise (each marked by at most {} of {}): {}",
                    ShareText(high), people, Quoted(missing)));
  }
  answer.sentence = SentenceOf(parts);
  answer.next =
      "Compare it with what these users should have; or ask two groups, such "
      "as two versions of the app, with `census.groups = \"sides\"`: whether "
      "they have the same classes is then tested.";
}

void Compare(const Calibration& calibration, const std::string& people,
             const std::vector<Named>& named, CensusAnswer& answer) {
  if (!named.empty()) {
    answer.verdict = CensusVerdict::kDiffers;
    std::vector<std::string> parts;
    for (const Named& one : named) {
      const CellAnswer& cell = answer.answers[one.cell];
      parts.push_back(cell.words + ": " + HowMany(cell, answer, people));
    }
    answer.sentence = SentenceOf(parts);
    answer.next =
        "Look at how each group gets its labels: a class left out, renamed or "
        "taken for another, or users who really have others. Which damage the "
        "examples have is a question of its own: `census.about = \"damage\"`.";
    if (!MarksAll(calibration)) {
      answer.remarks.push_back(
          "A user marks fewer classes than they may have, so who lost a class "
          "marks another one instead: classes that have more in the other "
          "group, but not more than that explains, are not named.");
    }
    return;
  }
  double from = 0;
  for (std::size_t a = 0; a + 2 < answer.answers.size(); ++a) {
    from = std::max(from, answer.answers[a].seen_from);
  }
  if (from > 1) {
    CannotSay(fmt::format("The noise is too large for so few {}: a class that "
                          "only one group has would not have been seen.",
                          people),
              "Ask more users, or allow a larger `census.epsilon`.", answer);
    return;
  }
  answer.verdict = CensusVerdict::kHealthy;
  answer.sentence = fmt::format(
      "No difference was found; a class that {} more {} of {} have would have "
      "been seen.",
      ShareText(from), people, GroupText(answer, 1));
  answer.next =
      "If the metric still looks wrong, ask which damage the examples have: "
      "`census.about = \"damage\"`.";
}

}  // namespace

Calibration ClassCells(const std::vector<std::string>& classes,
                       std::int64_t marks) {
  if (classes.empty()) {
    throw BadInput("a question about classes, where no class has a name",
                   "census.about",
                   "ask about data whose classes have names, or about damage");
  }
  Calibration calibration{.about = About::kClasses, .marks = marks};
  std::set<std::string> names;
  for (const std::string& name : classes) {
    if (!names.insert(name).second) {
      throw BadInput(fmt::format("two classes of the name '{}'", name),
                     "census.about", "give every class a name of its own");
    }
    calibration.cells.push_back(
        {.key = "class=" + name, .words = "class " + name});
  }
  calibration.cells.push_back(
      {.key = kNoneOfThese, .words = "none of these classes"});
  calibration.cells.push_back(
      {.key = kCannotTell, .words = "no example with a label"});
  return calibration;
}

CensusAnswer ClassAnswerOf(const Counts& counts, const Calibration& calibration,
                           const AnswerOptions& options) {
  const ThresholdQuestion question = QuestionOf(counts, calibration, options);
  CensusAnswer answer = Begun(question, counts, calibration, options);
  if (!SomebodyAnswered(question)) {
    CannotSay(
        fmt::format("Fewer {} answered than the noise hides.", options.people),
        "Ask more users, or allow a larger `census.epsilon`.", answer);
    return answer;
  }
  const Confusion confusion(calibration);
  const Thresholds thresholds(question, confusion);
  const bool two = thresholds.two();
  const std::vector<Named> named =
      NameCells(answer.answers, thresholds, calibration.first(),
                [&](const std::vector<Named>& before, std::size_t, bool more) {
                  return MarksAll(calibration) ? std::vector<Leak>{}
                                               : Displaced(before, more);
                });
  AddShares(question, confusion, options, answer);
  for (std::size_t a = 0; a + 1 < answer.answers.size(); ++a) {
    answer.answers[a].seen_from =
        SeenFrom(thresholds, a, question.groups.back());
  }
  if (MostHaveNoLabel(question)) {
    if (two && named.empty()) {
      CannotSay(
          "More than half of a group has no example with a label, so whether "
          "the groups have the same classes is not known.",
          "Ask users whose examples have labels.", answer);
      return answer;
    }
    answer.remarks.push_back(
        "More than half of a group has no example with a label: what is said "
        "is about the others.");
  }
  if (two) {
    Compare(calibration, options.people, named, answer);
  } else {
    Tell(options.people, answer);
  }
  return answer;
}

std::string ClassCaseText(Design design) {
  switch (design) {
    case Design::kEverybody:
      return "Everybody was asked which classes they have. There is nothing "
             "that this is compared with; the level is that of calling a class "
             "seen that nobody marked.";
    case Design::kTwoGroups:
      return "Two groups were asked which classes they have. The level is that "
             "of a difference being named where both have the same.";
    case Design::kOwnAccuracy:
      break;
  }
  return "Two sides that were chosen by the users’ own examples were asked "
         "which classes they have. The level is that of a difference being "
         "named where both have the same; a class that is harder than others "
         "makes a difference without anything being wrong with it.";
}

std::string ClassPowerText(const PowerQuestion& question, std::int64_t classes,
                           std::int64_t marks) {
  std::vector<std::string> names;
  for (std::int64_t c = 0; c < std::max<std::int64_t>(1, classes); ++c) {
    names.push_back(fmt::format("{}", c));
  }
  const Calibration calibration = ClassCells(names, marks);
  const bool nobody = std::ranges::any_of(
      question.users, [](double asked) { return !(asked >= 1); });
  if (question.users.size() == 1 && !nobody) {
    const double error =
        static_cast<double>(QuantileOf(question.noise, kInside)) /
        question.users[0];
    return fmt::format("each class's share would be known to ± {}",
                       ShareText(error));
  }
  ThresholdQuestion thresholds{.level = question.level,
                               .cells_tested = calibration.families() + 1};
  const double rate = std::min(
      0.5, static_cast<double>(marks) / static_cast<double>(names.size()));
  for (const double users : question.users) {
    GroupCounts group{.users = users, .noise = question.noise};
    group.counts.assign(calibration.cells.size(), rate * users);
    thresholds.groups.push_back(std::move(group));
  }
  const Confusion confusion(calibration);
  const double seen = nobody ? 2
                             : SeenFrom(Thresholds(thresholds, confusion), 0,
                                        thresholds.groups.back());
  return seen <= 1 ? fmt::format(
                         "a class that {} more users of one group have "
                         "would be seen",
                         ShareText(seen * (1 - rate)))
                   : "no difference would be seen, however large";
}

}  // namespace sfumato::census

#include "census/answer/census_answer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "census/answer/answer_parts.h"
#include "census/answer/class_answer.h"
#include "census/answer/confusion.h"
#include "census/answer/named_in.h"
#include "census/answer/naming.h"
#include "census/answer/share_text.h"
#include "census/answer/threshold.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

constexpr double kSeenProbability = 0.95;
// Users that most others outvote: above this share nothing is said of all.
constexpr double kMostUnknown = 0.5;
// Where most kinds of damage would have been seen on more users than this
// alone, "nothing was found" says little.
constexpr double kMostHidden = 0.2;

void CheckCounts(const Counts& counts, std::size_t groups, std::size_t cells,
                 const char* where) {
  const auto refuse = [&](const std::string& what) {
    throw BadInput(what, where, "give what the census released");
  };
  if (counts.counts.size() != groups) {
    refuse(fmt::format("counts of {} groups where {} were asked",
                       counts.counts.size(), groups));
  }
  for (const std::vector<double>& group : counts.counts) {
    if (group.size() != cells) {
      refuse(fmt::format("{} counts for {} answers", group.size(), cells));
    }
    for (const double count : group) {
      if (!std::isfinite(count)) refuse("a count that is not a number");
    }
  }
  if (!counts.asked.empty() && counts.asked.size() != groups) {
    refuse("numbers of users of other groups than were asked");
  }
  for (const double asked : counts.asked) {
    if (!std::isfinite(asked) || asked < 0) refuse("not a number of users");
  }
  if (counts.noise.kind != NoiseKind::kNone && !(counts.noise.parameter > 0)) {
    refuse("noise without a scale");
  }
}

// One answer in the making.
class Reading {
 public:
  Reading(const Counts& counts, const Calibration& calibration,
          const AnswerOptions& options)
      : calibration_(calibration),
        options_(options),
        confusion_(calibration),
        question_(QuestionOf(counts, calibration, options)),
        answer_(Begun(question_, counts, calibration, options)) {
    answer_.remarks.insert(answer_.remarks.end(), confusion_.remarks().begin(),
                           confusion_.remarks().end());
    SayIfNotThatMany(counts);
    if (counts.asked.empty() && calibration.marks > 1) {
      answer_.remarks.push_back(
          "How many users were asked is not known, and users may mark more "
          "than one answer: who marked two counts twice among all, so shares "
          "are somewhat too small.");
    }
  }

  // Users mark one answer at least, and as many as they may at most.
  void SayIfNotThatMany(const Counts& counts) {
    constexpr double kChance = 0.001;
    for (std::size_t g = 0; g < counts.asked.size(); ++g) {
      double marks = 0;
      for (const double count : counts.counts[g]) marks += count;
      const double noise =
          static_cast<double>(QuantileOf(counts.noise, 1 - kChance)) *
          std::sqrt(static_cast<double>(counts.counts[g].size()));
      const double asked = counts.asked[g];
      if (asked <= marks + noise &&
          asked * static_cast<double>(calibration_.marks) >= marks - noise) {
        continue;
      }
      answer_.remarks.push_back(fmt::format(
          "{:.0f} {} were said to be asked, but there are {:.0f} marks, of one "
          "to {} each: the shares are of a wrong number.",
          asked, options_.people, marks, calibration_.marks));
    }
  }

  CensusAnswer Read() {
    if (SomebodyAnswered(question_) && confusion_.Healthy().users > 0) {
      const Thresholds thresholds(question_, confusion_);
      named_ =
          NameCells(answer_.answers, thresholds, calibration_.first(),
                    [&](const std::vector<Named>& named, std::size_t cell,
                        bool more) { return LeaksInto(named, cell, more); });
      SayWhatIsWithheld(thresholds);
      AddShares(question_, confusion_, options_, answer_);
      Power(thresholds);
    }
    Judge();
    return std::move(answer_);
  }

 private:
  bool two() const { return question_.groups.size() == 2; }
  std::size_t none() const { return calibration_.cells.size() - 2; }
  std::size_t cannot_tell() const { return calibration_.cells.size() - 1; }

  Leak LeakOf(const Named& named, std::size_t cell) const {
    // Nobody has seen users with a damage that no explanation fits: up to half
    // of them may be taken for one of the families.
    if (named.cell == none()) return {.users = named.reached, .rate = 1};
    const double most = std::max(0.0, question_.groups.back().users);
    Leak worst;
    for (const Tried& tried : confusion_.TriedOf(named.cell)) {
      // Of as many users as they are worth.
      const auto hits = [&](std::size_t at) {
        return static_cast<double>(tried.votes[at]) *
               static_cast<double>(WorthOf(tried, at)) /
               static_cast<double>(tried.users);
      };
      const double right =
          LowerBound(static_cast<std::int64_t>(std::floor(hits(named.cell))),
                     WorthOf(tried, named.cell), kLeakChance);
      const double rate =
          UpperBound(static_cast<std::int64_t>(std::ceil(hits(cell))),
                     WorthOf(tried, cell), kLeakChance);
      const double users =
          right > 0 ? std::min(most, named.reached / right) : most;
      if (users * rate > worst.users * worst.rate) {
        worst = {.users = users, .rate = rate};
      }
    }
    return worst;
  }

  // What was named already, as it would show in a cell: of users with a damage,
  // and of healthy users that these no longer are.
  std::vector<Leak> LeaksInto(const std::vector<Named>& all, std::size_t cell,
                              bool more) const {
    std::vector<Leak> leaks;
    for (const Named& named : all) {
      if (named.more == more) {
        leaks.push_back(LeakOf(named, cell));
      } else {
        // As many users fewer answer as healthy users do.
        const std::size_t from = named.more ? 0 : 1;
        const GroupCounts& group = question_.groups[from];
        const double most =
            group.counts[cell] +
            static_cast<double>(QuantileOf(group.noise, 1 - kLeakChance));
        const double rate = std::clamp(most / group.users, 0.0, 1.0);
        leaks.push_back(
            {.users = std::min(std::max(0.0, question_.groups[1].users),
                               2 * named.reached),
             .rate = rate});
      }
    }
    return leaks;
  }

  void SayWhatIsWithheld(const Thresholds& thresholds) {
    if (!answer_.answers[none()].supported) return;
    for (std::size_t a = 1; a < none(); ++a) {
      const CellAnswer& one = answer_.answers[a];
      if (one.supported ||
          std::abs(thresholds.StatisticOf(a)) < thresholds.Of(a, {})) {
        continue;
      }
      answer_.remarks.push_back(fmt::format(
          "Some {} are counted as “{}”, but more as “none of these”: an "
          "unknown "
          "damage may be taken for a known one, so it is not named.",
          options_.people, one.words));
    }
  }

  void Power(const Thresholds& thresholds) {
    const double users = std::max(1.0, question_.groups.back().users);
    for (std::size_t a = 1; a <= none(); ++a) {
      CellAnswer& one = answer_.answers[a];
      // Of two groups: what the second one would have to show.
      const double threshold =
          !two() || one.threshold > 0
              ? one.threshold
              : thresholds.Of(a, LeaksInto(named_, a, true));
      one.seen_from =
          thresholds.LeastSeen(a, threshold, kSeenProbability) / users;
    }
  }

  double SeenFrom() const {
    double most = 0;
    for (std::size_t a = 1; a < none(); ++a) {
      most = std::max(most, answer_.answers[a].seen_from);
    }
    return most;
  }
  double SeenAtBest() const {
    double least = 2;
    for (std::size_t a = 1; a < none(); ++a) {
      least = std::min(least, answer_.answers[a].seen_from);
    }
    return least;
  }

  // Of the family in the middle.
  double SeenUsually() const {
    std::vector<double> seen;
    for (std::size_t a = 1; a < none(); ++a) {
      seen.push_back(answer_.answers[a].seen_from);
    }
    std::ranges::sort(seen);
    return seen[seen.size() / 2];
  }

  double RateOf(std::size_t cell) const {
    double rate = 0;
    for (const GroupCounts& group : question_.groups) {
      rate = std::max(rate, group.counts[cell] / group.users);
    }
    return rate;
  }

  void CannotSay(std::string sentence, std::string next) {
    census::CannotSay(std::move(sentence), std::move(next), answer_);
  }

  // Why nothing can be said, whatever the counts are.
  bool Refused() {
    if (confusion_.Healthy().users <= 0 || calibration_.families() == 0) {
      CannotSay(
          "No healthy reference users were there to set the threshold by, so "
          "no count can be judged.",
          "Give more references, with several examples for each class.");
    } else if (!SomebodyAnswered(question_)) {
      CannotSay(fmt::format("Fewer {} answered than the noise hides.",
                            options_.people),
                "Ask more users, or allow a larger `census.epsilon`.");
    } else if (!two() && !options_.alike) {
      CannotSay(
          fmt::format(
              "The references are of another kind than the {}’ data, so "
              "nobody knows how often healthy ones are taken for "
              "damaged ones.",
              options_.people),
          "Ask two groups, such as two versions of the app, or give references "
          "of the same kind: `census.reference`.");
    } else if (options_.design == Design::kOwnAccuracy &&
               options_.placebo.counts.empty()) {
      CannotSay(
          "The sides are chosen by the users’ own examples, so healthy users "
          "of one side answer otherwise than those of the other; without a "
          "placebo a difference says nothing.",
          "Ask everybody with references of the same kind, or two groups that "
          "something else divides, such as the version of the app.");
    } else if (options_.design == Design::kOwnAccuracy && !options_.alike) {
      CannotSay(
          fmt::format("The sides are chosen by the {}’ own examples, and the "
                      "placebo beside them is of another kind: nobody knows "
                      "that healthy sides differ as its sides do.",
                      options_.people),
          "Ask two groups that something else divides, such as the version of "
          "the app, or give references of the same kind.");
    } else if (!two() && RateOf(none()) > kMostUnknown) {
      CannotSay(
          fmt::format("{} of {} answered “none of these”: the references are "
                      "probably of another kind than their data.",
                      ShareText(std::min(1.0, RateOf(none()))),
                      options_.people),
          "Ask two groups, such as two versions of the app: what references "
          "get wrong about healthy data cancels there.");
    } else {
      return false;
    }
    return true;
  }

  std::string SupportedText() const {
    std::vector<const CellAnswer*> named;
    for (const Named& one : named_) named.push_back(&answer_.answers[one.cell]);
    std::ranges::stable_sort(named, [](const auto* one, const auto* other) {
      return std::abs(one->share) > std::abs(other->share);
    });
    std::vector<std::string> parts;
    for (const CellAnswer* one : named) {
      const std::string what = one->key == kNoneOfThese
                                   ? "changed in a way that none of the "
                                     "explanations fits"
                                   : one->words;
      parts.push_back(what + ": " + HowMany(*one, answer_, options_.people));
    }
    return SentenceOf(parts);
  }

  std::string NothingSeenText() const {
    if (SeenAtBest() > 1) {
      return fmt::format(
          "The noise is too large for so few {}: no damage would have been "
          "seen, not even on all of them.",
          options_.people);
    }
    const std::string of = two() ? " of " + GroupText(answer_, 1) : "";
    return SeenUsually() > 1
               ? fmt::format(
                     "No damage was found, but most kinds would not have been "
                     "seen on any number of {}{}.",
                     options_.people, of)
               : fmt::format(
                     "No damage was found, but most kinds would have been seen "
                     "on no fewer than {} of {}{}.",
                     ShareText(SeenUsually()), options_.people, of);
  }

  // What to ask or do next, of what was named.
  std::string NextOf() const {
    const auto is_named = [&](std::size_t cell) {
      return std::ranges::find(named_, cell, &Named::cell) != named_.end();
    };
    constexpr const char* kShow =
        "`sfumato inspect` with `select.by = \"vote\"` shows what their data "
        "look like.";
    if (named_.size() == 1 && is_named(none())) {
      return std::string("Train generators on the users who answered so: ") +
             kShow;
    }
    std::string next =
        "Fix what causes it, then ask the same question again of the fixed "
        "version.";
    const std::string split = FamiliesOfStrengths();
    if (!split.empty()) {
      next += fmt::format(
          " Which strength of it they have is a second question: "
          "`census.split = \"{}\"`.",
          split);
    }
    if (is_named(none())) {
      next += std::string(
                  " Others have what no explanation fits: train generators on "
                  "the users who answered so, ") +
              kShow;
    }
    return next;
  }

  // Of what was named: "rotate, shift"; a family whose strengths are answers
  // already is not one of them, nor are several that are one answer.
  std::string FamiliesOfStrengths() const {
    std::string families;
    for (const State& state : calibration_.states) {
      const bool named = std::ranges::any_of(named_, [&](const Named& one) {
        return calibration_.cells[one.cell].key == state.key;
      });
      const auto strengths =
          std::ranges::count(state.tried, false, &Tried::beside);
      if (!named || strengths < 2 ||
          state.key.find("_or_") != std::string::npos) {
        continue;
      }
      families += (families.empty() ? "" : ", ") + state.key;
    }
    return families;
  }

  void Judge() {
    if (Refused()) return;
    if (!named_.empty()) {
      answer_.verdict = CensusVerdict::kDiffers;
      answer_.sentence = SupportedText();
      answer_.next = NextOf();
      if (RateOf(cannot_tell()) > kMostUnknown) {
        answer_.remarks.push_back(
            "More than half of a group cannot tell, so the shares are of all "
            "and say little about those.");
      }
      return;
    }
    if (RateOf(cannot_tell()) > kMostUnknown) {
      CannotSay(
          fmt::format("{} of {} cannot tell: they have too few examples, or "
                      "examples that the voter cannot read.",
                      ShareText(std::min(1.0, RateOf(cannot_tell()))),
                      options_.people),
          "Ask users with more examples, or give references that are like "
          "theirs.");
      return;
    }
    if (SeenUsually() > kMostHidden) {
      CannotSay(NothingSeenText(),
                "Ask more users, allow a larger `census.epsilon`, or let a "
                "voter learn for longer or from more people.");
      return;
    }
    answer_.verdict = CensusVerdict::kHealthy;
    answer_.sentence =
        SeenFrom() <= 1
            ? fmt::format(
                  "No damage was found; damage on {} of {}{} would have "
                  "been.",
                  ShareText(SeenAtBest()) == ShareText(SeenFrom())
                      ? ShareText(SeenFrom())
                      : RangeText(SeenAtBest(), SeenFrom()),
                  options_.people, two() ? " of " + GroupText(answer_, 1) : "")
            : fmt::format(
                  "No damage was found; some would not have been seen "
                  "on any number of {}.",
                  options_.people);
    answer_.next =
        "If the metric still looks wrong, `sfumato inspect` draws what these "
        "users have: it may be something that no explanation here describes.";
  }

  const Calibration& calibration_;
  const AnswerOptions& options_;
  const Confusion confusion_;
  const ThresholdQuestion question_;
  std::vector<Named> named_;
  CensusAnswer answer_;
};

nlohmann::json OrNull(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CellAnswer, key, words, cause, counts, share,
                                   low, high, share_a, share_b, supported,
                                   threshold, seen_from)

std::string_view Name(Design design) {
  return design == Design::kEverybody   ? "everybody"
         : design == Design::kTwoGroups ? "two_groups"
                                        : "own_accuracy";
}

std::string_view Name(CensusVerdict verdict) {
  return verdict == CensusVerdict::kHealthy   ? kAsItShouldBe
         : verdict == CensusVerdict::kDiffers ? "differs"
         : verdict == CensusVerdict::kCounted ? "counted"
                                              : "cannot_say";
}

std::string CaseText(Design design, About about) {
  if (about == About::kClasses) return ClassCaseText(design);
  return design == Design::kEverybody
             ? "Everybody was asked, and the level holds if the references are "
               "of the same kind as healthy users’ data."
         : design == Design::kTwoGroups
             ? "Two groups were asked, and the level holds if they are drawn "
               "alike but for what is in question; what the references get "
               "wrong about healthy data cancels."
             : "The sides were chosen by the users’ own examples, and the "
               "level holds only beside a placebo: the same rule on reference "
               "users.";
}

CensusAnswer AnswerOf(const Counts& counts, const Calibration& calibration,
                      const AnswerOptions& options) {
  const std::size_t groups = options.design == Design::kEverybody ? 1 : 2;
  if (!(options.level > 0 && options.level < 0.5)) {
    throw BadInput("not a level of false alarms", "level",
                   "give a number above 0 and below 0.5");
  }
  if (calibration.cells.size() < 3) {
    throw BadInput("no answers to count", "calibration", "learn a voter first");
  }
  CheckCounts(counts, groups, calibration.cells.size(), "counts");
  if (!options.placebo.counts.empty()) {
    CheckCounts(options.placebo, 2, calibration.cells.size(), "placebo");
  }
  if (calibration.about == About::kClasses) {
    return ClassAnswerOf(counts, calibration, options);
  }
  return Reading(counts, calibration, options).Read();
}

nlohmann::json ToJson(const CensusAnswer& answer) {
  return {{"about", Name(answer.about)},
          {"verdict", Name(answer.verdict)},
          {"sentence", answer.sentence},
          {"next", answer.next},
          {"level", OrNull(answer.level)},
          {"case", Name(answer.design)},
          {"groups", answer.groups},
          {"users", answer.users},
          {"users_deviation", answer.users_deviation},
          {"answers", answer.answers},
          {"remarks", answer.remarks}};
}

CensusAnswer CensusAnswerFromJson(const nlohmann::json& json,
                                  const std::string& where) {
  try {
    CensusAnswer answer;
    answer.about = NamedIn({About::kDamage, About::kClasses},
                           json.at("about").get<std::string>(), where);
    answer.verdict =
        NamedIn({CensusVerdict::kHealthy, CensusVerdict::kDiffers,
                 CensusVerdict::kCannotSay, CensusVerdict::kCounted},
                json.at("verdict").get<std::string>(), where);
    json.at("sentence").get_to(answer.sentence);
    json.at("next").get_to(answer.next);
    json.at("level").get_to(answer.level);
    answer.design =
        NamedIn({Design::kEverybody, Design::kTwoGroups, Design::kOwnAccuracy},
                json.at("case").get<std::string>(), where);
    json.at("groups").get_to(answer.groups);
    json.at("users").get_to(answer.users);
    json.at("users_deviation").get_to(answer.users_deviation);
    json.at("answers").get_to(answer.answers);
    json.at("remarks").get_to(answer.remarks);
    const std::size_t groups = answer.design == Design::kEverybody ? 1 : 2;
    bool whole =
        answer.groups.size() == groups && answer.users.size() == groups;
    for (const CellAnswer& one : answer.answers) {
      whole = whole && one.counts.size() == groups;
    }
    if (!whole) {
      throw Corrupt("an answer of other groups than were asked", where,
                    "the file was changed by hand");
    }
    return answer;
  } catch (const nlohmann::json::exception& error) {
    throw Corrupt(fmt::format("not an answer: {}", error.what()), where,
                  "the file was changed by hand, or cut");
  }
}

}  // namespace sfumato::census

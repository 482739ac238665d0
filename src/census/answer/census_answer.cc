#include "census/answer/census_answer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "census/answer/confusion.h"
#include "census/answer/named_in.h"
#include "census/answer/share_text.h"
#include "census/answer/shares.h"
#include "census/answer/threshold.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

constexpr double kSeenProbability = 0.95;
constexpr double kLeakChance = 0.01;  // of each bound on what leaks
// Users that most others outvote: above this share nothing is said of all.
constexpr double kMostUnknown = 0.5;

std::vector<GroupCounts> GroupsOf(const Counts& counts) {
  std::vector<GroupCounts> groups;
  for (std::size_t g = 0; g < counts.counts.size(); ++g) {
    GroupCounts group{.counts = counts.counts[g], .noise = counts.noise};
    group.summed = counts.asked.empty();
    if (group.summed) {
      for (const double count : group.counts) group.users += count;
    } else {
      group.users = counts.asked[g];
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

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
        question_{.groups = GroupsOf(counts),
                  .placebo = GroupsOf(options.placebo),
                  .level = options.level,
                  .cells_tested = calibration.families() + 1} {
    answer_.level = options.level;
    answer_.design = options.design;
    answer_.groups = options.groups;
    answer_.groups.resize(question_.groups.size());
    answer_.remarks = calibration.remarks;
    answer_.remarks.insert(answer_.remarks.end(), confusion_.remarks().begin(),
                           confusion_.remarks().end());
    for (const GroupCounts& group : question_.groups) {
      answer_.users.push_back(group.users);
    }
    if (counts.asked.empty() && calibration.marks > 1) {
      answer_.remarks.push_back(
          "How many users were asked is not known, and users may mark more "
          "than one answer: who marked two counts twice among all, so shares "
          "are somewhat too small.");
    }
    if (counts.asked.empty()) {
      answer_.users_deviation =
          std::sqrt(static_cast<double>(confusion_.cells())) *
          DeviationOf(counts.noise);
    }
    for (std::size_t a = 0; a < calibration.cells.size(); ++a) {
      const Cell& cell = calibration.cells[a];
      CellAnswer one{.key = cell.key, .words = cell.words, .cause = cell.cause};
      one.low = two() ? -1 : 0;
      for (const GroupCounts& group : question_.groups) {
        one.counts.push_back(group.counts[a]);
      }
      answer_.answers.push_back(std::move(one));
    }
  }

  CensusAnswer Read() {
    if (SomebodyAnswered() && confusion_.Healthy().users > 0) {
      const Thresholds thresholds(question_, confusion_);
      Name(thresholds);
      Count();
      Power(thresholds);
    }
    Judge();
    return std::move(answer_);
  }

 private:
  bool two() const { return question_.groups.size() == 2; }
  std::size_t none() const { return calibration_.cells.size() - 2; }
  std::size_t cannot_tell() const { return calibration_.cells.size() - 1; }

  bool SomebodyAnswered() const {
    const auto many = [](const std::vector<GroupCounts>& groups) {
      return std::ranges::all_of(
          groups, [](const GroupCounts& group) { return group.users >= 1; });
    };
    return many(question_.groups) && many(question_.placebo);
  }

  // What was named already, as it would show in a cell: of users with a damage,
  // and of healthy users that these no longer are.
  struct Named {
    std::size_t cell = 0;
    bool more = true;
    double reached = 0;  // the statistic's size, upper end
  };

  Leak LeakOf(const Named& named, std::size_t cell) const {
    // Nobody has seen users with a damage that no explanation fits: up to half
    // of them may be taken for one of the families.
    if (named.cell == none()) return {.users = named.reached, .rate = 1};
    const double most = std::max(0.0, question_.groups.back().users);
    Leak worst;
    const std::size_t strengths = confusion_.StrengthsOf(named.cell);
    for (std::size_t k = 0; k < strengths; ++k) {
      const Tried& tried = confusion_.TriedOf(named.cell, k);
      const double right =
          LowerBound(tried.votes[named.cell], tried.users, kLeakChance);
      const double rate =
          UpperBound(tried.votes[cell], tried.users, kLeakChance);
      const double users =
          right > 0 ? std::min(most, named.reached / right) : most;
      if (users * rate > worst.users * worst.rate) {
        worst = {.users = users, .rate = rate};
      }
    }
    return worst;
  }

  std::vector<Leak> LeaksInto(std::size_t cell, bool more) const {
    std::vector<Leak> leaks;
    for (const Named& named : named_) {
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

  // The cell that passes its threshold by most is named first, and what leaks
  // from it is then expected in the others.
  void Name(const Thresholds& thresholds) {
    for (;;) {
      Named best;
      double by = -1;
      for (std::size_t a = 1; a <= none(); ++a) {
        if (answer_.answers[a].supported) continue;
        const double statistic = thresholds.StatisticOf(a);
        double threshold = 0;
        for (const bool more : {true, false}) {
          if (!more && !two()) continue;
          const double reached = more ? statistic : -statistic;
          // A threshold is above 0: what is far below has not to be compared.
          const bool asked = !two() || reached > 0 || (more && statistic == 0);
          if (!asked) continue;
          const double least = thresholds.Of(a, LeaksInto(a, more), more);
          threshold = more ? least : -least;
          if (reached < least || reached - least <= by) continue;
          by = reached - least;
          best = {.cell = a, .more = more, .reached = reached};
        }
        answer_.answers[a].threshold = threshold;
      }
      if (by < 0) break;
      answer_.answers[best.cell].supported = true;
      // The upper end of a count: what noise and chance may have hidden of it.
      best.reached += std::max(
          0.0, two() ? thresholds.Of(best.cell, {}, best.more, kLeakChance)
                     : static_cast<double>(QuantileOf(question_.groups[0].noise,
                                                      1 - kLeakChance)));
      named_.push_back(best);
    }
    SayWhatIsWithheld(thresholds);
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
          "damage may be taken for a known one, so that is not named.",
          options_.people, one.words));
    }
  }

  void Count() {
    const Shares shares =
        EstimateShares(question_, confusion_, options_.draws, options_.seed);
    const double least = two() ? -1 : 0;
    for (std::size_t a = 0; a < answer_.answers.size(); ++a) {
      CellAnswer& one = answer_.answers[a];
      one.share = std::clamp(shares.of[a].share, least, 1.0);
      one.low = std::clamp(shares.of[a].low, least, 1.0);
      one.high = std::clamp(shares.of[a].high, least, 1.0);
      if (!two()) continue;
      one.share_a = std::clamp(shares.groups[0][a], 0.0, 1.0);
      one.share_b = std::clamp(shares.groups[1][a], 0.0, 1.0);
    }
  }

  void Power(const Thresholds& thresholds) {
    const double users = std::max(1.0, question_.groups.back().users);
    for (std::size_t a = 1; a <= none(); ++a) {
      CellAnswer& one = answer_.answers[a];
      // Of two groups: what the second one would have to show.
      const double threshold = !two() || one.threshold > 0
                                   ? one.threshold
                                   : thresholds.Of(a, LeaksInto(a, true));
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

  double RateOf(std::size_t cell) const {
    double rate = 0;
    for (const GroupCounts& group : question_.groups) {
      rate = std::max(rate, group.counts[cell] / group.users);
    }
    return rate;
  }

  void CannotSay(std::string sentence, std::string next) {
    answer_.verdict = CensusVerdict::kCannotSay;
    answer_.sentence = std::move(sentence);
    answer_.next = std::move(next);
    for (CellAnswer& one : answer_.answers) one.supported = false;
  }

  // Why nothing can be said, whatever the counts are.
  bool Refused() {
    if (confusion_.Healthy().users <= 0 || calibration_.families() == 0) {
      CannotSay(
          "No healthy reference users were there to set the threshold by, so "
          "no count can be judged.",
          "Give more references, with several examples for each class.");
    } else if (!SomebodyAnswered()) {
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
    std::string text;
    for (const CellAnswer* one : named) {
      const std::string what = one->key == kNoneOfThese
                                   ? "changed in a way that none of the "
                                     "explanations fits"
                                   : one->words;
      const bool fewer = two() && one->share < 0;
      const std::string range = fewer ? RangeText(-one->high, -one->low)
                                      : RangeText(one->low, one->high);
      text +=
          fmt::format("{}{}: about {} of {}{} ({})", text.empty() ? "" : "; ",
                      what, ShareText(std::abs(one->share)), options_.people,
                      !two()  ? ""
                      : fewer ? fmt::format(" more in {}", GroupText(0))
                              : fmt::format(" more in {}", GroupText(1)),
                      range);
    }
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
      text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text + ".";
  }

  std::string GroupText(std::size_t group) const {
    return answer_.groups[group].empty()
               ? std::string(group == 0 ? "the first group"
                                        : "the second group")
               : "“" + answer_.groups[group] + "”";
  }

  void Judge() {
    if (Refused()) return;
    if (!named_.empty()) {
      answer_.verdict = CensusVerdict::kDiffers;
      answer_.sentence = SupportedText();
      const bool only_none = named_.size() == 1 && named_[0].cell == none();
      answer_.next =
          only_none
              ? "Train generators on the users who answered so: `sfumato "
                "inspect` with `select.by = \"vote\"` shows what their data "
                "look like."
              : "Fix what causes it, then ask the same question again of the "
                "fixed version.";
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
    if (SeenAtBest() > 1) {
      CannotSay(
          fmt::format("The noise is too large for so few {}: no damage would "
                      "have been seen, not even on all of them.",
                      options_.people),
          "Ask more users, or allow a larger `census.epsilon`.");
      return;
    }
    answer_.verdict = CensusVerdict::kHealthy;
    answer_.sentence =
        SeenFrom() <= 1
            ? fmt::format(
                  "No damage was found; one on {} of {}{} would have "
                  "been.",
                  ShareText(SeenFrom()), options_.people,
                  two() ? " of " + GroupText(1) : "")
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
                                              : "cannot_say";
}

std::string CaseText(Design design) {
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
  return Reading(counts, calibration, options).Read();
}

nlohmann::json ToJson(const CensusAnswer& answer) {
  return {{"verdict", Name(answer.verdict)},
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
    answer.verdict = NamedIn({CensusVerdict::kHealthy, CensusVerdict::kDiffers,
                              CensusVerdict::kCannotSay},
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

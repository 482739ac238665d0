#include "eval/verdict.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/ascii.h"
#include "base/percent.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::eval {
namespace {

// Changes that trainings do not make have a small floor of their own, by luck
// even too small: it counts as at least this share of the highest.
constexpr double kLeastOwn = 0.01;
// A difference without an explanation must exceed the floor this many times …
constexpr double kDifferenceMargin = 4;
// … and show in a test that was trained on other models.
constexpr double kLeastSeparated = 0.65;
constexpr double kSeparatedMargin = 0.1;
// No difference: within the floor; or within kSameMargin floors if no test sees
// it. The test alone says little: by chance, two pairs of models may differ in
// the same way.
constexpr double kSameMargin = 1.5;
constexpr double kSameSeparated = 0.1;
constexpr double kMostSeparated = 0.25;
// "The same" says something only where half of the changes would have been seen
// on this share of images.
constexpr double kUsefulShare = 0.5;

std::string Numbers(const Evidence& evidence, const runs::Contrast& contrast) {
  return fmt::format(
      "Separated {:.2f} (floor {:.2f}); difference {:.3f} ({:.3f}–{:.3f}), "
      "{:.3f} between models of one population",
      contrast.separation.value, contrast.separation_floor,
      evidence.difference.value, evidence.difference.low,
      evidence.difference.high, contrast.difference_floor);
}

void Incomparable(const Evidence& evidence, runs::Contrast& contrast) {
  contrast.verdict = runs::Verdict::kCannotSay;
  contrast.sentence =
      fmt::format("The models' {} cannot be compared.", evidence.medium.drawn);
  contrast.reason = fmt::format("{}.", fmt::join(evidence.unusable, "; "));
  if (contrast.reason.starts_with("each of")) contrast.reason[0] = 'E';
}

std::string InImages(const runs::Hypothesis& best) {
  if (best.affected > 0.85) {
    return fmt::format("B's images look like A's, {}.", best.words);
  }
  std::string sentence =
      fmt::format("{} of B's images look like A's, {}.",
                  base::AboutPercent(best.affected), best.words);
  sentence[0] = base::ToUpper(sentence[0]);
  return sentence;
}

void Explained(const Evidence& evidence, runs::Contrast& contrast) {
  const runs::Hypothesis& best = contrast.hypotheses.front();
  contrast.verdict = runs::Verdict::kDiffers;
  contrast.sentence =
      evidence.finding.empty() ? InImages(best) : evidence.finding;
  contrast.reason = fmt::format(
      "That explains {} of the difference ({}–{} %), where {} is explained so "
      "between models of one population{}. {}.{}",
      base::Percent(best.explained.value),
      base::PercentNumber(best.explained.low),
      base::PercentNumber(best.explained.high), base::AtMostPercent(best.floor),
      evidence.medium.floors_are, Numbers(evidence, contrast),
      evidence.difference.value <= contrast.difference_floor
          ? " In all else the sides differ no more than two trainings do."
          : "");
}

bool Unexplained(const Evidence& evidence, const runs::Contrast& contrast) {
  return evidence.difference.low >
             kDifferenceMargin * contrast.difference_floor &&
         contrast.separation.value >= kLeastSeparated &&
         contrast.separation.low > contrast.separation_floor + kSeparatedMargin;
}

bool WithinFloor(const Evidence& evidence, const runs::Contrast& contrast) {
  const double excess = contrast.separation.value - contrast.separation_floor;
  if (evidence.difference.low <= 0 ||
      evidence.difference.value <= contrast.difference_floor) {
    return excess <= kMostSeparated;
  }
  return evidence.difference.value <= kSameMargin * contrast.difference_floor &&
         excess <= kSameSeparated;
}

double Median(std::vector<double> values, bool upper) {
  if (values.empty()) return 1;
  std::ranges::sort(values);
  return values[upper ? values.size() / 2 : (values.size() - 1) / 2];
}

}  // namespace

double LeastGain(double own_floor, double highest_floor, bool never_by_chance) {
  const double above_all =
      std::max(kMargins.own * own_floor, kMargins.highest * highest_floor);
  if (!never_by_chance) return above_all;
  return std::min(
      above_all,
      kMargins.lone * std::max(own_floor, kLeastOwn * highest_floor));
}

runs::Verdict JudgeMeasure(double difference, double floor, double sampling,
                           bool floor_known) {
  using runs::Verdict;
  if (difference <= floor + 2 * sampling) return Verdict::kSame;
  const bool clear = difference > kMargins.measure * floor + 3 * sampling;
  return clear && floor_known ? Verdict::kDiffers : Verdict::kCannotSay;
}

std::vector<std::string> UnusableModels(const std::vector<runs::Health>& health,
                                        const Medium& medium) {
  // What several models share is said once: "each of a1, a2 draws noise".
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const runs::Health& each : health) {
    if (each.usable) continue;
    auto group = std::ranges::find(groups, each.words,
                                   [](const auto& g) { return g.first; });
    if (group == groups.end() || !medium.groups_unusable) {
      group = groups.insert(groups.end(), {each.words, {}});
    }
    group->second.push_back(each.model);
  }
  std::vector<std::string> unusable;
  for (const auto& [words, models] : groups) {
    unusable.push_back(fmt::format("{}{} {}",
                                   models.size() > 1 ? "each of " : "",
                                   fmt::join(models, ", "), words));
  }
  return unusable;
}

void RankExplanations(std::vector<Explanation>& all, const Medium& medium) {
  double best = 0;
  for (Explanation& each : all) {
    runs::Hypothesis& hypothesis = each.hypothesis;
    hypothesis.supported = each.confirmed && each.gain_low > each.least_gain &&
                           hypothesis.explained.value >= each.least_explained;
    if (hypothesis.supported) {
      best = std::max(best, hypothesis.explained.value);
    }
  }
  for (Explanation& each : all) {
    const bool shadow =
        each.hypothesis.explained.value < kMargins.least_of_best * best;
    if (shadow && (medium.lone_shadows || !each.never_by_chance)) {
      each.hypothesis.supported = false;
    }
  }
  const auto rank = [&](const Explanation& each) {
    return std::pair(
        !each.hypothesis.supported,
        -std::round(each.hypothesis.explained.value * medium.rank_steps));
  };
  std::ranges::stable_sort(all, {}, rank);
}

void AddHypotheses(const std::vector<Explanation>& ranked, Evidence& evidence,
                   runs::Contrast& contrast) {
  std::vector<double> visible;
  for (const Explanation& each : ranked) {
    visible.push_back(each.hypothesis.visible_from);
    contrast.hypotheses.push_back(each.hypothesis);
  }
  evidence.usually_visible_from =
      Median(std::move(visible), evidence.medium.upper_median);
}

void Decide(const Evidence& evidence, runs::Contrast& contrast) {
  using runs::Verdict;
  if (!evidence.unusable.empty()) return Incomparable(evidence, contrast);
  const bool floor_known = contrast.floor_source != "none";
  const bool supported =
      !contrast.hypotheses.empty() && contrast.hypotheses.front().supported;
  if (floor_known && supported) return Explained(evidence, contrast);

  const std::string numbers = Numbers(evidence, contrast);
  const std::size_t tried = contrast.hypotheses.size();
  if (floor_known && Unexplained(evidence, contrast)) {
    contrast.verdict = Verdict::kDiffers;
    contrast.sentence = fmt::format(
        "The sides differ, and none of {} explanations fits.", tried);
    contrast.reason = numbers + ".";
    return;
  }
  if (!floor_known || !WithinFloor(evidence, contrast)) {
    contrast.verdict = Verdict::kCannotSay;
    contrast.sentence =
        floor_known
            ? "The sides differ a little more than two trainings do: too "
              "little to call."
            : "Nothing shows how much two trainings on one population differ.";
    contrast.reason =
        numbers + (floor_known ? "." : "; train twins to know how much.");
    return;
  }
  if (evidence.usually_visible_from > kUsefulShare) {
    contrast.verdict = Verdict::kCannotSay;
    contrast.sentence =
        "Nothing stands out, but little would: the models of one population "
        "differ too much.";
    contrast.reason = fmt::format(
        "{}. Half of {} explanations would need more than {} of {} to be "
        "seen.",
        numbers, tried, base::Percent(kUsefulShare), evidence.medium.shares);
    return;
  }
  contrast.verdict = Verdict::kSame;
  contrast.sentence = fmt::format(
      "Nothing stands out: the sides' {} are alike.", evidence.medium.drawn);
  contrast.reason = fmt::format(
      "{}. Half of {} explanations would have been seen on {} of {}.", numbers,
      tried, base::Percent(evidence.usually_visible_from),
      evidence.medium.shares);
}

void NameOutliers(runs::Contrast& contrast) {
  if (contrast.verdict != runs::Verdict::kSame) return;
  std::vector<std::string> names;
  for (const runs::Measure& measure : contrast.measures) {
    if (measure.verdict == runs::Verdict::kDiffers) {
      names.push_back(measure.words);
    }
  }
  if (names.empty()) return;
  contrast.reason += fmt::format(
      " Yet {} of {} numbers differ more than twins do ({}): too few for a "
      "verdict, and worth a look.",
      names.size(), contrast.measures.size(), fmt::join(names, "; "));
}

}  // namespace sfumato::eval

// The rules that turn numbers into a verdict, for images and text alike.
//
//   supported = gain.low > LeastGain(own_floor, highest_floor, false);
//   Decide(evidence, contrast);    // fills verdict, sentence, reason
//
// Two models of one population differ, and with two pairs of twins there are
// only two such differences to learn from: no test on four models can have a
// small error rate by counting. So a finding must be large against them. The
// margins were chosen on generated handwriting drawn by models that each have a
// distortion of their own (docs/diagnosis_rules.md).

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runs/contrast.h"

namespace sfumato::eval {

// What a change must gain to count: more than any change gains between models
// of one population, and well above what it gains there itself. A change that
// no training makes by itself (mirroring) need only be far above its own floor.
double LeastGain(double own_floor, double highest_floor, bool never_by_chance);

// The margins. A change must also explain `least_explained` of the difference,
// and `least_of_best` of what the best supported one explains: the others are
// its shadow.
inline constexpr runs::Margins kMargins = {};

// What a floor from earlier checkpoints is multiplied by: one training, some
// rounds apart, differs less than two trainings do.
inline constexpr double kCheckpointFactor = 3;

// Whether a number differs between the sides: by more than `measure` floors and
// the sampling error. With two pairs of twins, sides of one population do so in
// about 1 of 30 cases.
runs::Verdict JudgeMeasure(double difference, double floor, double sampling,
                           bool floor_known);

// What models draw: the words of the answer, and where the rules differ.
struct Medium {
  const char* drawn = "images";   // what the models draw
  const char* shares = "images";  // what an explanation's share is of
  // Behind "between models of one population", where floors are not plain.
  const char* floors_are = "";
  // Explained shares that round to one step rank in the catalogue's order.
  double rank_steps = 50;
  // Whether what no training does by itself can be a shadow of the best.
  bool lone_shadows = true;
  bool upper_median = true;  // of an even number of shares
  bool groups_unusable = true;
};
inline constexpr Medium kImages = {};
inline constexpr Medium kText = {.drawn = "texts",
                                 .shares = "sentences or words",
                                 .floors_are = ", counted at A's level of it",
                                 .rank_steps = 100,
                                 .lone_shadows = false,
                                 .upper_median = false,
                                 .groups_unusable = false};

// What the rules look at beside what is in the contrast.
struct Evidence {
  runs::Estimate difference = {};  // of the sides
  // "b1 draws one image over and over"
  std::vector<std::string> unusable = {};
  // The share from which half of the explanations would be visible.
  double usually_visible_from = 1;
  // The answer where the first hypothesis is supported; empty: it is made of
  // the hypothesis's words.
  std::string finding = "";
  Medium medium = kImages;
};

// The models that cannot be compared, and why.
std::vector<std::string> UnusableModels(const std::vector<runs::Health>& health,
                                        const Medium& medium);

// A hypothesis on trial.
struct Explanation {
  runs::Hypothesis hypothesis;
  std::size_t entry = 0;  // of its catalogue
  bool never_by_chance = false;
  double gain_low = 0;    // low end of what it gains between the sides …
  double least_gain = 0;  // … which must exceed this,
  double least_explained = kMargins.least_explained;
  bool confirmed = false;  // and something else must show it too
};

// Fills `supported`. Supported ones come first, then by share; one that
// explains much less than the best is its shadow, and is not supported.
void RankExplanations(std::vector<Explanation>& all, const Medium& medium);

// Puts them into the contrast, and what they would show into the evidence.
void AddHypotheses(const std::vector<Explanation>& ranked, Evidence& evidence,
                   runs::Contrast& contrast);

// Fills verdict, sentence and reason from separation, its floor,
// difference_floor, floor_source and the hypotheses, which are in order.
void Decide(const Evidence& evidence, runs::Contrast& contrast);

// Where the verdict is "the same", names the measures that differ on their own.
// They do not change it: there are many, and now and then one exceeds its floor
// by chance.
void NameOutliers(runs::Contrast& contrast);

}  // namespace sfumato::eval

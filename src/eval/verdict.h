// From numbers to a verdict: the rules, apart from how the numbers come about.
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

#include <cstdint>
#include <string>
#include <vector>

#include "runs/contrast.h"

namespace sfumato::eval {

// What a change must gain to count, given what it gains between models of one
// population and what any change gains there at most: more than any, and well
// above what it gains itself. A change that no training does by itself (it
// mirrors nothing) need only be far above its own floor.
double LeastGain(double own_floor, double highest_floor, bool never_by_chance);

// The margins. A change must also explain `least_explained` of the difference,
// and `least_of_best` of what the best supported one explains: the others are
// its shadow.
inline constexpr runs::Margins kMargins = {};

// What a floor from earlier checkpoints is multiplied by: one training, some
// rounds apart, differs less than two trainings do.
inline constexpr double kCheckpointFactor = 3;

// Whether a number of both sides differs: by more than `measure` floors and the
// luck of the draw. With two pairs of twins, sides of one population do so in
// about 1 of 30 cases.
runs::Verdict JudgeMeasure(double difference, double floor, double sampling,
                           bool floor_known);

// What the rules look at beside what is in the contrast.
struct Evidence {
  runs::Estimate difference = {};     // energy distance of the sides
  std::vector<std::string> ill = {};  // "b1 draws one image over and over"
  // The share of images from which on half of the changes would be seen.
  double usually_visible_from = 1;
  std::string drawn = "images";  // what the models draw
  std::string of = "images";     // what the share above is of
  // The answer where the first hypothesis is supported; empty: it is made of
  // the hypothesis's words.
  std::string finding = "";
  // Behind "between models of one population", where floors are not plain.
  std::string floors_are = "";
};

// Fills verdict, sentence and reason from told_apart, its floor,
// difference_floor, floor_source and the hypotheses, which are in order.
void Decide(const Evidence& evidence, runs::Contrast& contrast);

// Behind a verdict of nothing, names the measures that differ by themselves.
// They are no verdict: there are many, and by chance one is beyond its floor
// now and then. Whoever reads should look.
void NameOutliers(runs::Contrast& contrast);

}  // namespace sfumato::eval

// Which models a comparison compares, images or text: the sides, the pairs that
// give the noise floor, and the pairs that a two-sample test learns from.
//
//   const Lineup lineup = LineUp(options.a, options.b);
//   for (const Trial& trial : AcrossSides(lineup)) {
//     Try(trial.tried, Learn(trial.learned));
//   }
//
// Models have numbers: A's first, then B's, then others (earlier rounds).

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runs/contrast.h"

namespace sfumato::eval {

// From these models to those, all pairs.
struct Pairing {
  std::vector<int> from = {};
  std::vector<int> to = {};
};

struct Lineup {
  std::vector<std::string> names = {};  // by number
  Pairing sides = {};                   // from A to B
  // Two models of one population each: twins, or a model some rounds apart.
  // What these differ by is the noise floor.
  std::vector<std::pair<int, int>> alike = {};
  std::string floor_source = "none";  // "twins", "checkpoints"
  double floor_factor = 1;  // for pairs that differ less than trainings do

  bool floor_known() const { return floor_source != "none"; }
  bool twins_of_both() const {
    return sides.from.size() == 2 && sides.to.size() == 2;
  }
  int Add(std::string name);
};

// Two of a side are twins. Throws BadInput for a side without a model or with
// more than two.
Lineup LineUp(const std::vector<std::string>& a,
              const std::vector<std::string>& b);
template <typename Model>
Lineup LineUp(const std::vector<Model>& a, const std::vector<Model>& b) {
  std::vector<std::string> names[2];
  for (const Model& model : a) names[0].push_back(model.model);
  for (const Model& model : b) names[1].push_back(model.model);
  return LineUp(names[0], names[1]);
}

// One to the other and back, for each pair.
std::vector<Pairing> BothWays(const std::vector<std::pair<int, int>>& pairs);

// A test learns from one pair of models and is tried on another, so that what
// one training happened to draw does not count.
struct Trial {
  std::pair<int, int> learned;
  std::pair<int, int> tried;
};
// A against B, the other twins of both, in all four ways. REQUIRES:
// twins_of_both.
std::vector<Trial> AcrossSides(const Lineup& lineup);
// Twins against each other: the floor of the above. What a1 and a2 differ in
// has no reason to separate b1 from b2.
std::vector<Trial> AcrossTwins(const Lineup& lineup);

// How often such a test ranks a draw of B above one of A: 0.5 is a coin.
struct Separation {
  runs::Estimate sides = {0.5, 0.5, 0.5};
  double floor = 0.5;

  // In the floor either order is as good.
  void RaiseFloor(double chance);
};

// A value with the 90 % interval of its resampled ones.
runs::Estimate EstimateOf(double value, std::vector<double> draws);

}  // namespace sfumato::eval

// A small network that says of each mark whether a row of features deserves it:
// one hidden layer, one logit per mark, each of its own.
//
//   const MarkNetwork network = TrainMarks(rows, marks, {.seed = 7});
//   const std::vector<float> logits = network.Logits(features);
//
// Training is a function of rows, marks and options: one thread, one order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace sfumato::census {

struct MarkNetwork {
  // Features are centred and scaled first, and cut off far out.
  std::vector<float> centre;  // [feature]
  std::vector<float> scale;   // [feature]
  std::vector<float> in;      // [feature, hidden]
  std::vector<float> in_bias;
  std::vector<float> out;  // [hidden, mark]
  std::vector<float> out_bias;

  std::vector<float> Scaled(const std::vector<float>& features) const;
  std::vector<float> Logits(const std::vector<float>& features) const;
};

struct MarkTraining {
  std::size_t hidden = 96;
  int epochs = 25;
  std::uint64_t seed = 1;
  std::function<void(double done)> progress = {};
};

// `rows` [row, feature]; `marks` [row, mark]: 1 where it is deserved, else 0.
// REQUIRES: one row at least, all of a length.
MarkNetwork TrainMarks(const std::vector<std::vector<float>>& rows,
                       const std::vector<std::vector<float>>& marks,
                       const MarkTraining& options);

}  // namespace sfumato::census

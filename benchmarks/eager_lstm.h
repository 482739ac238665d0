// A language model (CIFG-LSTM with projection) trained as a LibTorch user would
// write it: autograd, cell by cell, one client after another. What
// models/lstm_loss.h is raced against.
//
//   double rate = EagerLstmTokens({.symbols = 10'004, .embedding = 96,
//                                  .hidden = 670, .projection = 96,
//                                  .tied = true},
//                                 sequences, lengths, {.threads = 2});
//
// With `built_in` the layers are torch::nn::LSTM's with projection (on a GPU
// cuDNN's): one call instead of cell by cell, but an input gate of its own, so
// a third more to compute. A yardstick, not the same model.
//
// A step is one of SGD (learning rate 0.5) on the mean cross-entropy of all
// predictions of a batch, which is padded to its longest row. The output layer
// sees all times at once. Each client takes one step on each batch, from a copy
// of the parameters.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace sfumato {

struct EagerLstmShape {
  std::int64_t symbols = 0;
  std::int64_t embedding = 0;
  std::int64_t hidden = 0;
  std::int64_t layers = 1;
  std::int64_t projection = 0;
  bool tied = false;
};
struct EagerLstmOptions {
  at::Device device = at::kCPU;
  int threads = 1;
  int clients = 2;
  bool built_in = false;
};

// Predictions a second over `clients`, after one that warms up. `sequences` are
// [batch, row, width] int64, `lengths` [batch, row] int64: predictions of each.
double EagerLstmTokens(const EagerLstmShape& shape, const at::Tensor& sequences,
                       const at::Tensor& lengths,
                       const EagerLstmOptions& options);

}  // namespace sfumato

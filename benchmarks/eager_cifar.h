// A round of federated averaging as a LibTorch user would write it: autograd,
// one client after another. The race of peers/training/pfl_cifar.py.
//
//   double seconds = EagerCifarSeconds({.threads = 2, .rounds = 3});
//
// 1,000 users of 50 random images of CIFAR-10's shape; 50 users a round, each
// one epoch of SGD (learning rate 0.1, batches of 10) on a CNN of 1,626,442
// parameters with dropout; the mean update moves the server's model.
// `is_private` clips each update to norm 0.4 and adds Gaussian noise to the
// sum.

#pragma once

#include <ATen/ATen.h>

namespace sfumato {

struct EagerCifarOptions {
  at::Device device = at::kCPU;
  int threads = 1;
  int rounds = 1;
  bool is_private = false;
};

// Seconds of the fastest of `rounds`, after one that warms up. Making the data
// is not counted. LibTorch's settings are as before afterwards. REQUIRES:
// threads and rounds are positive.
double EagerCifarSeconds(const EagerCifarOptions& options);

}  // namespace sfumato

// The first paper's critic trained as a LibTorch user would write it: autograd
// twice, one client after another. What models/critic_step.h is raced against.
//
//   double seconds = EagerCriticSeconds(at::kCPU, /*threads=*/2, /*steps=*/18);
//
// A step is one of SGD (learning rate 5e-4) on the WGAN-GP loss (penalty 10) of
// 32 real, 32 fake and 32 interpolated images, 6,555,841 parameters: the critic
// of Augenstein et al. without batch-norm. Each client takes six steps from a
// copy of the parameters. Images are random and given: none is generated.

#pragma once

#include <ATen/ATen.h>

namespace sfumato {

// Seconds a step, mean of `steps` after six that warm up. The copies of
// parameters are counted, making the images is not. LibTorch's settings are as
// before afterwards. REQUIRES: threads and steps are positive.
double EagerCriticSeconds(at::Device device, int threads, int steps);

}  // namespace sfumato

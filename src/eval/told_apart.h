// Whether a simple test can tell two sets of images apart: trained on some,
// tried on others.
//
//   const at::Tensor wins = OrderedRightly(a1, b1, a2, b2);   // [n, m]
//   wins.mean();      // chance that an image of each side is ordered rightly
//
// Trained on one pair of models and tried on another pair, what one training
// happened to draw does not count; what the populations differ in does.
//
// Source: Lopez-Paz and Oquab 2017, "Revisiting classifier two-sample tests";
// the test is a linear discriminant with a shrunken covariance.

#pragma once

#include <ATen/ATen.h>

#include "eval/image_features.h"

namespace sfumato::eval {

// Trains on `a` against `b`; 1 where it scores an image of `test_b` above one
// of `test_a`, ½ for a tie: [test_a, test_b] double.
at::Tensor OrderedRightly(const Blocks& a, const Blocks& b,
                          const Blocks& test_a, const Blocks& test_b);

}  // namespace sfumato::eval

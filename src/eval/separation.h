// Whether a simple classifier separates two sides' images: a two-sample test,
// trained on some images and tried on others.
//
//   const Separation found = MeasureSeparation(gallery, lineup, draws);
//   found.sides.value;   // 0.5 is a coin
//
// With twins it is trained on one pair of models and tried on another: what one
// training happened to draw does not count, what the populations differ in
// does.
//
// Source: Lopez-Paz and Oquab 2017, "Revisiting classifier two-sample tests";
// the classifier is a linear discriminant with a shrunken covariance.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "eval/hypothesis_search.h"
#include "eval/image_features.h"
#include "eval/lineup.h"

namespace sfumato::eval {

// Trains on `a` against `b`; 1 where it scores an image of `test_b` above one
// of `test_a`, ½ for a tie: [test_a, test_b] double.
at::Tensor PairwiseWins(const Blocks& a, const Blocks& b, const Blocks& test_a,
                        const Blocks& test_b);

// `draws`: how many, the first not resampled.
Separation MeasureSeparation(const Gallery& gallery, const Lineup& lineup,
                             std::int64_t draws);

}  // namespace sfumato::eval

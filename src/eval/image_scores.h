// Numbers about drawn images: classifier score, Fréchet distance, diversity.

#pragma once

#include <ATen/ATen.h>

#include "eval/contrast.h"

namespace sfumato::eval {

// Logits of a classifier for images [n, h, w, c] in -1 … 1. The judge was
// trained on pixels 0 … 1; this maps them. [n, classes].
at::Tensor Logits(const Judge& judge, const at::Tensor& images);

// exp(mean KL(p(y|x) ‖ p(y))), in double precision: 1 … classes.
double ClassifierScore(const at::Tensor& logits);

// Fréchet distance of two sets of features [n, d], Gaussian approximation with
// unbiased covariances, in double precision.
double FrechetDistance(const at::Tensor& a, const at::Tensor& b);

// How varied a set of images [n, …] is: the mean distance of two of them over
// the mean distance of an image from black; 0 when all are one image.
double Diversity(const at::Tensor& images);

}  // namespace sfumato::eval

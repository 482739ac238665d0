// Numbers about drawn images: classifier score, Fréchet distance, diversity.
//
//   const at::Tensor logits = Logits(judge, images);
//   ClassifierScore(logits);                       // 1 … classes
//   FrechetDistance(logits, Logits(judge, others));
//   if (DistinctImages(images) < 10) Warn("few modes");
//
// Sources: Salimans et al. 2016 (the score, there with Inception's classes);
// Heusel et al. 2017, "GANs trained by a two time-scale update rule" (the
// distance); Arora and Zhang 2017, "Do GANs actually learn the distribution?"
// (counting what is drawn by its repeats).

#pragma once

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "models/stack.h"

namespace sfumato::eval {

// A classifier that is public, released or fixed.
struct Judge {
  models::Stack model;
  at::Tensor params;  // [1, size]
  std::vector<std::string> classes;
};

// Logits of a classifier for images [n, h, w, c] in -1 … 1. The judge was
// trained on pixels 0 … 1; this maps them. [n, classes]. Throws BadInput for
// images of another shape than the judge takes.
at::Tensor Logits(const Judge& judge, const at::Tensor& images);

// exp(mean KL(p(y|x) ‖ p(y))), in double precision: 1 … classes.
double ClassifierScore(const at::Tensor& logits);

// Fréchet distance of two sets of features [n, d], Gaussian approximation with
// unbiased covariances, in double precision. REQUIRES: two rows or more each.
double FrechetDistance(const at::Tensor& a, const at::Tensor& b);

// How varied a set of images [n, …] in -1 … 1 is: the mean distance of two of
// them over the mean distance of an image from plain black or plain white,
// whichever is nearer; 0 when all are one image.
double Diversity(const at::Tensor& images);

// From how many images these [n, …] could have been drawn: 1 / the chance that
// two of them are nearly one (closer than an eighth of the mean distance from
// plain black or white). All alike: 1; k images over and over: k; no two alike:
// n (n - 1) / 2, the most that n images can show.
double DistinctImages(const at::Tensor& images);

// Pairs [n, m] of Euclidean distances of rows, by one matrix product.
at::Tensor PairDistances(const at::Tensor& x, const at::Tensor& y);

}  // namespace sfumato::eval

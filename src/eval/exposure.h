// What a model remembers of sentences that one user alone has: their exposure.
//
//   const ExposureTable table = Exposures(of_canaries, of_alternatives);
//   table.canaries[0].exposure;     // bits: 0 … log2(alternatives + 1)
//   ChanceOfExposure(points, 10);   // proven: at most
//
// A canary was drawn at random from all sentences of a form (models/canaries.h)
// and is ranked by its log-perplexity among alternatives drawn the same way.
// Exposure is log2(N + 1) - log2(rank): how many bits of guessing the model
// saves somebody who looks for it. An *estimate*: what this one test finds.
//
// The proof beside it. Given a model that never saw the canary, canary and
// alternatives are exchangeable, so Pr[rank <= r] <= r / (N + 1), and
// Pr[exposure >= t] <= 2^-t. Without the user (or with other data of theirs)
// that is the case; so if training is (epsilon, delta)-DP for that user,
//   Pr[exposure >= t] <= e^epsilon 2^-t + delta.
// It holds for every pair (epsilon, delta) that training has, so for the least
// of them, and for one canary whatever the others are. The vocabulary is older
// than the canaries and does not know them.
//
// Source: Carlini et al. 2019, "The Secret Sharer", section 4: exposure, by
// sampling (4.3, first part) and by a skew normal distribution (second part).

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sfumato::eval {

// Density 2 / scale φ(u) Φ(shape u) with u = (x - location) / scale; a normal
// where shape is 0.
struct SkewNormal {
  double location = 0;
  double scale = 1;
  double shape = 0;

  // ln Pr[X <= x], exact far into the tail.
  double LogCdf(double x) const;
};
// The one of the sample's mean, deviation and skewness (the nearest that there
// is: at most 0.99). REQUIRES: three numbers that are not all the same.
SkewNormal FitSkewNormal(std::span<const double> sample);
// Largest distance of the sample's distribution from it (Kolmogorov, Smirnov).
double DistanceFrom(const SkewNormal& fit, std::span<const double> sample);

struct CanaryExposure {
  double log_perplexity = 0;  // bits, over the whole sentence
  // 1: more likely than every alternative. Equal ones come before the canary:
  // a model that knows nothing has exposed nothing.
  std::int64_t rank = 1;
  double exposure = 0;
  // -log2 Pr[X <= log_perplexity] of the fit: beyond what was sampled, and only
  // as good as the fit. NaN without one.
  double extrapolated = 0;
};

struct ExposureTable {
  std::vector<CanaryExposure> canaries = {};
  std::int64_t alternatives = 0;
  double mean = 0;
  double largest = 0;
  double most = 0;       // log2(N + 1): more cannot be measured
  double by_chance = 0;  // mean exposure of what no model has seen
  bool fitted = false;   // not where all alternatives are the same
  SkewNormal fit = {};
  double fit_distance = 0;
  double fit_limit = 0;  // samples of such curves are nearer 19 times of 20
};
// From log-perplexities in bits. Throws BadInput for none of either, and for
// one that is not finite: then the model diverged.
ExposureTable Exposures(std::span<const double> canaries,
                        std::span<const double> alternatives);

// A guarantee that training has.
struct PrivacyPoint {
  double epsilon = 0;
  double delta = 0;
};
// How likely one canary has an exposure of `bits` or more, at most; 1 where
// nothing is proven. REQUIRES: bits >= 0.
double ChanceOfExposure(std::span<const PrivacyPoint> points, double bits);
// The expected exposure of one canary, and so of the mean, at most; `most`
// where nothing is proven (no exposure is above it).
double ExpectedExposure(std::span<const PrivacyPoint> points, double most);

}  // namespace sfumato::eval

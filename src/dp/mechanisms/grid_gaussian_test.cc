#include "dp/mechanisms/grid_gaussian.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "base/random.h"
#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {

// Reads the tables, and draws from the tail alone.
struct GridGaussianPeer {
  const GridGaussian& gaussian;

  // P(x) as the algorithm makes it, over exp(-x^2/(2 deviation^2)) and the
  // constant that all places share; 1 everywhere if it is right. In long
  // double, from the tables alone.
  long double Ratio(std::uint64_t x) const {
    const auto& layers = gaussian.layers_;
    const auto v = static_cast<long double>(gaussian.deviation_) *
                   static_cast<long double>(gaussian.deviation_);
    const long double curve = std::exp(-static_cast<long double>(x) *
                                       static_cast<long double>(x) / (2 * v));
    const long double area = gaussian.area_;
    long double mass = 0;
    if (x < layers[0].width) {
      mass += (1 - static_cast<long double>(gaussian.tail_share_)) /
              static_cast<long double>(layers[0].width);
    }
    for (std::size_t i = 1; i < layers.size(); ++i) {
      if (x >= layers[i].width) continue;
      const bool top = i + 1 == layers.size();
      long double passes = 1;
      if (x > layers[i].sure || top) {
        passes = std::clamp((curve - layers[i].bottom) / layers[i].height, 0.0L,
                            1.0L);
      }
      mass += passes / static_cast<long double>(layers[i].width);
    }
    return mass * area / curve;
  }

  // The tail's share of the area against the sum of exp(-x^2/2v) beyond the
  // edge, from erfc and Euler and Maclaurin's first correction.
  long double TailRatio() const {
    const long double s = gaussian.deviation_;
    const long double edge =
        static_cast<long double>(gaussian.layers_[0].width);
    const long double t = edge / s;
    const long double integral =
        s * std::sqrt(std::acos(-1.0L) / 2) * std::erfc(t / std::sqrt(2.0L));
    const long double first = std::exp(-t * t / 2);
    const long double sum = integral + first / 2 + first * t / s / 12;
    return static_cast<long double>(gaussian.tail_share_) *
           static_cast<long double>(gaussian.area_) / sum;
  }

  // The curve of the coins against exp in long double.
  long double CurveRatio(std::uint64_t x) const {
    const auto t = static_cast<long double>(x) /
                   static_cast<long double>(gaussian.deviation_);
    return gaussian.Curve(static_cast<double>(x)) / std::exp(-t * t / 2);
  }

  std::vector<std::uint64_t> Edges() const {
    std::vector<std::uint64_t> edges;
    for (const auto& layer : gaussian.layers_) edges.push_back(layer.width);
    return edges;
  }
  double Tail(BitStream& bits) const {
    return static_cast<double>(gaussian.DrawTail(bits)) / gaussian.deviation_;
  }
  // Low halves below 2^55 mod width are drawn again, at the top of a word.
  bool PlacesAreUniform() const {
    return std::ranges::all_of(gaussian.layers_, [](const auto& layer) {
      return layer.reject == ((std::uint64_t{1} << 55) % layer.width) << 9;
    });
  }
  bool AcceptsZero(bool negative, BitStream& bits) const {
    std::int64_t value = 1;
    return gaussian.DrawRarely(5, 0, negative, bits, value) && value == 0;
  }
  // In the middle of layer i's wedge: the p-value of how often it is accepted.
  double WedgePValue(std::size_t i, BitStream& bits) const {
    const auto& layer = gaussian.layers_[i];
    const std::uint64_t place = (layer.sure + layer.width) / 2;
    const double t = static_cast<double>(place) / gaussian.deviation_;
    const double p = (std::exp(-0.5 * t * t) - layer.bottom) / layer.height;
    std::vector<double> counts(2);
    for (int n = 0; n < 10'000; ++n) {
      std::int64_t value = 0;
      ++counts[gaussian.DrawRarely(static_cast<int>(i), place, false, bits,
                                   value)];
    }
    return ChiSquarePValue(counts, std::vector<double>{1 - p, p});
  }
  double TailEdge() const {
    return static_cast<double>(gaussian.layers_[0].width) / gaussian.deviation_;
  }
};

namespace {

constexpr double kDeviation = 1.1 * 0x1p36;

std::vector<double> Draw(double deviation, std::size_t n, std::uint64_t seed) {
  const GridGaussian gaussian(deviation);
  NoiseSource noise = NoiseSource::Simulation(seed);
  std::vector<std::int64_t> values(n);
  gaussian.AddTo(values, noise);
  std::vector<double> standard(n);
  for (std::size_t i = 0; i < n; ++i) {
    standard[i] = static_cast<double>(values[i]) / kDeviation;
  }
  return standard;
}

// Each returns how likely a standard normal gives values at least this odd.

double BinsPValue(const std::vector<double>& values) {
  std::vector<double> counts(402);
  std::vector<double> shares(402);
  const auto edge = [](int bin) { return -4 + 0.02 * bin; };  // of bin's left
  for (const double x : values) {
    const int bin = static_cast<int>(std::floor((x + 4) / 0.02)) + 1;
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0, 401))];
  }
  for (int i = 0; i < 402; ++i) {
    const double left = i == 0 ? 1 : NormalTail(edge(i - 1));
    const double right = i == 401 ? 0 : NormalTail(edge(i));
    shares[static_cast<std::size_t>(i)] = left - right;
  }
  return ChiSquarePValue(counts, shares);
}

double DistancePValue(std::vector<double> values) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double below = 1 - NormalTail(values[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, below - rank / n, (rank + 1) / n - below});
  }
  return KolmogorovPValue(distance, n);
}

// Two-sided, from the mean of a power whose mean and variance are known.
double MomentPValue(const std::vector<double>& values, int power) {
  // E x^p and Var x^p of a standard normal for p = 1 … 4.
  constexpr double kMean[] = {0, 0, 1, 0, 3};
  constexpr double kVariance[] = {0, 1, 2, 15, 96};
  double sum = 0;
  for (const double x : values) sum += std::pow(x, power);
  const auto n = static_cast<double>(values.size());
  const double z = (sum / n - kMean[power]) / std::sqrt(kVariance[power] / n);
  return 2 * NormalTail(std::abs(z));
}

// How many lie beyond `from` on either side.
double TailPValue(const std::vector<double>& values, double from) {
  const auto hits = static_cast<double>(std::ranges::count_if(
      values, [&](double x) { return std::abs(x) > from; }));
  const double p = 2 * NormalTail(from);
  const auto n = static_cast<double>(values.size());
  const double at_least = hits == 0 ? 1 : IncompleteBeta(p, hits, n - hits + 1);
  const double at_most = IncompleteBeta(1 - p, n - hits, hits + 1);
  return 2 * std::min(at_least, at_most);
}

// The lowest of all of these; a right sampler is below kFalseAlarm once in
// 10^8 runs (nine checks).
double LowestPValue(const std::vector<double>& values) {
  return std::min({BinsPValue(values), DistancePValue(values),
                   MomentPValue(values, 1), MomentPValue(values, 2),
                   MomentPValue(values, 3), MomentPValue(values, 4),
                   TailPValue(values, 3), TailPValue(values, 4),
                   TailPValue(values, 4.5)});
}

TEST(GridGaussianTest, EveryProbabilityIsThatOfTheFormula) {
  base::Rng rng(3);
  for (const double deviation :
       {0x1p24, 20'000'000.7, kDeviation, 0x1p36, 0x1.fffffp47, 0x1p48}) {
    const GridGaussian gaussian(deviation);
    const GridGaussianPeer peer{gaussian};
    std::set<std::uint64_t> places = {0, 1, 2, 3};
    for (const std::uint64_t edge : peer.Edges()) {
      places.insert({edge - 2, edge - 1, edge, edge + 1});
    }
    for (int i = 0; i < 20'000; ++i) places.insert(rng.Below(peer.Edges()[0]));
    long double worst = 0;
    for (const std::uint64_t x : places) {
      if (x >= peer.Edges()[0]) continue;  // TailRatio and the tail's own test
      worst = std::max(worst, std::abs(peer.Ratio(x) - 1) +
                                  std::abs(peer.CurveRatio(x) - 1));
    }
    EXPECT_LT(worst, GridGaussian::kProbabilityError) << deviation;
    EXPECT_LT(std::abs(peer.TailRatio() - 1), GridGaussian::kProbabilityError)
        << deviation;
  }
}

// What no sample would show, and a proof needs.
TEST(GridGaussianTest, PlacesAreExactlyUniformAndZeroHasOneSign) {
  const GridGaussian gaussian(kDeviation);
  const GridGaussianPeer peer{gaussian};
  BitStream bits = NoiseSource::Simulation(20).Stream(0);
  EXPECT_TRUE(peer.PlacesAreUniform());
  EXPECT_TRUE(peer.AcceptsZero(false, bits));
  EXPECT_FALSE(peer.AcceptsZero(true, bits));
}

TEST(GridGaussianTest, AWedgeIsAcceptedAsFarAsTheCurveReaches) {
  const GridGaussian gaussian(kDeviation);
  const GridGaussianPeer peer{gaussian};
  BitStream bits = NoiseSource::Simulation(20).Stream(1);
  for (const std::size_t layer : {1u, 2u, 50u, 128u, 254u, 255u}) {
    EXPECT_GT(peer.WedgePValue(layer, bits), kFalseAlarm) << layer;
  }
}

TEST(GridGaussianTest, SamplesAreNormal) {
  EXPECT_GT(LowestPValue(Draw(kDeviation, 1'000'000, 21)), kFalseAlarm);
}

TEST(GridGaussianTest, SecureSamplesAreNormal) {
  // Not seeded: cries wolf once in 10^8 runs.
  const GridGaussian gaussian(kDeviation);
  NoiseSource noise = NoiseSource::Secure();
  std::vector<std::int64_t> steps(300'000);
  gaussian.AddTo(steps, noise);
  std::vector<double> values;
  for (const std::int64_t x : steps) {
    values.push_back(static_cast<double>(x) / kDeviation);
  }
  EXPECT_GT(LowestPValue(values), kFalseAlarm);
}

TEST(GridGaussianTest, TheTestsCatchADeviationTooSmallByOnePerCent) {
  EXPECT_LT(LowestPValue(Draw(0.99 * kDeviation, 1'000'000, 22)), kFalseAlarm);
}

TEST(GridGaussianTest, TheTestsCatchATailThatIsCutOff) {
  std::vector<double> values = Draw(kDeviation, 1'000'000, 23);
  for (double& x : values) {
    if (std::abs(x) > 3.9) x = 1;
  }
  EXPECT_LT(LowestPValue(values), kFalseAlarm);
}

TEST(GridGaussianTest, TheTestsCatchALostSign) {
  std::vector<double> values = Draw(kDeviation, 100'000, 24);
  for (std::size_t i = 0; i < values.size(); i += 8) {
    values[i] = std::abs(values[i]);
  }
  EXPECT_LT(LowestPValue(values), kFalseAlarm);
}

TEST(GridGaussianTest, TheTailReachesBeyondEightDeviations) {
  // A million values beyond the edge are what 4 * 10^9 draws have there.
  const GridGaussian gaussian(kDeviation);
  const GridGaussianPeer peer{gaussian};
  BitStream bits = NoiseSource::Simulation(25).Stream(0);
  const double edge = peer.TailEdge();
  const auto bins = static_cast<std::size_t>((8 - edge) / 0.05);
  std::vector<double> counts(bins + 1);
  std::vector<double> shares(bins + 1);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto bin = static_cast<std::size_t>((peer.Tail(bits) - edge) / 0.05);
    ++counts[std::min(bin, bins)];
  }
  for (std::size_t i = 0; i <= bins; ++i) {
    const auto left = NormalTail(edge + 0.05 * static_cast<double>(i));
    const auto right =
        i == bins ? 0 : NormalTail(edge + 0.05 * static_cast<double>(i + 1));
    shares[i] = (left - right) / NormalTail(edge);
  }
  EXPECT_GT(ChiSquarePValue(counts, shares), kFalseAlarm);
}

// Floating-point attacks look at which low bits a noisy value has. Here every
// low byte is equally likely, whatever the sum was.
double LowBytePValue(const std::vector<std::int64_t>& values) {
  std::vector<double> counts(256);
  for (const std::int64_t x : values)
    ++counts[static_cast<std::size_t>(x & 255)];
  return ChiSquarePValue(counts, std::vector<double>(256, 1.0 / 256));
}

TEST(GridGaussianTest, LowBitsTellNothingAboutTheSum) {
  const GridGaussian gaussian(kDeviation);
  NoiseSource noise = NoiseSource::Simulation(26);
  for (const std::int64_t sum :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{12345678901}}) {
    std::vector<std::int64_t> values(300'000, sum);
    gaussian.AddTo(values, noise);
    EXPECT_GT(LowBytePValue(values), kFalseAlarm) << sum;
  }
}

TEST(GridGaussianTest, LowBitsOfAFloatingPointSamplerDoTell) {
  std::mt19937_64 engine(27);
  std::normal_distribution<float> normal;
  std::vector<std::int64_t> values(300'000);
  for (std::int64_t& x : values) {
    x = static_cast<std::int64_t>(normal(engine) * kDeviation);
  }
  EXPECT_LT(LowBytePValue(values), kFalseAlarm);
}

TEST(GridGaussianTest, ValuesDoNotDependOnEachOther) {
  // Neighbours, and the same place in two streams: products of independent
  // standard normals have mean 0 and variance 1.
  const std::vector<double> values = Draw(kDeviation, 1 << 18, 28);
  for (const std::size_t apart : {1u, 2u, 255u, 1u << 16}) {
    double sum = 0;
    const std::size_t n = values.size() - apart;
    for (std::size_t i = 0; i < n; ++i) sum += values[i] * values[i + apart];
    EXPECT_GT(2 * NormalTail(std::abs(sum) / std::sqrt(n)), kFalseAlarm)
        << apart;
  }
}

TEST(GridGaussianTest, ASeedGivesTheSameNoiseForAnyNumberOfThreads) {
  // Each 65536 values are a part of their own: a longer span, which uses more
  // threads, begins with the same values.
  const std::vector<double> alone = Draw(kDeviation, 1000, 29);
  const std::vector<double> together = Draw(kDeviation, 300'000, 29);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin()));
  EXPECT_EQ(together, Draw(kDeviation, 300'000, 29));
}

TEST(GridGaussianTest, RefusesDeviationsItCannotMake) {
  for (const double deviation : {0.0, -1.0, 1.0, 0x1p23, 0x1p49,
                                 std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity()}) {
    ExpectBadInput([&] { GridGaussian gaussian(deviation); }, "deviation");
  }
}

}  // namespace
}  // namespace sfumato::dp

#include "dp/accounting/sampled_gaussian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "dp/accounting/rdp.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

struct Row {
  double order, rate, noise, divergence;
};

// log1p(A - 1)/(a - 1) with 50 digits (mpmath): the finite sum at whole orders,
// piecewise Gauss-Legendre or tanh-sinh quadrature of
// ((1+u)^a - 1 - a u) phi(x) at the others.
constexpr Row kFiftyDigits[] = {
    {1.1, 1e-9, 0.3, 3.40913178041365253e-14},
    {1.5, 1e-9, 0.3, 4.77016257611317864e-14},
    {3.7, 1e-9, 0.3, 2.35687053018462471e-10},
    {10.9, 1e-9, 0.3, 37.739030543160012},
    {64, 1e-9, 0.3, 334.503348991038566},
    {1024, 1e-9, 0.3, 5668.14536570508329},
    {1.1, 1e-9, 1, 9.45055003353910819e-19},
    {1.5, 1e-9, 1, 1.28871136960294751e-18},
    {3.7, 1e-9, 1, 3.17882139725324192e-18},
    {10.9, 1e-9, 1, 9.36463619033786957e-18},
    {64, 1e-9, 1, 10.9477934354830109},
    {200.5, 1e-9, 1, 79.4228581438207748},
    {1024, 1e-9, 1, 491.256476816194404},
    {1.1, 1e-9, 4, 3.54719524027194523e-20},
    {1.5, 1e-9, 4, 4.83708441868012131e-20},
    {3.7, 1e-9, 4, 1.19314749011402916e-19},
    {10.9, 1e-9, 4, 3.51494801308429577e-19},
    {64, 1e-9, 4, 2.06382269380143357e-18},
    {200.5, 1e-9, 4, 6.46556959106807123e-18},
    {1024, 1e-9, 4, 11.2564768161944037},
    {1.1, 1e-9, 1000, 5.50000275000091172e-25},
    {1.5, 1e-9, 1000, 7.50000375000124625e-25},
    {3.7, 1e-9, 1000, 1.85000092500031148e-24},
    {10.9, 1e-9, 1000, 5.45000272500095684e-24},
    {64, 1e-9, 1000, 3.20000160000073173e-23},
    {200.5, 1e-9, 1000, 1.00250050125036608e-22},
    {1024, 1e-9, 1000, 5.12000256000608598e-22},
    {1.1, 0.004, 0.3, 0.00597418393779849204},
    {1.5, 0.004, 0.3, 0.0268134913027740173},
    {3.7, 0.004, 0.3, 12.9891091125910743},
    {10.9, 0.004, 0.3, 54.4763713126567186},
    {64, 0.004, 0.3, 349.946452400901845},
    {1024, 0.004, 0.3, 5683.36203064852629},
    {1.1, 0.004, 1, 0.0000149797899925667805},
    {1.5, 0.004, 1, 0.0000205114883006900048},
    {3.7, 0.004, 1, 0.0000518077688740916645},
    {10.9, 0.004, 1, 0.000400303502626899891},
    {64, 0.004, 1, 26.3908968453462893},
    {200.5, 0.004, 1, 94.7008625863088701},
    {1024, 0.004, 1, 506.473141759637399},
    {1.1, 0.004, 4, 5.67416956743314156e-7},
    {1.5, 0.004, 4, 7.7383158652030474e-7},
    {3.7, 0.004, 4, 1.90988708982076353e-6},
    {10.9, 0.004, 4, 5.63708940003136282e-6},
    {64, 0.004, 4, 0.0000335705200712287376},
    {200.5, 0.004, 4, 0.717455307677371733},
    {1024, 0.004, 4, 26.4731417596373995},
    {1.1, 0.004, 1000, 8.8000043683777448e-12},
    {1.5, 0.004, 1000, 1.20000059760019682e-11},
    {3.7, 0.004, 1000, 2.96000150002432814e-11},
    {10.9, 0.004, 1000, 8.72000466912239088e-11},
    {64, 0.004, 1000, 5.12000382464295055e-10},
    {200.5, 0.004, 1000, 1.60400207047215373e-9},
    {1024, 0.004, 1000, 8.19203745110148382e-9},
    {1.1, 0.3, 0.3, 1.62472361690188872},
    {1.5, 0.3, 0.3, 4.84073998125874556},
    {3.7, 0.3, 0.3, 18.9056668977758684},
    {10.9, 0.3, 0.3, 59.2299693366512422},
    {64, 0.3, 0.3, 354.332472071795875},
    {1024, 0.3, 0.3, 5687.6837391805509},
    {1.1, 0.3, 1, 0.0620435550563964736},
    {1.5, 0.3, 1, 0.093563666488146048},
    {3.7, 0.3, 1, 0.497498650340898133},
    {10.9, 0.3, 1, 4.12454280218009817},
    {64, 0.3, 1, 30.776916516240319},
    {200.5, 0.3, 1, 99.039992244273934},
    {1024, 0.3, 1, 510.794850291662015},
    {1.1, 0.3, 4, 0.00314504353929469087},
    {1.5, 0.3, 4, 0.00431166530202806912},
    {3.7, 0.3, 4, 0.0109603915542500474},
    {10.9, 0.3, 4, 0.0359781539169446583},
    {64, 0.3, 4, 0.826888309683956592},
    {200.5, 0.3, 4, 5.05562626127375089},
    {1024, 0.3, 4, 30.7948502916620152},
    {1.1, 0.3, 1000, 4.95000131669994358e-8},
    {1.5, 0.3, 1000, 6.75000236250025948e-8},
    {3.7, 0.3, 1000, 1.66500135198102042e-7},
    {10.9, 0.3, 1000, 4.90501139924965562e-7},
    {64, 0.3, 1000, 2.88003880861695421e-6},
    {200.5, 0.3, 1000, 9.02288022717104282e-6},
    {1024, 0.3, 1000, 0.0000460899131928499843},
    {1.1, 0.99, 0.3, 6.0416746196646077},
    {1.5, 0.99, 0.3, 8.30331436991038573},
    {3.7, 0.99, 0.3, 20.5417828730896475},
    {10.9, 0.99, 0.3, 60.5444900342623065},
    {64, 0.99, 0.3, 355.545345690561522},
    {1024, 0.99, 0.3, 5688.87882872866016},
    {1.1, 0.99, 1, 0.539603088653999727},
    {1.5, 0.99, 1, 0.73822004541984886},
    {3.7, 0.99, 1, 1.83715873650321989},
    {10.9, 0.99, 1, 5.43893503671741658},
    {64, 0.99, 1, 31.9897901350059668},
    {200.5, 0.99, 1, 100.239899286523173},
    {1024, 0.99, 1, 511.989939839771275},
    {1.1, 0.99, 4, 0.0336931241327559977},
    {1.5, 0.99, 4, 0.0459564003835171784},
    {3.7, 0.99, 4, 0.113503984087799762},
    {10.9, 0.99, 4, 0.335543699262410041},
    {64, 0.99, 4, 1.98999025973603917},
    {200.5, 0.99, 4, 6.255524325555735},
    {1024, 0.99, 4, 31.9899398397712752},
    {1.1, 0.99, 1000, 5.39055000560617187e-7},
    {1.5, 0.99, 1000, 7.35075003675374406e-7},
    {3.7, 0.99, 1000, 1.81318504855705283e-6},
    {10.9, 0.99, 1000, 5.34154552379027284e-6},
    {64, 0.99, 1000, 0.0000313632195624094707},
    {200.5, 0.99, 1000, 0.0000982552190513614493},
    {1024, 0.99, 1000, 0.000501816280588776455},
};

TEST(SampledGaussianTest, PoissonAgreesWithFiftyDigitsAndIsNeverBelow) {
  for (const Row& row : kFiftyDigits) {
    const double ours = PoissonGaussianRdp(row.order, row.rate, row.noise);
    EXPECT_NEAR(ours / row.divergence, 1, 2e-12)
        << row.order << " " << row.rate << " " << row.noise;
    EXPECT_GE(ours, row.divergence * (1 - 1e-15))
        << row.order << " " << row.rate << " " << row.noise;
  }
}

TEST(SampledGaussianTest, OrderTwoMatchesHandExpansion) {
  // log((1-q)^2 + 2q(1-q) + q^2 e^{1/z^2}) for q = 0.1, z = 1.
  EXPECT_NEAR(PoissonGaussianRdp(2, 0.1, 1),
              std::log(0.81 + 0.18 + 0.01 * std::exp(1.0)), 1e-12);
}

// A mixture of normals of deviation z on a line: log density without the
// constant that cancels.
struct Mixture {
  double rate, centre, noise;
  double operator()(double x) const {
    const auto log_normal = [&](double c) {
      return -(x - c) * (x - c) / (2 * noise * noise);
    };
    const double apart = log_normal(centre) - log_normal(0);
    const double bracket = apart < 600 ? std::log1p(rate * std::expm1(apart))
                                       : std::log(rate) + apart;
    return log_normal(0) + bracket;
  }
};

// D_a(p || q) by Simpson's rule, scaled against overflow.
double Integrated(double order, const Mixture& p, const Mixture& q) {
  const double z = p.noise;
  const double reach = (order + 1) * 2 + 12 * z;
  const int steps = 6000;
  const double width = 2 * reach / steps;
  std::vector<double> logs;
  double largest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i <= steps; ++i) {
    const double x = -reach + i * width;
    logs.push_back(order * p(x) + (1 - order) * q(x));
    largest = std::max(largest, logs.back());
  }
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const int weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::exp(logs[static_cast<std::size_t>(i)] - largest);
  }
  const double area = sum * width / 3 / (z * std::sqrt(2 * M_PI));
  return (largest + std::log(area)) / (order - 1);
}

TEST(SampledGaussianTest, PoissonIsTheWorseOfBothDirections) {
  for (const double rate : {0.01, 0.2, 0.7}) {
    for (const double noise : {0.5, 1.0, 3.0}) {
      const Mixture with{rate, 1, noise}, without{0, 0, noise};
      for (const double order : {1.3, 2.0, 2.5, 7.9, 20.0}) {
        const double ours = PoissonGaussianRdp(order, rate, noise);
        EXPECT_NEAR(ours, Integrated(order, with, without), 1e-9 * ours + 1e-12)
            << rate << " " << noise << " " << order;
        EXPECT_GE(ours * (1 + 1e-9) + 1e-12, Integrated(order, without, with))
            << rate << " " << noise << " " << order;
      }
    }
  }
}

// The bounds under replace-one against divergences of pairs that can happen:
// v and v' on a line, with everybody else's sum at 0.
TEST(SampledGaussianTest, ReplaceOneBoundsHoldForPairsOnALine) {
  for (const double rate : {0.004, 0.05, 0.3, 0.9}) {
    for (const double noise : {0.5, 1.0, 2.0, 8.0}) {
      const std::vector<double> orders = {1.3, 2, 2.6, 3, 5, 9.5, 16};
      const auto poisson = PoissonReplaceOneCurve(orders, rate, noise);
      for (std::size_t i = 0; i < orders.size(); ++i) {
        for (const double other : {-1.0, -0.6, 0.0, 0.5}) {
          const Mixture p{rate, 1, noise}, q{rate, other, noise};
          EXPECT_GE(poisson[i] * (1 + 1e-9) + 1e-11,
                    Integrated(orders[i], p, q))
              << rate << " " << noise << " " << orders[i] << " " << other;
          EXPECT_GE(poisson[i] * (1 + 1e-9) + 1e-11,
                    Integrated(orders[i], q, p))
              << rate << " " << noise << " " << orders[i] << " " << other;
        }
      }
    }
  }
}

TEST(SampledGaussianTest, FixedSizeBoundsHoldForTheAttainedPair) {
  // All others alike: without the user the sum has one more of theirs, at
  // distance 2S; both directions happen.
  for (const double rate : {0.004, 0.05, 0.3, 0.9}) {
    for (const double noise : {0.5, 1.0, 2.0, 8.0}) {
      const std::vector<double> orders = {1.3, 2, 2.6, 3, 5, 9.5, 16};
      const auto fixed = FixedSizeCurve(orders, rate, noise);
      const Mixture with{rate, 2, noise}, without{0, 0, noise};
      for (std::size_t i = 0; i < orders.size(); ++i) {
        EXPECT_GE(fixed[i] * (1 + 1e-9) + 1e-11,
                  Integrated(orders[i], with, without));
        EXPECT_GE(fixed[i] * (1 + 1e-9) + 1e-11,
                  Integrated(orders[i], without, with));
      }
    }
  }
}

TEST(SampledGaussianTest, PoissonReplaceOneIsWorthHaving) {
  // Between add-remove, which it must exceed, and the fixed cohort's bound.
  const std::vector<double> orders = {2, 4, 8};
  const auto replaced = PoissonReplaceOneCurve(orders, 0.004, 1);
  const auto added = PoissonGaussianCurve(orders, 0.004, 1);
  const auto fixed = FixedSizeCurve(orders, 0.004, 1);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    EXPECT_GT(replaced[i], added[i]);
    EXPECT_LT(replaced[i], 5 * added[i]);
    EXPECT_LT(replaced[i], fixed[i]);
  }
  // Order 2 by hand: log(1 + q^2 t), t the smaller of the two mixtures.
  const double q = 0.004, e = std::exp(1.0);
  const double empty = 2 * (e - 1 / e), other = std::exp(4.0) - 1;
  EXPECT_NEAR(
      replaced[0],
      std::log1p(q * q *
                 std::min((1 - q) * empty + q * other, empty / (1 - q))),
      1e-12);
}

TEST(SampledGaussianTest, FractionsLieBelowTheChordOfTheirNeighbours) {
  // (order - 1) D is convex in the order, and the divergence grows.
  base::Rng rng(3, {base::Key("chords")});
  for (int i = 0; i < 300; ++i) {
    const double rate = std::exp(rng.Uniform(std::log(1e-9), 0));
    const double noise = std::exp(rng.Uniform(std::log(0.3), std::log(1000)));
    const double order = rng.Uniform(1.01, 40);
    const double whole = std::floor(order), share = order - whole;
    const auto cumulant = [&](double a) {
      return a == 1 ? 0 : (a - 1) * PoissonGaussianRdp(a, rate, noise);
    };
    const double chord =
        (1 - share) * cumulant(whole) + share * cumulant(whole + 1);
    EXPECT_LE(cumulant(order), chord * (1 + 1e-11)) << rate << " " << noise;
    EXPECT_LE(PoissonGaussianRdp(order, rate, noise),
              PoissonGaussianRdp(order + 0.1, rate, noise) * (1 + 1e-12));
  }
}

TEST(SampledGaussianTest, OrdersNextToOneKeepTheirDigits) {
  // As the order falls to 1 the divergence falls to Kullback and Leibler's,
  // linearly.
  const double near = PoissonGaussianRdp(1 + 1e-9, 0.1, 1);
  const double nearer = PoissonGaussianRdp(1 + 1e-5, 0.1, 1);
  EXPECT_NEAR(near / nearer, 1, 1e-4);
  EXPECT_GT(near, 0);
}

TEST(SampledGaussianTest, TinyNoiseIsBoundedByWholeOrders) {
  // Too many points for quadrature: the chord, which at order 1.5 is half of
  // log A at order 2, over one half.
  const double two = PoissonGaussianRdp(2, 0.5, 1e-3);
  EXPECT_NEAR(two, 1e6 + 2 * std::log(0.5), 1e-3);
  EXPECT_NEAR(
      PoissonGaussianRdp(1.5, 0.5, 1e-3) / std::min(two, 1.5 / (2 * 1e-6)), 1,
      1e-12);
  // No noise to speak of is infinitely dear, never a wrong number.
  EXPECT_EQ(PoissonGaussianRdp(2, 0.5, 1e-170),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(FixedSizeGaussianRdp(2, 0.5, 1e-170),
            std::numeric_limits<double>::infinity());
}

TEST(SampledGaussianTest, EndlessOrdersAreBoundedByTheGaussian) {
  const double order = 1e12;
  EXPECT_EQ(PoissonGaussianRdp(order, 0.1, 2), order / 8);
  EXPECT_EQ(FixedSizeCurve({&order, 1}, 0.1, 2)[0], order / 2);
}

TEST(SampledGaussianTest, EndlessNoiseCostsNothing) {
  for (const double order : {1.5, 2.0, 64.0}) {
    EXPECT_EQ(PoissonGaussianRdp(order, 0.5, 1e200), 0) << order;
    EXPECT_EQ(PoissonReplaceOneCurve({&order, 1}, 0.5, 1e200)[0], 0) << order;
    EXPECT_EQ(FixedSizeCurve({&order, 1}, 0.5, 1e200)[0], 0) << order;
  }
}

TEST(SampledGaussianTest, RefusesImpossibleNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, 0.0, -1.0}) {
    EXPECT_THROW(PoissonGaussianRdp(2, 0.1, bad), Error);
    EXPECT_THROW(PoissonGaussianRdp(2, bad, 1), Error);
    EXPECT_THROW(PoissonGaussianRdp(bad, 0.1, 1), Error);
    EXPECT_THROW(FixedSizeGaussianRdp(2, 0.1, bad), Error);
    EXPECT_THROW(FixedSizeGaussianRdp(2, bad, 1), Error);
    EXPECT_THROW(GaussianRdp(2, bad), Error);
    EXPECT_THROW(GaussianRdp(bad, 1), Error);
  }
  EXPECT_THROW(PoissonGaussianRdp(2, 1.5, 1), Error);
  EXPECT_THROW(FixedSizeGaussianRdp(1, 0.1, 1), Error);
  EXPECT_THROW(
      PoissonGaussianRdp(std::numeric_limits<double>::infinity(), 0.1, 1),
      Error);
}

}  // namespace
}  // namespace sfumato::dp

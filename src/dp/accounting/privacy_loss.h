// How much more likely an output is with somebody's data than without: the
// privacy loss of one event, as the chances of a loss above any threshold.
//
//   const PrivacyLoss loss(event, Direction::kRemove);
//   loss.Above(0.1).p;   // chance of a loss above 0.1
//
// P and Q are a dominating pair: no two neighbouring datasets are easier to
// tell apart from the event's output than P from Q. The loss is log(dP/dQ) of a
// draw from P.
//
// Where the pairs come from. Poisson sampling with add-remove, and fixed-size
// sampling with replace-one, of any dominating pair: advanced joint convexity
// (Balle, Barthe and Gaboardi 2018; as dominating pairs Zhu, Dong and Wang
// 2022). (epsilon, delta) as leaky randomised response: Kairouz, Oh and
// Viswanath 2015.
//
// Poisson sampling with replace-one, Gaussian noise: the worst two
// contributions are opposite and of full length. Proof: by advanced joint
// convexity the profile at a' is q times that of N(b) against
// (1-t) N(0) + t N(c) at some a, so what matters is the mass that N(c) has on
// S = {e^(b.x - |b|^2/2) > a(1-t) + a t e^(c.x - |c|^2/2)}. Turn c about 0
// towards b. Over a line at right angles to c, in their plane, c.x is constant
// and S is the half of the line on b's side, so the turn moves mass of N(c)
// into S and the profile falls: c opposite to b is worst. On that line S = {x >
// s}, and lengthening b or c raises the profile. (Schuchardt et al. 2024 use
// the same pair.)

#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "dp/accounting/event.h"

namespace sfumato::dp {

// In which direction one unit's absence is distinguished. Under add-remove both
// ways have to be bounded, each for the whole list of events. Under replace-one
// the pairs used here bound both at once and the direction does not matter.
enum class Direction { kRemove, kAdd };

struct Tails {
  double p = 0;  // chance of a loss above the threshold under P
  double q = 0;  // the same outcomes' chance under Q
};

class PrivacyLoss {
 public:
  // The loss of one occurrence of `event`. Throws Unsupported when the event
  // has no dominating pair here.
  PrivacyLoss(const Event& event, Direction direction);

  // Both chances to a relative error below kTailError; p includes an infinite
  // loss.
  Tails Above(double loss) const;

  // The loss is above High(mass) with at most that chance, +infinity when
  // there is no such number; and Low() or more except with probability 1e-15.
  double High(double mass) const;
  double Low() const;

  // Finite losses that have a chance of their own, increasing. A lattice whose
  // step divides Unit() (0: there is none) holds the largest of them, and all
  // of an unsampled discrete Gaussian.
  std::vector<double> Atoms() const;
  double Unit() const;

 private:
  // Symmetric pairs: Q[loss < l] = P[loss > -l].
  struct GaussianPair {
    double mu;  // distance of the means over the deviation
  };
  struct LaplacePair {
    double mu;
  };
  struct ResponsePair {  // randomised response
    double epsilon;
  };
  struct DiscretePair {  // discrete Gaussians
    double sigma;
    double shift;
    std::shared_ptr<const std::vector<double>> tail;  // Q[k > m], m = 0, 1, …
  };
  // Poisson sampling, replace-one: (1-q) N(0) + q N(+-mu).
  struct OppositePair {
    double mu;
    double rate;
  };
  using Pair = std::variant<GaussianPair, LaplacePair, ResponsePair,
                            DiscretePair, OppositePair>;
  enum class Transform { kNone, kRemove, kAdd, kWorst, kRevealed };

  static Pair MakePair(const Event& event);
  Tails PairAbove(double loss) const;  // without sampling
  std::vector<double> PairAtoms() const;
  Tails RemoveAbove(double loss) const;
  Tails AddAbove(double loss) const;

  Pair pair_;
  double own_delta_ = 0;  // chance that everything is revealed
  double rate_ = 1;
  Transform transform_ = Transform::kNone;
};

inline constexpr double kTailError = 0x1p-42;

// Thresholds are rounded: the loss of an outcome may be larger than said by
// this, absolutely and as a share of itself.
inline constexpr double kAtomSlack = 1e-13;

// The deviation of an unsampled Gaussian event's noise, inverted and relative
// to its sensitivity: 1/z, 2/z or that of a vote; nothing for other mechanisms
// and for sampled events.
double PlainGaussianMu(const Event& event);

}  // namespace sfumato::dp

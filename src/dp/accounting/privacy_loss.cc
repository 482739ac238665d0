#include "dp/accounting/privacy_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "dp/accounting/sensitivity.h"
#include "dp/accounting/votes.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Beyond this deviation a table of the discrete Gaussian is too long; the
// divergence bound of rdp.h is as good there.
constexpr double kLargestDiscreteSigma = 1e5;
constexpr double kDiscreteReach = 13.0;  // in deviations; beyond: below 1e-37

double NormalAbove(double x) { return 0.5 * std::erfc(x * M_SQRT1_2); }

// A threshold that misses an atom by rounding is taken to hit it;
// composition.cc adds as much to epsilon.
bool AtLeast(double loss, double atom) {
  return loss >= atom - kAtomSlack * (1 + std::abs(atom));
}

// log((e^loss - 1 + rate) / rate), the loss without sampling that has this loss
// with sampling; -infinity where there is none.
double Unsampled(double loss, double rate) {
  if (loss > 40)
    return loss + std::log1p((rate - 1) * std::exp(-loss)) - std::log(rate);
  const double scaled = std::expm1(loss) + rate;
  return scaled <= 0 ? -kInfinity : std::log(scaled / rate);
}

// Where the loss of the opposite pair is `loss`: with y = e^(mu x) and
// c = e^(-mu^2/2), q c y^2 + (1-q)(1-e^loss) y - e^loss q c = 0.
double OppositePoint(double loss, double rate, double mu) {
  if (loss < 0) return -OppositePoint(-loss, rate, mu);
  if (loss == 0) return 0;
  // Divided by e^loss, so that nothing overflows.
  const double log_c = -0.5 * mu * mu;
  const double b = (1 - rate) * -std::expm1(-loss);
  // y = (b + sqrt(b^2 + 4 (q c)^2 e^-loss)) / (2 q c e^-loss), in logarithms.
  const double qc = rate * std::exp(log_c);
  const double root = b + std::hypot(b, 2 * qc * std::exp(-0.5 * loss));
  return (std::log(root / (2 * rate)) - log_c + loss) / mu;
}

}  // namespace

double PlainGaussianMu(const Event& event) {
  if (Rate(event.sampling) != 1) return 0;
  if (const auto* noise = std::get_if<Gaussian>(&event.mechanism)) {
    return Moves(event.adjacency) / noise->noise_multiplier;
  }
  if (const auto* vote = std::get_if<Vote>(&event.mechanism)) {
    return std::sqrt(VoteSensitivitySquared(*vote, event.adjacency)) /
           vote->sigma;
  }
  return 0;
}

PrivacyLoss::Pair PrivacyLoss::MakePair(const Event& event) {
  RequireProtection(event);
  const double moves = Moves(event.adjacency);
  if (const auto* m = std::get_if<Gaussian>(&event.mechanism)) {
    return GaussianPair{moves / m->noise_multiplier};
  }
  if (const auto* m = std::get_if<ThresholdedHistogram>(&event.mechanism)) {
    return GaussianPair{moves / m->noise_multiplier};
  }
  if (const auto* m = std::get_if<Vote>(&event.mechanism)) {
    return GaussianPair{std::sqrt(VoteSensitivitySquared(*m, event.adjacency)) /
                        m->sigma};
  }
  if (const auto* m = std::get_if<Laplace>(&event.mechanism)) {
    return LaplacePair{moves / m->noise_multiplier};
  }
  if (const auto* m = std::get_if<Pure>(&event.mechanism)) {
    return ResponsePair{m->epsilon};
  }
  if (const auto* m = std::get_if<Approximate>(&event.mechanism)) {
    return ResponsePair{m->epsilon};
  }
  if (const auto* m = std::get_if<DiscreteGaussian>(&event.mechanism)) {
    const double sigma =
        m->noise_multiplier * static_cast<double>(m->sensitivity);
    if (m->dimension != 1 || sigma > kLargestDiscreteSigma) {
      throw Unsupported(
          "the privacy loss of discrete Gaussian noise on a vector, or with a "
          "deviation above 100000",
          "event", "use --accountant rdp");
    }
    const auto reach = static_cast<std::size_t>(kDiscreteReach * sigma) + 8;
    auto tail = std::make_shared<std::vector<double>>(reach + 1);
    long double sum = 0;  // from the far end, so that small terms are not lost
    for (std::size_t k = reach + 1; k > 0; --k) {
      const double x = static_cast<double>(k) / sigma;
      sum += std::exp(-0.5 * x * x);
      (*tail)[k - 1] = static_cast<double>(sum);
    }
    const auto total = static_cast<double>(1 + 2 * sum);
    for (double& value : *tail) value /= total;
    return DiscretePair{sigma, moves * static_cast<double>(m->sensitivity),
                        std::move(tail)};
  }
  throw Unsupported(
      fmt::format("the privacy loss of {} noise", Name(event.mechanism)),
      "event", "use --accountant rdp");
}

PrivacyLoss::PrivacyLoss(const Event& event, Direction direction)
    : pair_(MakePair(event)),
      own_delta_(OwnDelta(event.mechanism)),
      rate_(Rate(event.sampling)) {
  if (rate_ == 1) return;  // everyone takes part
  const bool replace = event.adjacency == Adjacency::kReplaceOne;
  if (std::holds_alternative<Revealed>(event.sampling)) {
    transform_ = Transform::kRevealed;
  } else if (std::holds_alternative<FixedSize>(event.sampling)) {
    transform_ = Transform::kWorst;
  } else if (std::holds_alternative<Poisson>(event.sampling)) {
    if (!replace) {
      transform_ = direction == Direction::kRemove ? Transform::kRemove
                                                   : Transform::kAdd;
    } else if (const auto* m = std::get_if<Gaussian>(&event.mechanism)) {
      pair_ = OppositePair{1 / m->noise_multiplier, rate_};
    } else {
      throw Unsupported(
          fmt::format("Poisson sampling of {} noise with replace-one adjacency",
                      Name(event.mechanism)),
          "event", "use add-remove, or fixed-size sampling");
    }
  }
}

Tails PrivacyLoss::PairAbove(double loss) const {
  struct {
    double loss;
    Tails operator()(const GaussianPair& pair) const {
      const double middle = loss / pair.mu;
      return {NormalAbove(middle - 0.5 * pair.mu),
              NormalAbove(middle + 0.5 * pair.mu)};
    }
    Tails operator()(const LaplacePair& pair) const {
      // P is centred at 0, Q at mu; the loss mu - 2x between the centres.
      if (AtLeast(loss, pair.mu)) return {0, 0};
      if (!AtLeast(loss, -pair.mu)) return {1, 1};
      return {1 - 0.5 * std::exp(-0.5 * (pair.mu - loss)),
              0.5 * std::exp(-0.5 * (pair.mu + loss))};
    }
    Tails operator()(const ResponsePair& pair) const {
      if (AtLeast(loss, pair.epsilon)) return {0, 0};
      if (!AtLeast(loss, -pair.epsilon)) return {1, 1};
      const double odds = std::exp(-pair.epsilon);
      return {1 / (1 + odds), odds / (1 + odds)};
    }
    Tails operator()(const DiscretePair& pair) const {
      // The loss of k is (2 k shift - shift^2) / (2 sigma^2).
      const double place =
          loss * pair.sigma * pair.sigma / pair.shift + 0.5 * pair.shift;
      const double k = std::floor(place + kAtomSlack * (1 + std::abs(place)));
      return {TableAbove(*pair.tail, k - pair.shift),
              TableAbove(*pair.tail, k)};
    }
    Tails operator()(const OppositePair& pair) const {
      const double x = OppositePoint(loss, pair.rate, pair.mu);
      const double rest = (1 - pair.rate) * NormalAbove(x);
      return {rest + pair.rate * NormalAbove(x - pair.mu),
              rest + pair.rate * NormalAbove(x + pair.mu)};
    }
    static double TableAbove(const std::vector<double>& tail, double m) {
      if (m < 0) return 1 - TableAbove(tail, -m - 1);
      const double last = static_cast<double>(tail.size() - 1);
      return tail[static_cast<std::size_t>(std::min(m, last))];
    }
  } above{loss};
  const Tails tails = std::visit(above, pair_);
  return {own_delta_ + (1 - own_delta_) * tails.p, (1 - own_delta_) * tails.q};
}

// P is the mixture (1-q) Q + q P.
Tails PrivacyLoss::RemoveAbove(double loss) const {
  const double unsampled = Unsampled(loss, rate_);
  if (unsampled == -kInfinity) return {1, 1};
  const Tails tails = PairAbove(unsampled);
  return {(1 - rate_) * tails.q + rate_ * tails.p, tails.q};
}

// Q is the mixture. An output's loss is above `loss` where its unsampled loss
// is below a threshold; by symmetry that is a tail above the negative one.
Tails PrivacyLoss::AddAbove(double loss) const {
  const double unsampled = Unsampled(-loss, rate_);
  if (unsampled == -kInfinity) return {0, 0};
  const Tails tails = PairAbove(-unsampled);
  return {tails.p, (1 - rate_) * tails.p + rate_ * tails.q};
}

Tails PrivacyLoss::Above(double loss) const {
  switch (transform_) {
    case Transform::kNone:
      return PairAbove(loss);
    case Transform::kRemove:
      return RemoveAbove(loss);
    case Transform::kAdd:
      return AddAbove(loss);
    case Transform::kWorst:
      // The larger of the two profiles at every loss.
      return loss >= 0 ? RemoveAbove(loss) : AddAbove(loss);
    case Transform::kRevealed: {
      const Tails tails = PairAbove(loss);
      const double absent = loss < 0 ? 1 - rate_ : 0;
      return {absent + rate_ * tails.p, absent + rate_ * tails.q};
    }
  }
  return {};
}

std::vector<double> PrivacyLoss::PairAtoms() const {
  constexpr double kMostAtoms = 2000;
  if (const auto* laplace = std::get_if<LaplacePair>(&pair_)) {
    return {-laplace->mu, laplace->mu};
  }
  if (const auto* response = std::get_if<ResponsePair>(&pair_)) {
    return {-response->epsilon, response->epsilon};
  }
  std::vector<double> atoms;
  if (const auto* discrete = std::get_if<DiscretePair>(&pair_)) {
    const double square = discrete->sigma * discrete->sigma;
    const double reach = std::ceil(kDiscreteReach * discrete->sigma);
    if (2 * reach + discrete->shift > kMostAtoms) return {};  // nearly smooth
    for (double k = -reach; k <= reach + discrete->shift; ++k) {
      atoms.push_back((k - 0.5 * discrete->shift) * discrete->shift / square);
    }
  }
  return atoms;
}

std::vector<double> PrivacyLoss::Atoms() const {
  const auto sampled = [&](double loss) {
    return std::log1p(rate_ * std::expm1(loss));
  };
  std::vector<double> atoms;
  for (const double atom : PairAtoms()) {
    switch (transform_) {
      case Transform::kNone:
      case Transform::kRevealed:
        atoms.push_back(atom);
        break;
      case Transform::kRemove:
        atoms.push_back(sampled(atom));
        break;
      case Transform::kAdd:
        atoms.push_back(-sampled(-atom));
        break;
      case Transform::kWorst:
        atoms.push_back(atom >= 0 ? sampled(atom) : -sampled(-atom));
        break;
    }
  }
  return atoms;
}

double PrivacyLoss::Unit() const {
  const auto* discrete = std::get_if<DiscretePair>(&pair_);
  const bool plain =
      transform_ == Transform::kNone || transform_ == Transform::kRevealed;
  if (discrete != nullptr && plain) {
    return 0.5 * discrete->shift / (discrete->sigma * discrete->sigma);
  }
  const std::vector<double> atoms = Atoms();
  return atoms.empty() ? 0 : std::max(0.0, atoms.back());
}

double PrivacyLoss::High(double mass) const {
  mass += Above(1e300).p;  // an infinite loss stays
  double high = 1e-9;
  while (Above(high).p > mass) {
    high *= 2;
    if (high > 1e12) return kInfinity;
  }
  double low = high > 1e-9 ? high / 2 : 0;
  for (int step = 0; step < 20; ++step) {
    const double middle = 0.5 * (low + high);
    (Above(middle).p > mass ? low : high) = middle;
  }
  return high;
}

double PrivacyLoss::Low() const {
  constexpr double kLost = 1e-15;
  double low = -1e-9;
  while (1 - Above(low).p > kLost && low > -1e12) low *= 2;
  double high = low < -1e-9 ? low / 2 : 0;
  for (int step = 0; step < 20; ++step) {
    const double middle = 0.5 * (low + high);
    (1 - Above(middle).p > kLost ? high : low) = middle;
  }
  return low;
}

}  // namespace sfumato::dp

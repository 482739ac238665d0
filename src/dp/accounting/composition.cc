// How it works, and where each error goes (all of them against us):
//
// 1. A sketch. Each event's loss is put on a coarse grid whose steps grow with
//    the loss. That gives cumulants K(theta) = log E[e^(theta L)] of the whole
//    list, from them the order theta at which the answer is decided, and a
//    first bound on it (Canonne, Kamath and Steinke 2020, Proposition 12).
// 2. A lattice. Each loss is put on multiples of one step by connecting the
//    dots: the mass between two lattice points is split between them so that
//    both chances, under P and under Q, stay what they are. The result is at
//    least as easy to distinguish. What lies above the last point counts as an
//    infinite loss; what lies below the first moves up to it.
// 3. A tilt. Masses are multiplied by e^(theta l), so that the losses that
//    decide are the bulk and not a tail. Fourier transforms then compute them
//    to full relative precision, at delta = 1e-12 as well as at 1e-3.
// 4. Transforms, powers, product, back. The window is cyclic: masses from below
//    enter it and add to delta; masses above it are bounded by Chernoff's
//    inequality and added; the transforms' rounding is bounded and added.

#include "dp/accounting/composition.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "dp/accounting/loss_sketch.h"
#include "unsupported/Eigen/FFT"

namespace sfumato::dp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnit = 0x1p-53;  // rounding of one operation

// The lattice may move epsilon by about this share of max(epsilon, 0.3), times
// the coarseness that is asked for.
constexpr double kStepError = 1e-4;
// Shares of delta that may go to infinite losses of single events, and to
// losses above the window.
constexpr double kInfiniteShare = 1e-6;
constexpr double kAboveShare = 1e-4;
constexpr double kStrayShare = 1e-4;
constexpr int kMostLooks = 4;
constexpr std::int64_t kLargestWindow = std::int64_t{1} << 22;

double Rounds(std::span<const Term> terms) {
  double rounds = 0;
  for (const Term& term : terms) rounds += term.count;
  return rounds;
}

// Losses so large that nothing is worth computing.
bool BeyondMeasure(std::span<const Term> terms) {
  return std::any_of(terms.begin(), terms.end(), [](const Term& term) {
    return !std::isfinite(term.loss.High(1e-30));
  });
}

// log of the factor by which Chernoff's bound e^(K - theta epsilon) on delta
// improves: theta^theta / (1 + theta)^(1 + theta).
double LogFactor(double theta) {
  return theta * std::log(theta) - (1 + theta) * std::log1p(theta);
}

// The theta > 0 with the smallest value of a function that falls, then rises:
// by golden section over log theta.
template <typename F>
double Minimise(const F& f) {
  double low = std::log(1e-4);
  double high = std::log(1e6);
  const double ratio = 0.5 * (std::sqrt(5.0) - 1);
  double a = high - ratio * (high - low);
  double b = low + ratio * (high - low);
  double at_a = f(std::exp(a));
  double at_b = f(std::exp(b));
  while (high - low > 0.02) {
    if (at_a <= at_b || std::isnan(at_b)) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - ratio * (high - low);
      at_a = f(std::exp(a));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + ratio * (high - low);
      at_b = f(std::exp(b));
    }
  }
  return std::exp(0.5 * (low + high));
}

// Splitting adds up to step^2/4, on average step^2/6, to a loss's variance, so
// about rounds * step^2/12 * theta (theta + 1) to K(theta), and 1/theta of
// that to epsilon.
double Step(double rounds, double theta, double epsilon,
            double coarseness = 1) {
  const double error = coarseness * kStepError * std::max(epsilon, 0.3);
  // Steeper than this is an atom's edge, which lies on the lattice.
  constexpr double kSteepest = 1e5;
  return std::sqrt(12 * error / (rounds * (std::min(theta, kSteepest) + 1)));
}

// Where to look.
struct Target {
  double theta;    // the order that decides in the sketch
  double slope;    // how fast log(delta) falls with epsilon
  double epsilon;  // about
  double delta;    // about
  double coarseness = 1;
};

struct Answer {
  double value = 0;  // of epsilon or delta
  double slope = 0;  // how fast log(delta) falls there with epsilon
};

// The composed loss near the place that decides, tilted.
class Window {
 public:
  Window(std::span<const Term> terms, const Sketch& sketch,
         const Target& target);

  // The bound on delta at a lattice point or between; the least epsilon >= 0
  // with that bound at most `delta`.
  Answer Delta(double epsilon) const;
  Answer Epsilon(double delta) const;
  double step() const { return step_; }

 private:
  struct Lattice {
    std::vector<std::int64_t> indices;  // masses[i] at indices[i] * step
    std::vector<double> masses;
  };

  Lattice Discretise(const Term& term, double lost_mass);
  struct Reach;
  static Reach StrayMass(const Sketch& sketch, double theta, double epsilon,
                         double delta);
  static double ChooseTilt(const Sketch& sketch, double theta, double epsilon,
                           double delta);
  void ChooseWindow(std::span<const Lattice> lattices,
                    std::span<const Term> terms, const Reach& reach,
                    double epsilon, double delta);
  void Compose(std::span<const Lattice> lattices, std::span<const Term> terms);
  double LogMoment(const Lattice& lattice, double theta) const;
  // What is added to delta for losses out of sight and for rounding.
  double Uncertain(double epsilon) const;
  std::size_t Place(std::int64_t index) const;
  double Mass(std::int64_t index) const;

  double theta_;
  double rounds_ = 0;
  double step_ = 0;
  double infinite_ = 0;    // mass of infinite losses
  double above_ = 0;       // bound on the mass above the window
  double log_moment_ = 0;  // K(theta) of the lattice
  double rounding_ = 0;    // bound on the error of tilted_, in the 2-norm
  std::int64_t top_ = 0;   // index of the window's last point
  std::int64_t size_ = 0;
  std::vector<double> tilted_;  // cyclic: index i at i mod size
};

// The lattice points used for a loss: all near 0; further out 128 to an octave,
// for a loss of l may be off by a small share of itself; and the atoms' own.
// Positive losses, which decide, are never further apart than the step of a
// single round would be.
std::vector<std::int64_t> LatticePoints(const PrivacyLoss& loss,
                                        double lost_mass, double step,
                                        double rounds) {
  constexpr std::int64_t kPerOctave = 128;
  constexpr double kMostPoints = 1 << 16;
  std::vector<std::int64_t> points = {0};
  const auto one_side = [&](double reach, std::int64_t sign, double widest) {
    std::int64_t index = 0;
    widest = std::max(widest, reach / step / kMostPoints);
    do {
      const auto octave = std::bit_floor(static_cast<std::uint64_t>(index));
      const double gap =
          std::min(static_cast<double>(octave / kPerOctave), widest);
      index += std::max(std::int64_t{1}, static_cast<std::int64_t>(gap));
      points.push_back(sign * index);
    } while (static_cast<double>(index) * step < reach);
  };
  one_side(-loss.Low(), -1, kInfinity);
  one_side(loss.High(lost_mass), 1, std::sqrt(rounds));
  for (const double atom : loss.Atoms()) {
    const double place = atom / step;
    const double near = std::round(place);
    if (std::abs(place - near) < 1e-9 * std::max(1.0, near)) {
      points.push_back(static_cast<std::int64_t>(near));
    } else {
      points.push_back(static_cast<std::int64_t>(std::floor(place)));
      points.push_back(static_cast<std::int64_t>(std::ceil(place)));
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

// The step made smaller by a half at most, so that the largest atom of the most
// frequent loss that has one lies on the lattice. An atom nearer to 0 than a
// step is not worth it.
double Align(double step, std::span<const Term> terms) {
  double unit = 0;
  double count = 0;
  for (const Term& term : terms) {
    const double here = term.loss.Unit();
    if (here > 0 && term.count > count) {
      unit = here;
      count = term.count;
    }
  }
  return unit > step ? unit / std::ceil(unit / step) : step;
}

Window::Lattice Window::Discretise(const Term& term, double lost_mass) {
  Lattice lattice;
  lattice.indices = LatticePoints(term.loss, lost_mass, step_, rounds_);
  std::vector<double> losses;
  for (const std::int64_t index : lattice.indices) {
    losses.push_back(static_cast<double>(index) * step_);
  }
  lattice.masses.assign(losses.size(), 0.0);
  infinite_ +=
      Ever(ConnectTheDots(term.loss, losses, lattice.masses), term.count);
  return lattice;
}

double Window::LogMoment(const Lattice& lattice, double theta) const {
  // Relative to the largest loss that has any mass. REQUIRES: theta > 0.
  std::size_t last = lattice.masses.size() - 1;
  while (last > 0 && lattice.masses[last] == 0) --last;
  const std::int64_t top = lattice.indices[last];
  double moment = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    moment +=
        lattice.masses[i] *
        std::exp(theta * step_ * static_cast<double>(lattice.indices[i] - top));
  }
  return theta * step_ * static_cast<double>(top) + std::log(moment);
}

// Losses from outside enter the cyclic window at places that are wrong by its
// length. They only add to delta, so that the sketch is good enough here: the
// window is long enough when, of the tilted mass that would enter above
// epsilon, less than kStrayShare of delta is left.
struct Window::Reach {
  double bottom;  // tilted mass below it is small
  double far;     // tilted mass above it is small
};

Window::Reach Window::StrayMass(const Sketch& sketch, double theta,
                                double epsilon, double delta) {
  const double here = sketch.Cumulant(theta);
  const double log_share =
      std::min(-1.0, std::log(kStrayShare * delta) - here + theta * epsilon);
  Reach reach{-kInfinity, kInfinity};
  // P~[L < bottom] <= e^(K(theta - r) - K(theta) + r bottom).
  for (const double factor : {0.25, 0.5, 1.0, 2.0}) {
    const double r = factor * theta;
    const double bound = (log_share - sketch.Cumulant(theta - r) + here) / r;
    reach.bottom = std::max(reach.bottom, bound);
  }
  for (const double factor : {0.2, 0.5, 1.0, 2.0, 4.0}) {
    const double r = factor * theta;
    const double bound = (sketch.Cumulant(theta + r) - here - log_share) / r;
    reach.far = std::min(reach.far, bound);
  }
  return reach;
}

// Near the order that decides, the largest losses of single events may begin to
// dominate the tilted mass and ask for a long window; a smaller tilt, that
// costs a few digits, avoids them.
double Window::ChooseTilt(const Sketch& sketch, double theta, double epsilon,
                          double delta) {
  double best = theta;
  double shortest = kInfinity;
  for (const double factor : {1.0, 0.8, 0.6, 0.45}) {
    const Reach reach = StrayMass(sketch, factor * theta, epsilon, delta);
    const double length = reach.far - reach.bottom;
    if (length < 0.8 * shortest) {
      shortest = length;
      best = factor * theta;
    }
  }
  return best;
}

// The next number of the form 2^k, 3 * 2^k or 5 * 2^k: a size at which
// transforms are fast.
std::int64_t TransformSize(double length) {
  if (length > 1e15) return std::int64_t{1} << 50;
  const auto size = static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(length)));
  for (const std::int64_t smaller : {size / 8 * 5, size / 4 * 3}) {
    if (static_cast<double>(smaller) >= length) return smaller;
  }
  return size;
}

void Window::ChooseWindow(std::span<const Lattice> lattices,
                          std::span<const Term> terms, const Reach& reach,
                          double epsilon, double delta) {
  const auto cumulant = [&](double theta) {
    double sum = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      sum += terms[i].count * LogMoment(lattices[i], theta);
    }
    return sum;
  };
  log_moment_ = cumulant(theta_);
  // P[L > top] <= e^(K(s) - s top) for every s > 0.
  above_ = kAboveShare * delta;
  double top = kInfinity;
  for (const double factor : {1.0, 1.2, 1.5, 2.0}) {
    const double s = factor * theta_;
    top = std::min(top, (cumulant(s) - std::log(above_)) / s);
  }
  above_ *= 1 + 1e-6;  // for the rounding of the cumulants

  top_ = static_cast<std::int64_t>(std::ceil(top / step_));
  // All losses between epsilon and the top must lie inside: one that is missing
  // there would not be counted.
  const double length = std::max({top - reach.bottom, reach.far - epsilon,
                                  top - epsilon, 16 * step_}) /
                            step_ +
                        2;
  size_ = TransformSize(length);
}

Window::Window(std::span<const Term> terms, const Sketch& sketch,
               const Target& target)
    : theta_(ChooseTilt(sketch, target.theta, target.epsilon, target.delta)) {
  const auto [theta, slope, epsilon, delta, coarseness] = target;
  rounds_ = Rounds(terms);
  const double lost_mass = kInfiniteShare * delta / rounds_;
  const Reach reach = StrayMass(sketch, theta_, epsilon, delta);
  step_ = Align(Step(rounds_, slope, epsilon, coarseness), terms);
  // A step that would need too long a window is widened.
  for (;;) {
    std::vector<Lattice> lattices;
    infinite_ = 0;
    for (const Term& term : terms) {
      lattices.push_back(Discretise(term, lost_mass));
    }
    ChooseWindow(lattices, terms, reach, epsilon, delta);
    if (size_ <= kLargestWindow) {
      Compose(lattices, terms);
      return;
    }
    step_ *= static_cast<double>(size_) / kLargestWindow * 1.01;
  }
}

// By squaring; each multiplication rounds by at most sqrt(5) units. A power
// below 1e-20 is not worth computing and counts as 0.
std::complex<double> Power(std::complex<double> base, double count) {
  if (count == 1) return base;
  double re = base.real();
  double im = base.imag();
  const double square = re * re + im * im;
  if (square < 1 && count * std::log(square) < 2 * std::log(1e-20)) return 0;
  std::complex<double> result = 1;
  const auto multiply = [](double a, double b, double c, double d) {
    return std::complex<double>(a * c - b * d, a * d + b * c);
  };
  for (auto left = static_cast<std::uint64_t>(count); left > 0; left >>= 1) {
    if (left & 1) result = multiply(result.real(), result.imag(), re, im);
    const double next = re * re - im * im;
    im = 2 * re * im;
    re = next;
  }
  return result;
}

void Window::Compose(std::span<const Lattice> lattices,
                     std::span<const Term> terms) {
  const auto size = static_cast<std::size_t>(size_);
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  // An input reaches an output through one multiplication and at most three
  // additions a stage; each rounds its complex value by at most sqrt(5) units.
  // So the error is at most this share of the sum of all absolute inputs.
  const double fft_error =
      8 * kUnit * (std::log2(static_cast<double>(size_)) + 2);
  std::vector<double> input(size);
  std::vector<std::complex<double>> spectrum(size / 2 + 1);
  std::vector<std::complex<double>> product(size / 2 + 1, 1.0);
  double rounding = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Lattice& lattice = lattices[i];
    const double log_moment = LogMoment(lattice, theta_);
    std::fill(input.begin(), input.end(), 0.0);
    for (std::size_t j = 0; j < lattice.masses.size(); ++j) {
      const std::int64_t index = lattice.indices[j];
      input[Place(index)] +=
          lattice.masses[j] *
          std::exp(theta_ * step_ * static_cast<double>(index) - log_moment);
    }
    fft.fwd(spectrum.data(), input.data(), static_cast<int>(size_));
    for (std::size_t k = 0; k < product.size(); ++k) {
      const std::complex<double> power = Power(spectrum[k], terms[i].count);
      const std::complex<double> before = product[k];
      product[k] = {
          before.real() * power.real() - before.imag() * power.imag(),
          before.real() * power.imag() + before.imag() * power.real()};
    }
    // The inputs' sum is one, so all frequencies are at most one in absolute
    // value, and errors of factors add up.
    rounding += terms[i].count * (1.001 * fft_error + 4 * kUnit) + 1e-20;
  }
  tilted_.resize(size);
  fft.inv(tilted_.data(), product.data(), static_cast<int>(size_));
  double squares = 0;
  for (double& mass : tilted_) {
    mass = std::max(0.0, mass);
    squares += mass * mass;
  }
  rounding_ = rounding * std::exp(rounding) +
              fft_error * (std::sqrt(squares) + rounding);
}

std::size_t Window::Place(std::int64_t index) const {
  const std::int64_t rest = index % size_;
  return static_cast<std::size_t>(rest < 0 ? rest + size_ : rest);
}

double Window::Mass(std::int64_t index) const {
  return tilted_[Place(index)] *
         std::exp(log_moment_ - theta_ * step_ * static_cast<double>(index));
}

// Rounding: by Cauchy's inequality, with weights e^(K - theta l) from epsilon
// on.
double Window::Uncertain(double epsilon) const {
  const double weights = std::exp(log_moment_ - theta_ * epsilon) /
                         std::sqrt(-std::expm1(-2 * theta_ * step_));
  return infinite_ + above_ + rounding_ * weights;
}

Answer Window::Delta(double epsilon) const {
  // delta(epsilon) = sum over l > epsilon of p(l) (1 - e^(epsilon - l)).
  const auto from = static_cast<std::int64_t>(std::floor(epsilon / step_)) + 1;
  double delta = Uncertain(epsilon);
  double fall = 0;
  assert(from > top_ - size_);
  for (std::int64_t i = from; i <= top_; ++i) {
    const double shrunk = epsilon - step_ * static_cast<double>(i);
    delta += Mass(i) * -std::expm1(std::min(0.0, shrunk));
    fall += Mass(i) * std::exp(shrunk);
  }
  return {std::min(1.0, delta), fall / delta};
}

Answer Window::Epsilon(double delta) const {
  if (infinite_ + above_ >= delta) return {kInfinity, 1};
  // From the top down, with sums over the losses above point i:
  // mass = sum of p(l), shrunk = sum of p(l) e^(point - l). The weights
  // e^(K - theta l) and the bound on rounding grow by one factor a step.
  double mass = 0;
  double shrunk = 0;
  const double ratio = std::exp(-step_);
  const double growth = std::exp(theta_ * step_);
  const double top = step_ * static_cast<double>(top_);
  double weight = std::exp(log_moment_ - theta_ * top);
  const double rounding =
      rounding_ / std::sqrt(-std::expm1(-2 * theta_ * step_));
  std::size_t place = Place(top_);
  for (std::int64_t i = top_; i > top_ - size_; --i) {
    const double point = step_ * static_cast<double>(i);
    const double extra = infinite_ + above_ + rounding * weight;
    if (mass - shrunk + extra > delta) {
      // The answer lies between this point and the next.
      const double rise = std::log((mass + extra - delta) / shrunk);
      return {std::max(0.0, point + std::clamp(rise, 0.0, step_)),
              shrunk / delta};
    }
    if (point < 0) return {0, shrunk / delta};
    const double here = tilted_[place] * weight;
    mass += here;
    shrunk = (shrunk + here) * ratio;
    weight *= growth;
    place = place == 0 ? static_cast<std::size_t>(size_ - 1) : place - 1;
  }
  return {std::max(0.0, step_ * static_cast<double>(top_ - size_ + 1)),
          shrunk / delta};
}

}  // namespace

// Both answers start from the sketch's bound. Where that is far off (a few
// rounds with rare large losses), a second look at the right place, with the
// step that this place needs, sees more.

double ComposedEpsilon(std::span<const Term> terms, double delta) {
  const double rounds = Rounds(terms);
  if (BeyondMeasure(terms)) return kInfinity;
  const Sketch sketch(terms, kInfiniteShare * delta / rounds);
  const double left = delta - sketch.infinite();  // for finite losses
  if (!(left > 0)) return kInfinity;
  const auto bound = [&](double theta) {
    return (sketch.Cumulant(theta) - std::log(left) + LogFactor(theta)) / theta;
  };
  const double theta = Minimise(bound);
  double best = std::max(0.0, bound(theta));
  double slope = theta;
  for (int look = 0; look < kMostLooks && best > 0; ++look) {
    const Window window(terms, sketch, {theta, slope, best, left});
    const Answer answer = window.Epsilon(delta);
    best = std::min(best, answer.value);
    slope = std::max(theta, answer.slope);
    if (Step(rounds, slope, best) > 0.6 * window.step()) break;
  }
  // The rounding of thresholds.
  return best == 0 ? 0 : best * (1 + 4 * kAtomSlack) + rounds * kAtomSlack;
}

double ComposedDelta(std::span<const Term> terms, double epsilon,
                     double coarseness) {
  const double rounds = Rounds(terms);
  if (BeyondMeasure(terms)) return 1;
  const Sketch sketch(terms, 1e-15 / rounds);
  const auto bound = [&](double theta) {
    return sketch.Cumulant(theta) - theta * epsilon + LogFactor(theta);
  };
  const double theta = Minimise(bound);
  double best = std::min(1.0, std::exp(bound(theta)) + sketch.infinite());
  double slope = theta;
  const auto worth_a_look = [&] { return best > 1e-20 && best < 1 - 1e-6; };
  for (int look = 0; look < kMostLooks && worth_a_look(); ++look) {
    const Window window(terms, sketch,
                        {theta, slope, epsilon, best, coarseness});
    const Answer answer = window.Delta(epsilon);
    const bool near = answer.value > 0.1 * best;
    best = std::min(best, answer.value);
    slope = std::max(theta, answer.slope);
    if (near &&
        Step(rounds, slope, epsilon, coarseness) > 0.6 * window.step()) {
      break;
    }
  }
  return std::min(1.0, best * (1 + (slope + 1) * rounds * kAtomSlack));
}

}  // namespace sfumato::dp

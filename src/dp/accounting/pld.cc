// How it works, and where each error goes (all of them against us):
//
// 1. A sketch. Each event's loss is put on a coarse grid whose steps grow with
//    the loss. That gives cumulants K(theta) = log E[e^(theta L)] of the whole
//    list, from them the order theta at which the answer is decided, and a
//    first bound on it (Canonne, Kamath and Steinke 2020, Proposition 12).
// 2. A lattice. Each loss is put on multiples of one step by connecting the
//    dots: the mass between two lattice points is split between them so that
//    both chances, under P and under Q, stay what they are. The result is at
//    least as easy to tell apart. What lies above the last point counts as an
//    infinite loss; what lies below the first moves up to it.
// 3. A tilt. Masses are multiplied by e^(theta l), so that the losses that
//    decide are the bulk and not a tail. Fourier transforms then compute them
//    to full relative precision, at delta = 1e-12 as well as at 1e-3.
// 4. Transforms, powers, product, back. The window is cyclic: masses from below
//    enter it and add to delta; masses above it are bounded by Chernoff's
//    inequality and added; the transforms' rounding is bounded and added.

#include "dp/accounting/pld.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstdint>
#include <future>
#include <limits>
#include <map>
#include <vector>

#include "base/error.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/privacy_loss.h"
#include "unsupported/Eigen/FFT"

namespace sfumato::dp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnit = 0x1p-53;  // rounding of one operation

// The lattice may move epsilon by about this share of max(epsilon, 0.3).
constexpr double kStepError = 1e-4;
// Shares of delta that may go to infinite losses of single events, and to
// losses above the window.
constexpr double kInfiniteShare = 1e-6;
constexpr double kAboveShare = 1e-4;
constexpr double kStrayShare = 1e-4;
constexpr std::int64_t kLargestWindow = std::int64_t{1} << 22;

struct Term {
  PrivacyLoss loss;
  double count;
};

double Rounds(std::span<const Term> terms) {
  double rounds = 0;
  for (const Term& term : terms) rounds += term.count;
  return rounds;
}

// Puts a loss on increasing points, pessimistically; returns the mass of an
// infinite loss. masses[i] belongs to points[i].
double ConnectTheDots(const PrivacyLoss& loss, std::span<const double> points,
                      std::span<double> masses) {
  Tails below = loss.Above(points[0]);
  masses[0] = std::max(0.0, 1 - below.p);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Tails above = loss.Above(points[i]);
    const double error = 2 * kTailError * below.p;
    const double p = std::max(0.0, below.p - above.p);
    const double q = std::max(0.0, below.q - above.q);
    const double gap = points[i] - points[i - 1];
    // Solves low + high = p and low + high e^-gap = q e^(lower point); what
    // rounding leaves open goes up.
    double high = p;
    if (points[i - 1] < 600) {
      high = (p - q * std::exp(points[i - 1]) + error) / -std::expm1(-gap);
      high = std::clamp(high, 0.0, p);
    }
    masses[i - 1] += p - high;
    masses[i] = high + error;
    below = above;
  }
  return below.p * (1 + kTailError);
}

// log of the factor by which Chernoff's bound e^(K - theta epsilon) on delta
// improves: theta^theta / (1 + theta)^(1 + theta).
double LogFactor(double theta) {
  return theta * std::log(theta) - (1 + theta) * std::log1p(theta);
}

// The coarse picture of a whole list.
class Sketch {
 public:
  Sketch(std::span<const Term> terms, double lost_mass) {
    for (const Term& term : terms) {
      Part part{.points = Points(term.loss, lost_mass),
                .masses = {},
                .count = term.count};
      part.masses.assign(part.points.size(), 0.0);
      infinite_ +=
          term.count * ConnectTheDots(term.loss, part.points, part.masses);
      parts_.push_back(std::move(part));
    }
  }

  double Cumulant(double theta) const {
    double sum = 0;
    for (const Part& part : parts_) {
      const double top = theta >= 0 ? part.points.back() : part.points.front();
      double moment = 0;
      for (std::size_t i = 0; i < part.points.size(); ++i) {
        moment += part.masses[i] * std::exp(theta * (part.points[i] - top));
      }
      sum += part.count * (theta * top + std::log(moment));
    }
    return sum;
  }

  double infinite() const { return infinite_; }

 private:
  struct Part {
    std::vector<double> points;
    std::vector<double> masses;
    double count;
  };

  // 0 and points that grow by an eighth to either side.
  static std::vector<double> Points(const PrivacyLoss& loss, double lost_mass) {
    constexpr double kGrowth = 1.125;
    constexpr double kFinest = 1e-7;  // relative to the largest
    const double high = loss.High(lost_mass);
    const double low = loss.Low();
    if (!std::isfinite(high)) return {low, 0};
    std::vector<double> points;
    const double finest = kFinest * std::max(high, -low);
    for (double x = -low; x > finest; x /= kGrowth) points.push_back(-x);
    points.push_back(0);
    const std::size_t zero = points.size();
    for (double x = high; x > finest; x /= kGrowth) points.push_back(x);
    std::reverse(points.begin() + static_cast<std::ptrdiff_t>(zero),
                 points.end());
    return points;
  }

  std::vector<Part> parts_;
  double infinite_ = 0;
};

// The theta > 0 with the smallest value of a function that falls, then rises:
// by golden section over log theta.
template <typename F>
double Minimise(const F& f) {
  double low = std::log(1e-4);
  double high = std::log(1e7);
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
double Step(double rounds, double theta, double epsilon) {
  const double error = kStepError * std::max(epsilon, 0.3);
  return std::sqrt(12 * error / (rounds * (theta + 1)));
}

// The composed loss near the place that decides, tilted.
class Window {
 public:
  // `theta` is the tilt, `epsilon` the rough place, `delta` the rough size of
  // what is asked for.
  Window(std::span<const Term> terms, const Sketch& sketch, double theta,
         double epsilon, double delta);

  // The bound on delta at a lattice point or between; the least epsilon >= 0
  // with that bound at most `delta`.
  double Delta(double epsilon) const;
  double Epsilon(double delta) const;

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
  double step_ = 0;
  double infinite_ = 0;    // mass of infinite losses
  double above_ = 0;       // bound on the mass above the window
  double log_moment_ = 0;  // K(theta) of the lattice
  double rounding_ = 0;    // bound on the error of tilted_, in the 2-norm
  std::int64_t top_ = 0;   // index of the window's last point
  std::int64_t size_ = 0;
  std::vector<double> tilted_;  // cyclic: index i at i mod size
};

// The lattice points used for losses between low and high: all near 0, further
// out 128 to an octave, for a loss of l may be off by a small share of itself.
std::vector<std::int64_t> LatticePoints(double low, double high, double step) {
  constexpr std::int64_t kPerOctave = 128;
  const auto one_side = [&](double reach) {
    std::vector<std::int64_t> indices;
    std::int64_t index = 0;
    do {
      const auto octave = std::bit_floor(static_cast<std::uint64_t>(index));
      index += std::max<std::int64_t>(
          1, static_cast<std::int64_t>(octave) / kPerOctave);
      indices.push_back(index);
    } while (static_cast<double>(index) * step < reach);
    return indices;
  };
  std::vector<std::int64_t> indices = one_side(-low);
  std::reverse(indices.begin(), indices.end());
  for (std::int64_t& index : indices) index = -index;
  indices.push_back(0);
  const std::vector<std::int64_t> above = one_side(high);
  indices.insert(indices.end(), above.begin(), above.end());
  return indices;
}

Window::Lattice Window::Discretise(const Term& term, double lost_mass) {
  Lattice lattice;
  lattice.indices =
      LatticePoints(term.loss.Low(), term.loss.High(lost_mass), step_);
  std::vector<double> losses;
  for (const std::int64_t index : lattice.indices) {
    losses.push_back(static_cast<double>(index) * step_);
  }
  lattice.masses.assign(losses.size(), 0.0);
  infinite_ += term.count * ConnectTheDots(term.loss, losses, lattice.masses);
  return lattice;
}

double Window::LogMoment(const Lattice& lattice, double theta) const {
  const double scale = theta * step_;
  const double top = scale * static_cast<double>(lattice.indices.back());
  double moment = 0;
  for (std::size_t i = 0; i < lattice.masses.size(); ++i) {
    moment += lattice.masses[i] *
              std::exp(scale * static_cast<double>(lattice.indices[i]) - top);
  }
  return top + std::log(moment);
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
  const double length =
      std::max({top - reach.bottom, reach.far - epsilon, 16 * step_}) / step_ +
      2;
  size_ = length > 1e15 ? std::int64_t{1} << 50
                        : static_cast<std::int64_t>(std::bit_ceil(
                              static_cast<std::uint64_t>(length)));
}

Window::Window(std::span<const Term> terms, const Sketch& sketch, double theta,
               double epsilon, double delta)
    : theta_(ChooseTilt(sketch, theta, epsilon, delta)) {
  const double rounds = Rounds(terms);
  const double lost_mass = kInfiniteShare * delta / rounds;
  const Reach reach = StrayMass(sketch, theta_, epsilon, delta);
  step_ = Step(rounds, theta, epsilon);
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

void Power(std::complex<double>& value, double count) {
  // By squaring; each multiplication rounds by at most sqrt(5) units.
  auto left = static_cast<std::uint64_t>(count);
  std::complex<double> square = value;
  std::complex<double> result = 1;
  for (; left > 0; left >>= 1) {
    if (left & 1) result *= square;
    square *= square;
  }
  value = result;
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
      if (terms[i].count > 1) Power(spectrum[k], terms[i].count);
      product[k] *= spectrum[k];
    }
    // The inputs' sum is one, so all frequencies are at most one in absolute
    // value, and errors of factors add up.
    rounding += terms[i].count * (1.001 * fft_error + 4 * kUnit);
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
  // The size is a power of two.
  return static_cast<std::size_t>(index & (size_ - 1));
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

double Window::Delta(double epsilon) const {
  // delta(epsilon) = sum over l > epsilon of p(l) (1 - e^(epsilon - l)).
  const auto from = static_cast<std::int64_t>(std::floor(epsilon / step_)) + 1;
  double delta = Uncertain(epsilon);
  for (std::int64_t i = std::max(from, top_ - size_ + 1); i <= top_; ++i) {
    const double loss = step_ * static_cast<double>(i);
    delta += Mass(i) * -std::expm1(std::min(0.0, epsilon - loss));
  }
  return std::min(1.0, delta);
}

double Window::Epsilon(double delta) const {
  if (infinite_ + above_ >= delta) return kInfinity;
  // From the top down, with sums over the losses above point i:
  // mass = sum of p(l), shrunk = sum of p(l) e^(point - l).
  double mass = 0;
  double shrunk = 0;
  const double ratio = std::exp(-step_);
  for (std::int64_t i = top_; i > top_ - size_; --i) {
    const double point = step_ * static_cast<double>(i);
    // Here the sums hold the losses above point i.
    const double extra = Uncertain(point);
    if (mass - shrunk + extra > delta) {
      // The answer lies between this point and the next.
      const double rise = std::log((mass + extra - delta) / shrunk);
      return std::max(0.0, point + std::clamp(rise, 0.0, step_));
    }
    if (point < 0) return 0;
    const double here = Mass(i);
    mass += here;
    shrunk = (shrunk + here) * ratio;
  }
  return std::max(0.0, step_ * static_cast<double>(top_ - size_ + 1));
}

// Equal events once, all plain Gaussians as one.
using Signature = std::array<double, 8>;

Signature SignatureOf(const Event& event) {
  Signature key{};
  key[0] = static_cast<double>(event.mechanism.index());
  std::visit(
      [&]<typename T>(const T& m) {
        if constexpr (requires { m.noise_multiplier; }) {
          key[1] = m.noise_multiplier;
        }
        if constexpr (requires { m.sensitivity; }) {
          key[2] = static_cast<double>(m.sensitivity);
        }
        if constexpr (requires { m.epsilon; }) key[3] = m.epsilon;
        if constexpr (requires { m.delta; }) key[4] = m.delta;
        if constexpr (std::is_same_v<T, DiscreteGaussian>) {
          key[5] = static_cast<double>(m.dimension);
        }
      },
      event.mechanism);
  key[6] = static_cast<double>(event.sampling.index());
  key[7] = Rate(event.sampling);
  return key;
}

struct Merged {
  double mu = 0;  // of all plain Gaussians together
  std::vector<Event> others;
};

Merged Merge(std::span<const Event> events) {
  Merged merged;
  double squares = 0;
  std::map<Signature, std::size_t> places;
  for (const Event& event : events) {
    const double mu = PlainGaussianMu(event);
    if (mu > 0) {
      squares += static_cast<double>(event.count) * mu * mu;
      continue;
    }
    const auto [place, fresh] =
        places.try_emplace(SignatureOf(event), merged.others.size());
    if (fresh) {
      merged.others.push_back(event);
    } else {
      merged.others[place->second].count += event.count;
    }
  }
  merged.mu = std::sqrt(squares);
  return merged;
}

std::vector<Term> Terms(const Merged& merged, Direction direction) {
  std::vector<Term> terms;
  for (const Event& event : merged.others) {
    terms.push_back(
        {PrivacyLoss(event, direction), static_cast<double>(event.count)});
  }
  if (merged.mu > 0) {
    const Event plain{.mechanism = Gaussian{1 / merged.mu}};
    terms.push_back({PrivacyLoss(plain, direction), 1});
  }
  return terms;
}

double TermsEpsilon(std::span<const Term> terms, double delta) {
  const Sketch sketch(terms, kInfiniteShare * delta / Rounds(terms));
  if (sketch.infinite() >= delta) return kInfinity;
  const auto bound = [&](double theta) {
    return (sketch.Cumulant(theta) - std::log(delta) + LogFactor(theta)) /
           theta;
  };
  const double theta = Minimise(bound);
  const double rough = std::max(0.0, bound(theta));
  return Window(terms, sketch, theta, rough, delta).Epsilon(delta);
}

double TermsDelta(std::span<const Term> terms, double epsilon) {
  const Sketch sketch(terms, 1e-15 / Rounds(terms));
  const auto bound = [&](double theta) {
    return sketch.Cumulant(theta) - theta * epsilon + LogFactor(theta);
  };
  const double theta = Minimise(bound);
  const double rough = std::min(1.0, std::exp(bound(theta)));
  return Window(terms, sketch, theta, epsilon, rough).Delta(epsilon);
}

// Both directions where they differ, side by side; the larger answer.
template <typename F>
double WorseDirection(const Merged& merged, const F& answer) {
  const bool one_way = std::none_of(
      merged.others.begin(), merged.others.end(), [](const Event& event) {
        return event.adjacency == Adjacency::kAddRemove &&
               std::holds_alternative<Poisson>(event.sampling);
      });
  const std::vector<Term> remove = Terms(merged, Direction::kRemove);
  if (one_way) return answer(remove);
  const std::vector<Term> add = Terms(merged, Direction::kAdd);
  std::future<double> other =
      std::async(std::launch::async, [&] { return answer(add); });
  const double here = answer(remove);
  return std::max(here, other.get());
}

// Under add-remove a unit is in one population of each partition, so that the
// worst choice of one population a partition bounds the whole (rule 6). Too
// many choices are simply added up, which is never less.
template <typename F>
double WorstChoice(std::span<const Event> events, const F& answer) {
  constexpr std::size_t kMostChoices = 64;
  std::vector<Event> everywhere;
  std::map<std::string, std::map<std::string, std::vector<Event>>> partitions;
  std::size_t choices = 1;
  for (const Event& event : events) {
    if (event.population.partition.empty()) {
      everywhere.push_back(event);
    } else {
      partitions[event.population.partition][event.population.name].push_back(
          event);
    }
  }
  for (const auto& [name, cells] : partitions) {
    choices = std::min(choices * cells.size(), kMostChoices + 1);
  }
  if (choices == 1 || choices > kMostChoices) return answer(events);
  double worst = 0;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    std::vector<Event> chosen = everywhere;
    std::size_t left = choice;
    for (const auto& [name, cells] : partitions) {
      const auto& cell = *std::next(
          cells.begin(), static_cast<std::ptrdiff_t>(left % cells.size()));
      chosen.insert(chosen.end(), cell.second.begin(), cell.second.end());
      left /= cells.size();
    }
    worst = std::max(worst, answer(std::span<const Event>(chosen)));
  }
  return worst;
}

}  // namespace

double PldEpsilon(std::span<const Event> events, double delta) {
  CheckDelta(delta);
  CheckEvents(events);
  if (events.empty()) return 0;
  return WorstChoice(events, [&](std::span<const Event> chosen) {
    const Merged merged = Merge(chosen);
    if (merged.others.empty()) return GaussianEpsilon(merged.mu, delta);
    return WorseDirection(merged, [&](std::span<const Term> terms) {
      return TermsEpsilon(terms, delta);
    });
  });
}

double PldDelta(std::span<const Event> events, double epsilon) {
  if (!(epsilon >= 0)) {
    throw BadInput("epsilon must be 0 or more", "epsilon");
  }
  CheckEvents(events);
  if (events.empty()) return 0;
  return WorstChoice(events, [&](std::span<const Event> chosen) {
    const Merged merged = Merge(chosen);
    if (merged.others.empty()) return GaussianDelta(merged.mu, epsilon);
    return WorseDirection(merged, [&](std::span<const Term> terms) {
      return TermsDelta(terms, epsilon);
    });
  });
}

double GuessedRight(std::span<const Event> events) {
  return 0.5 * (1 + PldDelta(events, 0));
}

}  // namespace sfumato::dp

// Keyed, counter-based random streams for simulation.
//
//   base::Rng rng(seed, {base::Key("writer"), 17});
//   double slant = rng.Normal(0.0, 0.1);
//
// A stream is named by a seed and a path of numbers. The same name gives the
// same numbers on every machine, whatever the order in which streams are used
// and however many threads use them. All arithmetic is exact IEEE (see
// portable_math.h), so a seed draws the same picture everywhere.
//
// Never use it for privacy: that is what secure_random.h is for.
//
// Source: Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"
// (Philox4x32-10).

#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sfumato::base {

// A number for a word, to be used in a stream's path.
std::uint64_t Key(std::string_view word);

class Rng {
 public:
  using result_type = std::uint64_t;

  explicit Rng(std::uint64_t seed,
               std::initializer_list<std::uint64_t> path = {});

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }
  std::uint64_t operator()();

  double Uniform();                         // in [0, 1)
  double Uniform(double low, double high);  // in [low, high)
  std::uint64_t Below(std::uint64_t n);     // in 0 … n-1. REQUIRES: n > 0
  bool Bernoulli(double probability);
  double Normal();  // mean 0, deviation 1
  double Normal(double mean, double deviation);
  double Gamma(double shape);  // scale 1. REQUIRES: shape > 0

  // `n` shares that sum to 1, Dirichlet(alpha, …, alpha).
  std::vector<double> Dirichlet(int n, double alpha);

  template <typename T>
  void Shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[Below(i)]);
    }
  }

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint64_t, 2> block_;
  int unused_ = 0;  // values of block_ not yet handed out
};

// Draws indices with given weights in constant time (Vose's alias method).
class Choice {
 public:
  // REQUIRES: weights not empty, none negative, not all zero.
  explicit Choice(std::span<const double> weights);
  std::size_t operator()(Rng& rng) const;
  std::size_t size() const { return keep_.size(); }

 private:
  std::vector<double> keep_;
  std::vector<std::uint32_t> alias_;
};

// Block `counter` of Philox4x32-10 under `key`; published as a test vector.
std::array<std::uint32_t, 4> Philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

}  // namespace sfumato::base

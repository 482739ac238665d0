// Where the random bits of privacy noise come from.
//
//   NoiseSource noise = NoiseSource::Secure();             // for real data
//   NoiseSource seeded = NoiseSource::Simulation(7, {3});  // seed 7, round 3
//   BitStream bits = noise.Stream(noise.NextDraw());
//
// Secure bits are AES-256 in counter mode under keys of the operating system
// (base/secure_random.h); every stream has a key of its own, and nothing is
// kept between draws that a forked child could repeat. Simulated bits are a
// function of seed and path, the same on every machine and for any number of
// threads; whatever is released with them says so (Released::simulated).

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <variant>

#include "base/random.h"
#include "base/secure_random.h"

namespace sfumato::dp {

__extension__ using Wide = unsigned __int128;

// Random words for one thread. What was handed out is wiped at the end.
class BitStream {
 public:
  using result_type = std::uint64_t;

  explicit BitStream(std::unique_ptr<base::SecureRandom> random);
  explicit BitStream(base::Rng rng);
  ~BitStream();
  BitStream(BitStream&&) = default;
  BitStream& operator=(BitStream&&) = delete;

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }
  std::uint64_t operator()() {
    if (used_ == filled_) Refill();
    return words_[used_++];
  }

  // A multiple of 2^-53 in [0, 1).
  double Uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  void Refill();

  std::variant<std::unique_ptr<base::SecureRandom>, base::Rng> random_;
  std::unique_ptr<std::uint64_t[]> words_;
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
};

// Exactly uniform in 0 … n-1. REQUIRES: n > 0.
Wide UniformBelow(Wide n, BitStream& bits);

// Sums of private values and noise wrap around at 2^63. That is harmless to
// privacy, being computed from the noisy sum; an error would reveal the sum.
inline std::int64_t WrappingAdd(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                   static_cast<std::uint64_t>(b));
}

class NoiseSource {
 public:
  static NoiseSource Secure();
  static NoiseSource Simulation(std::uint64_t seed,
                                std::initializer_list<std::uint64_t> path = {});
  // A copy of a simulation would repeat its noise.
  NoiseSource(const NoiseSource&) = delete;
  NoiseSource& operator=(const NoiseSource&) = delete;

  bool simulated() const { return simulated_; }

  // A draw is all the noise of one release. For one thread.
  std::uint64_t NextDraw() { return draws_++; }
  // Part `part` of a draw, independent of all others. For any thread. Throws
  // Unavailable without entropy.
  BitStream Stream(std::uint64_t draw, std::uint64_t part = 0) const;

 private:
  NoiseSource(bool simulated, std::uint64_t seed)
      : simulated_(simulated), seed_(seed) {}

  bool simulated_;
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
};

}  // namespace sfumato::dp

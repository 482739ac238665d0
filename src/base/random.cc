#include "base/random.h"

#include <cmath>

#include "base/portable_math.h"

namespace sfumato::base {
namespace {

__extension__ using Wide = unsigned __int128;

// The finaliser of SplitMix64: every input bit moves every output bit.
std::uint64_t Mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

std::uint32_t Low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t High(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

}  // namespace

std::uint64_t Key(std::string_view word) {
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
  for (const char c : word) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  }
  return hash;
}

std::array<std::uint32_t, 4> Philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ull * counter[0];
    const std::uint64_t b = 0xCD9E8D57ull * counter[2];
    counter = {High(b) ^ counter[1] ^ key[0], Low(b),
               High(a) ^ counter[3] ^ key[1], Low(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

// The name of a stream becomes 128 bits: the key, and the upper half of the
// counter. The lower half counts blocks.
Rng::Rng(std::uint64_t seed, std::initializer_list<std::uint64_t> path) {
  std::uint64_t a = Mix(seed);
  std::uint64_t b = Mix(~seed);
  for (const std::uint64_t step : path) {
    a = Mix(a ^ step);
    b = Mix(b + step);
  }
  key_ = {Low(a), High(a)};
  counter_ = {0, 0, Low(b), High(b)};
  block_ = {};
}

std::uint64_t Rng::operator()() {
  if (unused_ == 0) {
    const auto words = Philox(counter_, key_);
    block_ = {words[0] | static_cast<std::uint64_t>(words[1]) << 32,
              words[2] | static_cast<std::uint64_t>(words[3]) << 32};
    if (++counter_[0] == 0) ++counter_[1];
    unused_ = 2;
  }
  return block_[2 - unused_--];
}

double Rng::Uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

double Rng::Uniform(double low, double high) {
  return low + (high - low) * Uniform();
}

// Lemire's method: the high half of a product is uniform once the few low
// halves that would favour some values are thrown away.
std::uint64_t Rng::Below(std::uint64_t n) {
  const std::uint64_t reject_below = (0 - n) % n;
  while (true) {
    const auto product = static_cast<Wide>((*this)()) * n;
    if (static_cast<std::uint64_t>(product) >= reject_below) {
      return static_cast<std::uint64_t>(product >> 64);
    }
  }
}

bool Rng::Bernoulli(double probability) { return Uniform() < probability; }

// Box and Muller's transform; the second value is not kept, so that a stream's
// position is a simple function of what was asked of it.
double Rng::Normal() {
  const double u = 1.0 - Uniform();  // in (0, 1]
  const double angle = Uniform() * 6.283185307179586;
  return std::sqrt(-2.0 * PortableLog(u)) * PortableCos(angle);
}

double Rng::Normal(double mean, double deviation) {
  return mean + deviation * Normal();
}

// Marsaglia and Tsang 2000; shapes below one are lifted by one and scaled back.
double Rng::Gamma(double shape) {
  if (shape < 1.0) {
    const double u = 1.0 - Uniform();
    return Gamma(shape + 1.0) * PortableExp(PortableLog(u) / shape);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = Normal();
    const double v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
    if (v <= 0.0) continue;
    const double u = 1.0 - Uniform();
    if (PortableLog(u) < 0.5 * x * x + d - d * v + d * PortableLog(v)) {
      return d * v;
    }
  }
}

std::vector<double> Rng::Dirichlet(int n, double alpha) {
  std::vector<double> shares(n);
  double sum = 0.0;
  for (double& share : shares) sum += share = Gamma(alpha);
  // A tiny alpha can underflow every share; all mass then goes to one of them.
  if (sum <= 0.0) {
    shares[Below(n)] = sum = 1.0;
  }
  for (double& share : shares) share /= sum;
  return shares;
}

Choice::Choice(std::span<const double> weights)
    : keep_(weights.size(), 1.0), alias_(weights.size(), 0) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  std::vector<double> scaled(weights.size());
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    scaled[i] = weights[i] * static_cast<double>(weights.size()) / sum;
    alias_[i] = i;
    (scaled[i] < 1.0 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t poor = small.back();
    const std::uint32_t rich = large.back();
    small.pop_back();
    keep_[poor] = scaled[poor];
    alias_[poor] = rich;
    scaled[rich] -= 1.0 - scaled[poor];
    if (scaled[rich] < 1.0) {
      large.pop_back();
      small.push_back(rich);
    }
  }
}

std::size_t Choice::operator()(Rng& rng) const {
  const std::size_t column = rng.Below(keep_.size());
  return rng.Uniform() < keep_[column] ? column : alias_[column];
}

}  // namespace sfumato::base

#include "dp/mechanisms/noise.h"

#include <string.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace sfumato::dp {
namespace {

constexpr std::size_t kMostWords = 2048;
constexpr std::size_t kFirstWords = 32;  // a count needs few, a model many

}  // namespace

BitStream::BitStream(std::unique_ptr<base::SecureRandom> random)
    : random_(std::move(random)), words_(new std::uint64_t[kMostWords]) {}

BitStream::BitStream(base::Rng rng)
    : random_(rng), words_(new std::uint64_t[kMostWords]) {}

BitStream::~BitStream() {
  if (words_) explicit_bzero(words_.get(), filled_ * sizeof(std::uint64_t));
}

void BitStream::Refill() {
  filled_ = std::clamp(2 * filled_, kFirstWords, kMostWords);
  used_ = 0;
  const std::span words(words_.get(), filled_);
  if (auto* secure =
          std::get_if<std::unique_ptr<base::SecureRandom>>(&random_)) {
    (*secure)->Fill(std::as_writable_bytes(words));
  } else {
    std::ranges::generate(words, std::ref(std::get<base::Rng>(random_)));
  }
}

Wide UniformBelow(Wide n, BitStream& bits) {
  const auto high = static_cast<std::uint64_t>((n - 1) >> 64);
  const auto low = static_cast<std::uint64_t>(n - 1);
  // As many bits as the largest value has; too large ones are drawn again.
  const int width = high != 0 ? 64 + std::bit_width(high) : std::bit_width(low);
  while (true) {
    Wide x = bits();
    if (width > 64) x |= static_cast<Wide>(bits()) << 64;
    if (width < 128) x &= (static_cast<Wide>(1) << width) - 1;
    if (x < n) return x;
  }
}

NoiseSource NoiseSource::Secure() { return NoiseSource(false, 0); }

NoiseSource NoiseSource::Simulation(std::uint64_t seed,
                                    std::initializer_list<std::uint64_t> path) {
  return NoiseSource(true, base::Rng(seed, path)());
}

BitStream NoiseSource::Stream(std::uint64_t draw, std::uint64_t part) const {
  if (simulated_) {
    return BitStream(base::Rng(seed_, {base::Key("noise"), draw, part}));
  }
  return BitStream(std::make_unique<base::SecureRandom>());
}

}  // namespace sfumato::dp

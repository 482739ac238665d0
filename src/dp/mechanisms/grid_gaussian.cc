#include "dp/mechanisms/grid_gaussian.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/portable_math.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr std::uint64_t kLayerBits = 8;
constexpr std::uint64_t kSignBit = 1 << kLayerBits;
constexpr std::uint64_t kPlaceBits = 55;
constexpr std::uint64_t kPlaceMask = ~std::uint64_t{0} << (64 - kPlaceBits);

// True with probability e^-x, x >= 0: in factors that are large, since a coin
// is exact to 2^-53 and no better.
bool Survives(double x, BitStream& bits) {
  constexpr double kRootOfE = 0x1.368b2fc6f960ap-1;  // e^(-1/2)
  while (x > 0.5) {
    if (!(bits.Uniform() < kRootOfE)) return false;
    x -= 0.5;
  }
  return bits.Uniform() < base::PortableExp(-x);
}

// Integral of the standard normal curve beyond t over its height there, by
// Laplace's continued fraction; for t >= 3 to the last bit.
double MillsRatio(double t) {
  double rest = t;
  for (int k = 200; k >= 1; --k) rest = t + k / rest;
  return 1.0 / rest;
}

}  // namespace

GridGaussian::GridGaussian(double deviation) : deviation_(deviation) {
  if (!(deviation >= kLeastDeviation && deviation <= kMostDeviation)) {
    throw BadInput(
        fmt::format("Gaussian noise of deviation {} on its grid", deviation),
        "noise", "give a noise multiplier between 0.001 and 4000");
  }
  // The largest base edge whose stack still covers the curve's top wastes
  // least.
  double covers = std::floor(3.0 * deviation);
  double fails = std::ceil(4.5 * deviation);
  while (fails - covers > std::max(1.0, deviation * 0x1p-40)) {
    const double middle = std::floor(0.5 * (covers + fails));
    (Stack(middle) ? covers : fails) = middle;
  }
  const bool covered = Stack(covers);
  assert(covered);
  static_cast<void>(covered);
}

double GridGaussian::Curve(double x) const {
  const double t = x / deviation_;
  return base::PortableExp(-0.5 * t * t);
}

// The least whole x with Curve(x) <= height, by the very Curve that sampling
// uses. REQUIRES: 0 < height < 1.
std::uint64_t GridGaussian::Edge(double height) const {
  double x =
      std::ceil(deviation_ * std::sqrt(-2.0 * base::PortableLog(height)));
  while (Curve(x) > height) ++x;
  while (x > 1 && Curve(x - 1) <= height) --x;
  return static_cast<std::uint64_t>(x);
}

// Sum of Curve over edge, edge + 1, …: the integral, and Euler and Maclaurin's
// first two corrections. The next is below 2^-70 of the sum.
double GridGaussian::TailArea(double edge) const {
  const double t = edge / deviation_;
  return Curve(edge) *
         (deviation_ * MillsRatio(t) + 0.5 + t / (12.0 * deviation_));
}

// Piles up layers of equal area over a base that ends at `edge`; false when
// they end below the curve's top.
bool GridGaussian::Stack(double edge) {
  const double base_height = Curve(edge);
  const double tail = TailArea(edge);
  area_ = edge * base_height + tail;
  tail_share_ = tail / area_;
  layers_[0] = {.width = static_cast<std::uint64_t>(edge),
                .height = base_height};
  double top = base_height;
  for (int i = 1; i < kLayers; ++i) {
    if (top >= 1.0) return true;  // covered too early: the edge is too near
    Layer& layer = layers_[i];
    layer.width = Edge(top);
    layer.bottom = top;
    layer.height = area_ / static_cast<double>(layer.width);
    top += layer.height;
  }
  for (int i = 0; i < kLayers; ++i) {
    Layer& layer = layers_[i];
    layer.sure = i == 0 || i + 1 == kLayers ? 0 : layers_[i + 1].width - 1;
    layer.reject = ((std::uint64_t{1} << kPlaceBits) % layer.width)
                   << (64 - kPlaceBits);
  }
  return top >= 1.0;
}

inline std::int64_t GridGaussian::Draw(BitStream& bits) const {
  while (true) {
    const std::uint64_t word = bits();
    const int index = static_cast<int>(word & (kLayers - 1));
    const Layer& layer = layers_[index];
    const Wide product = static_cast<Wide>(word & kPlaceMask) * layer.width;
    const auto place = static_cast<std::uint64_t>(product >> 64);
    if (static_cast<std::uint64_t>(product) < layer.reject) continue;
    const auto negative = static_cast<std::int64_t>((word & kSignBit) != 0);
    auto value = static_cast<std::int64_t>(place);
    if (place - 1 < layer.sure) [[likely]] {  // zero wraps, and is not below
      return (value ^ -negative) + negative;
    }
    if (DrawRarely(index, place, negative != 0, bits, value)) return value;
  }
}

// Zero, the base with its tail, and the wedges that the curve cuts.
bool GridGaussian::DrawRarely(int index, std::uint64_t place, bool negative,
                              BitStream& bits, std::int64_t& value) const {
  const Layer& layer = layers_[index];
  if (index == 0) {
    if (bits.Uniform() < tail_share_) place = DrawTail(bits);
  } else if (place > layer.sure || index + 1 == kLayers) {
    const double height = layer.bottom + bits.Uniform() * layer.height;
    if (!(height < Curve(static_cast<double>(place)))) return false;
  }
  if (place == 0 && negative) return false;  // zero has one sign only
  const auto magnitude = static_cast<std::int64_t>(place);
  value = negative ? -magnitude : magnitude;
  return true;
}

// Beyond the base's edge e, place e + k has weight exp(-k e/v - k^2/(2v)), v
// the variance. k = blocks * 2^b + low; the number of blocks is geometric, and
// one coin sees to the rest.
std::uint64_t GridGaussian::DrawTail(BitStream& bits) const {
  const auto edge = static_cast<double>(layers_[0].width);
  const double slope = edge / deviation_ / deviation_;
  const int b = std::ilogb(0.5 / slope);
  const double block = std::ldexp(1.0, b);
  const double another = base::PortableExp(-slope * block);
  while (true) {
    double k = 0;
    while (bits.Uniform() < another) k += block;
    const auto low = static_cast<double>(bits() >> (64 - b));
    k += low;
    const double t = k / deviation_;
    if (Survives(slope * low + 0.5 * t * t, bits)) {
      return static_cast<std::uint64_t>(edge + k);
    }
  }
}

// A stream of bits for each part: the noise is the same on any number of cores.
void GridGaussian::AddTo(std::span<std::int64_t> values,
                         NoiseSource& noise) const {
  const std::uint64_t draw = noise.NextDraw();
  base::ForEachPart(values.size(), [&](const base::Part& part) {
    BitStream bits = noise.Stream(draw, part.index);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      values[i] = WrappingAdd(values[i], Draw(bits));
    }
  });
}

}  // namespace sfumato::dp

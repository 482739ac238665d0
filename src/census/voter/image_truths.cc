#include "census/voter/image_truths.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>
#include <utility>

namespace sfumato::census {
namespace {

using base::Rng;

std::size_t AnyFamily(std::span<const ImageFamily> families, Rng& rng) {
  while (true) {
    const std::size_t family = rng.Below(families.size());
    if (IsHard(families[family]) || rng.Bernoulli(0.4)) return family;
  }
}

}  // namespace

bool IsHard(const ImageFamily& family) {
  static constexpr std::array<std::string_view, 6> kHard = {
      "stuck", "rotate", "gamma", "dead_rows", "dead_columns", "labels"};
  return std::ranges::find(kHard, family.key) != kHard.end();
}

bool IsBlank(const ImageFamily& family) { return family.key == "blank"; }

ImageDamage Both(const ImageFamily& first, ImageDamage one,
                 const ImageFamily& second, ImageDamage two) {
  assert(&first != &second);
  if (second.key == "transpose") std::swap(one, two);
  return
      [one = std::move(one), two = std::move(two)](ImageSet& set, Rng& each) {
        one(set, each);
        two(set, each);
      };
}

Truth DrawPair(std::span<const ImageFamily> families, Rng& rng) {
  const auto draw = [&] {
    std::size_t family = AnyFamily(families, rng);
    while (IsBlank(families[family])) family = AnyFamily(families, rng);
    return family;
  };
  const std::size_t first = draw();
  std::size_t second = draw();
  while (second == first) second = draw();
  // Not as arguments, whose order is up to the compiler.
  ImageDamage two = families[second].draw(rng);
  ImageDamage one = families[first].draw(rng);
  return {.damage = Both(families[first], std::move(one), families[second],
                         std::move(two)),
          .outputs = {static_cast<std::int64_t>(first),
                      static_cast<std::int64_t>(second)}};
}

Truth DrawTruth(std::span<const ImageFamily> families,
                const data::ImageShape& shape, std::int64_t marks, Rng& rng) {
  const double kind = rng.Uniform();
  if (kind < 0.25) return {};
  if (kind < 0.45) {
    return {.damage = DrawOddity(shape, rng),
            .outputs = {std::ssize(families)}};
  }
  if (rng.Bernoulli(marks > 1 ? 0.75 : 0.25)) return DrawPair(families, rng);
  const std::size_t family = AnyFamily(families, rng);
  return {.damage = families[family].draw(rng),
          .outputs = {static_cast<std::int64_t>(family)}};
}

}  // namespace sfumato::census

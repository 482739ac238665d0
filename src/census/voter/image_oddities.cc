#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "census/voter/image_families.h"

namespace sfumato::census {
namespace {

using base::Rng;
using data::ImageShape;
using data::ImageView;
using data::Pixels;

std::uint8_t Level(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::round(value), 0., 255.));
}

int Inside(int at, int size) { return std::clamp(at, 0, size - 1); }

// Places moved by a few smooth waves: shears, stretches, bends.
ImageDamage Warped(Rng& rng) {
  struct Wave {
    double fx, fy, phase, dx, dy;
  };
  std::vector<Wave> waves(1 + rng.Below(3));
  for (Wave& wave : waves) {
    const double size = rng.Uniform(0.05, 0.2);
    const double way = rng.Uniform(0, 2 * std::numbers::pi);
    wave = {rng.Uniform(0.5, 2.5), rng.Uniform(0.5, 2.5),
            rng.Uniform(0, 2 * std::numbers::pi), size * std::cos(way),
            size * std::sin(way)};
  }
  return EachPixel([waves](const ImageView& v, int x, int y, int c) {
    const double u = (x + 0.5) / v.shape.width;
    const double w = (y + 0.5) / v.shape.height;
    double at_x = x;
    double at_y = y;
    for (const Wave& wave : waves) {
      const double s = std::sin(
          2 * std::numbers::pi * (wave.fx * u + wave.fy * w) + wave.phase);
      at_x += s * wave.dx * v.shape.width;
      at_y += s * wave.dy * v.shape.height;
    }
    const int left = static_cast<int>(std::floor(at_x));
    const int top = static_cast<int>(std::floor(at_y));
    double sum = 0;
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) {
        const int px = left + i;
        const int py = top + j;
        if (px < 0 || py < 0 || px >= v.shape.width || py >= v.shape.height) {
          continue;
        }
        sum += (1 - std::abs(at_x - px)) * (1 - std::abs(at_y - py)) *
               v.at(px, py, c);
      }
    }
    return sum;
  });
}

// Numbers at a few places of the image, and between them in between.
class SmoothField {
 public:
  SmoothField(Rng& rng, const std::function<double(Rng&)>& draw)
      : side_(2 + static_cast<int>(rng.Below(3))) {
    for (int i = 0; i < side_ * side_; ++i) values_.push_back(draw(rng));
  }
  // 0 … 1 across and down.
  double At(double across, double down) const {
    const double x = across * (side_ - 1);
    const double y = down * (side_ - 1);
    const int left = Inside(static_cast<int>(x), side_ - 1);
    const int top = Inside(static_cast<int>(y), side_ - 1);
    const double a = x - left;
    const double b = y - top;
    return (1 - b) * ((1 - a) * Of(left, top) + a * Of(left + 1, top)) +
           b * ((1 - a) * Of(left, top + 1) + a * Of(left + 1, top + 1));
  }

 private:
  double Of(int x, int y) const {
    return values_[static_cast<std::size_t>(y * side_ + x)];
  }
  int side_;
  std::vector<double> values_;
};

// Each part moved its own way.
ImageDamage Kneaded(Rng& rng) {
  const double size = rng.Uniform(0.08, 0.3);
  const auto draw = [size](Rng& r) { return size * r.Normal(); };
  const SmoothField right(rng, draw);
  const SmoothField down(rng, draw);
  return EachPixel([=](const ImageView& v, int x, int y, int c) {
    const double u = (x + 0.5) / v.shape.width;
    const double w = (y + 0.5) / v.shape.height;
    const auto px = std::lround(x + right.At(u, w) * v.shape.width);
    const auto py = std::lround(y + down.At(u, w) * v.shape.height);
    if (px < 0 || py < 0 || px >= v.shape.width || py >= v.shape.height) {
      return 0.;
    }
    return static_cast<double>(
        v.at(static_cast<int>(px), static_cast<int>(py), c));
  });
}

// Each part in a light of its own.
ImageDamage Clouded(Rng& rng) {
  const bool dark = rng.Bernoulli(0.7);
  const SmoothField field(rng, [](Rng& r) { return r.Uniform(-0.3, 1.3); });
  return EachPixel([=](const ImageView& v, int x, int y, int c) {
    const double light = std::clamp(
        field.At((x + 0.5) / v.shape.width, (y + 0.5) / v.shape.height), 0.,
        1.);
    const double level = v.at(x, y, c);
    return dark ? light * level : 255 - light * (255 - level);
  });
}

ImageDamage TilesMixed(Rng& rng) {
  const int across = 1 + static_cast<int>(rng.Below(4));
  const int down = (across == 1 ? 2 : 1) + static_cast<int>(rng.Below(3));
  std::vector<int> order(static_cast<std::size_t>(across * down));
  std::iota(order.begin(), order.end(), 0);
  do {
    rng.Shuffle(std::span(order));
  } while (std::ranges::is_sorted(order));
  return EachPixel([=](const ImageView& v, int x, int y, int c) {
    const int w = std::max(1, v.shape.width / across);
    const int h = std::max(1, v.shape.height / down);
    const int tx = std::min(x / w, across - 1);
    const int ty = std::min(y / h, down - 1);
    const int from = order[static_cast<std::size_t>(ty * across + tx)];
    return v.at(Inside(from % across * w + x - tx * w, v.shape.width),
                Inside(from / across * h + y - ty * h, v.shape.height), c);
  });
}

ImageDamage Filtered(Rng& rng) {
  const int reach = 1 + static_cast<int>(rng.Below(2));
  const int side = 2 * reach + 1;
  std::vector<double> kernel(static_cast<std::size_t>(side * side));
  const std::uint64_t kind = rng.Below(3);
  if (kind == 0) {  // anything that keeps the brightness, or loses it
    for (double& weight : kernel) weight = rng.Normal() / side;
    const double sum = std::accumulate(kernel.begin(), kernel.end(), 0.);
    kernel[kernel.size() / 2] += (rng.Bernoulli(0.5) ? 1 : 0) - sum;
  } else if (kind == 1) {  // sharpened
    const double much = rng.Uniform(0.7, 3);
    std::ranges::fill(kernel, -much / static_cast<double>(kernel.size()));
    kernel[kernel.size() / 2] += 1 + much;
  } else {  // smeared along a line
    const double way = rng.Uniform(0, std::numbers::pi);
    for (int i = -2 * reach; i <= 2 * reach; ++i) {
      const double t = 0.5 * i;
      const int x = reach + static_cast<int>(std::lround(t * std::cos(way)));
      const int y = reach + static_cast<int>(std::lround(t * std::sin(way)));
      kernel[static_cast<std::size_t>(y * side + x)] += 1. / (4 * reach + 1);
    }
  }
  return EachPixel([=](const ImageView& v, int x, int y, int c) {
    double sum = 0;
    for (int j = -reach; j <= reach; ++j) {
      for (int i = -reach; i <= reach; ++i) {
        sum +=
            kernel[static_cast<std::size_t>((j + reach) * side + i + reach)] *
            v.at(Inside(x + i, v.shape.width), Inside(y + j, v.shape.height),
                 c);
      }
    }
    return sum;
  });
}

ImageDamage Curved(Rng& rng) {
  if (rng.Bernoulli(0.4)) {  // few levels
    const double steps = static_cast<double>(1 + rng.Below(4));
    return LevelCurve(
        [steps](double l) { return std::round(l * steps) / steps; });
  }
  std::vector<double> knots(3 + rng.Below(4));
  for (double& knot : knots) knot = rng.Uniform();
  return LevelCurve([knots](double level) {
    const double at = level * static_cast<double>(knots.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), knots.size() - 2);
    const double part = at - static_cast<double>(low);
    return (1 - part) * knots[low] + part * knots[low + 1];
  });
}

// A pattern of pixels that are lost, or dimmed.
ImageDamage Patterned(Rng& rng) {
  const int px = 1 + static_cast<int>(rng.Below(4));
  const int py = (px == 1 ? 2 : 1) + static_cast<int>(rng.Below(3));
  const int slant = static_cast<int>(rng.Below(3));
  const double keep = rng.Bernoulli(0.6) ? 0 : rng.Uniform(0.2, 0.7);
  const double to = rng.Bernoulli(0.6) ? 0 : 255;
  return EachPixel([=](const ImageView& v, int x, int y, int c) {
    const bool lost = (x + slant * y) % px == 0 && y % py == 0;
    const double level = v.at(x, y, c);
    return lost ? keep * level + (1 - keep) * to : level;
  });
}

ImageDamage Ghosted(Rng& rng) {
  const double part = rng.Uniform(0.25, 0.6);
  const bool other = rng.Bernoulli(0.5);
  const int dx = static_cast<int>(rng.Below(9)) - 4;
  const int dy = (dx == 0 ? 3 : 0) + static_cast<int>(rng.Below(9)) - 4;
  return [=](ImageSet& set, Rng&) {
    const std::vector<Pixels> before = set.images;
    const std::size_t n = before.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Pixels second = other ? before[(i + 1) % n]
                                  : data::Shift({set.shape, before[i]}, dx, dy);
      for (std::size_t p = 0; p < second.size(); ++p) {
        set.images[i][p] = Level((1 - part) * before[i][p] + part * second[p]);
      }
    }
  };
}

ImageDamage Blocky(Rng& rng) {
  const int block = 2 + static_cast<int>(rng.Below(4));
  const bool mean = rng.Bernoulli(0.6);
  return EachPixel([=](const ImageView& v, int x, int y, int c) {
    const int left = x / block * block;
    const int top = y / block * block;
    if (!mean) return static_cast<double>(v.at(left, top, c));
    double sum = 0;
    int count = 0;
    for (int j = top; j < std::min(top + block, v.shape.height); ++j) {
      for (int i = left; i < std::min(left + block, v.shape.width); ++i) {
        sum += v.at(i, j, c);
        ++count;
      }
    }
    return sum / count;
  });
}

ImageDamage Lit(Rng& rng) {
  const double way = rng.Uniform(0, 2 * std::numbers::pi);
  const double much = rng.Uniform(0.5, 1);
  const double add = rng.Bernoulli(0.5) ? rng.Uniform(0.2, 0.7) : 0;
  return EachPixel([=](const ImageView& v, int x, int y, int c) {
    const double along =
        0.5 + 0.7 * (std::cos(way) * ((x + .5) / v.shape.width - 0.5) +
                     std::sin(way) * ((y + .5) / v.shape.height - 0.5));
    return v.at(x, y, c) * (1 - much * std::clamp(along, 0., 1.)) +
           255 * add * std::clamp(1 - along, 0., 1.);
  });
}

// Strokes thicker or thinner: the brightest or darkest of a neighbourhood.
ImageDamage Grown(Rng& rng) {
  const bool bright = rng.Bernoulli(0.5);
  const int reach = 1;
  const bool cross = rng.Bernoulli(0.5);
  return EachPixel([=](const ImageView& v, int x, int y, int c) {
    int best = v.at(x, y, c);
    for (int j = -reach; j <= reach; ++j) {
      for (int i = -reach; i <= reach; ++i) {
        if (cross && i != 0 && j != 0) continue;
        const int level = v.at(Inside(x + i, v.shape.width),
                               Inside(y + j, v.shape.height), c);
        best = bright ? std::max(best, level) : std::min(best, level);
      }
    }
    return static_cast<double>(best);
  });
}

ImageDamage Framed(Rng& rng) {
  const double wide = rng.Uniform(0.04, 0.2);
  const double level = rng.Bernoulli(0.7) ? 255 : rng.Uniform(80, 255);
  const std::uint64_t sides = 1 + rng.Below(15);
  return EachPixel([=](const ImageView& v, int x, int y, int c) {
    const int w = std::max(1, static_cast<int>(wide * v.shape.width));
    const int h = std::max(1, static_cast<int>(wide * v.shape.height));
    const bool in = ((sides & 1) != 0 && x < w) ||
                    ((sides & 2) != 0 && y < h) ||
                    ((sides & 4) != 0 && x >= v.shape.width - w) ||
                    ((sides & 8) != 0 && y >= v.shape.height - h);
    return in ? level : static_cast<double>(v.at(x, y, c));
  });
}

// Half of each image is something else: the other half reversed, the half of
// the next image, or the same in other levels.
ImageDamage Torn(Rng& rng) {
  const bool across = rng.Bernoulli(0.5);
  const bool second = rng.Bernoulli(0.5);
  const std::uint64_t kind = rng.Below(4);
  return [=](ImageSet& set, Rng&) {
    const std::vector<Pixels> before = set.images;
    const ImageShape& s = set.shape;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const ImageView own{s, before[i]};
      const ImageView next{s, before[(i + 1) % before.size()]};
      std::size_t at = 0;
      for (int y = 0; y < s.height; ++y) {
        for (int x = 0; x < s.width; ++x) {
          const bool in = across ? (2 * y >= s.height) == second
                                 : (2 * x >= s.width) == second;
          for (int c = 0; c < s.channels; ++c, ++at) {
            if (!in) continue;
            const int turned_x = across ? x : s.width - 1 - x;
            const int turned_y = across ? s.height - 1 - y : y;
            set.images[i][at] = Level(
                kind == 0   ? own.at(turned_x, turned_y, c)
                : kind == 1 ? next.at(x, y, c)
                : kind == 2 ? 255 - own.at(x, y, c)
                            : own.at(turned_x, s.height - 1 - turned_y, c));
          }
        }
      }
    }
  };
}

}  // namespace

ImageDamage DrawOddity(const ImageShape&, Rng& rng) {
  using Kind = ImageDamage (*)(Rng&);
  static constexpr Kind kinds[] = {
      Warped, Kneaded, TilesMixed, Filtered, Curved, Patterned, Ghosted,
      Blocky, Lit,     Clouded,    Grown,    Framed, Torn};
  const ImageDamage first = kinds[rng.Below(std::size(kinds))](rng);
  if (rng.Bernoulli(0.8)) return first;
  const ImageDamage second = kinds[rng.Below(std::size(kinds))](rng);
  return [first, second](ImageSet& set, Rng& each) {
    first(set, each);
    second(set, each);
  };
}

}  // namespace sfumato::census

#include "census/voter/image_families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "eval/hypotheses.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

using base::Rng;
using data::ImageShape;
using data::ImageView;
using data::Patch;
using data::Pixels;

using Make = std::function<ImageDamage(double)>;

double LogUniform(Rng& rng, double low, double high) {
  return std::exp(rng.Uniform(std::log(low), std::log(high)));
}

ImageDamage Permuted(int (*from)(const ImageShape&, int x, int y)) {
  return EachImage([from](const ImageView& view, Rng&) {
    const ImageShape& s = view.shape;
    Pixels out(s.size());
    std::size_t i = 0;
    for (int y = 0; y < s.height; ++y) {
      for (int x = 0; x < s.width; ++x) {
        const int at = from(s, x, y);
        for (int c = 0; c < s.channels; ++c) {
          out[i++] = view.at(at % s.width, at / s.width, c);
        }
      }
    }
    return out;
  });
}

ImageDamage Rotated(double degrees) {
  return EachImage([degrees](const ImageView& view, Rng&) {
    return data::Rotate(view, degrees);
  });
}
// Another angle in every image: an augmentation that was left on.
ImageDamage RotatedAnew(double most) {
  return EachImage([most](const ImageView& view, Rng& rng) {
    return data::Rotate(view, rng.Uniform(-most, most));
  });
}
ImageDamage Shifted(int dx, int dy) {
  return EachImage([dx, dy](const ImageView& view, Rng&) {
    return data::Shift(view, dx, dy);
  });
}
ImageDamage ShiftedAnew(double most) {
  return EachImage([most](const ImageView& view, Rng& rng) {
    const auto by = [&](int side) {
      return static_cast<int>(std::lround(rng.Uniform(-most, most) * side));
    };
    const int dx = by(view.shape.width);
    return data::Shift(view, dx, by(view.shape.height));
  });
}
ImageDamage Scaled(double factor) {
  return EachImage([factor](const ImageView& view, Rng&) {
    return data::Scale(view, factor);
  });
}
ImageDamage Blurred(double radius) {
  return EachImage([radius](const ImageView& view, Rng&) {
    return data::Blur(view, static_cast<int>(radius));
  });
}
ImageDamage Peppered(double share) {
  return EachImage([share](const ImageView& view, Rng& rng) {
    return data::SaltAndPepper(view, share, rng);
  });
}
ImageDamage Noisy(double deviation) {
  return EachImage([deviation](const ImageView& view, Rng& rng) {
    Pixels out(view.pixels.begin(), view.pixels.end());
    for (std::uint8_t& level : out) {
      const double noisy = level + 255 * deviation * rng.Normal();
      level =
          static_cast<std::uint8_t>(std::clamp(std::round(noisy), 0., 255.));
    }
    return out;
  });
}

Pixels SidesSwapped(const ImageView& view) {
  const ImageShape& s = view.shape;
  Pixels out(s.size());
  std::size_t i = 0;
  for (int x = 0; x < s.width; ++x) {
    for (int y = 0; y < s.height; ++y) {
      for (int c = 0; c < s.channels; ++c) out[i++] = view.at(x, y, c);
    }
  }
  return out;
}

// Rows (or columns) that are dead on this device, or `scattered`: others in
// every image.
struct DeadLines {
  bool columns = false;
  bool scattered = false;
  bool block = false;
  int count = 1;
};

ImageDamage Dead(const DeadLines& lines) {
  return [lines](ImageSet& set, Rng& rng) {
    const int length = lines.columns ? set.shape.width : set.shape.height;
    std::vector<int> order(static_cast<std::size_t>(length));
    const auto choose = [&] {
      order.resize(static_cast<std::size_t>(length));
      std::iota(order.begin(), order.end(), 0);
      if (lines.block) {
        const int first = static_cast<int>(
            rng.Below(static_cast<std::uint64_t>(length - lines.count + 1)));
        std::iota(order.begin(), order.end(), first);
      } else {
        rng.Shuffle(std::span(order));
      }
      order.resize(static_cast<std::size_t>(lines.count));
    };
    choose();
    const ImageShape turned{set.shape.width, set.shape.height,
                            set.shape.channels};
    for (Pixels& image : set.images) {
      if (lines.scattered) choose();
      const ImageView view{set.shape, image};
      if (lines.columns) {
        const Pixels side = SidesSwapped(view);
        const Pixels dead = data::DeadRows({turned, side}, order);
        image = SidesSwapped({turned, dead});
      } else {
        image = data::DeadRows(view, order);
      }
    }
  };
}

// A patch at one place, or anywhere; level below 0: as in the first image.
struct HeldPatch {
  double size = 0.3;  // side, as a share
  bool anywhere = false;
  double level = 0;
};

ImageDamage Held(const HeldPatch& held) {
  return [held](ImageSet& set, Rng& rng) {
    if (set.images.empty()) return;
    const auto side = [&](int whole) {
      return std::max(1, static_cast<int>(std::lround(held.size * whole)));
    };
    Patch patch{.width = side(set.shape.width),
                .height = side(set.shape.height)};
    const auto place = [&] {
      const auto below = [&](int room) {
        return static_cast<int>(
            rng.Below(static_cast<std::uint64_t>(room) + 1));
      };
      patch.left = below(set.shape.width - patch.width);
      patch.top = below(set.shape.height - patch.height);
    };
    place();
    const Pixels source =
        held.level < 0
            ? set.images[0]
            : Pixels(set.shape.size(), static_cast<std::uint8_t>(held.level));
    for (Pixels& image : set.images) {
      if (held.anywhere) place();
      image = data::Stuck({set.shape, image}, {set.shape, source}, patch);
    }
  };
}

const eval::Change& InCatalogue(const std::string& key) {
  for (const eval::Change& change : eval::Changes()) {
    if (change.key == key) return change;
  }
  throw Error(ErrorKind::kBug, "no such change: " + key, "census");
}

// What one number says: rotate 30.
std::vector<NamedDamage> Strengths(const std::vector<double>& values,
                                   const char* text, const Make& make) {
  std::vector<NamedDamage> all;
  for (const double value : values) {
    all.push_back({fmt::format(fmt::runtime(text), value), make(value)});
  }
  return all;
}

class FamilyList {
 public:
  void Add(const std::string& key, std::string words,
           std::function<ImageDamage(Rng&)> draw,
           std::vector<NamedDamage> strengths) {
    all.push_back({.key = key,
                   .words = std::move(words),
                   .cause = InCatalogue(key).cause,
                   .draw = std::move(draw),
                   .strengths = std::move(strengths)});
  }
  void AddOnce(const std::string& key, std::string words,
               const ImageDamage& damage) {
    Add(key, std::move(words), [damage](Rng&) { return damage; },
        {{"", damage}});
  }

  std::vector<ImageFamily> all;
};

void AddPlaces(FamilyList& list, const ImageShape& shape) {
  list.AddOnce("invert", "inverted, light for dark",
               LevelCurve([](double level) { return 1 - level; }));
  list.AddOnce("mirror", "mirrored, left for right",
               Permuted([](const ImageShape& s, int x, int y) {
                 return y * s.width + s.width - 1 - x;
               }));
  list.AddOnce("flip", "flipped, top for bottom",
               Permuted([](const ImageShape& s, int x, int y) {
                 return (s.height - 1 - y) * s.width + x;
               }));
  if (shape.height == shape.width) {
    list.AddOnce("transpose", "transposed, rows for columns",
                 Permuted([](const ImageShape& s, int x, int y) {
                   return x * s.width + y;
                 }));
  }
  list.Add(
      "rotate", "turned",
      [](Rng& rng) {
        if (rng.Bernoulli(0.12)) return RotatedAnew(rng.Uniform(15, 60));
        if (rng.Bernoulli(0.3)) {
          return Rotated(90. * static_cast<double>(1 + rng.Below(3)));
        }
        if (rng.Bernoulli(0.5)) {
          const double turn = rng.Uniform(10, 60);
          return Rotated(rng.Bernoulli(0.5) ? turn : 360 - turn);
        }
        return Rotated(rng.Uniform(60, 300));
      },
      [] {
        auto all =
            Strengths({15, 30, 60, 90, 135, 180, 270, 340}, "{:.0f}°", Rotated);
        all.push_back({"up to 40°, anew in every image", RotatedAnew(40)});
        return all;
      }());
  const int h = shape.height;
  const int w = shape.width;
  const auto moved = [h, w](double right, double down) {
    return Shifted(static_cast<int>(std::lround(right * w)),
                   static_cast<int>(std::lround(down * h)));
  };
  std::vector<NamedDamage> moves;
  for (const double far : {0.11, 0.22}) {
    for (const auto& [x, y, way] : {std::tuple{1., 0., "right"},
                                    {-1., 0., "left"},
                                    {0., 1., "down"},
                                    {0., -1., "up"},
                                    {1., 1., "right and down"}}) {
      moves.push_back({fmt::format("{:.0f} % {}", 100 * far, way),
                       moved(far * x, far * y)});
    }
  }
  moves.push_back({"up to 17 %, anew in every image", ShiftedAnew(0.17)});
  list.Add(
      "shift", "moved",
      [moved](Rng& rng) {
        if (rng.Bernoulli(0.12)) return ShiftedAnew(rng.Uniform(0.12, 0.3));
        while (true) {
          const double x = rng.Bernoulli(0.25) ? 0 : rng.Uniform(-0.33, 0.33);
          const double y = rng.Bernoulli(0.25) ? 0 : rng.Uniform(-0.33, 0.33);
          if (std::max(std::abs(x), std::abs(y)) > 0.07) return moved(x, y);
        }
      },
      std::move(moves));
  list.Add(
      "scale", "drawn too large or too small",
      [](Rng& rng) {
        return Scaled(rng.Bernoulli(0.5) ? LogUniform(rng, 0.4, 0.85)
                                         : LogUniform(rng, 1.18, 2.3));
      },
      Strengths({0.5, 0.7, 0.8, 1.25, 1.5, 2}, "× {:.2g}", Scaled));
}

void AddSensors(FamilyList& list, const ImageShape& shape) {
  const int side = std::min(shape.height, shape.width);
  const int most = std::max(2, side / 7);
  std::vector<double> radii = {1, 2, 3};
  if (most > 4) radii.push_back(most);
  list.Add(
      "blur", "blurred",
      [most](Rng& rng) {
        return Blurred(static_cast<double>(
            1 + rng.Below(static_cast<std::uint64_t>(most))));
      },
      Strengths(radii, "radius {:.0f}", Blurred));
  list.Add(
      "salt_pepper", "with pixels black or white",
      [](Rng& rng) { return Peppered(LogUniform(rng, 0.02, 0.5)); },
      Strengths({0.03, 0.1, 0.2, 0.35}, "share {:.2g}", Peppered));
  list.Add(
      "noise", "noisy",
      [](Rng& rng) { return Noisy(LogUniform(rng, 0.04, 0.5)); },
      Strengths({0.05, 0.1, 0.2, 0.4}, "{:.2g} of the range", Noisy));
  for (const bool columns : {false, true}) {
    const int length = columns ? shape.width : shape.height;
    const auto draw = [columns, length](Rng& rng) {
      DeadLines lines{.columns = columns,
                      .scattered = rng.Bernoulli(0.3),
                      .block = rng.Bernoulli(0.4)};
      const double share = LogUniform(rng, 0.035, 0.4);
      lines.count = std::max(lines.scattered || lines.block ? 1 : 2,
                             static_cast<int>(std::lround(share * length)));
      return Dead(lines);
    };
    std::vector<NamedDamage> strengths;
    for (const double share : {0.11, 0.21}) {
      const int count =
          std::max(1, static_cast<int>(std::lround(share * length)));
      strengths.push_back({fmt::format("{} of {}", count, length),
                           Dead({.columns = columns, .count = count})});
      strengths.push_back(
          {fmt::format("{} of {}, others in every image", count, length),
           Dead({.columns = columns, .scattered = true, .count = count})});
      strengths.push_back(
          {fmt::format("{} of {}, side by side", count, length),
           Dead({.columns = columns, .block = true, .count = count})});
    }
    list.Add(columns ? "dead_columns" : "dead_rows",
             columns ? "with dead columns" : "with dead rows", draw,
             std::move(strengths));
  }
  std::vector<NamedDamage> patches;
  for (const double size : {0.4, 0.6}) {
    for (const double level : {0., 255., -1.}) {
      patches.push_back({fmt::format("{:.0f} % of the side, {}", 100 * size,
                                     level < 0   ? "as in the first image"
                                     : level > 0 ? "bright"
                                                 : "dark"),
                         Held({.size = size, .level = level})});
    }
  }
  patches.push_back({"always the first image", Held({.size = 1, .level = -1})});
  list.Add(
      "stuck", "with a part that is stuck or covered",
      [](Rng& rng) {
        const double levels[] = {0, 255, -1, rng.Uniform(0, 255)};
        HeldPatch held{.size = rng.Uniform(0.2, 0.7),
                       .anywhere = rng.Bernoulli(0.25),
                       .level = levels[rng.Below(4)]};
        if (held.level < 0 && rng.Bernoulli(0.3)) held.size = 1;
        return Held(held);
      },
      std::move(patches));
  const auto blank = [](double level) {
    return LevelCurve([level](double) { return level; });
  };
  list.Add(
      "blank", "blank",
      [blank](Rng& rng) {
        const double levels[] = {0, 1, rng.Uniform()};
        return blank(levels[rng.Below(3)]);
      },
      Strengths({0, 0.5, 1}, "level {:.1f}", blank));
}

void AddLevels(FamilyList& list, const ImageShape& shape) {
  const auto times = [](double factor) {
    return LevelCurve([factor](double level) { return factor * level; });
  };
  list.Add(
      "contrast", "darkened or brightened",
      [times](Rng& rng) {
        return times(rng.Bernoulli(0.6) ? LogUniform(rng, 0.2, 0.8)
                                        : LogUniform(rng, 1.3, 4));
      },
      Strengths({0.25, 0.4, 0.55, 0.7, 1.5, 2, 3}, "× {:.2g}", times));
  const auto gamma = [](double power) {
    return LevelCurve([power](double level) { return std::pow(level, power); });
  };
  list.Add(
      "gamma", "with other mid-tones",
      [gamma](Rng& rng) {
        return gamma(rng.Bernoulli(0.5) ? LogUniform(rng, 0.35, 0.75)
                                        : LogUniform(rng, 1.35, 3));
      },
      Strengths({0.45, 0.65, 1.5, 2.2}, "{:.2g}", gamma));
  const auto washed = [](double black) {
    return LevelCurve(
        [black](double level) { return black + (1 - black) * level; });
  };
  list.Add(
      "washed_out", "washed out",
      [washed](Rng& rng) { return washed(LogUniform(rng, 0.06, 0.6)); },
      Strengths({0.1, 0.2, 0.35, 0.5}, "black at {:.2g}", washed));
  if (shape.channels == 3) {
    list.AddOnce("channels", "with red and blue swapped",
                 EachImage([](const ImageView& view, Rng&) {
                   Pixels out(view.pixels.begin(), view.pixels.end());
                   for (std::size_t i = 0; i + 2 < out.size(); i += 3) {
                     std::swap(out[i], out[i + 2]);
                   }
                   return out;
                 }));
  }
}

// One of the user's classes and another one: their labels change places, or one
// takes the other's.
ImageDamage Relabelled(std::int64_t classes, bool both) {
  return [=](ImageSet& set, Rng& rng) {
    if (set.labels.empty()) return;
    const std::int32_t one = set.labels[rng.Below(set.labels.size())];
    if (one < 0) return;
    const auto step = 1 + rng.Below(static_cast<std::uint64_t>(classes - 1));
    const auto other =
        static_cast<std::int32_t>((static_cast<std::uint64_t>(one) + step) %
                                  static_cast<std::uint64_t>(classes));
    for (std::int32_t& label : set.labels) {
      if (label == one) {
        label = other;
      } else if (both && label == other) {
        label = one;
      }
    }
  };
}

// One answer: for who has only one of two swapped classes, the one is labelled
// as the other.
void AddLabels(FamilyList& list, std::int64_t classes) {
  const ImageDamage swapped = Relabelled(classes, true);
  const ImageDamage renamed = Relabelled(classes, false);
  list.all.push_back(
      {.key = "labels",
       .words = "with labels of two classes swapped, or one class labelled as "
                "another",
       .cause =
           "a list of labels in the wrong order, or one that lost an entry",
       .draw = [=](Rng& rng) { return rng.Bernoulli(0.5) ? swapped : renamed; },
       .strengths = {{"two swapped", swapped}, {"one as another", renamed}}});
}

}  // namespace

ImageDamage EachPixel(
    const std::function<double(const ImageView&, int x, int y, int c)>& value) {
  return EachImage([value](const ImageView& view, Rng&) {
    const ImageShape& s = view.shape;
    Pixels out(s.size());
    std::size_t i = 0;
    for (int y = 0; y < s.height; ++y) {
      for (int x = 0; x < s.width; ++x) {
        for (int c = 0; c < s.channels; ++c) {
          const double level = std::round(value(view, x, y, c));
          out[i++] = static_cast<std::uint8_t>(std::clamp(level, 0., 255.));
        }
      }
    }
    return out;
  });
}

ImageDamage LevelCurve(const std::function<double(double)>& curve) {
  std::array<std::uint8_t, 256> table{};
  for (int level = 0; level < 256; ++level) {
    const double out = std::clamp(curve(level / 255.0), 0.0, 1.0);
    table[static_cast<std::size_t>(level)] =
        static_cast<std::uint8_t>(std::lround(255 * out));
  }
  return EachImage([table](const ImageView& view, Rng&) {
    Pixels out(view.pixels.begin(), view.pixels.end());
    for (std::uint8_t& level : out) level = table[level];
    return out;
  });
}

std::vector<ImageFamily> ImageFamilies(const ImageShape& shape,
                                       std::int64_t classes) {
  FamilyList list;
  AddPlaces(list, shape);
  AddSensors(list, shape);
  AddLevels(list, shape);
  if (classes > 1) AddLabels(list, classes);
  return std::move(list.all);
}

}  // namespace sfumato::census

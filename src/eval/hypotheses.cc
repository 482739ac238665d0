#include "eval/hypotheses.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "data/transform/image_bugs.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/batch.h"

namespace sfumato::eval {
namespace {

using data::ImageView;
using data::Pixels;
using models::FromBytes;
using models::ToBytes;
using Candidates = std::vector<Values>;

data::ImageShape ShapeOf(const at::Tensor& images) {
  return {static_cast<int>(images.size(1)), static_cast<int>(images.size(2)),
          static_cast<int>(images.size(3))};
}

// Every image through `change(view, rng)`, a stream of random numbers each.
template <typename Each>
at::Tensor EachImage(const at::Tensor& images, std::uint64_t seed,
                     const Each& change) {
  at::Tensor bytes = ToBytes(images);
  const data::ImageShape shape = ShapeOf(images);
  auto* at = bytes.data_ptr<std::uint8_t>();
  for (std::int64_t i = 0; i < images.size(0); ++i, at += shape.size()) {
    base::Rng rng(seed, {base::Key("change"), static_cast<std::uint64_t>(i)});
    const Pixels changed = change(ImageView{shape, {at, shape.size()}}, rng);
    std::copy(changed.begin(), changed.end(), at);
  }
  return FromBytes(bytes);
}

// Every brightness 0 … 1 through `curve`.
template <typename Curve>
at::Tensor EachLevel(const at::Tensor& images, const Curve& curve) {
  at::Tensor table = at::empty({256}, at::kFloat);
  for (int level = 0; level < 256; ++level) {
    const double out = std::clamp(curve(level / 255.0), 0.0, 1.0);
    table[level] = std::round(out * 255) / 127.5 - 1;
  }
  const at::Tensor index = ToBytes(images).to(at::kLong);
  return table.index_select(0, index.flatten()).view(images.sizes());
}

// ---- Candidates.

const auto kOnce = [](const Observed&, const Observed&) {
  return Candidates{{}};
};

auto Each(Values values) {
  return [values](const Observed&, const Observed&) {
    Candidates all;
    for (const double value : values) all.push_back({value});
    return all;
  };
}

bool Never(const Values&) { return true; }
bool QuarterTurn(const Values& values) { return std::fmod(values[0], 90) == 0; }

auto Words(std::string words) {
  return [words = std::move(words)](const Values&, const ClassNames&) {
    return words;
  };
}

// ---- Turning, moving, resizing.

double Turned(double degrees) {
  const double turn = std::fmod(degrees, 360);
  return turn < 0 ? turn + 360 : turn;
}

Candidates TurnsAround(const Values& best, int round) {
  if (round > 1) return {};
  const double step = round == 0 ? 15 : 5;
  return {{Turned(best[0] - step)}, {Turned(best[0] + step)}};
}

std::string TurnWords(const Values& values, const ClassNames&) {
  if (values[0] == 180) return "turned upside down, by 180°";
  return values[0] < 180 ? fmt::format("turned by {:.0f}° clockwise", values[0])
                         : fmt::format("turned by {:.0f}° counter-clockwise",
                                       360 - values[0]);
}

// Steps of a seventh of the side; a grid without its middle.
Candidates Moves(const Observed& good, const Observed&) {
  const auto step = [](std::int64_t side) {
    return std::max(1.0, std::round(static_cast<double>(side) / 7));
  };
  const double down = step(good.images.size(1));
  const double right = step(good.images.size(2));
  Candidates all;
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) {
      if (x != 0 || y != 0) all.push_back({x * right, y * down});
    }
  }
  return all;
}

Candidates MovesAround(const Values& best, int round) {
  if (round > 1) return {};
  const double reach = round == 0 ? 2 : 1;
  Candidates all;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      if (x == 0 && y == 0) continue;
      all.push_back({best[0] + x * reach, best[1] + y * reach});
    }
  }
  return all;
}

std::string MoveWords(const Values& values, const ClassNames&) {
  const auto part = [](double by, const char* ahead, const char* back) {
    return fmt::format("{:.0f} {}", std::abs(by), by > 0 ? ahead : back);
  };
  std::vector<std::string> parts;
  if (values[0] != 0) parts.push_back(part(values[0], "right", "left"));
  if (values[1] != 0) parts.push_back(part(values[1], "down", "up"));
  return fmt::format("moved (pixels: {})", fmt::join(parts, ", "));
}

// ---- Rows, columns and patches that are dead.

at::Tensor SwapSides(const at::Tensor& images) {
  return images.transpose(1, 2).contiguous();
}

// How much darker each row of `bad` is on average, [h].
at::Tensor RowLosses(const at::Tensor& good, const at::Tensor& bad) {
  return (good.mean({0, 2, 3}) - bad.mean({0, 2, 3})).to(at::kDouble);
}

// The rows that lost most, some numbers of them; and scattered ones, other rows
// in every image, written {-1, how many}.
Candidates DeadRowSets(const at::Tensor& good, const at::Tensor& bad) {
  const at::Tensor losses = RowLosses(good, bad);
  const at::Tensor order = losses.argsort(0, /*descending=*/true);
  Candidates all;
  for (const std::int64_t count : {1, 2, 3, 4, 6, 8}) {
    if (count * 2 > losses.size(0)) break;
    all.push_back({-1, static_cast<double>(count)});
    const std::int64_t last = order[count - 1].item<std::int64_t>();
    if (!(losses[last].item<double>() > 0)) continue;
    Values rows;
    for (std::int64_t i = 0; i < count; ++i) {
      rows.push_back(static_cast<double>(order[i].item<std::int64_t>()));
    }
    std::sort(rows.begin(), rows.end());
    all.push_back(std::move(rows));
  }
  return all;
}

at::Tensor KillRows(const at::Tensor& images, const Values& values,
                    std::uint64_t seed) {
  return EachImage(images, seed, [&](const ImageView& view, base::Rng& rng) {
    std::vector<int> rows;
    if (values[0] >= 0) {
      for (const double row : values) rows.push_back(static_cast<int>(row));
    } else {
      rows.resize(static_cast<std::size_t>(view.shape.height));
      std::iota(rows.begin(), rows.end(), 0);
      rng.Shuffle(std::span(rows));
      rows.resize(static_cast<std::size_t>(values[1]));
    }
    return data::DeadRows(view, rows);
  });
}

// "3–5, 9", counted from 1.
std::string Runs(const Values& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t last = i;
    while (last + 1 < rows.size() && rows[last + 1] == rows[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += fmt::format("{:.0f}", rows[i] + 1);
    if (last > i) text += fmt::format("–{:.0f}", rows[last] + 1);
    i = last + 1;
  }
  return text;
}

auto DeadWords(std::string what) {
  return [what](const Values& values, const ClassNames&) {
    const bool scattered = values[0] < 0;
    const double count =
        scattered ? values[1] : static_cast<double>(values.size());
    const std::string noun = count == 1 ? what : what + "s";
    return scattered
               ? fmt::format("with {:.0f} dead {}, scattered", count, noun)
               : fmt::format("with dead {} {}", noun, Runs(values));
  };
}

// A patch is {left, top, width, height, level}; left -1: elsewhere in every
// image. Candidates lie where the mean image changed most.
Candidates Patches(const Observed& good, const Observed& bad) {
  const at::Tensor change =
      (bad.images.mean(0) - good.images.mean(0)).mean(2).unsqueeze(0);
  Candidates all;
  for (const double share : {0.2, 0.3, 0.45}) {
    const auto side = [share](std::int64_t whole) {
      return std::max<std::int64_t>(
          1, std::llround(share * static_cast<double>(whole)));
    };
    const std::int64_t h = side(change.size(1));
    const std::int64_t w = side(change.size(2));
    const at::Tensor mean = at::avg_pool2d(change, {h, w}, {1, 1}).squeeze(0);
    const auto add = [&](const at::Tensor& place, double level) {
      const std::int64_t at = place.item<std::int64_t>();
      all.push_back({static_cast<double>(at % mean.size(1)),
                     static_cast<double>(at / mean.size(1)),
                     static_cast<double>(w), static_cast<double>(h), level});
    };
    add(mean.argmin(), 0);
    add(mean.argmax(), 255);
    for (const double level : {0.0, 255.0}) {
      all.push_back(
          {-1, -1, static_cast<double>(w), static_cast<double>(h), level});
    }
  }
  return all;
}

at::Tensor HoldPatch(const at::Tensor& images, const Values& values,
                     std::uint64_t seed) {
  const Pixels flat(ShapeOf(images).size(),
                    static_cast<std::uint8_t>(values[4]));
  return EachImage(images, seed, [&](const ImageView& view, base::Rng& rng) {
    data::Patch patch{static_cast<int>(values[0]), static_cast<int>(values[1]),
                      static_cast<int>(values[2]), static_cast<int>(values[3])};
    if (values[0] < 0) {
      const auto place = [&rng](int room) {
        return static_cast<int>(
            rng.Below(static_cast<std::uint64_t>(room) + 1));
      };
      patch.left = place(view.shape.width - patch.width);
      patch.top = place(view.shape.height - patch.height);
    }
    return data::Stuck(view, {view.shape, flat}, patch);
  });
}

std::string PatchWords(const Values& values, const ClassNames&) {
  const char* level = values[4] > 127 ? "bright" : "dark";
  if (values[0] < 0) {
    return fmt::format("with a {} patch of {:.0f} × {:.0f} pixels, anywhere",
                       level, values[2], values[3]);
  }
  return fmt::format(
      "with a {} patch of {:.0f} × {:.0f} pixels at column {:.0f}, row {:.0f}",
      level, values[2], values[3], values[0] + 1, values[1] + 1);
}

// ---- Classes.

// Share of each class, [kinds], as if one image more were spread over all.
at::Tensor ClassShares(const Observed& seen) {
  const at::Tensor counts =
      at::bincount(seen.classes, {}, seen.kinds).to(at::kDouble) +
      1.0 / static_cast<double>(seen.kinds);
  return counts / counts.sum();
}

// The classes that became rarest against before.
Candidates MissingClasses(const Observed& good, const Observed& bad) {
  if (!good.classes.defined()) return {};
  const at::Tensor before = ClassShares(good);
  const at::Tensor lost = before - ClassShares(bad);
  const at::Tensor order = lost.argsort(0, /*descending=*/true);
  Candidates all;
  const std::int64_t most = std::min<std::int64_t>(5, order.size(0));
  for (std::int64_t i = 0; i < most; ++i) {
    const std::int64_t kind = order[i].item<std::int64_t>();
    const double share = before[kind].item<double>();
    if (lost[kind].item<double>() > 0 && share > 0.01 && share < 0.9) {
      all.push_back({static_cast<double>(kind)});
    }
  }
  return all;
}

Candidates OtherMix(const Observed& good, const Observed& bad) {
  if (!good.classes.defined()) return {};
  const at::Tensor ratio =
      (ClassShares(bad) / ClassShares(good)).clamp(0, 20).contiguous();
  const auto* at = ratio.data_ptr<double>();
  return {Values(at, at + ratio.numel())};
}

std::string MixWords(const Values& values, const ClassNames& names) {
  const auto more = std::max_element(values.begin(), values.end());
  const auto name = static_cast<std::size_t>(more - values.begin());
  return fmt::format(
      "in another mix of classes (more of '{}')",
      name < names.size() ? names[name] : fmt::format("{}", name));
}

std::vector<Change> Places() {
  std::vector<Change> all;
  all.push_back(
      {.key = "invert",
       .cause = "a stage that takes 0 for white where the model takes it for "
                "black, or a display setting that leaks into the pixels",
       .words = Words("inverted, light for dark"),
       .never_by_chance = Never,
       .first = kOnce,
       .apply = [](const at::Tensor& images, const Values&, std::uint64_t) {
         return images.neg();
       }});
  all.push_back({.key = "mirror",
                 .cause =
                     "a front camera's preview that is stored as shown, or an "
                     "augmentation left on",
                 .words = Words("mirrored, left for right"),
                 .never_by_chance = Never,
                 .first = kOnce,
                 .apply = [](const at::Tensor& images, const Values&,
                             std::uint64_t) { return images.flip({2}); }});
  all.push_back(
      {.key = "flip",
       .cause = "a format that stores rows from the bottom read as one that "
                "stores them from the top",
       .words = Words("flipped, top for bottom"),
       .never_by_chance = Never,
       .first = kOnce,
       .apply = [](const at::Tensor& images, const Values&, std::uint64_t) {
         return images.flip({1});
       }});
  all.push_back(
      {.key = "transpose",
       .cause = "height and width, or rows and columns, in the wrong order",
       .words = Words("transposed, rows for columns"),
       .never_by_chance = Never,
       .first =
           [](const Observed& good, const Observed&) {
             const bool square = good.images.size(1) == good.images.size(2);
             return square ? Candidates{{}} : Candidates{};
           },
       .apply = [](const at::Tensor& images, const Values&,
                   std::uint64_t) { return SwapSides(images); }});
  all.push_back(
      {.key = "rotate",
       .cause = "an orientation tag that is ignored, or a device held another "
                "way than assumed",
       .words = TurnWords,
       .never_by_chance = QuarterTurn,
       .first = Each([] {
         Values turns;
         for (int turn = 30; turn < 360; turn += 30) turns.push_back(turn);
         return turns;
       }()),
       .next = TurnsAround,
       .apply = [](const at::Tensor& images, const Values& values,
                   std::uint64_t) {
         return EachImage(images, 0, [&](const ImageView& view, base::Rng&) {
           return data::Rotate(view, values[0]);
         });
       }});
  all.push_back(
      {.key = "shift",
       .cause = "a crop taken from the wrong corner, or padding on one side",
       .words = MoveWords,
       .first = Moves,
       .next = MovesAround,
       .apply = [](const at::Tensor& images, const Values& values,
                   std::uint64_t) {
         return EachImage(images, 0, [&](const ImageView& view, base::Rng&) {
           return data::Shift(view, static_cast<int>(values[0]),
                              static_cast<int>(values[1]));
         });
       }});
  all.push_back(
      {.key = "scale",
       .cause = "another screen density, zoom or crop than in training",
       .words =
           [](const Values& values, const ClassNames&) {
             return fmt::format("drawn {:.2g} times as large", values[0]);
           },
       .first = Each({0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2}),
       .apply =
           [](const at::Tensor& images, const Values& values, std::uint64_t) {
             return EachImage(images, 0,
                              [&](const ImageView& view, base::Rng&) {
                                return data::Scale(view, values[0]);
                              });
           }});
  return all;
}

std::vector<Change> Sensors() {
  std::vector<Change> all;
  all.push_back(
      {.key = "blur",
       .cause = "a lens out of focus or dirty, or an image resized twice",
       .words =
           [](const Values& values, const ClassNames&) {
             return fmt::format("blurred over {:.0f} pixels",
                                2 * values[0] + 1);
           },
       .first = Each({1, 2, 3}),
       .apply =
           [](const at::Tensor& images, const Values& values, std::uint64_t) {
             return EachImage(
                 images, 0, [&](const ImageView& view, base::Rng&) {
                   return data::Blur(view, static_cast<int>(values[0]));
                 });
           }});
  all.push_back(
      {.key = "salt_pepper",
       .cause = "pixels lost in transfer, or a sensor with dead pixels",
       .words =
           [](const Values& values, const ClassNames&) {
             return fmt::format("with {:.0f} % of pixels black or white",
                                100 * values[0]);
           },
       .first = Each({0.03, 0.06, 0.1, 0.2, 0.35}),
       .apply =
           [](const at::Tensor& images, const Values& values,
              std::uint64_t seed) {
             return EachImage(
                 images, seed, [&](const ImageView& view, base::Rng& rng) {
                   return data::SaltAndPepper(view, values[0], rng);
                 });
           }});
  all.push_back(
      {.key = "noise",
       .cause = "a camera in the dark, or a sensor's gain set too high",
       .words =
           [](const Values& values, const ClassNames&) {
             return fmt::format("with noise of {:.0f} % of the range",
                                100 * values[0]);
           },
       .first = Each({0.05, 0.1, 0.2, 0.4}),
       .apply =
           [](const at::Tensor& images, const Values& values,
              std::uint64_t seed) {
             return EachImage(
                 images, seed, [&](const ImageView& view, base::Rng& rng) {
                   Pixels out(view.pixels.begin(), view.pixels.end());
                   for (std::uint8_t& level : out) {
                     const double noisy =
                         level + 255 * values[0] * rng.Normal();
                     level = static_cast<std::uint8_t>(
                         std::clamp(std::round(noisy), 0.0, 255.0));
                   }
                   return out;
                 });
           }});
  all.push_back({.key = "dead_rows",
                 .cause = "a broken line of the sensor, or a damaged transfer",
                 .words = DeadWords("row"),
                 .first =
                     [](const Observed& good, const Observed& bad) {
                       return DeadRowSets(good.images, bad.images);
                     },
                 .apply = KillRows});
  all.push_back(
      {.key = "dead_columns",
       .cause = "a broken line of the sensor, or a damaged transfer",
       .words = DeadWords("column"),
       .first =
           [](const Observed& good, const Observed& bad) {
             return DeadRowSets(SwapSides(good.images), SwapSides(bad.images));
           },
       .apply =
           [](const at::Tensor& images, const Values& values,
              std::uint64_t seed) {
             return SwapSides(KillRows(SwapSides(images), values, seed));
           }});
  all.push_back({.key = "stuck",
                 .cause = "something before the lens, an overlay of the "
                          "screen, or part of a sensor that does not answer",
                 .words = PatchWords,
                 .first = Patches,
                 .apply = HoldPatch});
  all.push_back(
      {.key = "blank",
       .cause = "a covered camera, an empty canvas, or a decoder that fails "
                "silently",
       .words =
           [](const Values& values, const ClassNames&) {
             return values[0] < 0.25   ? std::string("blank: black")
                    : values[0] < 0.75 ? std::string("blank: grey")
                                       : std::string("blank: white");
           },
       .first = Each({0, 0.5, 1}),
       .apply =
           [](const at::Tensor& images, const Values& values, std::uint64_t) {
             return EachLevel(images, [&](double) { return values[0]; });
           }});
  return all;
}

std::vector<Change> Levels() {
  std::vector<Change> all;
  all.push_back(
      {.key = "contrast",
       .cause = "pixels divided by the wrong range, or exposure set otherwise",
       .words =
           [](const Values& values, const ClassNames&) {
             return fmt::format("{} by a factor of {:.2g}",
                                values[0] < 1 ? "darkened" : "brightened",
                                values[0]);
           },
       .first = Each({0.25, 0.4, 0.55, 0.7, 0.85, 1.2, 1.5, 2, 3}),
       .apply =
           [](const at::Tensor& images, const Values& values, std::uint64_t) {
             return EachLevel(images,
                              [&](double level) { return values[0] * level; });
           }});
  all.push_back(
      {.key = "gamma",
       .cause = "a gamma curve applied twice, or not at all",
       .words =
           [](const Values& values, const ClassNames&) {
             return fmt::format("with other mid-tones (gamma {:.2g})",
                                values[0]);
           },
       .first = Each({0.45, 0.65, 1.5, 2.2}),
       .apply =
           [](const at::Tensor& images, const Values& values, std::uint64_t) {
             return EachLevel(images, [&](double level) {
               return std::pow(level, values[0]);
             });
           }});
  all.push_back(
      {.key = "washed_out",
       .cause = "stray light, or a black level that is not taken off",
       .words =
           [](const Values& values, const ClassNames&) {
             return fmt::format("washed out: black is {:.0f} % bright",
                                100 * values[0]);
           },
       .first = Each({0.1, 0.2, 0.35, 0.5}),
       .apply =
           [](const at::Tensor& images, const Values& values, std::uint64_t) {
             return EachLevel(images, [&](double level) {
               return values[0] + (1 - values[0]) * level;
             });
           }});
  all.push_back({.key = "channels",
                 .cause = "red-green-blue read as blue-green-red",
                 .words = Words("with red and blue swapped"),
                 .never_by_chance = Never,
                 .first =
                     [](const Observed& good, const Observed&) {
                       return good.images.size(3) == 3 ? Candidates{{}}
                                                       : Candidates{};
                     },
                 .apply = [](const at::Tensor& images, const Values&,
                             std::uint64_t) { return images.flip({3}); }});
  return all;
}

std::vector<Change> ClassChanges() {
  std::vector<Change> all;
  all.push_back(
      {.key = "class_missing",
       .cause = "a category that is filtered out, or that these users do not "
                "have",
       .words =
           [](const Values& values, const ClassNames& names) {
             const auto kind = static_cast<std::size_t>(values[0]);
             return fmt::format("without '{}'", kind < names.size()
                                                    ? names[kind]
                                                    : fmt::format("{}", kind));
           },
       .first = MissingClasses,
       .weigh =
           [](const at::Tensor& classes, const Values& values) {
             return classes.ne(static_cast<std::int64_t>(values[0]))
                 .to(at::kDouble);
           }});
  all.push_back(
      {.key = "class_mix",
       .cause = "these users draw other things: often no bug at all",
       .words = MixWords,
       .first = OtherMix,
       .weigh = [](const at::Tensor& classes, const Values& values) {
         return at::tensor(values, at::kDouble).index_select(0, classes);
       }});
  return all;
}

}  // namespace

const std::vector<Change>& Changes() {
  static const std::vector<Change> all = [] {
    std::vector<Change> changes;
    for (auto part : {Places(), Levels(), Sensors(), ClassChanges()}) {
      std::move(part.begin(), part.end(), std::back_inserter(changes));
    }
    return changes;
  }();
  return all;
}

at::Tensor Rounded(const at::Tensor& images) {
  return FromBytes(ToBytes(images));
}

}  // namespace sfumato::eval

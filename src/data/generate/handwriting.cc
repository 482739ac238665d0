#include "data/generate/handwriting.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <future>
#include <span>
#include <thread>

#include "base/error.h"
#include "base/portable_math.h"
#include "base/progress.h"
#include "base/random.h"
#include "data/dataset_writer.h"
#include "data/generate/hand.h"
#include "data/generate/stroke_raster.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

constexpr int kClasses = static_cast<int>(kCharacters.size());
constexpr double kMostExamples = 1e6;

// The shares of EMNIST's by-class set: digits 49.5 %, capitals 27.1 %.
constexpr double kDigits = 0.495;
constexpr double kCapitals = 0.271;

// Letters of English text, per thousand, from a to z.
constexpr std::array<double, 26> kEnglish = {
    82, 15, 28, 43, 127, 22, 20, 61, 70, 2,  8, 40, 24,
    67, 75, 19, 1,  60,  63, 91, 28, 10, 24, 2, 20, 1};

// How close writers keep to the common mix: the sum of a Dirichlet's
// parameters. At 40 a digit's share is 5 % give or take 3.4.
constexpr double kConcentration = 40.0;

// Deviation of the logarithm of the number of examples.
constexpr double kSpread = 0.45;

// Forms ask for every letter, running text for those of English: half and half.
double CommonShare(int label) {
  if (label < 10) return kDigits / 10;
  double total = 0;
  for (const double weight : kEnglish) total += weight;
  const double letter = 0.5 / 26 + 0.5 * kEnglish[(label - 10) % 26] / total;
  return label < 36 ? kCapitals * letter : (1.0 - kDigits - kCapitals) * letter;
}

base::Choice DrawMix(base::Rng& rng) {
  std::vector<double> mix(kClasses);
  for (int label = 0; label < kClasses; ++label) {
    mix[label] = rng.Gamma(kConcentration * CommonShare(label));
  }
  return base::Choice(mix);
}

// Log-normal: a long tail upwards, around the asked mean.
std::size_t DrawCount(base::Rng& rng, double mean) {
  const double factor =
      base::PortableExp(rng.Normal(-0.5 * kSpread * kSpread, kSpread));
  return static_cast<std::size_t>(
      std::max(1.0, std::floor(mean * factor + 0.5)));
}

}  // namespace

Handwriting::Handwriting(const HandwritingOptions& options)
    : options_(options) {
  if (options.users < 1) {
    throw BadInput("handwriting needs at least one writer", "users",
                   "ask for 1 or more");
  }
  if (!(options.mean_examples >= 1 && options.mean_examples <= kMostExamples)) {
    throw BadInput(fmt::format("{} examples per writer", options.mean_examples),
                   "mean_examples", "ask for 1 to 1,000,000");
  }
}

Handwriting::Examples Handwriting::Writer(std::uint64_t writer) const {
  const auto stream = [&](const char* purpose, std::uint64_t index = 0) {
    return base::Rng(options_.seed, {base::Key("handwriting"), writer,
                                     base::Key(purpose), index});
  };
  const Hand hand(glyphs_, stream("hand"));
  base::Rng rng = stream("mix");
  const std::size_t count = DrawCount(rng, options_.mean_examples);
  const base::Choice mix = DrawMix(rng);

  Examples examples;
  examples.labels.resize(count);
  examples.pixels.resize(count * StrokeRaster::kPixels);
  StrokeRaster raster;
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::int32_t>(mix(rng));
    examples.labels[i] = label;
    base::Rng image = stream("image", i);
    hand.Draw(label, image, raster,
              std::span<std::uint8_t, StrokeRaster::kPixels>(
                  &examples.pixels[i * StrokeRaster::kPixels],
                  StrokeRaster::kPixels));
  }
  return examples;
}

DatasetInfo Handwriting::Info(const std::string& name) const {
  DatasetInfo info;
  info.name = name;
  info.kind = Kind::kImages;
  info.origin = Origin::kGenerated;
  info.image = {StrokeRaster::kSide, StrokeRaster::kSide, 1};
  for (const char c : kCharacters) info.classes.emplace_back(1, c);
  info.provenance.push_back({{"step", "make"},
                             {"generator", "handwriting"},
                             {"version", kVersion},
                             {"users", options_.users},
                             {"seed", options_.seed},
                             {"mean_examples", options_.mean_examples}});
  return info;
}

std::string WriterId(std::uint64_t writer) {
  return fmt::format("writer_{:06}", writer);
}

constexpr double kLabelBytes = 4;

DatasetSummary MakeHandwriting(const HandwritingOptions& options,
                               const base::Path& out, const std::string& name) {
  const double users = static_cast<double>(options.users);
  DatasetWriter::RequireRoom(
      out, users,
      users * options.mean_examples * (StrokeRaster::kPixels + kLabelBytes));
  const Handwriting handwriting(options);
  DatasetWriter file(out, handwriting.Info(name));
  base::Progress progress("writing by hand", options.users, "writers");

  // As many writers at work as there are cores; taken in order.
  const std::size_t hands = std::max(1u, std::thread::hardware_concurrency());
  std::deque<std::future<Handwriting::Examples>> at_work;
  std::uint64_t next = 0;
  for (std::uint64_t writer = 0; writer < options.users; ++writer) {
    while (next < options.users && at_work.size() < hands) {
      at_work.push_back(std::async(std::launch::async, &Handwriting::Writer,
                                   &handwriting, next++));
    }
    const Handwriting::Examples examples = at_work.front().get();
    at_work.pop_front();
    file.BeginUser(WriterId(writer));
    const std::span<const std::uint8_t> pixels = examples.pixels;
    for (std::size_t i = 0; i < examples.labels.size(); ++i) {
      file.Add({.pixels = pixels.subspan(i * StrokeRaster::kPixels,
                                         StrokeRaster::kPixels),
                .label = examples.labels[i]});
    }
    progress.Advance();
  }
  file.Finish();
  return {.users = file.users(), .examples = file.examples(), .skipped = {}};
}

}  // namespace sfumato::data

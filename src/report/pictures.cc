#include "report/pictures.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/ascii.h"
#include "base/error.h"
#include "base/image.h"
#include "fmt/format.h"
#include "report/html_parts.h"

namespace sfumato::report {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostFile = 32 << 20;

using Shelf = std::map<std::string, base::Image>;

void CheckName(const std::string& name, const base::Path& folder) {
  const base::Path path(name);
  const bool leaves = std::ranges::any_of(
      path, [](const base::Path& part) { return part == ".."; });
  if (path.is_absolute() || leaves) {
    throw Corrupt(fmt::format("the picture '{}' lies outside", name),
                  folder.string(), "the folder was changed by hand");
  }
}

base::Image ReadPicture(const base::Path& path) {
  const std::string where = path.string();
  try {
    return base::DecodePng(base::ReadFile(path, kMostFile), where);
  } catch (const Error& error) {
    throw Corrupt(error.what(), where, "draw the pictures again");
  }
}

// Whether every block of k × k pixels is one colour.
bool IsEnlarged(base::Image& image, int k) {
  if (image.width % k != 0 || image.height % k != 0) return false;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      for (int c = 0; c < image.channels; ++c) {
        if (image.at(x, y, c) != image.at(x - x % k, y - y % k, c)) {
          return false;
        }
      }
    }
  }
  return true;
}

// The same picture with the smallest pixels that show it; the page enlarges it
// again.
base::Image Unenlarged(base::Image image) {
  for (const int k : {4, 3, 2}) {
    if (!IsEnlarged(image, k)) continue;
    base::Image small =
        base::BlankImage(image.width / k, image.height / k, image.channels, 0);
    for (int y = 0; y < small.height; ++y) {
      for (int x = 0; x < small.width; ++x) {
        for (int c = 0; c < small.channels; ++c) {
          small.at(x, y, c) = image.at(x * k, y * k, c);
        }
      }
    }
    return small;
  }
  return image;
}

base::Image WithLevels(base::Image image, int levels) {
  for (std::uint8_t& pixel : image.pixels) {
    const int level = (pixel * (levels - 1) + 127) / 255;
    pixel = static_cast<std::uint8_t>(level * 255 / (levels - 1));
  }
  return image;
}

// Every second step from the newest back.
std::vector<runs::GridStep> Thinned(const std::vector<runs::GridStep>& steps) {
  std::vector<runs::GridStep> kept;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if ((steps.size() - 1 - i) % 2 == 0) kept.push_back(steps[i]);
  }
  return kept;
}

std::vector<std::string> NamesOf(const runs::GridStep& step) {
  return {step.a, step.b, step.transformed};
}

std::size_t TextBytes(const std::string& png) {
  return (png.size() + 2) / 3 * 4;
}

// samples/ of a plain run: its grids, in order of rounds if their names have
// one.
std::vector<runs::GridStep> StepsOfRun(const base::Path& folder,
                                       std::int64_t rounds) {
  std::vector<runs::GridStep> steps;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "samples", none)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".png")) continue;
    const std::string stem = entry.path().stem().string();
    const auto digits = stem.find_last_not_of("0123456789") + 1;
    const auto round =
        base::ParseNumber<std::int64_t>(std::string_view(stem).substr(digits));
    steps.push_back({.round = round.value_or(rounds), .a = "samples/" + name});
  }
  std::ranges::sort(steps, [](const auto& x, const auto& y) {
    return std::pair(x.round, x.a) < std::pair(y.round, y.a);
  });
  return steps;
}

// simulation_only.examples: [{"words": …, "picture": …}].
std::vector<std::pair<std::string, std::string>> ExamplesOf(
    const Findings& findings) {
  std::vector<std::pair<std::string, std::string>> examples;
  const nlohmann::json& only = findings.record.simulation_only;
  if (!findings.record.simulation || !only.is_object()) return examples;
  for (const auto& entry : only.value("examples", nlohmann::json::array())) {
    if (!entry.is_object()) continue;
    examples.emplace_back(entry.value("words", ""), entry.value("picture", ""));
  }
  return examples;
}

// Those of supported hypotheses, and examples: shown once, beside the slider.
std::vector<std::string> SingleNames(
    const Findings& findings,
    const std::vector<std::pair<std::string, std::string>>& examples) {
  std::vector<std::string> names;
  for (const auto& [words, name] : examples) names.push_back(name);
  if (!findings.contrast) return names;
  for (const runs::Hypothesis& hypothesis : findings.contrast->hypotheses) {
    if (hypothesis.supported) names.push_back(hypothesis.picture);
  }
  return names;
}

// Files as they will be in the page.
struct Packed {
  std::map<std::string, std::string> pngs;
  std::size_t bytes = 0;  // as text
};

Packed Pack(const Shelf& shelf, const std::vector<std::string>& names,
            int levels) {
  Packed packed;
  for (const std::string& name : names) {
    const auto found = shelf.find(name);
    if (found == shelf.end() || packed.pngs.contains(name)) continue;
    std::string png = base::EncodePng(
        levels == 256 ? found->second : WithLevels(found->second, levels));
    packed.bytes += TextBytes(png);
    packed.pngs.emplace(name, std::move(png));
  }
  return packed;
}

std::string SizeNote(int levels, std::size_t steps, std::size_t all) {
  if (levels == 256) return "";
  return fmt::format(
      "To keep the page small, pictures have {} levels of grey here{}; the "
      "files beside the page are whole.",
      levels,
      steps < all
          ? fmt::format(" and the slider has {} of {} steps", steps, all)
          : "");
}

}  // namespace

Pictures Pictures::Read(const base::Path& folder, const Findings& findings,
                        const PictureOptions& options) {
  Pictures pictures;
  if (!options.samples) {
    pictures.note_ = findings.contrast && findings.contrast->text
                         ? "This page was made without drawn words."
                         : "This page was made without pictures.";
    return pictures;
  }
  pictures.steps_ = findings.contrast ? findings.contrast->steps
                    : findings.inspection
                        ? std::vector<runs::GridStep>{}
                        : StepsOfRun(folder, findings.runs.front().rounds_done);
  pictures.examples_ = ExamplesOf(findings);
  const auto single = SingleNames(findings, pictures.examples_);
  const auto names = [&] {
    std::vector<std::string> all = single;
    for (const runs::GridStep& step : pictures.steps_) {
      for (const std::string& name : NamesOf(step)) all.push_back(name);
    }
    return all;
  };

  Shelf shelf;
  std::set<std::string> missing;
  for (const std::string& name : names()) {
    if (name.empty() || shelf.contains(name)) continue;
    CheckName(name, folder);
    if (fs::exists(folder / name)) {
      shelf.emplace(name, Unenlarged(ReadPicture(folder / name)));
    } else if (missing.insert(name).second) {
      pictures.missing_.push_back(name);
    }
  }
  std::erase_if(pictures.steps_, [&](const runs::GridStep& step) {
    return !shelf.contains(step.a) && !shelf.contains(step.b);
  });

  // Fewer levels first, then fewer steps, then fewer levels still.
  const std::size_t all = pictures.steps_.size();
  int levels = 256;
  Packed packed = Pack(shelf, names(), levels);
  while (packed.bytes > options.most_bytes) {
    if (levels > 16) {
      levels = levels == 256 ? 32 : 16;
    } else if (pictures.steps_.size() > 1) {
      pictures.steps_ = Thinned(pictures.steps_);
    } else if (levels > 2) {
      levels /= 2;
    } else {
      pictures.steps_.clear();
      pictures.note_ =
          "The pictures are too large for a page that travels; they lie beside "
          "it.";
      return pictures;
    }
    packed = Pack(shelf, names(), levels);
  }
  pictures.note_ = SizeNote(levels, pictures.steps_.size(), all);
  for (const auto& [name, png] : packed.pngs) {
    pictures.sources_[name] = fmt::format(
        "width=\"{}\" height=\"{}\" src=\"data:image/png;base64,{}\"",
        shelf.at(name).width, shelf.at(name).height, Base64(png));
  }
  return pictures;
}

std::string Pictures::Image(const std::string& name, std::string_view alt,
                            std::string_view attributes) const {
  const auto found = sources_.find(name);
  if (found == sources_.end()) return "";
  return fmt::format("<img alt=\"{}\" {}{}{}>", Escaped(alt), attributes,
                     attributes.empty() ? "" : " ", found->second);
}

}  // namespace sfumato::report

#include "runs/sample_set.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/npz.h"
#include "base/progress.h"
#include "dp/accounting/accountant.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::runs {
namespace {

namespace fs = std::filesystem;

std::string Said(const base::Metadata& metadata, const char* key) {
  return base::ValueOf(metadata, key, "not said");
}

// A number in four digits, rounded up: it is a bound.
std::string Bound(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !std::isfinite(value) ||
      value <= 0) {
    return text;
  }
  return fmt::format("{:.4g}", dp::RoundedUp(value, 4));
}

std::string PrivacyText(const base::Metadata& label, const std::string& what) {
  if (Said(label, "simulation") == "true") {
    return fmt::format(
        "The training was a simulation on generated or public data with seeded "
        "noise: it protected nobody, and nobody needed it. On private data the "
        "same rounds would cost ε {} at δ {}.",
        Bound(Said(label, "epsilon")), Said(label, "delta"));
  }
  return fmt::format(
      "The model was released with (ε, δ)-differential privacy, ε {} at δ {}, "
      "and {} {} computed from it alone, so the same holds for {}. Drawing "
      "cost "
      "nothing more (0 ε).",
      Bound(Said(label, "epsilon")), Said(label, "delta"), what,
      what.ends_with('s') ? "are" : "is", what.ends_with('s') ? "them" : "it");
}

nlohmann::json LineOf(const SampleSet& set, std::size_t i,
                      const std::string& name) {
  nlohmann::json line = {{"file_name", name}};
  if (i >= set.samples.labels.size()) return line;
  const std::int32_t label = set.samples.labels[i];
  line["label"] = label;
  if (label >= 0 && static_cast<std::size_t>(label) < set.classes.size()) {
    line["class"] = set.classes[static_cast<std::size_t>(label)];
  }
  return line;
}

void WriteImages(const base::Path& folder, const SampleSet& set) {
  fs::remove_all(folder);
  base::StagedFolder staged(folder);
  std::string lines;
  base::Progress progress("writing", set.samples.count(), "images");
  for (std::size_t i = 0; i < set.samples.count(); ++i) {
    const std::string name = fmt::format("{:06}.png", i);
    base::WriteFileAtomically(staged.path() / name,
                              base::EncodePng(ImageAt(set.samples, i)));
    lines += LineOf(set, i, name).dump() + "\n";
    progress.Advance();
  }
  base::WriteFileAtomically(staged.path() / "metadata.jsonl", lines);
  staged.Commit();
}

}  // namespace

std::string LabelCard(const base::Metadata& label, std::int64_t round,
                      const std::string& what) {
  const auto say = [&](const char* key) { return Said(label, key); };
  std::string card = PrivacyText(label, what) + "\n\n| | |\n|---|---|\n";
  const auto row = [&](const char* name, const std::string& value) {
    card += fmt::format("| {} | {} |\n", name, value);
  };
  row("model", fmt::format("{} by {}", say("model"), say("algorithm")));
  row("rounds", fmt::format("{}", round));
  row("ε", Bound(say("epsilon")));
  row("δ", say("delta"));
  row("unit of privacy", say("unit"));
  row("adjacency", say("adjacency"));
  row("proof", say("proof"));
  row("simulation", say("simulation") == "true" ? "yes" : "no");
  return card;
}

std::string CardOf(const SampleSet& set) {
  const ImageSamples& samples = set.samples;
  std::string card = fmt::format(
      "# Images drawn by {}\n\n"
      "{} images of {} × {} pixels, {}. A generator drew them: they are "
      "nobody's images.\n\n",
      set.name, samples.count(), samples.width, samples.height,
      samples.channels == 1 ? "grey" : "in colour");
  card += LabelCard(set.label, samples.round, "these images");
  card += fmt::format("| seed of the images | {} |\n", set.seed);
  card +=
      "\nWhat a generator draws shows what is common among the people it "
      "learned from. It is not a sample of their data, and not a measure of "
      "how "
      "often a thing occurs.\n";
  return card;
}

std::vector<std::string> WriteSampleSet(const base::Path& folder,
                                        const SampleSet& set) {
  fs::create_directories(folder);
  std::vector<std::string> names = {"grid.png", "samples.safetensors"};
  base::WriteFileAtomically(folder / names[0],
                            base::EncodePng(GridOf(set.samples)));
  WriteSampleFile(folder / names[1], set.samples, set.label);
  if (set.npz) {
    base::WriteNpz(folder / "samples.npz", TensorsOf(set.samples));
    names.push_back("samples.npz");
  }
  if (set.images) {
    WriteImages(folder / "images", set);
    names.push_back("images");
  }
  base::WriteFileAtomically(folder / "README.md", CardOf(set));
  names.push_back("README.md");
  return names;
}

}  // namespace sfumato::runs

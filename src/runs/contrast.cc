#include "runs/contrast.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "base/percent.h"
#include "fmt/format.h"
#include "runs/json_record.h"

namespace sfumato::runs {
namespace {

constexpr const char* kSchema = "sfumato.contrast/1";
constexpr std::uint64_t kMostBytes = 64 << 20;
constexpr const char* kRepair =
    "have the models compared again, at no cost: sfumato resume";

Verdict VerdictNamed(const std::string& word) {
  for (const Verdict verdict :
       {Verdict::kDiffers, Verdict::kSame, Verdict::kCannotSay}) {
    if (Name(verdict) == word) return verdict;
  }
  throw Corrupt(fmt::format("'{}' is not a verdict", word), "contrast.json",
                "");
}

// A number with a fraction or an exponent may be too large for a whole one.
void CheckWhole(const nlohmann::json& json, const std::string& where) {
  constexpr std::array<std::string_view, 4> kWhole = {"round", "position",
                                                      "sentences", "words"};
  for (const auto& [key, value] : json.items()) {
    if (value.is_structured()) CheckWhole(value, where);
    if (!value.is_number_float() || !std::ranges::count(kWhole, key)) continue;
    throw Corrupt(fmt::format("not a contrast: {} {}", key, value.dump()),
                  where, kRepair);
  }
}

}  // namespace

std::string_view Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kDiffers:
      return "differs";
    case Verdict::kSame:
      return "same";
    case Verdict::kCannotSay:
      break;
  }
  return "cannot_say";
}

// Found by nlohmann::json beside their types.
static void to_json(nlohmann::json& json, const Verdict& verdict) {
  json = Name(verdict);
}
static void from_json(const nlohmann::json& json, Verdict& verdict) {
  verdict = VerdictNamed(json.get<std::string>());
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Estimate, value, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Hypothesis, key, words, cause,
                                                explained, affected, affects,
                                                floor, supported, visible_from,
                                                picture, mass_a, mass_b,
                                                examples)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Measure, key, words, distance,
                                                a, b, floor, verdict)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Margins, measure, own, highest,
                                                lone, least_explained,
                                                least_of_best, lone_explained,
                                                lone_draws)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Health, model, diversity,
                                                sharpness, classifier_score,
                                                collapsed, usable, words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(GridStep, round, a, b,
                                                transformed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MapPoint, x, y, model)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Contrast, verdict, compared,
                                                sentence, reason, floor_source,
                                                difference, difference_floor,
                                                margins, hypotheses, measures,
                                                health, steps, map, warnings,
                                                simulation_only)

std::string FindingText(const Hypothesis& hypothesis) {
  constexpr std::size_t kQuoted = 3;
  std::string quoted;
  for (std::size_t i = 0; i < std::min(kQuoted, hypothesis.examples.size());
       ++i) {
    quoted += fmt::format("{}“{}”", i > 0 ? ", " : "", hypothesis.examples[i]);
  }
  return fmt::format("In B, {}{}: {} of {}.", hypothesis.words,
                     quoted.empty() ? "" : " (" + quoted + ")",
                     base::AboutPercent(hypothesis.affected),
                     hypothesis.affects);
}

nlohmann::json ToJson(const Contrast& contrast) {
  nlohmann::json json = contrast;
  json["schema"] = kSchema;
  json["told_apart"] = contrast.separation;
  json["told_apart_floor"] = contrast.separation_floor;
  if (contrast.text) json["text"] = *contrast.text;
  return json;
}

Contrast ContrastFromJson(const nlohmann::json& whole,
                          const std::string& where) {
  const auto read = [&](const nlohmann::json& json) {
    CheckWhole(json, where);
    auto contrast = json.get<Contrast>();
    contrast.separation = json.value("told_apart", contrast.separation);
    contrast.separation_floor =
        json.value("told_apart_floor", contrast.separation_floor);
    if (json.contains("text")) {
      contrast.text = json.at("text").get<TextContrast>();
    }
    return contrast;
  };
  return ReadRecord(whole, {"a contrast", kSchema, kRepair}, where, read);
}

bool HasContrast(const base::Path& folder) {
  return std::filesystem::exists(folder / kContrastFile);
}

Contrast ReadContrast(const base::Path& folder) {
  const base::Path path = folder / kContrastFile;
  try {
    return ContrastFromJson(base::ParseJson(base::ReadFile(path, kMostBytes)),
                            path.string());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCorrupt) throw;
    throw Corrupt(error.what(), path.string(),
                  fmt::format("{} {}", kRepair, folder.string()));
  }
}

void WriteContrast(const base::Path& folder, const Contrast& contrast) {
  base::WriteFileAtomically(folder / kContrastFile,
                            ToJson(contrast).dump(2) + "\n");
}

}  // namespace sfumato::runs

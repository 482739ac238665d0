#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/safetensors.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_features.h"
#include "census/voter/text_knowledge.h"
#include "census/voter/text_voter.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::census {
namespace {

using nlohmann::json;

constexpr int kFormat = 2;
constexpr const char* kSettings = "voter.json";
constexpr const char* kTensors = "voter.safetensors";

template <typename T>
base::TensorOut Out(std::string name, const std::vector<T>& values) {
  return {std::move(name),
          base::DTypeOf<T>::value,
          {values.size()},
          std::as_bytes(std::span(values))};
}

template <typename T>
std::vector<T> In(const base::SafetensorsFile& file, std::string_view name) {
  const std::span<const T> values = file.Get<T>(name);
  return {values.begin(), values.end()};
}

bool AreFinite(const auto&... values) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  return (std::ranges::all_of(values, is_finite) && ...);
}

// Whether what was read can vote: every length and every number of a cell.
bool CanVote(const TextKnowledge& known, std::int64_t cells) {
  const std::size_t families = TextDamages().size();
  const std::size_t features = known.features();
  const MarkNetwork& network = known.network;
  const TextMargins& margins = known.margins;
  const std::size_t hidden = network.in_bias.size();
  const auto is_family_cell = [&](std::int64_t cell) {
    return cell >= 1 && cell < cells - 2;
  };
  const auto is_fit = [&](const TextFit& fit) {
    return fit.scale.size() == features && fit.rows.size() % features == 0 &&
           AreFinite(fit.scale, fit.rows) && std::isfinite(fit.limit);
  };
  const auto is_split = [&](const TextSplit& split) {
    const StrengthChoice& choice = split.choice;
    return split.family < families && known.cell_of[split.family] >= 0 &&
           std::ranges::all_of(split.cells, is_family_cell) &&
           !split.cells.empty() && choice.bias.size() == split.cells.size() &&
           choice.weights.size() == split.cells.size() * features &&
           AreFinite(choice.weights, choice.bias);
  };
  return cells >= 3 && known.least_examples >= 1 && known.most_examples >= 1 &&
         network.centre.size() == features &&
         network.scale.size() == features &&
         network.in.size() == features * hidden &&
         network.out.size() == hidden * (families + 1) &&
         network.out_bias.size() == families + 1 &&
         AreFinite(network.centre, network.scale, network.in, network.in_bias,
                   network.out, network.out_bias) &&
         margins.first.size() == families &&
         margins.second.size() == families && margins.healthy.size() == 2 &&
         AreFinite(margins.first, margins.second, margins.healthy) &&
         known.fits.size() == families + 1 &&
         std::ranges::all_of(known.fits, is_fit) &&
         known.cell_of.size() == families &&
         std::ranges::all_of(known.cell_of,
                             [&](std::int64_t cell) {
                               return cell == -1 || is_family_cell(cell);
                             }) &&
         std::ranges::all_of(known.splits, is_split);
}

}  // namespace

void TextVoter::Write(const base::Path& folder) const {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> ends;
  for (const std::string& word : knowledge_.words->words()) {
    bytes.insert(bytes.end(), word.begin(), word.end());
    ends.push_back(bytes.size());
  }
  std::vector<std::uint64_t> people(knowledge_.words->people().begin(),
                                    knowledge_.words->people().end());
  std::vector<base::TensorOut> tensors = {
      Out("words.bytes", bytes),
      Out("words.ends", ends),
      Out("words.people", people),
      Out("words.letters", knowledge_.words->letters()),
      Out("words.pairs", knowledge_.words->pairs()),
      Out("network.centre", knowledge_.network.centre),
      Out("network.scale", knowledge_.network.scale),
      Out("network.in", knowledge_.network.in),
      Out("network.in_bias", knowledge_.network.in_bias),
      Out("network.out", knowledge_.network.out),
      Out("network.out_bias", knowledge_.network.out_bias),
      Out("margins.first", knowledge_.margins.first),
      Out("margins.second", knowledge_.margins.second),
      Out("margins.healthy", knowledge_.margins.healthy)};
  for (std::size_t k = 0; k < knowledge_.fits.size(); ++k) {
    tensors.push_back(
        Out(fmt::format("fit.{}.scale", k), knowledge_.fits[k].scale));
    tensors.push_back(
        Out(fmt::format("fit.{}.rows", k), knowledge_.fits[k].rows));
  }
  json splits = json::array();
  for (const TextSplit& split : knowledge_.splits) {
    const std::size_t k = splits.size();
    splits.push_back({{"family", split.family}, {"cells", split.cells}});
    tensors.push_back(
        Out(fmt::format("split.{}.weights", k), split.choice.weights));
    tensors.push_back(Out(fmt::format("split.{}.bias", k), split.choice.bias));
  }
  std::vector<float> limits;
  for (const TextFit& fit : knowledge_.fits) limits.push_back(fit.limit);
  tensors.push_back(Out("fit.limits", limits));
  base::StagedFolder out(folder);
  base::WriteSafetensors(out.path() / kTensors, tensors);
  const json settings = {{"format", kFormat},
                         {"kind", "text"},
                         {"calibration", ToJson(calibration_)},
                         {"cell_of", knowledge_.cell_of},
                         {"splits", splits},
                         {"foreign", knowledge_.foreign},
                         {"change", knowledge_.change},
                         {"least_examples", knowledge_.least_examples},
                         {"most_examples", knowledge_.most_examples},
                         {"capitals", knowledge_.words->capitals()},
                         {"learned_from", knowledge_.learned_from}};
  const std::string text = settings.dump(1);
  const std::string sum = fmt::format(
      "{:08x}",
      base::Crc32c(base::ReadFile(out.path() / kTensors), base::Crc32c(text)));
  json whole = settings;
  whole["sum"] = sum;
  base::WriteFileAtomically(out.path() / kSettings, whole.dump(1) + "\n");
  out.Commit();
}

std::unique_ptr<Voter> ReadTextVoter(const base::Path& folder) {
  const std::string where = (folder / kSettings).string();
  const auto damaged = [&](const std::string& what) {
    return Corrupt(fmt::format("not a text voter: {}", what), where,
                   "learn it again from the references");
  };
  for (const char* name : {kSettings, kTensors}) {
    if (!std::filesystem::is_regular_file(folder / name)) {
      throw damaged(fmt::format("{} is missing", name));
    }
  }
  json settings = base::ParseJson(base::ReadFile(folder / kSettings));
  if (!settings.is_object() || !settings.contains("sum") ||
      !settings["sum"].is_string()) {
    throw damaged("not JSON, or without a sum");
  }
  const std::string sum = settings["sum"];
  settings.erase("sum");
  if (sum !=
      fmt::format("{:08x}", base::Crc32c(base::ReadFile(folder / kTensors),
                                         base::Crc32c(settings.dump(1))))) {
    throw damaged("its sum is another");
  }
  auto voter = std::make_unique<TextVoter>();
  TextKnowledge& known = voter->knowledge();
  try {
    if (settings.at("format") != kFormat || settings.at("kind") != "text") {
      throw damaged("another format or kind");
    }
    voter->Calibrate(CalibrationFromJson(settings.at("calibration"), where));
    settings.at("cell_of").get_to(known.cell_of);
    settings.at("foreign").get_to(known.foreign);
    settings.at("change").get_to(known.change);
    settings.at("least_examples").get_to(known.least_examples);
    settings.at("most_examples").get_to(known.most_examples);
    known.learned_from = settings.at("learned_from");
    const bool capitals = settings.at("capitals").get<bool>();

    const base::SafetensorsFile file(folder / kTensors);
    const auto bytes = In<std::uint8_t>(file, "words.bytes");
    const auto people = In<std::uint64_t>(file, "words.people");
    std::vector<std::string> words;
    std::uint64_t begin = 0;
    for (const std::uint64_t end : In<std::uint64_t>(file, "words.ends")) {
      if (end < begin || end > bytes.size()) throw damaged("words overlap");
      words.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                         bytes.begin() + static_cast<std::ptrdiff_t>(end));
      begin = end;
    }
    auto letters = In<double>(file, "words.letters");
    auto pairs = In<double>(file, "words.pairs");
    MarkNetwork& network = known.network;
    network.centre = In<float>(file, "network.centre");
    network.scale = In<float>(file, "network.scale");
    network.in = In<float>(file, "network.in");
    network.in_bias = In<float>(file, "network.in_bias");
    network.out = In<float>(file, "network.out");
    network.out_bias = In<float>(file, "network.out_bias");
    known.margins = {.first = In<float>(file, "margins.first"),
                     .second = In<float>(file, "margins.second"),
                     .healthy = In<float>(file, "margins.healthy")};
    const std::size_t families = TextDamages().size();
    const auto limits = In<float>(file, "fit.limits");
    if (limits.size() != families + 1) throw damaged("fits of other families");
    for (std::size_t k = 0; k <= families; ++k) {
      known.fits.push_back(
          {.scale = In<float>(file, fmt::format("fit.{}.scale", k)),
           .rows = In<float>(file, fmt::format("fit.{}.rows", k)),
           .limit = limits[k]});
    }
    for (const json& one : settings.at("splits")) {
      const std::size_t k = known.splits.size();
      known.splits.push_back(
          {.family = one.at("family").get<std::size_t>(),
           .cells = one.at("cells").get<std::vector<std::int64_t>>(),
           .choice = {
               .weights = In<float>(file, fmt::format("split.{}.weights", k)),
               .bias = In<float>(file, fmt::format("split.{}.bias", k))}});
    }
    const std::size_t cells = voter->calibration().cells.size();
    if (people.size() != words.size() ||
        letters.size() != TextWords::kLetterCounts ||
        pairs.size() != TextWords::kPairCounts || !AreFinite(letters, pairs) ||
        !CanVote(known, static_cast<std::int64_t>(cells))) {
      throw damaged("tensors of another shape, or numbers that cannot be");
    }
    known.words = std::make_unique<TextWords>(
        std::move(words),
        std::vector<std::int64_t>(people.begin(), people.end()),
        std::move(letters), std::move(pairs), capitals);
  } catch (const json::exception& error) {
    throw damaged(error.what());
  }
  return voter;
}

}  // namespace sfumato::census

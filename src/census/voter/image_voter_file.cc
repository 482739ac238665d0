#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/json.h"
#include "census/voter/image_points.h"
#include "census/voter/image_tensors.h"
#include "census/voter/image_voter.h"
#include "fmt/format.h"

// An image voter's files. Whoever may write them may have changed them by hand:
// all that a later step relies on is checked here, not there.

namespace sfumato::census {
namespace {

constexpr const char* kSchema = "sfumato.image_voter/3";
constexpr std::int64_t kMostOutputs = 1000;
constexpr std::int64_t kMostExamples = std::int64_t{1} << 31;
constexpr std::int64_t kMostSide = 1 << 16;

// What a reader needs beside the tensors.
nlohmann::json OptionsToJson(const VoterOptions& options) {
  return {{"marks", options.marks},
          {"least_examples", options.least_examples},
          {"most_examples", options.most_examples},
          {"classes", options.classes},
          {"labels", options.labels},
          {"foreign", options.foreign},
          {"change", options.change},
          {"split", options.split},
          {"seed", options.seed}};
}

std::string WeightsOf(std::size_t split) {
  return fmt::format("split{}/weights", split);
}
std::string BiasOf(std::size_t split) {
  return fmt::format("split{}/bias", split);
}

class VoterFile {
 public:
  explicit VoterFile(const base::Path& folder)
      : folder_(folder),
        json_(base::ParseJson(base::ReadFile(folder / "voter.json"))) {}

  std::unique_ptr<Voter> Read() {
    try {
      return Checked();
    } catch (const nlohmann::json::exception& error) {
      throw Refused(error.what());
    }
  }

 private:
  Error Refused(const std::string& why) const {
    return Corrupt(fmt::format("not a voter of images: {}", why),
                   folder_.string(), "learn it again from the references");
  }
  void Require(bool holds, const std::string& why) const {
    if (!holds) throw Refused(why);
  }

  std::int64_t Whole(const nlohmann::json& json, std::int64_t least,
                     std::int64_t most) const {
    Require(json.is_number_integer() && json >= least && json <= most,
            "a number that cannot be");
    return json.get<std::int64_t>();
  }
  // A list; `count` below 0: of any length.
  const nlohmann::json& List(const nlohmann::json& json,
                             std::int64_t count = -1) const {
    Require(json.is_array() && (count < 0 || std::ssize(json) == count),
            "a list of another length");
    return json;
  }
  float Number(const nlohmann::json& json) const {
    Require(json.is_number() && std::abs(json.get<double>()) <=
                                    std::numeric_limits<float>::max(),
            "a number that cannot be");
    return json.get<float>();
  }
  std::vector<float> Numbers(const nlohmann::json& json,
                             std::int64_t count) const {
    std::vector<float> numbers;
    for (const nlohmann::json& one : List(json, count)) {
      numbers.push_back(Number(one));
    }
    return numbers;
  }

  std::unique_ptr<Voter> Checked();
  base::SafetensorsFile Tensors() const;
  data::ImageShape Shape() const;
  VoterOptions Options() const;
  Ballot ReadBallot() const;
  std::int64_t CellOfDamage(const nlohmann::json& json,
                            const Calibration& calibration) const;
  Calibration ReadCalibration(const VoterOptions& options) const;
  std::vector<std::int64_t> CellOfFamily(std::int64_t families,
                                         const Calibration& calibration) const;
  std::vector<SplitFamily> Splits(const base::SafetensorsFile& file,
                                  std::int64_t families, std::int64_t numbers,
                                  const Calibration& calibration) const;

  base::Path folder_;
  nlohmann::json json_;
};

base::SafetensorsFile VoterFile::Tensors() const {
  const base::Path path = folder_ / "voter.safetensors";
  Require(std::filesystem::is_regular_file(path), "no voter.safetensors");
  Require(json_.at("voter_crc32c") == base::Crc32c(base::ReadFile(path)),
          "voter.safetensors was changed");
  return base::SafetensorsFile(path);
}

data::ImageShape VoterFile::Shape() const {
  const nlohmann::json& sides = List(json_.at("shape"), 3);
  const auto side = [&](std::size_t i, std::int64_t most) {
    return static_cast<int>(Whole(sides[i], 1, most));
  };
  const data::ImageShape shape{side(0, kMostSide), side(1, kMostSide),
                               side(2, 3)};
  Require(shape.channels != 2, "images of two channels");
  return shape;
}

VoterOptions VoterFile::Options() const {
  const nlohmann::json& json = json_.at("options");
  const nlohmann::json& seed = json.at("seed");
  Require(seed.is_number_unsigned(), "a number that cannot be");
  return {.marks = Whole(json.at("marks"), 1, kMostOutputs),
          .least_examples = Whole(json.at("least_examples"), 1, kMostExamples),
          .most_examples = Whole(json.at("most_examples"), 1, kMostExamples),
          .classes = Whole(json.at("classes"), 0, kMostExamples),
          .labels = json.at("labels").get<bool>(),
          .foreign = json.at("foreign").get<bool>(),
          .change = json.at("change").get<bool>(),
          .split = List(json.at("split")).get<std::vector<std::string>>(),
          .seed = seed.get<std::uint64_t>()};
}

Ballot VoterFile::ReadBallot() const {
  Ballot ballot;
  const std::int64_t outputs = std::ssize(List(json_.at("margins")));
  Require(outputs >= 2 && outputs <= kMostOutputs, "too many or few families");
  ballot.margins = Numbers(json_.at("margins"), outputs);
  ballot.unsure = Numbers(json_.at("unsure"), outputs);
  for (const nlohmann::json& one : List(json_.at("beside"), outputs - 1)) {
    ballot.beside.push_back(Numbers(one, outputs));
  }
  ballot.odd_of_pairs = Number(json_.at("odd_of_pairs"));
  return ballot;
}

Calibration VoterFile::ReadCalibration(const VoterOptions& options) const {
  Calibration calibration =
      CalibrationFromJson(json_.at("calibration"), folder_.string());
  Require(calibration.about == About::kDamage && calibration.cells.size() >= 3,
          "a calibration of something else than damage");
  Require(calibration.marks == options.marks,
          "a calibration for another number of marks");
  return calibration;
}

std::int64_t VoterFile::CellOfDamage(const nlohmann::json& json,
                                     const Calibration& calibration) const {
  return Whole(json, 1, static_cast<std::int64_t>(calibration.families()));
}

std::vector<std::int64_t> VoterFile::CellOfFamily(
    std::int64_t families, const Calibration& calibration) const {
  std::vector<std::int64_t> cells;
  const std::int64_t cannot_tell = std::ssize(calibration.cells) - 1;
  for (const nlohmann::json& cell :
       List(json_.at("cell_of_family"), families)) {
    cells.push_back(cell == cannot_tell ? cannot_tell
                                        : CellOfDamage(cell, calibration));
  }
  return cells;
}

std::vector<SplitFamily> VoterFile::Splits(
    const base::SafetensorsFile& file, std::int64_t families,
    std::int64_t numbers, const Calibration& calibration) const {
  std::vector<SplitFamily> splits;
  std::set<std::int64_t> known;
  for (const nlohmann::json& json : List(json_.at("splits"))) {
    SplitFamily split{.family = Whole(json.at("family"), 0, families - 1)};
    Require(known.insert(split.family).second, "a family split twice");
    for (const nlohmann::json& cell : List(json.at("cells"))) {
      split.cells.push_back(CellOfDamage(cell, calibration));
    }
    const std::int64_t strengths = std::ssize(split.cells);
    Require(strengths >= 2, "a family split in fewer than two");
    const at::Tensor weights =
        ReadShaped(file, WeightsOf(splits.size()), {strengths, numbers});
    const at::Tensor bias =
        ReadShaped(file, BiasOf(splits.size()), {strengths});
    const auto* of_weight = weights.data_ptr<float>();
    const auto* of_bias = bias.data_ptr<float>();
    split.choice.weights.assign(of_weight, of_weight + weights.numel());
    split.choice.bias.assign(of_bias, of_bias + bias.numel());
    splits.push_back(std::move(split));
  }
  return splits;
}

std::unique_ptr<Voter> VoterFile::Checked() {
  Require(json_.at("schema") == kSchema, "another format");
  const base::SafetensorsFile file = Tensors();
  const data::ImageShape shape = Shape();
  const VoterOptions options = Options();
  const auto classes =
      List(json_.at("classes")).get<std::vector<std::string>>();
  ClassTemplates templates;
  templates.Restore(file, std::ssize(classes), ImagePoints(shape).placed());
  Require(templates.labelled() == !classes.empty(),
          "classes without templates, or templates without classes");
  ImageReader reader(shape, std::move(templates));
  Ballot ballot = ReadBallot();
  const std::int64_t outputs = std::ssize(ballot.margins);
  const std::int64_t numbers = 2 * reader.size();
  SetNetwork network({.inputs = reader.size(), .outputs = outputs}, at::kCPU);
  network.Restore(file);
  Calibration calibration = ReadCalibration(options);
  // States of the fit: healthy, the families, two at once.
  Fit fit(file, outputs + 1, numbers);
  std::vector<std::int64_t> cells = CellOfFamily(outputs - 1, calibration);
  std::vector<SplitFamily> splits =
      Splits(file, outputs - 1, numbers, calibration);
  auto voter = std::make_unique<ImageVoter>(
      ImageVoter::Parts{.options = options,
                        .classes = classes,
                        .reader = std::move(reader),
                        .network = std::move(network),
                        .fit = std::move(fit),
                        .ballot = std::move(ballot),
                        .cell_of_family = std::move(cells),
                        .splits = std::move(splits)});
  voter->own_calibration() = std::move(calibration);
  return voter;
}

}  // namespace

void ImageVoter::Write(const base::Path& folder) const {
  base::StagedFolder out(folder);
  params::NamedTensors state = parts_.network.State();
  for (const params::NamedTensors& more :
       {parts_.fit->State(), parts_.reader.templates().State()}) {
    state.insert(state.end(), more.begin(), more.end());
  }
  nlohmann::json splits = nlohmann::json::array();
  for (std::size_t i = 0; i < parts_.splits.size(); ++i) {
    const SplitFamily& split = parts_.splits[i];
    splits.push_back({{"family", split.family}, {"cells", split.cells}});
    const auto strengths = static_cast<std::int64_t>(split.choice.strengths());
    state.emplace_back(WeightsOf(i),
                       at::tensor(split.choice.weights).view({strengths, -1}));
    state.emplace_back(BiasOf(i), at::tensor(split.choice.bias));
  }
  for (auto& [name, tensor] : state) tensor = tensor.contiguous();
  base::WriteSafetensors(out.path() / "voter.safetensors",
                         params::ToFile(state));
  const data::ImageShape& shape = parts_.reader.shape();
  const nlohmann::json json = {
      {"schema", kSchema},
      {"kind", "images"},
      {"shape", {shape.height, shape.width, shape.channels}},
      {"classes", parts_.classes},
      {"options", OptionsToJson(parts_.options)},
      {"margins", parts_.ballot.margins},
      {"unsure", parts_.ballot.unsure},
      {"beside", parts_.ballot.beside},
      {"odd_of_pairs", parts_.ballot.odd_of_pairs},
      {"cell_of_family", parts_.cell_of_family},
      {"splits", std::move(splits)},
      {"voter_crc32c",
       base::Crc32c(base::ReadFile(out.path() / "voter.safetensors"))},
      {"calibration", ToJson(calibration_)}};
  base::WriteFileAtomically(out.path() / "voter.json", json.dump(1) + "\n");
  out.Commit();
}

std::unique_ptr<Voter> ReadImageVoter(const base::Path& folder) {
  return VoterFile(folder).Read();
}

}  // namespace sfumato::census

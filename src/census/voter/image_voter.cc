#include "census/voter/image_voter.h"

#include <algorithm>
#include <span>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

constexpr const char* kSchema = "sfumato.image_voter/1";

// What a reader needs beside the tensors.
nlohmann::json OptionsToJson(const VoterOptions& options) {
  return {{"marks", options.marks},
          {"least_examples", options.least_examples},
          {"most_examples", options.most_examples},
          {"classes", options.classes},
          {"seed", options.seed}};
}

VoterOptions OptionsFromJson(const nlohmann::json& json) {
  return {.marks = json.at("marks"),
          .least_examples = json.at("least_examples"),
          .most_examples = json.at("most_examples"),
          .classes = json.at("classes"),
          .seed = json.at("seed")};
}

}  // namespace

at::Tensor ImageVoter::Logits(const at::Tensor& points) const {
  return parts_.network.Judged(parts_.network.User(points).unsqueeze(0))
      .squeeze(0);
}

at::Tensor ImageVoter::Vector(const at::Tensor& points) const {
  const at::Tensor scaled = parts_.network.Scaled(points);
  return at::cat({scaled.mean(0), scaled.std(0, /*unbiased=*/false)});
}

std::vector<std::int64_t> ImageVoter::Marks(const ImageSet& set) const {
  const at::Tensor points = parts_.reader.Read(set);
  const at::Tensor logits = Logits(points);
  const at::Tensor vector = Vector(points);
  return parts_.ballot.Marks(
      {logits.data_ptr<float>(), static_cast<std::size_t>(logits.size(0))},
      parts_.options.marks, [&](std::int64_t state) {
        // States of the fit: healthy, the families, two at once.
        return parts_.fit->Fits(state == kHealthyMark ? 0 : state + 1, vector,
                                points.size(0));
      });
}

std::vector<std::int64_t> ImageVoter::CellsOf(
    const std::vector<std::int64_t>& marks) const {
  const auto cannot_tell =
      static_cast<std::int64_t>(calibration_.CellOf(kCannotTell));
  std::vector<std::int64_t> cells;
  for (const std::int64_t mark : marks) {
    const std::int64_t cell =
        mark == kHealthyMark ? 0
        : mark == kNoneMark  ? cannot_tell - 1
        : mark == kUnsureMark
            ? cannot_tell
            : parts_.cell_of_family[static_cast<std::size_t>(mark)];
    if (std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
  }
  // A damage that has no cell tells nothing beside one that has.
  if (cells.size() > 1) std::erase(cells, cannot_tell);
  return cells;
}

std::vector<std::int64_t> ImageVoter::VoteOf(const data::User& user,
                                             bool same_classes) const {
  ImageSet set{.shape = parts_.reader.shape()};
  const std::size_t n = std::min<std::size_t>(
      user.size(), static_cast<std::size_t>(parts_.options.most_examples));
  for (std::size_t i = 0; i < n; ++i) {
    const data::Example example = user[i * user.size() / n];
    set.images.emplace_back(example.pixels.begin(), example.pixels.end());
    set.labels.push_back(same_classes ? example.label : -1);
  }
  return CellsOf(Marks(set));
}

Votes ImageVoter::VotesOf(const data::FederatedDataset& set,
                          const std::vector<std::int64_t>& users,
                          fed::WorkerPool& pool) const {
  const std::vector<std::int64_t> cannot_tell = {
      static_cast<std::int64_t>(calibration_.CellOf(kCannotTell))};
  const bool readable = set.info().kind == data::Kind::kImages &&
                        set.info().image == parts_.reader.shape();
  const bool same_classes = set.info().classes == parts_.classes;
  Votes votes(users.size(), cannot_tell);
  if (!readable) return votes;
  pool.Run(users.size(), [&](int, std::size_t u) {
    try {
      const data::User user = set.user(static_cast<std::size_t>(users[u]));
      if (static_cast<std::int64_t>(user.size()) <
          parts_.options.least_examples) {
        return;
      }
      votes[u] = VoteOf(user, same_classes);
    } catch (const Error&) {
      // A record that cannot be read is the user's own affair (rule 7).
    }
  });
  return votes;
}

void ImageVoter::Write(const base::Path& folder) const {
  base::StagedFolder out(folder);
  params::NamedTensors state = parts_.network.State();
  for (const params::NamedTensors& more :
       {parts_.fit->State(), parts_.reader.templates().State()}) {
    state.insert(state.end(), more.begin(), more.end());
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
      {"second", parts_.ballot.second},
      {"cell_of_family", parts_.cell_of_family},
      {"voter_crc32c",
       base::Crc32c(base::ReadFile(out.path() / "voter.safetensors"))},
      {"calibration", ToJson(calibration_)}};
  base::WriteFileAtomically(out.path() / "voter.json", json.dump(1) + "\n");
  out.Commit();
}

std::unique_ptr<Voter> ReadImageVoter(const base::Path& folder) {
  const auto corrupt = [&](const std::string& why) {
    return Corrupt(fmt::format("not a voter of images: {}", why),
                   folder.string(), "learn it again from the references");
  };
  const nlohmann::json json =
      base::ParseJson(base::ReadFile(folder / "voter.json"));
  try {
    if (json.at("schema") != kSchema) throw corrupt("another format");
    const base::Path tensors = folder / "voter.safetensors";
    if (json.at("voter_crc32c") != base::Crc32c(base::ReadFile(tensors))) {
      throw corrupt("voter.safetensors was changed");
    }
    const base::SafetensorsFile file(tensors);
    const data::ImageShape shape{json.at("shape").at(0), json.at("shape").at(1),
                                 json.at("shape").at(2)};
    ClassTemplates templates;
    templates.Restore(file);
    ImageReader reader(shape, std::move(templates));
    Ballot ballot{.margins = json.at("margins"),
                  .unsure = json.at("unsure"),
                  .second = json.at("second")};
    SetNetwork network(
        {.inputs = reader.size(),
         .outputs = static_cast<std::int64_t>(ballot.margins.size())},
        at::kCPU);
    network.Restore(file);
    auto voter = std::make_unique<ImageVoter>(
        ImageVoter::Parts{.options = OptionsFromJson(json.at("options")),
                          .classes = json.at("classes"),
                          .reader = std::move(reader),
                          .network = std::move(network),
                          .fit = Fit(file),
                          .ballot = std::move(ballot),
                          .cell_of_family = json.at("cell_of_family")});
    voter->own_calibration() =
        CalibrationFromJson(json.at("calibration"), folder.string());
    return voter;
  } catch (const nlohmann::json::exception& error) {
    throw corrupt(error.what());
  }
}

}  // namespace sfumato::census

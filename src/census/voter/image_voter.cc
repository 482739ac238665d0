#include "census/voter/image_voter.h"

#include <algorithm>
#include <span>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

// Of the test of fit, for references of another kind than the users.
constexpr double kForeignSlack = 2;
// For two damages: the reference users cannot show every pair.
constexpr double kPairSlack = 2;
constexpr const char* kSchema = "sfumato.image_voter/2";

// What a reader needs beside the tensors.
nlohmann::json OptionsToJson(const VoterOptions& options) {
  return {{"marks", options.marks},
          {"least_examples", options.least_examples},
          {"most_examples", options.most_examples},
          {"classes", options.classes},
          {"labels", options.labels},
          {"foreign", options.foreign},
          {"change", options.change},
          {"seed", options.seed}};
}

VoterOptions OptionsFromJson(const nlohmann::json& json) {
  return {.marks = json.at("marks"),
          .least_examples = json.at("least_examples"),
          .most_examples = json.at("most_examples"),
          .classes = json.at("classes"),
          .labels = json.at("labels"),
          .foreign = json.at("foreign"),
          .change = json.at("change"),
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

std::vector<std::int64_t> ImageVoter::Marks(const at::Tensor& points) const {
  const at::Tensor logits = Logits(points);
  const at::Tensor vector = Vector(points);
  return parts_.ballot.Marks(
      {logits.data_ptr<float>(), static_cast<std::size_t>(logits.size(0))},
      parts_.options.marks, [&](std::int64_t state) {
        // Healthy users need not look like references of another kind.
        const bool foreign = parts_.options.foreign;
        if (foreign && state == kHealthyMark) return true;
        // States of the fit: healthy, the families, two at once.
        const bool pair = state + 1 == logits.size(0);
        return parts_.fit->Fits(
            state == kHealthyMark ? 0 : state + 1, vector, points.size(0),
            (foreign ? kForeignSlack : 1) * (pair ? kPairSlack : 1));
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

bool ImageVoter::Reads(const data::FederatedDataset& set) const {
  return set.info().kind == data::Kind::kImages &&
         set.info().image == parts_.reader.shape();
}

ImageSet ImageVoter::ImagesOfUser(const data::FederatedDataset& set,
                                  std::int64_t number) const {
  ImageSet images{.shape = parts_.reader.shape()};
  const data::User user = set.user(static_cast<std::size_t>(number));
  if (static_cast<std::int64_t>(user.size()) < parts_.options.least_examples) {
    return images;
  }
  const bool same_classes = set.info().classes == parts_.classes;
  const std::size_t n = std::min<std::size_t>(
      user.size(), static_cast<std::size_t>(parts_.options.most_examples));
  for (std::size_t i = 0; i < n; ++i) {
    const data::Example example = user[i * user.size() / n];
    images.images.emplace_back(example.pixels.begin(), example.pixels.end());
    images.labels.push_back(same_classes ? example.label : -1);
  }
  return images;
}

Votes ImageVoter::Each(std::size_t users,
                       const std::function<at::Tensor(std::size_t user)>& read,
                       fed::WorkerPool& pool) const {
  Votes votes(users,
              {static_cast<std::int64_t>(calibration_.CellOf(kCannotTell))});
  pool.Run(users, [&](int, std::size_t u) {
    try {
      const at::Tensor points = read(u);
      if (points.numel() > 0) votes[u] = CellsOf(Marks(points));
    } catch (const Error&) {
      // A record that cannot be read is the user's own affair (rule 7).
    }
  });
  return votes;
}

Votes ImageVoter::VotesOf(const data::FederatedDataset& set,
                          const std::vector<std::int64_t>& users,
                          fed::WorkerPool& pool) const {
  const bool reads = Reads(set);
  return Each(
      users.size(),
      [&](std::size_t u) -> at::Tensor {
        if (!reads) return at::empty({0});
        return parts_.reader.Read(ImagesOfUser(set, users[u]));
      },
      pool);
}

Votes ImageVoter::VotesOnChange(const data::FederatedDataset& before,
                                const std::vector<std::int64_t>& user_before,
                                const data::FederatedDataset& now,
                                const std::vector<std::int64_t>& users,
                                fed::WorkerPool& pool) const {
  if (!parts_.options.change) {
    throw BadInput("a voter that did not learn what changes look like",
                   "census.voter", "let the census learn its own voter");
  }
  const bool reads = Reads(before) && Reads(now);
  return Each(
      users.size(),
      [&](std::size_t u) -> at::Tensor {
        if (!reads || user_before[u] < 0) return at::empty({0});
        const ImageSet then = ImagesOfUser(before, user_before[u]);
        const ImageSet set = ImagesOfUser(now, users[u]);
        if (then.images.empty() || set.images.empty()) return at::empty({0});
        return parts_.reader.Read(set, then);
      },
      pool);
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
      {"beside", parts_.ballot.beside},
      {"odd_of_pairs", parts_.ballot.odd_of_pairs},
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
                  .beside = json.at("beside"),
                  .odd_of_pairs = json.at("odd_of_pairs")};
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

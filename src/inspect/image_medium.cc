#include "inspect/image_medium.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "eval/contrast.h"
#include "fmt/format.h"
#include "inspect/inspection_pictures.h"
#include "models/classifier.h"
#include "runs/checkpoint.h"
#include "runs/samples.h"
#include "train/census_vote.h"
#include "train/image_tensors.h"
#include "train/judging_model.h"
#include "train/population.h"
#include "train/run_model.h"
#include "train/trained_model.h"

namespace sfumato::inspect {
namespace {

namespace fs = std::filesystem;

constexpr config::Side kAgainst = config::Side::kA;
constexpr std::int64_t kRealImages =
    500;  // of a Fréchet distance, as published

class ImageMedium : public Medium {
 public:
  explicit ImageMedium(const Inspection& inspection);

  void Judge(Inspection& inspection) override;
  Inputs SideInputs() const override {
    const std::string judge = judge_ ? train::SumOf(judge_->params) : "";
    if (!voter_) return {.sum = judge};
    return {.sum = judge + voter_->source.sum, .what = "the voter is"};
  }
  std::vector<double> Answers(std::string_view question) const override {
    return question == plan::kCorrections ? select::CorrectionRates(verdicts_)
                                          : select::Accuracies(verdicts_);
  }
  std::unique_ptr<models::Examples> Chosen(const select::Criterion& criterion,
                                           const std::string&) const override {
    return population_.Chosen(criterion, verdicts_);
  }
  void Configure(const Inspection& inspection, const plan::ModelPlan& model,
                 config::TrainConfig& own) const override;
  void Compare(Inspection& inspection) const override;

 private:
  void AddRealDistances(Inspection& inspection,
                        const std::vector<eval::Drawn>& drawn) const;
  void ShowRealExamples(Inspection& inspection) const;

  train::ModelInput input_;
  train::Population population_;
  std::optional<eval::Judge> judge_;
  std::optional<train::CensusVoter> voter_;
  select::Verdicts verdicts_;
};

models::Shape ShapeOf(const data::DatasetInfo& info) {
  return {.height = info.image.height,
          .width = info.image.width,
          .channels = info.image.channels};
}

// Throws Unsupported for an algorithm whose models draw no images.
void CheckDraws(const config::TrainConfig& config) {
  for (const train::ModelKind& kind : train::ModelKinds()) {
    const train::ModelTraits traits = kind.traits(config);
    const bool takes = std::ranges::find(kind.algorithms, config.algorithm) !=
                       kind.algorithms.end();
    if (takes && traits.draws && traits.reads == train::Reads::kPixels) return;
  }
  throw Unsupported(fmt::format("an inspection of images by {}, which draws "
                                "none",
                                config::Word(config.algorithm)),
                    "algorithm",
                    "use dp_fedavg_gan, or a preset: preset = \"gan\"");
}

void CheckCriterionFits(const config::TrainConfig& config) {
  if (config.select.by != config::By::kBeforeAfter) return;
  throw Unsupported("images in two states", "select.by",
                    "before_after is for text; choose sides by accuracy, "
                    "examples, class or column");
}

ImageMedium::ImageMedium(const Inspection& inspection)
    : input_(inspection.config, inspection.job.folder),
      population_(inspection.data, input_) {
  const config::SelectConfig& select = inspection.config.select;
  // Networks that cannot draw such images are refused before anything is paid.
  train::ModelFor(inspection.config, input_.SizeOf(population_.train()));
  if (!select.model.empty()) {
    judge_ = train::ReadJudge(select.model, inspection.data.set->info(),
                              select.by == config::By::kUnlikePublic);
  }
  if (select.by == config::By::kVote) {
    voter_ = train::ReadCensusVoter(select, inspection.data.set->info());
  }
}

void ImageMedium::Judge(Inspection& inspection) {
  const bool discriminator =
      inspection.config.select.by == config::By::kUnlikePublic;
  if (judge_) {
    inspection.record.model_words = fmt::format(
        "{} of the run {}",
        discriminator ? "the discriminator" : "the classifier",
        base::NormalFolder(inspection.config.select.model).filename().string());
  } else if (config::NeedsModel(inspection.config.select.by)) {
    judge_ = train::TrainPrimary(inspection.config,
                                 inspection.job.folder / "primary",
                                 inspection.device);
    inspection.config.select.model =
        (inspection.job.folder / "primary").string();
    inspection.config.select.model_is = config::Provenance::kPublic;
    inspection.record.model_words = fmt::format(
        "{}, trained on {} generated people who are not in the population",
        inspection.config.primary.name, inspection.config.primary.users);
  }
  inspection.record.model_provenance =
      inspection.config.select.model_is == config::Provenance::kUnknown
          ? "not declared"
          : config::Word(inspection.config.select.model_is);
  if (judge_) {
    base::Note("The classifier runs on each device …");
    verdicts_ = population_.JudgedBy(*judge_, discriminator, inspection.pool);
  }
  if (voter_) verdicts_.marks = MarksBy(*voter_, inspection);
}

void ImageMedium::Configure(const Inspection& inspection,
                            const plan::ModelPlan&,
                            config::TrainConfig& own) const {
  if (inspection.config.data.generate.empty() &&
      inspection.config.data.bug.empty())
    return;
  own.data.path = (inspection.job.folder / "data").string();
  own.data.generate = "";
  own.data.bug = "";
}

eval::Drawn DrawnBy(const Inspection& inspection, const plan::ModelPlan& model,
                    std::uint64_t number) {
  const base::Path folder = inspection.FolderOf(model);
  const auto latest = runs::LatestCheckpoint(folder / "checkpoints");
  if (!latest) {
    throw Corrupt("a trained model without a checkpoint", folder.string(),
                  "remove its folder and resume the inspection");
  }
  const auto samples =
      std::get<runs::ImageSamples>(train::ReadRunModel(folder).Draw(
          {.seed =
               static_cast<std::uint64_t>(inspection.config.seed) * 16 + number,
           .count = inspection.config.inspect.samples}));
  eval::Drawn drawn{.model = model.name, .images = train::ImagesOf(samples)};
  for (const base::Path& path : runs::SamplesIn(folder / "samples")) {
    const runs::ImageSamples earlier = runs::ReadSamples(path);
    if (earlier.round < latest->round) {
      drawn.earlier.push_back(train::ImagesOf(earlier));
    }
  }
  return drawn;
}

// How far each model's images are from its side's own: of private records, so
// for simulations alone.
void ImageMedium::AddRealDistances(
    Inspection& inspection, const std::vector<eval::Drawn>& drawn) const {
  if (!inspection.record.simulation || !judge_) return;
  nlohmann::json distances = nlohmann::json::object();
  for (const plan::ModelPlan& model : inspection.plan.models) {
    const auto own = std::ranges::find(drawn, model.name, &eval::Drawn::model);
    const at::Tensor real = FirstImages(
        *population_.Chosen(inspection.CriterionFor(model.side, model.half),
                            verdicts_),
        {.per_user = 5, .most = kRealImages});
    const std::int64_t count = std::min(real.size(0), own->images.size(0));
    if (count < 50) continue;
    distances[model.name] = eval::FrechetDistance(
        eval::Logits(*judge_, real),
        eval::Logits(*judge_, own->images.narrow(0, 0, count)));
  }
  inspection.contrast.simulation_only = {{"frechet_distance", distances}};
}

void ImageMedium::Compare(Inspection& inspection) const {
  eval::CompareOptions options{
      .judge =
          judge_ && inspection.config.select.by != config::By::kUnlikePublic
              ? &*judge_
              : nullptr,
      .seed = static_cast<std::uint64_t>(inspection.config.seed)};
  for (std::size_t i = 0; i < inspection.plan.models.size(); ++i) {
    (inspection.plan.models[i].side == kAgainst ? options.a : options.b)
        .push_back(DrawnBy(inspection, inspection.plan.models[i], i));
  }
  const eval::Compared compared = eval::Compare(options);
  inspection.contrast = compared.contrast;
  fs::create_directories(inspection.job.folder / "pictures");
  for (const auto& [name, image] : compared.pictures) {
    base::WriteFileAtomically(inspection.job.folder / name,
                              base::EncodePng(image));
  }
  LastDrawn last{.transformed = compared.transformed};
  for (const eval::Drawn& model : options.a) last.a.push_back(model.images);
  for (const eval::Drawn& model : options.b) last.b.push_back(model.images);
  inspection.contrast.steps =
      DrawSteps(inspection.job.folder, inspection.plan.models, last);
  std::vector<eval::Drawn> drawn = options.a;
  drawn.insert(drawn.end(), options.b.begin(), options.b.end());
  AddRealDistances(inspection, drawn);
  if (inspection.record.simulation && inspection.contrast.compared) {
    ShowRealExamples(inspection);
  }
}

// What the models were to draw. Only simulations show it; the page says so in
// red.
void ImageMedium::ShowRealExamples(Inspection& inspection) const {
  for (const config::Side side : {config::Side::kA, config::Side::kB}) {
    const at::Tensor images = FirstImages(
        *population_.Chosen(inspection.CriterionFor(side), verdicts_), {});
    if (images.size(0) == 0) continue;
    const std::string name =
        fmt::format("pictures/real_{}.png", config::Word(side));
    WriteGrid(inspection.job.folder, name, images);
    inspection.real_examples.push_back(
        {{"words", side == config::Side::kA
                       ? "A: " + inspection.record.a.words
                       : "B: " + inspection.record.b.words},
         {"picture", name}});
  }
}

}  // namespace

void CheckImages(const config::TrainConfig& config,
                 const data::DatasetInfo& info) {
  CheckCriterionFits(config);
  CheckDraws(config);
  const auto classes = static_cast<std::int64_t>(info.classes.size());
  train::ModelFor(config, {.shape = ShapeOf(info), .classes = classes});
  if (config.select.by == config::By::kVote) {
    train::ReadCensusVoter(config.select, info);
  } else if (!config.select.model.empty()) {
    train::ReadJudge(config.select.model, info,
                     config.select.by == config::By::kUnlikePublic);
  } else if (config::NeedsModel(config.select.by)) {
    models::ClassifierNamed(config.primary.name, ShapeOf(info), classes);
  }
}

std::unique_ptr<Medium> OpenImages(const Inspection& inspection) {
  CheckCriterionFits(inspection.config);
  CheckDraws(inspection.config);
  return std::make_unique<ImageMedium>(inspection);
}

}  // namespace sfumato::inspect

#include "inspect/image_inspection.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "dp/mechanisms/question.h"
#include "eval/contrast.h"
#include "fmt/format.h"
#include "inspect/inspection_pictures.h"
#include "inspect/inspection_stages.h"
#include "models/classifier.h"
#include "runs/checkpoint.h"
#include "runs/run.h"
#include "runs/samples.h"
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

class ImageInspection : public InspectionStages {
 public:
  using InspectionStages::InspectionStages;

 private:
  void Open() override;
  void JudgeEverybody() override;
  std::string JudgeSum() const override;
  std::int64_t ExactUsers(config::Side side) const override;
  std::string Noun() const override { return "images"; }
  std::vector<double> NumbersOfUsers() const override {
    return select::Accuracies(verdicts_);
  }
  void AskRest(fed::Survey& survey) override;
  std::unique_ptr<models::Examples> TakingPart(
      config::Side side, std::int64_t half,
      const std::string& kind) const override;
  void AdjustConfig(const plan::ModelPlan& model,
                    config::TrainConfig& own) const override;
  void Compare() override;
  nlohmann::json RealExamples() override;

  eval::Drawn DrawnBy(const plan::ModelPlan& model, std::uint64_t number) const;
  void AddRealDistances(const std::vector<eval::Drawn>& drawn);

  std::optional<train::ModelInput> input_;
  std::optional<train::Population> population_;
  std::optional<eval::Judge> judge_;
  select::Verdicts verdicts_;
};

models::Shape ShapeOf(const data::DatasetInfo& info) {
  return {.height = info.image.height,
          .width = info.image.width,
          .channels = info.image.channels};
}

void CheckCriterionFits(const config::TrainConfig& config) {
  if (config.select.by != config::By::kBeforeAfter) return;
  throw Unsupported("images in two states", "select.by",
                    "before_after is for text; choose sides by accuracy, "
                    "examples, class or column");
}

void ImageInspection::Open() {
  CheckCriterionFits(config_);
  const data::DatasetInfo& info = data_.set->info();
  input_.emplace(config_, job_.folder);
  population_.emplace(data_, *input_);
  // Networks that cannot draw such images are refused before anything is paid.
  train::ModelFor(config_, input_->SizeOf(population_->train()));
  if (!config_.select.model.empty()) {
    judge_ = train::ReadJudge(config_.select.model, info,
                              config_.select.by == config::By::kUnlikePublic);
  }
}

void ImageInspection::JudgeEverybody() {
  const bool discriminator = config_.select.by == config::By::kUnlikePublic;
  if (judge_) {
    record_.model_words =
        fmt::format("{} of the run {}",
                    discriminator ? "the discriminator" : "the classifier",
                    base::Path(config_.select.model)
                        .lexically_normal()
                        .filename()
                        .string());
  } else if (config::NeedsModel(config_.select.by)) {
    judge_ = train::TrainPrimary(config_, job_.folder / "primary", device_);
    config_.select.model = (job_.folder / "primary").string();
    config_.select.model_is = config::Provenance::kPublic;
    record_.model_words = fmt::format(
        "{}, trained on {} generated people who are not in the population",
        config_.primary.name, config_.primary.users);
  }
  record_.model_provenance =
      config_.select.model_is == config::Provenance::kUnknown
          ? "not declared"
          : config::Word(config_.select.model_is);
  if (judge_) {
    base::Note("Every device judges its own examples …");
    verdicts_ = population_->JudgedBy(*judge_, discriminator, pool_);
  }
}

std::string ImageInspection::JudgeSum() const {
  return judge_ ? train::SumOf(judge_->params) : "";
}

std::int64_t ImageInspection::ExactUsers(config::Side side) const {
  return select::SelectedUsers(
      *population_->Chosen(ExactCriterion(side), verdicts_));
}

void ImageInspection::AskRest(fed::Survey& survey) {
  if (Asked(plan::kAccuracyBars) && !record_.histogram) {
    const fed::SurveyAnswer answer = survey.Ask(
        plan::kAccuracyBars, [&] { return select::Accuracies(verdicts_); });
    record_.histogram = runs::HistogramRecord{
        .edges = dp::EvenEdges(0, 1, plan::kAccuracyBarCount),
        .counts = answer.values,
        .deviation = answer.deviation};
    Save();
  }
  if (Asked(plan::kCorrections) && !record_.correction_rate) {
    const fed::NoisyShare share =
        fed::ShareOfSecondBar(survey.Ask(plan::kCorrections, [&] {
          return select::CorrectionRates(verdicts_);
        }));
    record_.correction_rate = runs::Sourced{.value = share.value,
                                            .source = "released",
                                            .deviation = share.deviation};
    record_.correction_level = config_.survey.correction_level;
  }
}

std::unique_ptr<models::Examples> ImageInspection::TakingPart(
    config::Side side, std::int64_t half, const std::string&) const {
  return population_->Chosen(CriterionFor(side, half), verdicts_);
}

void ImageInspection::AdjustConfig(const plan::ModelPlan&,
                                   config::TrainConfig& own) const {
  if (config_.data.generate.empty() && config_.data.bug.empty()) return;
  own.data.path = (job_.folder / "data").string();
  own.data.generate = "";
  own.data.bug = "";
}

eval::Drawn ImageInspection::DrawnBy(const plan::ModelPlan& model,
                                     std::uint64_t number) const {
  const base::Path folder = FolderOf(model);
  const auto latest = runs::LatestCheckpoint(folder / "checkpoints");
  if (!latest) {
    throw Corrupt("a trained model without a checkpoint", folder.string(),
                  "remove its folder and resume the inspection");
  }
  const auto samples =
      std::get<runs::ImageSamples>(train::ReadRunModel(folder).Draw(
          {.seed = static_cast<std::uint64_t>(config_.seed) * 16 + number,
           .count = config_.inspect.samples}));
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
void ImageInspection::AddRealDistances(const std::vector<eval::Drawn>& drawn) {
  if (!record_.simulation || !judge_) return;
  nlohmann::json distances = nlohmann::json::object();
  for (const plan::ModelPlan& model : plan_.models) {
    const auto own = std::ranges::find(drawn, model.name, &eval::Drawn::model);
    const at::Tensor real = SomeImages(
        *population_->Chosen(CriterionFor(model.side, model.half), verdicts_),
        {.per_user = 5, .most = kRealImages});
    const std::int64_t count = std::min(real.size(0), own->images.size(0));
    if (count < 50) continue;
    distances[model.name] = eval::FrechetDistance(
        eval::Logits(*judge_, real),
        eval::Logits(*judge_, own->images.narrow(0, 0, count)));
  }
  contrast_.simulation_only = {{"frechet_distance", distances}};
}

void ImageInspection::Compare() {
  eval::CompareOptions options{
      .judge = judge_ && config_.select.by != config::By::kUnlikePublic
                   ? &*judge_
                   : nullptr,
      .seed = static_cast<std::uint64_t>(config_.seed)};
  for (std::size_t i = 0; i < plan_.models.size(); ++i) {
    (plan_.models[i].side == kAgainst ? options.a : options.b)
        .push_back(DrawnBy(plan_.models[i], i));
  }
  const eval::Compared compared = eval::Compare(options);
  contrast_ = compared.contrast;
  fs::create_directories(job_.folder / "pictures");
  for (const auto& [name, image] : compared.pictures) {
    base::WriteFileAtomically(job_.folder / name, base::EncodePng(image));
  }
  LastDrawn last{.transformed = compared.transformed};
  for (const eval::Drawn& model : options.a) last.a.push_back(model.images);
  for (const eval::Drawn& model : options.b) last.b.push_back(model.images);
  contrast_.steps = DrawSteps(job_.folder, plan_.models, last);
  std::vector<eval::Drawn> drawn = options.a;
  drawn.insert(drawn.end(), options.b.begin(), options.b.end());
  AddRealDistances(drawn);
}

// What the models were to draw. Nobody outside a simulation ever sees this; the
// page says so in red.
nlohmann::json ImageInspection::RealExamples() {
  nlohmann::json shown = nlohmann::json::array();
  for (const config::Side side : {config::Side::kA, config::Side::kB}) {
    const at::Tensor images =
        SomeImages(*population_->Chosen(CriterionFor(side, 0), verdicts_), {});
    if (images.size(0) == 0) continue;
    const std::string name =
        fmt::format("pictures/real_{}.png", config::Word(side));
    WriteGrid(job_.folder, name, images);
    shown.push_back(
        {{"words", side == config::Side::kA ? "A: " + record_.a.words
                                            : "B: " + record_.b.words},
         {"picture", name}});
  }
  return shown;
}

}  // namespace

void CheckImageInspection(const config::TrainConfig& config,
                          const data::DatasetInfo& info) {
  CheckCriterionFits(config);
  const auto classes = static_cast<std::int64_t>(info.classes.size());
  train::ModelFor(config, {.shape = ShapeOf(info), .classes = classes});
  if (!config.select.model.empty()) {
    train::ReadJudge(config.select.model, info,
                     config.select.by == config::By::kUnlikePublic);
  } else if (config::NeedsModel(config.select.by)) {
    models::ClassifierNamed(config.primary.name, ShapeOf(info), classes);
  }
}

std::unique_ptr<InspectionStages> MakeImageInspection(const InspectJob& job,
                                                      InspectOutcome& outcome) {
  return std::make_unique<ImageInspection>(job, outcome);
}

}  // namespace sfumato::inspect

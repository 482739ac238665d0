#include "app/torch/inspection.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/dp_fedavg_gan.h"
#include "app/consent.h"
#include "app/earlier.h"
#include "app/inspect_ledger.h"
#include "app/side_sizes.h"
#include "app/torch/inspection_pictures.h"
#include "app/torch/judging_model.h"
#include "app/torch/place.h"
#include "app/torch/population.h"
#include "app/torch/trained_model.h"
#include "app/torch/training.h"
#include "app/training_data.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/secure_random.h"
#include "data/transform/bugs.h"
#include "dp/ledger/ledger.h"
#include "dp/mechanisms/question.h"
#include "eval/contrast.h"
#include "fed/survey.h"
#include "fmt/format.h"
#include "report/page.h"
#include "runs/checkpoint.h"
#include "runs/run.h"
#include "runs/samples.h"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kAgainst = "a";
constexpr std::int64_t kRealImages =
    500;  // of a Fréchet distance, as published

void CheckIsOfImages(const data::DatasetInfo& info) {
  if (info.kind == data::Kind::kImages) return;
  throw BadInput(fmt::format("{} of {}", data::Name(info.kind), info.name),
                 "data", "an inspection by GANs is of images");
}

// Everything that the stages share. The stages come in the order of the file.
class Inspection {
 public:
  Inspection(const InspectJob& job, InspectOutcome& outcome);

  void Run();

 private:
  void Prepare();
  void Price();
  void Survey();
  bool TooFewAreLeft();
  void EndWithoutModels(const TooFew& few);
  void Train();
  void Compare();

  void SetStage(const std::string& stage);
  void PinInputs();
  void FillWords();
  void FillSizes(fed::Survey& survey);
  void FillUncountedSizes(const models::Examples& a, const models::Examples& b);
  void FillAccuracies(fed::Survey& survey);
  void TrainModel(const ModelPlan& model);
  eval::Drawn DrawnBy(const ModelPlan& model, std::uint64_t number) const;
  void AddRealDistances(const std::vector<eval::Drawn>& drawn);
  nlohmann::json RealExamples();
  void ReadEarlier();
  select::Criterion CriterionFor(const std::string& side,
                                 std::int64_t half) const;
  std::int64_t ExactUsers(const std::string& side) const;
  double PlannedUsers(const std::string& side) const;
  base::Path FolderOf(const ModelPlan& model) const {
    return job_.folder / model.name;
  }

  const InspectJob& job_;
  runs::TrainConfig config_;  // thresholds and data as they were settled
  runs::InspectionRecord& record_;
  runs::Contrast& contrast_;
  Place place_;
  fed::WorkerPool pool_;
  TrainingData data_;
  std::optional<ModelInput> input_;
  std::optional<Population> population_;
  std::optional<eval::Judge> judge_;
  select::Verdicts verdicts_;
  InspectPlan plan_;
  std::optional<dp::Ledger> ledger_;
};

Inspection::Inspection(const InspectJob& job, InspectOutcome& outcome)
    : job_(job),
      config_(job.config),
      record_(outcome.record),
      contrast_(outcome.contrast),
      place_(PlaceFor(job.config.device)),
      pool_(place_.threads) {
  if (runs::IsInspection(job_.folder)) {
    record_ = runs::ReadInspection(job_.folder);
  }
  record_.version = job_.version;
  record_.name = config_.name;
  if (!job_.power.empty()) record_.power = job_.power;
}

void Inspection::SetStage(const std::string& stage) {
  record_.status = runs::Status::kRunning;
  record_.stage = stage;
  runs::WriteInspection(job_.folder, record_);
}

// Data, the model that judges, and what it says of everybody.
void Inspection::Prepare() {
  // Before people are generated: whoever stops it there gets a page too.
  record_.simulation = FactsOf(config_.data).origin != data::Origin::kPrivate;
  data_ = OpenTrainingData(config_.data, job_.folder);
  const data::DatasetInfo& info = data_.set->info();
  CheckIsOfImages(info);
  record_.data = info.name;
  record_.origin = data::Name(info.origin);
  record_.simulation = info.origin != data::Origin::kPrivate;
  select::CheckCriterion(select::CriterionOf(config_.select), info);
  input_.emplace(config_, job_.folder);
  population_.emplace(data_, *input_);
  // Networks that cannot draw such images are refused before anything is paid.
  GanFor(config_, population_->train().shape(), population_->train().classes());

  const bool discriminator = config_.select.by == "unlike_public";
  if (!config_.select.model.empty()) {
    judge_ = ReadJudge(config_.select.model, info, discriminator);
  }
  // Where everything is told beforehand, a price comes before any work. Who is
  // generated is judged before there is one, and that takes a while.
  if (!record_.simulation) {
    Price();
  } else if (record_.ledger_name.empty()) {
    SetStage("preparing");
  }
  if (judge_) {
    record_.model_words =
        fmt::format("{} of the run {}",
                    discriminator ? "the discriminator" : "the classifier",
                    base::Path(config_.select.model)
                        .lexically_normal()
                        .filename()
                        .string());
  } else if (runs::NeedsModel(config_.select)) {
    judge_ = TrainPrimary(config_, job_.folder / "primary", place_);
    config_.select.model = (job_.folder / "primary").string();
    config_.select.model_is = "public";
    record_.model_words = fmt::format(
        "{}, trained on {} generated people who are not in the population",
        config_.primary.name, config_.primary.users);
  }
  record_.model_provenance = config_.select.model_is.empty()
                                 ? "not declared"
                                 : config_.select.model_is;
  if (judge_) {
    base::Note("Every device judges its own examples …");
    verdicts_ = population_->JudgedBy(*judge_, discriminator, pool_);
  }
  if (record_.simulation) Price();
}

select::Criterion Inspection::CriterionFor(const std::string& side,
                                           std::int64_t half) const {
  runs::SelectConfig select = config_.select;
  select.side = side;
  select.half = half;
  return select::CriterionOf(select);
}

// Simulations alone may ask. Where thresholds are quantiles, by the exact ones:
// the plan comes before anybody is asked, and is the same after a resume.
std::int64_t Inspection::ExactUsers(const std::string& side) const {
  select::Criterion criterion = CriterionFor(side, 0);
  const auto exact = [&](double quantile, double given) {
    if (quantile == 0) return given;
    return dp::WithoutNoise(
               {.about = dp::QuantileQuestion{.quantile = quantile}},
               select::Accuracies(verdicts_))
        .at(0);
  };
  criterion = select::WithThresholds(
      criterion, exact(config_.select.above_quantile, criterion.above),
      exact(config_.select.below_quantile, criterion.below));
  return select::SelectedUsers(*population_->Chosen(criterion, verdicts_));
}

// A verification that finds nobody left has found something, so it is planned
// as if enough were there, and the count tells, as it would of private data.
double Inspection::PlannedUsers(const std::string& side) const {
  const auto exact = static_cast<double>(ExactUsers(side));
  if (!record_.earlier) return exact;
  const double cohort =
      config_.cohort.sampling == "everyone" ? 1 : config_.cohort.size;
  return std::max(exact, static_cast<double>(config_.inspect.twins) *
                             std::ceil(std::max(1.0, cohort)));
}

// That nobody is in two models holds for one judge and one set of data (rule 6
// of docs/privacy.md): others under the same names would move people.
void Inspection::PinInputs() {
  const auto pin = [](std::string& kept, const std::string& now,
                      const char* what, const std::string& where) {
    if (!kept.empty() && kept != now) {
      throw BadInput(fmt::format("{} not the one that the inspection began "
                                 "with",
                                 what),
                     where, "put it back, or inspect anew with another --out");
    }
    kept = now;
  };
  pin(record_.data_crc32c, data_.description_crc32c, "the data are",
      record_.data);
  if (!judge_) return;
  const at::Tensor params = judge_->params.contiguous();
  pin(record_.judge_crc32c,
      fmt::format("{:08x}",
                  base::Crc32c({static_cast<const char*>(params.data_ptr()),
                                static_cast<std::size_t>(params.nbytes())})),
      "the judging model is", "select.model");
}

// What it will cost, and a yes.
void Inspection::Price() {
  PinInputs();
  base::Path folder = job_.folder.lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  const bool priced = !record_.ledger_name.empty();
  const bool paid = !job_.series_name.empty();  // with all of its series
  InspectOptions options{
      .name = priced ? record_.ledger_name : job_.series_name,
      .above_released = job_.above_released,
      .below_released = job_.below_released};
  if (!priced && !paid) {
    options.name = folder.filename().string();
    if (!record_.simulation) {  // two folders of one name are two inspections
      options.name +=
          fmt::format("-{:08x}", base::SecureRandom()() & 0xffffffffu);
    }
  }
  if (record_.simulation) {
    options.users_a = PlannedUsers("a");
    options.users_b = PlannedUsers("b");
  } else {
    UseLedgersDelta(config_, data_.facts(), job_.ledger_key);
  }
  plan_ = PlanInspection(config_, data_.facts(), options);
  ledger_.emplace(
      InspectionLedger(config_, plan_, job_.folder, job_.ledger_key));
  if (priced) {  // somebody said yes before
    const bool stopped =
        record_.surveyed &&
        FindTooFew(plan_, record_.a.users, record_.b.users).has_value();
    if (!stopped) ReserveInspection(*ledger_, plan_);
    return;
  }
  CheckProvenance(*ledger_, plan_);
  if (!paid) {
    const LedgerPrice price = PriceIn(*ledger_, plan_);
    const std::string lines =
        PriceLines(plan_, &price) + WillSeeLine(record_.power);
    if (plan_.simulation || job_.yes) {
      base::Note(lines.substr(0, lines.find_last_not_of('\n') + 1));
    } else if (!Consents(lines)) {
      throw BadInput("nobody said yes, and nothing was spent", "Spend it?");
    }
  }
  for (const std::string& remark : plan_.remarks) base::Warning(remark);
  FillPrivacy(plan_, record_.privacy);
  FillJudge(*ledger_, plan_, record_.privacy);
  record_.privacy.series_inspections = job_.series_inspections;
  record_.privacy.series_epsilon = job_.series_epsilon;
  record_.ledger_name = options.name;
  // From here on there is something to go on with.
  SetStage("price");
  const dp::Shares before = dp::SharesOf(ledger_->TotalsOf(plan_.root));
  ReserveInspection(*ledger_, plan_);
  FillReserved(*ledger_, plan_, before, record_.privacy);
}

void Inspection::FillWords() {
  const auto fill = [&](const std::string& side, runs::SideRecord& into) {
    const select::Criterion criterion = CriterionFor(side, 0);
    into.words = select::Words(criterion);
    into.rule = select::Rule(criterion);
    into.runs.clear();
    for (const ModelPlan& model : plan_.models) {
      if (model.side == side) into.runs.push_back(model.name);
    }
  };
  fill("a", record_.a);
  fill("b", record_.b);
  record_.question = config_.inspect.question.empty()
                         ? fmt::format("Do {} have other images than {}?",
                                       record_.b.words, record_.a.words)
                         : config_.inspect.question;
}

bool Asked(const InspectPlan& plan, std::string_view name) {
  for (const QuestionPlan& question : plan.questions) {
    if (question.question.name == name) return true;
  }
  return false;
}

// Thresholds, sizes, the spread of accuracy, corrections: each asked once, each
// a release. An answer is on disk before the next question: whoever goes on
// after a crash asks, and pays for, what is missing only.
void Inspection::Survey() {
  if (!record_.surveyed) SetStage("survey");
  fed::Survey survey(
      *ledger_,
      {.run = plan_.survey_run,
       .population = plan_.root,
       .randomness = {.simulation = plan_.simulation,
                      .seed = static_cast<std::uint64_t>(config_.seed)},
       .questions = plan_.Questions()});
  if (record_.surveyed) {
    survey.Finish();  // a crash may have come before it
    if (record_.above) config_.select.above = record_.above->value;
    if (record_.below) config_.select.below = record_.below->value;
    config_.select.above_quantile = config_.select.below_quantile = 0;
    FillWords();
    return;
  }
  const auto threshold = [&](const char* name, double given, bool released,
                             std::optional<runs::Sourced>& into) {
    if (into) return;  // from before a crash
    into = runs::Sourced{.value = given,
                         .source = released ? "released" : "given"};
    if (Asked(plan_, name)) {
      const fed::SurveyAnswer answer =
          survey.Ask(name, [&] { return select::Accuracies(verdicts_); });
      into = {.value = answer.values[0], .source = "released"};
    }
    runs::WriteInspection(job_.folder, record_);
  };
  if (config_.select.by == "accuracy" || config_.select.by == "unlike_public") {
    threshold(kThresholdAbove, config_.select.above, job_.above_released,
              record_.above);
    threshold(kThresholdBelow, config_.select.below, job_.below_released,
              record_.below);
    // Noise may have crossed them.
    record_.below->value = std::min(record_.below->value, record_.above->value);
    config_.select.above = record_.above->value;
    config_.select.below = record_.below->value;
    config_.select.above_quantile = config_.select.below_quantile = 0;
  }
  FillWords();
  FillSizes(survey);
  FillAccuracies(survey);
  record_.surveyed = true;
  runs::WriteInspection(job_.folder, record_);
  survey.Finish();
}

void Inspection::FillSizes(fed::Survey& survey) {
  const auto a = population_->Chosen(CriterionFor("a", 0), verdicts_);
  const auto b = population_->Chosen(CriterionFor("b", 0), verdicts_);
  constexpr const char* kReleased = "released";
  const auto released = [](double value, const fed::SurveyAnswer& answer) {
    return runs::Sourced{
        .value = value, .source = kReleased, .deviation = answer.deviation};
  };
  const auto size = [&](const char* name, const models::Examples& chosen,
                        runs::Sourced& into) {
    if (into.source == kReleased) return;
    const fed::SurveyAnswer answer =
        survey.Ask(name, [&] { return select::TakingPart(chosen); });
    into = released(answer.values[0], answer);
    runs::WriteInspection(job_.folder, record_);
  };
  if (Asked(plan_, kSizes)) {
    if (record_.b.users.source != kReleased) {
      const fed::SurveyAnswer answer =
          survey.Ask(kSizes, [&] { return select::SidesOf(*a, *b); });
      record_.a.users = released(answer.values[0], answer);
      record_.b.users = released(answer.values[1], answer);
      runs::WriteInspection(job_.folder, record_);
    }
  } else if (Asked(plan_, kSizeA)) {
    size(kSizeA, *a, record_.a.users);
    size(kSizeB, *b, record_.b.users);
  } else {
    FillUncountedSizes(*a, *b);
  }
}

// Where nobody is asked: what the config says, or in simulations the truth.
void Inspection::FillUncountedSizes(const models::Examples& a,
                                    const models::Examples& b) {
  if (plan_.simulation) {
    const auto exact = [](const models::Examples& side) {
      return runs::Sourced{
          .value = static_cast<double>(select::SelectedUsers(side)),
          .source = "simulation_only"};
    };
    record_.a.users = exact(a);
    record_.b.users = exact(b);
    return;
  }
  record_.a.users = {.value = static_cast<double>(config_.select.users_a)};
  record_.b.users = {.value = static_cast<double>(config_.select.users_b)};
}

void Inspection::FillAccuracies(fed::Survey& survey) {
  if (Asked(plan_, kAccuracyBars) && !record_.histogram) {
    const fed::SurveyAnswer answer = survey.Ask(
        kAccuracyBars, [&] { return select::Accuracies(verdicts_); });
    record_.histogram =
        runs::HistogramRecord{.edges = dp::EvenEdges(0, 1, kAccuracyBarCount),
                              .counts = answer.values,
                              .deviation = answer.deviation};
    runs::WriteInspection(job_.folder, record_);
  }
  if (Asked(plan_, kCorrections) && !record_.correction_rate) {
    const fed::NoisyShare share = fed::ShareOfSecondBar(survey.Ask(
        kCorrections, [&] { return select::CorrectionRates(verdicts_); }));
    record_.correction_rate = runs::Sourced{.value = share.value,
                                            .source = "released",
                                            .deviation = share.deviation};
    record_.correction_level = config_.survey.correction_level;
  }
}

// Whether an inspection that verifies another has its finding before any model:
// too few are left on side b. Throws BadInput where it cannot be held.
bool Inspection::TooFewAreLeft() {
  const auto few = FindTooFew(plan_, record_.a.users, record_.b.users);
  if (!few) return false;
  GiveBack(*ledger_, plan_);
  if (!record_.earlier || !record_.earlier->found() || few->side == kAgainst) {
    throw Refusal(*few, record_);
  }
  EndWithoutModels(*few);
  return true;
}

// The price stays that of the plan, which holds wherever it stops.
void Inspection::EndWithoutModels(const TooFew& few) {
  contrast_ = FewLeft(few, *record_.earlier, record_.b.rule);
  base::WriteFileAtomically(job_.folder / "contrast.json",
                            runs::ToJson(contrast_).dump(2) + "\n");
  runs::PrivacyRecord& privacy = record_.privacy;
  privacy.parts.resize(plan_.questions.size());
  constexpr const char* kBack =
      "; no model was trained, and what was set aside for them is back in the "
      "ledger: the price of the whole plan is an upper bound";
  if (!privacy.proof.ends_with(kBack)) privacy.proof += kBack;
  record_.a.runs.clear();
  record_.b.runs.clear();
}

// One model of one side, or of half of it.
void Inspection::TrainModel(const ModelPlan& model) {
  runs::TrainConfig own = ConfigOf(config_, plan_, model);
  if (!config_.data.generate.empty() || !config_.data.bug.empty()) {
    own.data.path = (job_.folder / "data").string();
    own.data.generate = "";
    own.data.bug = "";
  }
  own.privacy.ledger =
      LedgerPath(config_, plan_.simulation, job_.folder).string();
  const base::Path folder = FolderOf(model);
  const bool there = fs::exists(folder / "run.json");
  if (there && runs::ReadRun(folder).status == runs::Status::kFinished) return;
  SetStage("training " + model.name);
  base::Note(
      fmt::format("Training {}: {}", model.name,
                  model.side == kAgainst ? record_.a.words : record_.b.words));
  runs::Run run =
      there ? runs::Run::Open(folder)
            : runs::Run::Create(folder, own, {.version = job_.version});
  const auto chosen =
      population_->Chosen(CriterionFor(model.side, model.half), verdicts_);
  const TrainJob job{.folder = folder,
                     .run = &run,
                     .plan = PlanTraining(own, data_.facts()),
                     .version = job_.version,
                     .ledger_key = job_.ledger_key,
                     .ledger_run = model.run,
                     .selected = chosen.get()};
  TrainOutcome outcome;
  SfumatoTrain(&job, &outcome);
}

void Inspection::Train() {
  ledger_.reset();  // the runs open it themselves
  for (const ModelPlan& model : plan_.models) TrainModel(model);
}

eval::Drawn Inspection::DrawnBy(const ModelPlan& model,
                                std::uint64_t number) const {
  const base::Path folder = FolderOf(model);
  const auto latest = runs::LatestCheckpoint(folder / "checkpoints");
  if (!latest) {
    throw Corrupt("a trained model without a checkpoint", folder.string(),
                  "remove its folder and resume the inspection");
  }
  const runs::TrainConfig own = runs::ReadRun(folder).config;
  const models::Gan gan =
      GanFor(own, population_->train().shape(), population_->train().classes());
  const base::SafetensorsFile file(latest->path);
  const runs::ImageSamples samples = DrawSamples(
      gan, algorithms::DrawingGenerator(gan, own.gan.ema > 0, file),
      {.seed = static_cast<std::uint64_t>(config_.seed) * 16 + number,
       .count = config_.inspect.samples,
       .round = latest->round});
  eval::Drawn drawn{.model = model.name, .images = ImagesOf(samples)};
  for (const base::Path& path : runs::SamplesIn(folder / "samples")) {
    const runs::ImageSamples earlier = runs::ReadSamples(path);
    if (earlier.round < latest->round) {
      drawn.earlier.push_back(ImagesOf(earlier));
    }
  }
  return drawn;
}

// How far each model's images are from its side's own: of private records, so
// for simulations alone.
void Inspection::AddRealDistances(const std::vector<eval::Drawn>& drawn) {
  if (!record_.simulation || !judge_) return;
  nlohmann::json distances = nlohmann::json::object();
  for (const ModelPlan& model : plan_.models) {
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

// What an earlier inspection said; kept for a resume, which is not told.
void Inspection::ReadEarlier() {
  if (!job_.verify.empty()) record_.earlier = EarlierIn(job_.verify);
}

// Post-processing from here on: nothing costs anything.
void Inspection::Compare() {
  SetStage("contrast");
  base::Note("Comparing what the models draw …");
  eval::CompareOptions options{
      .judge =
          judge_ && config_.select.by != "unlike_public" ? &*judge_ : nullptr,
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
  base::WriteFileAtomically(job_.folder / "contrast.json",
                            runs::ToJson(contrast_).dump(2) + "\n");
}

// What the models were to draw. Nobody outside a simulation ever sees this; the
// page says so in red.
nlohmann::json Inspection::RealExamples() {
  nlohmann::json shown = nlohmann::json::array();
  for (const char* side : {"a", "b"}) {
    const at::Tensor images =
        SomeImages(*population_->Chosen(CriterionFor(side, 0), verdicts_), {});
    if (images.size(0) == 0) continue;
    const std::string name = fmt::format("pictures/real_{}.png", side);
    WriteGrid(job_.folder, name, images);
    shown.push_back(
        {{"words", side == std::string("a") ? "A: " + record_.a.words
                                            : "B: " + record_.b.words},
         {"picture", name}});
  }
  return shown;
}

void Inspection::Run() {
  const auto start = Clock::now();
  ReadEarlier();
  Prepare();
  Survey();
  if (TooFewAreLeft()) {
    FillSpent(*ledger_, plan_, record_.privacy);
  } else {
    Train();
    dp::Ledger ledger =
        InspectionLedger(config_, plan_, job_.folder, job_.ledger_key);
    FillSpent(ledger, plan_, record_.privacy);
    Compare();
  }
  record_.status = runs::Status::kFinished;
  record_.stage = "";
  if (record_.simulation) {
    record_.simulation_only = {
        {"seconds",
         std::chrono::duration<double>(Clock::now() - start).count()},
        {"device", place_.Text()},
        {"bug", config_.data.bug},
        {"bug_share", config_.data.bug_share},
        {"examples",
         contrast_.compared ? RealExamples() : nlohmann::json::array()}};
  }
  runs::WriteInspection(job_.folder, record_);
  report::WriteReport(job_.folder);
}

}  // namespace

extern "C" void SfumatoCheckInspection(const runs::TrainConfig* config) {
  const data::DatasetInfo info = InfoOf(config->data);
  CheckIsOfImages(info);
  if (!config->data.bug.empty()) data::FindBug(config->data.bug);
  select::CheckCriterion(select::CriterionOf(config->select), info);
  GanFor(*config,
         {.height = info.image.height,
          .width = info.image.width,
          .channels = info.image.channels},
         static_cast<std::int64_t>(info.classes.size()));
  if (!config->select.model.empty()) {
    ReadJudge(config->select.model, info, config->select.by == "unlike_public");
  }
}

extern "C" void SfumatoInspect(const InspectJob* job, InspectOutcome* outcome) {
  const auto end = [&](runs::Status status) {
    if (outcome->record.stage.empty()) return;  // nothing was begun
    outcome->record.status = status;
    runs::WriteInspection(job->folder, outcome->record);
  };
  const auto start = Clock::now();
  try {
    Inspection(*job, *outcome).Run();
  } catch (const base::Interrupted& interrupted) {
    if (outcome->record.stage.empty()) throw;
    end(runs::Status::kInterrupted);
    throw base::Interrupted(interrupted.signal(), job->folder.string(),
                            "it is saved, and goes on with: sfumato resume " +
                                job->folder.string());
  } catch (const std::exception&) {
    end(runs::Status::kFailed);
    throw;
  }
  outcome->seconds =
      std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace sfumato::app

#include "inspect/inspection_stages.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/secure_random.h"
#include "fed/release/run_ledger.h"
#include "fmt/format.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/earlier.h"
#include "plan/guarantee_text.h"
#include "plan/inspect_plan_text.h"
#include "plan/more_rounds.h"
#include "report/number_text.h"
#include "report/page.h"
#include "runs/checkpoint.h"
#include "runs/run.h"
#include "select/selection.h"
#include "train/training.h"

namespace sfumato::inspect {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr config::Side kAgainst = config::Side::kA;

}  // namespace

InspectionStages::InspectionStages(const InspectJob& job,
                                   InspectOutcome& outcome)
    : job_(job),
      config_(job.config),
      record_(outcome.record),
      contrast_(outcome.contrast),
      device_(train::DeviceFor(job.config.device)),
      pool_(device_.threads) {
  if (runs::IsInspection(job_.folder)) {
    record_ = runs::ReadInspection(job_.folder);
  }
  record_.version = job_.version;
  record_.name = config_.name;
  if (!job_.power.empty()) record_.power = job_.power;
}

void InspectionStages::SetStage(const std::string& stage) {
  record_.status = runs::Status::kRunning;
  record_.stage = stage;
  Save();
}

// Data, who is on which side, and a price.
void InspectionStages::Prepare() {
  // Before people are generated: whoever stops it there gets a page too.
  record_.simulation =
      plan::FactsOf(config_.data).origin != data::Origin::kPrivate;
  data_ = plan::OpenTrainingData(config_.data, job_.folder);
  data_.CheckSums();
  const data::DatasetInfo& info = data_.set->info();
  record_.data = info.name;
  record_.origin = data::Name(info.origin);
  record_.simulation = info.origin != data::Origin::kPrivate;
  select::CheckCriterion(select::CriterionOf(config_.select), info);
  Open();
  // Where everything is told beforehand, a price comes before any work. Who is
  // generated is judged before there is one, and that takes a while.
  if (!record_.simulation) {
    Price();
  } else if (record_.ledger_name.empty()) {
    SetStage("preparing");
  }
  JudgeEverybody();
  if (record_.simulation) Price();
}

select::Criterion InspectionStages::CriterionFor(config::Side side,
                                                 std::int64_t half) const {
  config::SelectConfig select = config_.select;
  select.side = side;
  select.half = half;
  return select::CriterionOf(select);
}

// Of what users are chosen by, as a threshold is asked for.
double InspectionStages::ExactQuantile(double quantile) const {
  return plan::ThresholdOf(
      config_.select,
      dp::WithoutNoise({.about = plan::ThresholdQuestion(config_, quantile)},
                       NumbersOfUsers())
          .at(0));
}

select::Criterion InspectionStages::ExactCriterion(config::Side side) const {
  const select::Criterion criterion = CriterionFor(side, 0);
  const auto exact = [&](double quantile, double given) {
    return quantile == 0 ? given : ExactQuantile(quantile);
  };
  return select::WithThresholds(
      criterion, exact(config_.select.above_quantile, criterion.above),
      exact(config_.select.below_quantile, criterion.below));
}

// A verification that finds nobody left has found something, so it is planned
// as if enough were there, and the count tells, as it would of private data.
double InspectionStages::PlannedUsers(config::Side side) const {
  const auto exact = static_cast<double>(ExactUsers(side));
  if (!record_.earlier) return exact;
  const double cohort = config_.cohort.sampling == config::Sampling::kEveryone
                            ? 1
                            : config_.cohort.size;
  return std::max(exact, static_cast<double>(config_.inspect.twins) *
                             std::ceil(std::max(1.0, cohort)));
}

// "perplexity is at most 12 for a quarter of the users, …"
std::string InspectionStages::QuartilesText() const {
  const std::string by = config::Word(config_.select.by);
  if (!config::HasQuantiles(config_.select.by)) return "";
  return fmt::format(
      "{} is at most {:.3g} for a quarter of the users, {:.3g} for half of "
      "them, {:.3g} for three quarters",
      by, ExactQuantile(0.25), ExactQuantile(0.5), ExactQuantile(0.75));
}

// That nobody is in two models holds for one judge and one set of data (rule 6
// of docs/privacy_proofs.md): others under the same names would move people.
void InspectionStages::PinInputs() {
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
  // Halves and sides too: another design under the same names would put
  // somebody into two cells that pay once.
  config::TrainConfig design = job_.config;
  design.device = {};
  pin(record_.config_crc32c,
      fmt::format("{:08x}", base::Crc32c(config::ChangedKeys(design))),
      "the config is", (job_.folder / "config.toml").string());
  pin(record_.data_crc32c, data_.description_crc32c, "the data are",
      record_.data);
  const std::string judge = JudgeSum();
  if (judge.empty()) return;
  pin(record_.judge_crc32c, judge, JudgeWords(), record_.data);
}

void InspectionStages::Reserve() {
  if (!plan_.simulation) plan::KeepToLedger(config_.data, *ledger_);
  plan::ReserveInspection(*ledger_, plan_);
}

// What it will cost, and a yes.
void InspectionStages::Price() {
  PinInputs();
  const bool priced = !record_.ledger_name.empty();
  const bool paid = !job_.series_name.empty();  // with all of its series
  plan::InspectOptions options{
      .name = priced ? record_.ledger_name : job_.series_name,
      .folder = job_.folder,
      .above_released = job_.above_released,
      .below_released = job_.below_released};
  if (!priced && !paid) {
    options.name = plan::LedgerNameOf(job_.folder);
    if (!record_.simulation) {  // two folders of one name are two inspections
      options.name +=
          fmt::format("-{:08x}", base::SecureRandom()() & 0xffffffffu);
    }
  }
  if (record_.simulation) {
    options.users_a = PlannedUsers(config::Side::kA);
    options.users_b = PlannedUsers(config::Side::kB);
    options.users_are = QuartilesText();
  } else {
    plan::UseLedgersDelta(config_, data_.facts(), job_.ledger_key);
  }
  plan_ = plan::PlanInspection(config_, data_.facts(), options);
  ledger_.emplace(
      plan::InspectionLedger(config_, plan_, job_.folder, job_.ledger_key));
  const bool reserved = plan::IsReserved(*ledger_, plan_);
  if (priced && (plan_.simulation || reserved)) {  // somebody said yes before
    const bool stopped =
        record_.surveyed &&
        plan::FindTooFew(plan_, record_.a.users, record_.b.users).has_value();
    if (stopped) return;
    Reserve();
    runs::PrivacyRecord& privacy = record_.privacy;
    if (privacy.entries.empty()) {  // killed before it was on record
      const double taken = privacy.used_before + privacy.set_aside;
      plan::FillReserved(*ledger_, plan_,
                         {.spent = privacy.used_before, .taken = taken},
                         privacy);
    }
    return;
  }
  plan::CheckProvenance(*ledger_, plan_);
  if (!paid) {
    // Of one that was killed while it reserved, some is reserved already.
    std::optional<plan::LedgerPrice> price;
    if (!priced) price = plan::GrantedIn(*ledger_, plan_);
    plan::RequireYes(plan::PriceLines(plan_, price ? &*price : nullptr) +
                         plan::WillSeeLine(record_.power),
                     plan_.simulation || job_.yes);
  }
  for (const std::string& remark : plan_.remarks) base::Warning(remark);
  record_.remarks = plan_.remarks;
  plan::FillPrivacy(plan_, record_.privacy);
  plan::FillJudge(*ledger_, plan_, record_.privacy);
  record_.privacy.series_inspections = job_.series_inspections;
  record_.privacy.series_epsilon = job_.series_epsilon;
  record_.ledger_name = options.name;
  const dp::Shares before = dp::SharesOf(ledger_->TotalsOf(plan_.root));
  plan::FillReserved(*ledger_, plan_, before, record_.privacy);
  // From here on there is something to go on with.
  SetStage("price");
  Reserve();
  plan::FillReserved(*ledger_, plan_, before, record_.privacy);
}

// What the page asks; the rule of each side stands below it.
std::string InspectionStages::Question() const {
  const config::By by = config_.select.by;
  if (by == config::By::kBeforeAfter)
    return "Has the text of the same users changed?";
  if (by == config::By::kPerplexity)
    return "What do users write whom the model reads badly?";
  if (by == config::By::kLikelihood)
    return "What do people write that the model did not expect?";
  return fmt::format("Do {} have other {} than {}?", record_.b.words, Noun(),
                     record_.a.words);
}

void InspectionStages::FillWords() {
  const auto fill = [&](config::Side side, runs::SideRecord& into) {
    const select::Criterion criterion = CriterionFor(side, 0);
    into.words = select::Words(criterion);
    into.rule = select::Rule(criterion);
    into.runs.clear();
    for (const plan::ModelPlan& model : plan_.models) {
      if (model.side == side) into.runs.push_back(model.name);
    }
  };
  fill(config::Side::kA, record_.a);
  fill(config::Side::kB, record_.b);
  record_.question =
      config_.inspect.question.empty() ? Question() : config_.inspect.question;
}

bool InspectionStages::Asked(std::string_view name) const {
  for (const plan::QuestionPlan& question : plan_.questions) {
    if (question.question.name == name) return true;
  }
  return false;
}

// Thresholds, sizes, the spread of accuracy, corrections: each asked once, each
// a release. An answer is on disk before the next question: whoever goes on
// after a crash asks, and pays for, what is missing only.
void InspectionStages::Survey() {
  if (!record_.surveyed) SetStage("survey");
  fed::Survey survey(
      *ledger_,
      {.run = plan_.survey_run,
       .population = plan_.root,
       .randomness = {.simulation = plan_.simulation,
                      .seed = static_cast<std::uint64_t>(config_.seed)},
       .questions = plan_.Questions(),
       .before_more = [&](const dp::Event& question) {
         plan::RequireYesForMore(
             *ledger_, plan_, question,
             fmt::format("Resume   an answer was lost: its question ({}) is "
                         "asked again and paid again\n",
                         dp::Describe(question)),
             job_.yes);
       }});
  if (record_.surveyed) {
    survey.Finish();  // a crash may have come before it
    if (record_.above) config_.select.above = record_.above->value;
    if (record_.below) config_.select.below = record_.below->value;
    config_.select.above_quantile = config_.select.below_quantile = 0;
    FillWords();
    return;
  }
  AskThresholds(survey);
  FillWords();
  FillSizes(survey);
  AskRest(survey);
  record_.surveyed = true;
  plan::FillSpent(*ledger_, plan_, record_.privacy);
  Save();
  survey.Finish();
}

void InspectionStages::AskThresholds(fed::Survey& survey) {
  if (!config::HasThresholds(config_.select.by)) return;
  const auto threshold = [&](const char* name,
                             const std::optional<double>& given, bool released,
                             std::optional<runs::Sourced>& into) {
    if (into) return;  // from before a crash
    if (Asked(name)) {
      const fed::SurveyAnswer answer =
          survey.Ask(name, [&] { return NumbersOfUsers(); });
      into = {.value = plan::ThresholdOf(config_.select, answer.values[0]),
              .source = "released"};
    } else {
      into = runs::Sourced{.value = given.value(),
                           .source = released ? "released" : "given"};
    }
    Save();
  };
  threshold(plan::kThresholdAbove, config_.select.above, job_.above_released,
            record_.above);
  threshold(plan::kThresholdBelow, config_.select.below, job_.below_released,
            record_.below);
  // Noise may have crossed them.
  record_.below->value = std::min(record_.below->value, record_.above->value);
  config_.select.above = record_.above->value;
  config_.select.below = record_.below->value;
  config_.select.above_quantile = config_.select.below_quantile = 0;
}

void InspectionStages::FillSizes(fed::Survey& survey) {
  const auto a = TakingPart(config::Side::kA, 0, "");
  const auto b = TakingPart(config::Side::kB, 0, "");
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
    Save();
  };
  if (Asked(plan::kSizes)) {
    if (record_.b.users.source != kReleased) {
      const fed::SurveyAnswer answer =
          survey.Ask(plan::kSizes, [&] { return select::SidesOf(*a, *b); });
      record_.a.users = released(answer.values[0], answer);
      record_.b.users = released(answer.values[1], answer);
      Save();
    }
  } else if (Asked(plan::kSizeA)) {
    size(plan::kSizeA, *a, record_.a.users);
    size(plan::kSizeB, *b, record_.b.users);
  } else {
    FillUncountedSizes(*a, *b);
  }
}

// Where nobody is asked: what the config says, or in simulations the truth.
void InspectionStages::FillUncountedSizes(const models::Examples& a,
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

// Whether an inspection that verifies another has its finding before any model:
// too few are left on side b. Throws BadInput where it cannot be held.
bool InspectionStages::TooFewAreLeft() {
  const auto few = plan::FindTooFew(plan_, record_.a.users, record_.b.users);
  if (!few) return false;
  plan::GiveBack(*ledger_, plan_);
  if (!record_.earlier || !record_.earlier->found() || few->side == kAgainst) {
    throw plan::Refusal(*few, record_);
  }
  EndWithoutModels(*few);
  return true;
}

// The price stays that of the plan, which holds wherever it stops.
void InspectionStages::EndWithoutModels(const plan::TooFew& few) {
  contrast_ = plan::FewLeft(few, *record_.earlier, record_.b.rule);
  runs::WriteContrast(job_.folder, contrast_);
  runs::PrivacyRecord& privacy = record_.privacy;
  std::erase_if(privacy.parts, [&](const runs::PriceRecord& part) {
    return std::ranges::any_of(plan_.models, [&](const plan::ModelPlan& model) {
      return part.what == plan::PartName(model);
    });
  });
  constexpr const char* kBack =
      "; no model was trained, and what was set aside for them is back in the "
      "ledger: the price of the whole plan is an upper bound";
  if (!privacy.proof.ends_with(kBack)) privacy.proof += kBack;
  record_.a.runs.clear();
  record_.b.runs.clear();
}

// That other inspections are paid for together with this one.
std::string SeriesLine(const InspectJob& job) {
  if (job.series_inspections < 2) return "";
  return fmt::format(
      "Series   one of {} inspections that were to cost ε {} together: that "
      "becomes more too, and the monitor will say how much\n",
      job.series_inspections, report::BoundText(job.series_epsilon));
}

// One model of one side, or of half of it.
void InspectionStages::TrainModel(const plan::ModelPlan& model) {
  config::TrainConfig own = plan::ConfigOf(config_, plan_, model);
  AdjustConfig(model, own);
  own.privacy.ledger =
      plan::LedgerPath(config_, plan_.simulation, job_.folder).string();
  const base::Path folder = FolderOf(model);
  const bool there = fs::exists(folder / "run.json");
  if (there && runs::ReadRun(folder).status == runs::Status::kFinished) return;
  SetStage("training " + model.name);
  base::Note(
      fmt::format("Training {}, model {} of {}: {}", model.name,
                  TurnOf(model).number, plan_.models.size(),
                  model.side == kAgainst ? record_.a.words : record_.b.words));
  runs::Run run =
      there ? runs::Run::Open(folder)
            : runs::Run::Create(folder, own, {.version = job_.version});
  const plan::TrainPlan rounds = plan::PlanOf(plan_, model);
  if (!plan_.simulation) {
    dp::Ledger ledger =
        plan::InspectionLedger(config_, plan_, job_.folder, job_.ledger_key);
    const auto last = runs::LatestCheckpoint(run.checkpoints_path());
    const plan::More more = plan::MoreOf(
        ledger,
        {.ledger_run = model.run, .rounds_done = last ? last->round : 0},
        own.rounds);
    if (more.rounds > 0) {
      dp::Event missing = plan_.RoundsOf(model);
      missing.count = more.rounds;
      plan::RequireYesForMore(ledger, plan_, missing,
                              more.why + SeriesLine(job_), job_.yes);
    }
    // What has to be repeated is set aside, and on record, before it is
    // trained: whoever is stopped next leaves a page that counts it.
    fed::RunLedger(&ledger,
                   {.run = model.run,
                    .population = own.privacy.population,
                    .randomness = {.simulation = false},
                    .rounds = own.rounds,
                    .first_round = last ? last->round : 0,
                    .spare_rounds = own.privacy.spare_rounds},
                   rounds.rounds());
    plan::FillSpent(ledger, plan_, record_.privacy);
    Save();
  }
  const auto chosen = TakingPart(model.side, model.half, model.kind);
  const train::TrainJob job{.folder = folder,
                            .run = &run,
                            .plan = rounds,
                            .version = job_.version,
                            .ledger_key = job_.ledger_key,
                            .ledger_run = model.run,
                            .selected = chosen.get(),
                            .turn = TurnOf(model)};
  train::TrainOutcome outcome;
  train::SfumatoTrain(&job, &outcome);
}

// Where a model stands among all of them, for whoever watches.
train::Turn InspectionStages::TurnOf(const plan::ModelPlan& model) const {
  train::Turn turn{.number = 0,
                   .of = static_cast<std::int64_t>(plan_.models.size())};
  for (const plan::ModelPlan& each : plan_.models) {
    if (turn.number > 0) {
      turn.later_rounds += plan::KindConfig(config_, each.kind).rounds;
    }
    if (&each == &model) {
      turn.number = 1 + (&each - plan_.models.data());
    }
  }
  return turn;
}

void InspectionStages::Train() {
  ledger_.reset();  // the runs open it themselves
  for (const plan::ModelPlan& model : plan_.models) TrainModel(model);
}

// What an earlier inspection said; kept for a resume, which is not told.
void InspectionStages::ReadEarlier() {
  if (job_.verify.empty()) return;
  record_.earlier =
      plan::EarlierIn(job_.verify, config::ModelsLanguage(config_));
}

void InspectionStages::Run() {
  const auto start = Clock::now();
  ReadEarlier();
  Prepare();
  Survey();
  if (TooFewAreLeft()) {
    plan::FillSpent(*ledger_, plan_, record_.privacy);
  } else {
    Train();
    dp::Ledger ledger =
        plan::InspectionLedger(config_, plan_, job_.folder, job_.ledger_key);
    plan::FillSpent(ledger, plan_, record_.privacy);
    SetStage("contrast");
    base::Note("Comparing what the models draw …");
    Compare();
    runs::WriteContrast(job_.folder, contrast_);
  }
  record_.status = runs::Status::kFinished;
  record_.stage = "";
  if (record_.simulation) {
    record_.simulation_only = {
        {"seconds",
         std::chrono::duration<double>(Clock::now() - start).count()},
        {"device", device_.Text()},
        {"bug", config_.data.bug},
        {"bug_share", config_.data.bug_share},
        {"examples",
         contrast_.compared ? RealExamples() : nlohmann::json::array()}};
  }
  Save();
  report::WriteReport(job_.folder);
}

}  // namespace sfumato::inspect

#include "plan/inspect_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "dp/accounting/calibration.h"
#include "dp/accounting/partition.h"
#include "dp/accounting/pld.h"
#include "dp/mechanisms/gaussian_mechanism.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "plan/plan_fits.h"
#include "plan/vote_source.h"
#include "report/number_text.h"

namespace sfumato::plan {
namespace {

// A perplexity of 1.2 million; larger ones count as this.
constexpr double kMostLogPerplexity = 14;

// What may be refused before anything is computed.

// Of generated people a classifier is trained by the way; a discriminator or a
// word model is not.
bool HasModel(const config::TrainConfig& config) {
  return !config.select.model.empty() ||
         (!config.data.generate.empty() &&
          config.select.by != config::By::kUnlikePublic &&
          !config::NeedsWordModel(config.select.by));
}

const char* HowToGetAModel(const config::SelectConfig& select) {
  if (select.by == config::By::kUnlikePublic) {
    return "train a discriminator first (sfumato train, with "
           "data.public_path), and name its run's folder";
  }
  return config::NeedsWordModel(select.by)
             ? "train a word model first (sfumato train, with preset = "
               "\"word_lm_quick\"), and name its run's folder"
             : "name the folder of the classifier's run";
}

void CheckModel(const config::TrainConfig& config, bool simulation) {
  if (config::NeedsModel(config.select.by) && !HasModel(config)) {
    throw NoJudge(config.select);
  }
  if (!simulation && HasModel(config) &&
      config.select.model_is == config::Provenance::kUnknown) {
    throw Unsupported("nobody says where the judging model came from",
                      "select.model_is", kProvenances);
  }
}

// Each threshold is given, asked for, or released before.
void CheckAllThresholds(const config::SelectConfig& select,
                        const InspectOptions& options) {
  if (!config::HasThresholds(select.by)) return;
  const auto check = [&](const char* key, bool known) {
    if (known) return;
    throw BadInput(
        fmt::format("sides by {} without a threshold", config::Word(select.by)),
        key, "give it, or a private quantile of the users");
  };
  check("select.above",
        select.above || select.above_quantile > 0 || options.above_released);
  check("select.below",
        select.below || select.below_quantile > 0 || options.below_released);
}

void CheckDesign(const config::TrainConfig& config) {
  if (config.select.by == config::By::kEveryone) {
    throw BadInput(
        "everyone is on one side", "select.by",
        "an inspection compares two: give accuracy, examples, "
        "class, column, unlike_public or vote, of text before_after, "
        "perplexity, likelihood, class or column; `sfumato train` "
        "trains one model of everyone");
  }
  if (config.select.by == config::By::kBeforeAfter &&
      config.data.before_path.empty() && config.data.bug.empty()) {
    throw BadInput("one state of the data, where two are compared",
                   "data.before_path",
                   "name the data as they were before; in a simulation "
                   "data.bug, without which they are before "
                   "(data.bug_share = 0: it touches nothing)");
  }
  if (!config::Draws(config)) {
    throw Unsupported(fmt::format("an inspection by {}, which draws nothing",
                                  config::Word(config.algorithm)),
                      "algorithm",
                      "use dp_fedavg_gan, or a preset: preset = \"gan\" for "
                      "images, \"word_lm_quick\" for text");
  }
  if (!config::Protects(config.algorithm)) {
    throw Unsupported("an inspection without privacy", "algorithm",
                      "use dp_fedavg");
  }
  if (config.cohort.sampling == config::Sampling::kFixed) {
    throw Unsupported(
        "cohorts of a fixed size from users who are chosen by their own data",
        "cohort.sampling",
        "use poisson: replacing a user's data may move them in or out, so that "
        "only add-remove has a proof");
  }
  if (!(config.privacy.noise_multiplier > 0 || config.privacy.epsilon > 0)) {
    throw BadInput("neither noise nor a budget", "privacy.noise_multiplier",
                   "give it, or privacy.epsilon to have it found");
  }
}

void CheckPrivateDesign(const config::TrainConfig& config) {
  if (config.data.test_share == 0) return;
  throw BadInput("test users of private data", "data.test_share",
                 "leave it out: nothing is evaluated there, since what it "
                 "finds would be private");
}

// Census.

// The name of an inspection's census in the ledger.
std::string CensusName(const InspectPlan& plan) {
  return plan.name + "/census";
}

void AddCensus(InspectPlan& plan, const config::TrainConfig& config,
               const DataFacts& data, double users) {
  if (config.census.about == config::About::kClasses) {
    throw Unsupported("a census about classes in an inspection", "census.about",
                      "run the census by itself (sfumato census)");
  }
  if (config.census.reference.empty()) return;
  if (config.census.adjacency != config::Adjacency::kAddRemove) {
    throw Unsupported("a census for replace_one in an inspection",
                      "census.adjacency",
                      "its models hold under add_remove only: ask for that, or "
                      "run the census by itself (sfumato census)");
  }
  plan.census = PlanCensus(
      config, data,
      {.name = CensusName(plan), .delta = plan.delta, .users = users});
  plan.runs.insert(plan.runs.begin(), plan.census->runs.begin(),
                   plan.census->runs.end());
  for (const std::string& fixed : plan.census->taken_as_fixed) {
    const auto& all = plan.taken_as_fixed;
    if (std::ranges::find(all, fixed) == all.end()) {
      plan.taken_as_fixed.push_back(fixed);
    }
  }
}

// Questions.

// Most users have a few per cent of unknown words.
std::vector<double> UnknownEdges() {
  return {0,    0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1,
          0.12, 0.15, 0.2,  0.25, 0.3,  0.4,  0.5,  1};
}

void AddQuestion(InspectPlan& plan, dp::Question question, std::string words) {
  QuestionPlan part{.question = std::move(question), .words = std::move(words)};
  if (plan.questions.empty()) {
    plan.runs.push_back(
        {.name = plan.survey_run, .population = {.name = plan.root}});
  }
  plan.runs.back().events.push_back(
      dp::EventOf(part.question, {.name = plan.root}));
  plan.questions.push_back(std::move(part));
}

void AddThresholds(InspectPlan& plan, const config::TrainConfig& config) {
  const auto add = [&](double quantile, const char* name) {
    if (quantile == 0) return;
    AddQuestion(plan, {name, ThresholdQuestion(config, quantile)},
                fmt::format("quantile {:g} of the users' {}", quantile,
                            config::Word(config.select.by)));
  };
  add(config.select.above_quantile, kThresholdAbove);
  add(config.select.below_quantile, kThresholdBelow);
}

// Where nobody is on both sides one histogram counts both at the price of one.
void AddSizes(InspectPlan& plan, double deviation) {
  if (deviation == 0) return;
  if (plan.pays_once) {
    AddQuestion(
        plan,
        {kSizes, dp::BarsQuestion{.edges = {0, 1, 2}, .deviation = deviation}},
        "sizes of both sides");
    return;
  }
  for (const char* name : {kSizeA, kSizeB}) {
    AddQuestion(
        plan, {name, dp::BarsQuestion{.edges = {0, 1}, .deviation = deviation}},
        fmt::format("size of side {}", name == kSizeA ? "A" : "B"));
  }
}

// How many of the users' words are unknown: the alarm of text, on both sides.
void AddUnknownShares(InspectPlan& plan, double deviation) {
  if (deviation == 0) return;
  for (const char* name : {kUnknownA, kUnknownB}) {
    AddQuestion(plan,
                {name, dp::BarsQuestion{.edges = UnknownEdges(),
                                        .deviation = deviation}},
                fmt::format("users by their share of unknown words, side {}",
                            name == kUnknownA ? "A" : "B"));
  }
}

void AddQuestions(InspectPlan& plan, const config::TrainConfig& config) {
  const config::SurveyConfig& survey = config.survey;
  if (config::ModelsLanguage(config)) {
    // Both states have the same users, whose number is given; what is unknown
    // is asked of a whole state.
    if (config.select.by == config::By::kBeforeAfter) {
      AddUnknownShares(plan, survey.histogram_noise);
    } else {
      AddThresholds(plan, config);
      AddSizes(plan, survey.count_noise);
    }
    return;
  }
  AddThresholds(plan, config);
  AddSizes(plan, survey.count_noise);
  // A discriminator's classes are not the data's: it has no accuracy.
  // Where no criterion needs a classifier, none is trained.
  const bool judged =
      !config.select.model.empty() || config::NeedsModel(config.select.by);
  if (!judged || config.select.by == config::By::kUnlikePublic) return;
  if (survey.histogram_noise > 0) {
    AddQuestion(
        plan,
        {kAccuracyBars,
         dp::BarsQuestion{.edges = dp::EvenEdges(0, 1, kAccuracyBarCount),
                          .deviation = survey.histogram_noise}},
        "users by accuracy");
  }
  if (survey.correction_noise > 0) {
    AddQuestion(plan,
                {kCorrections,
                 dp::BarsQuestion{.edges = {0, survey.correction_level, 1},
                                  .deviation = survey.correction_noise}},
                "users who " + runs::CorrectingText(survey.correction_level));
  }
}

// Beyond this share of the users that are asked, noise hides what the answers
// would say: a bar of twenty has a twentieth of the users on average.
constexpr double kMuchNoise = 0.03;

// How much noise is on a question's count of users; 0 for a quantile.
double DeviationOf(const QuestionPlan& part) {
  const auto* bars = std::get_if<dp::BarsQuestion>(&part.question.about);
  return bars == nullptr ? 0 : bars->deviation;
}

void RemarkOnNoise(InspectPlan& plan, double users) {
  std::string names;
  double most = 0;
  for (const QuestionPlan& part : plan.questions) {
    const double deviation = DeviationOf(part);
    if (!(deviation > kMuchNoise * users)) continue;
    names += (names.empty() ? "" : ", ") + part.words;
    most = std::max(most, deviation);
  }
  if (names.empty()) return;
  plan.remarks.push_back(fmt::format(
      "noise of ± {:g} is {:.2g} % of the {:g} or so users who are asked ({}): "
      "the answers will say little. Less noise costs more ε: "
      "survey.count_noise, survey.histogram_noise, survey.correction_noise",
      most, 100 * most / users, users, names));
}

// Models.

double SideUsers(InspectPlan& plan, config::Side side, std::int64_t given,
                 const std::optional<double>& known, std::int64_t everyone,
                 const std::string& users_are) {
  const std::string key = fmt::format("select.users_{}", config::Word(side));
  if (given > 0) return static_cast<double>(given);
  if (!plan.simulation) {
    throw BadInput(
        fmt::format("private data, and no number of users on side {}",
                    SideName(side)),
        key,
        "say about how many there are; the exact number is itself private");
  }
  if (!known) {
    plan.remarks.push_back(
        fmt::format("how many users side {} has is not known yet: the price "
                    "is that of half of all users",
                    SideName(side)));
    return static_cast<double>(everyone) / 2;
  }
  if (!(*known >= 1)) {
    throw BadInput(fmt::format("nobody is on side {}", SideName(side)),
                   "select",
                   fmt::format("choose other thresholds, or data that have "
                               "such users{}{}",
                               users_are.empty() ? "" : "; ", users_are));
  }
  return *known;
}

dp::Sampling SamplingOf(const config::TrainConfig& config, double users,
                        const std::string& model) {
  if (config.cohort.sampling == config::Sampling::kEveryone) return dp::All{};
  if (!(config.cohort.size <= users)) {
    throw BadInput(
        fmt::format("a cohort of {:g} from about {:g} users of model {}",
                    config.cohort.size, users, model),
        "cohort.size",
        fmt::format("{}{}",
                    users >= 1 ? fmt::format("--set cohort.size={:.0f} would "
                                             "fit",
                                             std::floor(users))
                               : "choose wider thresholds",
                    config.inspect.twins > 1
                        ? fmt::format("; --set inspect.twins=1 has about {:g} "
                                      "users in each model",
                                      2 * users)
                        : ""));
  }
  return dp::Poisson{.rate = config.cohort.size / users};
}

// Models that share nobody: the halves of a side, and the sides where nobody is
// on both. A user of words is one of characters too.
std::string PartitionOf(const InspectPlan& plan, config::Side side,
                        const std::string& kind) {
  std::string name = plan.name;
  if (!plan.pays_once) name += "/" + config::Word(side);
  return kind.empty() ? name : name + "/" + kind;
}

std::vector<std::string> KindsOf(const config::TrainConfig& config) {
  if (!config::ModelsLanguage(config)) return {""};
  if (config.inspect.character_preset.empty()) return {kOfWords};
  return {kOfWords, kOfCharacters};
}

// What the design alone says: for each kind both sides, for each side its
// halves.
std::vector<ModelPlan> ModelsOf(const std::string& inspection,
                                const config::TrainConfig& config) {
  const std::int64_t twins = config.inspect.twins;
  std::vector<ModelPlan> models;
  for (const std::string& kind : KindsOf(config)) {
    for (const config::Side side : {config::Side::kA, config::Side::kB}) {
      for (std::int64_t half = 1; half <= twins; ++half) {
        ModelPlan model{
            .name = fmt::format("{}{}{}{}", config::Word(side), half,
                                kind.empty() ? "" : "_", kind),
            .side = side,
            .half = twins > 1 ? half : 0,
            .kind = kind};
        model.run = fmt::format("{}/{}", inspection, model.name);
        models.push_back(std::move(model));
      }
    }
  }
  return models;
}

void AddModels(InspectPlan& plan, const config::TrainConfig& design, double a,
               double b) {
  for (ModelPlan& model : ModelsOf(plan.name, design)) {
    const config::TrainConfig config = KindConfig(design, model.kind);
    const double side_users = model.side == config::Side::kA ? a : b;
    model.users =
        std::floor(side_users / static_cast<double>(design.inspect.twins));
    const dp::Population population{
        .name = fmt::format("{}/{}", plan.root, model.run),
        .root = plan.root,
        .partition = PartitionOf(plan, model.side, model.kind),
        .selected = true};
    plan.runs.push_back(
        {.name = model.run,
         .trains = true,
         .population = population,
         .events = {
             {.mechanism = dp::Gaussian{},
              .sampling = SamplingOf(config, model.users, model.name),
              .population = population,
              .count = config.rounds +
                       (plan.simulation ? 0 : config.privacy.spare_rounds)}}});
    plan.models.push_back(std::move(model));
  }
}

// Prices.

// What comes before the models leaves nothing for them.
Error TooDear(const std::string& what, double cost, double epsilon,
              const std::string& todo) {
  return Error(ErrorKind::kBudgetSpent,
               fmt::format("{} cost ε {}, and {:g} is there for everything",
                           what, report::BoundText(cost), epsilon),
               "privacy.epsilon", todo);
}

Error SurveyTooDear(const InspectPlan& plan, double cost, double epsilon) {
  const char* what = plan.vocabulary && plan.census
                         ? "the vocabulary, the census and the questions"
                     : plan.vocabulary ? "the vocabulary and the questions"
                     : plan.census     ? "the census and the questions"
                                       : "the questions alone";
  return TooDear(what, cost, epsilon,
                 plan.census ? "give the census a smaller census.epsilon, give "
                               "survey more noise, or 0 for what need not be "
                               "asked"
                             : "give survey more noise, or 0 for what need not "
                               "be asked");
}

// What was released before, and the questions.
double EpsilonBeforeModels(const InspectPlan& plan, double epsilon) {
  std::vector<dp::Event> events = plan.SurveyEvents();
  if (plan.census) events.push_back(plan.census->vote());
  if (plan.vocabulary) {
    const double alone = EpsilonOf(plan.before, plan.delta);
    if (!(alone < epsilon)) {
      throw TooDear("the vocabulary alone, released before,", alone, epsilon,
                    "give more, or a vocabulary that was chosen with more "
                    "noise");
    }
    events.insert(events.end(), plan.before.begin(), plan.before.end());
  }
  const double cost = EpsilonOf(events, plan.delta);
  if (!(cost < epsilon)) throw SurveyTooDear(plan, cost, epsilon);
  return cost;
}

// The smallest noise, to four digits, with which everything costs `epsilon` at
// most. Throws budget_spent when none is enough.
double NoiseFor(const InspectPlan& plan, double epsilon) {
  const double before = EpsilonBeforeModels(plan, epsilon);
  // One model alone needs that much.
  const double noise =
      NoiseWithin(plan,
                  dp::NoiseFor(plan.RoundsOf(plan.models.front()),
                               {.epsilon = epsilon, .delta = plan.delta}),
                  epsilon);
  if (std::isinf(noise)) throw SurveyTooDear(plan, before, epsilon);
  return noise;
}

void CheckBudget(const InspectPlan& plan, double epsilon) {
  if (IsWithin(plan, epsilon)) return;
  EpsilonBeforeModels(plan, epsilon);  // or throws
  const std::string ways = WhatFits(plan, [&](const InspectPlan& smaller) {
    return EpsilonOf(smaller.AllEvents(), smaller.delta) <= epsilon;
  });
  throw Error(ErrorKind::kBudgetSpent,
              fmt::format("the inspection costs ε {}, and privacy.epsilon "
                          "allows {:g}",
                          report::BoundText(plan.epsilon), epsilon),
              "privacy.epsilon", ways + " would fit");
}

// The whole, and each part by itself.
void SetPrices(InspectPlan& plan) {
  SetPrice(plan);
  if (plan.vocabulary) {
    plan.vocabulary_epsilon = EpsilonOf(plan.before, plan.delta);
    plan.against +=
        ", the vocabulary's too: noise, rounds and questions were settled "
        "before its words were looked at, and where they were not, what holds "
        "is the budget that the ledger grants";
  }
  if (plan.census) plan.census_epsilon = plan.census->epsilon;
  const std::vector<dp::Event> survey = plan.SurveyEvents();
  plan.survey_epsilon = EpsilonOf(survey, plan.delta);
  for (std::size_t i = 0; i < survey.size(); ++i) {
    plan.questions[i].epsilon = EpsilonOf({&survey[i], 1}, plan.delta);
  }
  std::vector<dp::Event> models;
  for (ModelPlan& model : plan.models) {
    models.push_back(plan.RoundsOf(model));
    model.epsilon = EpsilonOf({&models.back(), 1}, plan.delta);
  }
  plan.models_epsilon = EpsilonOf(models, plan.delta);
  // Each is bounded by the whole, whatever its own discretisation says.
  const auto within = [&](double& part) {
    part = std::min(part, plan.epsilon);
  };
  within(plan.vocabulary_epsilon);
  within(plan.census_epsilon);
  within(plan.survey_epsilon);
  within(plan.models_epsilon);
  for (QuestionPlan& part : plan.questions) within(part.epsilon);
  for (ModelPlan& model : plan.models) within(model.epsilon);
}

std::vector<std::string> TakenAsFixed(const config::TrainConfig& config,
                                      const InspectOptions& options) {
  std::vector<std::string> fixed;
  const config::SelectConfig& select = config.select;
  if (select.model_is == config::Provenance::kFixed) {
    fixed.push_back(
        "the model that judges is declared fixed: ε holds given this model, "
        "and what the model itself gives away of these users is not counted");
  }
  const auto threshold = [&](const char* name, bool released,
                             const std::optional<double>& value) {
    if (released || !value) return;
    fixed.push_back(fmt::format(
        "the threshold '{} {:g}' was given: it is taken to have been chosen "
        "without looking at these users' data",
        name, *value));
  };
  if (config::ModelsLanguage(config) &&
      config.text.vocabulary_is != config::Provenance::kReleased) {
    fixed.push_back(
        config.text.vocabulary.empty()
            ? "the vocabulary was counted exactly, as only a simulation may; "
              "outside of one it is a public list, or is chosen privately at a "
              "price of its own"
            : "the vocabulary is declared public: a list that never saw these "
              "users' words");
  }
  if (config::NeedsWordModel(select.by) &&
      select.model_is == config::Provenance::kReleased) {
    fixed.push_back(
        "the words that the judging model knows are taken as given; if they "
        "were chosen privately from these users, what that cost comes on top "
        "of this ε");
  }
  if (config::HasThresholds(select.by)) {
    threshold("above", select.above_quantile > 0 || options.above_released,
              select.above);
    threshold("below", select.below_quantile > 0 || options.below_released,
              select.below);
  }
  return fixed;
}

double DeltaOf(const config::TrainConfig& config, double population) {
  const double given = config.privacy.delta;
  if (given > 0) dp::CheckDeltaFor(given, population, "privacy.delta");
  return given > 0 ? given : dp::UsualDelta(population);
}

}  // namespace

std::string PartName(const ModelPlan& model) { return "model " + model.name; }

std::string SideName(config::Side side) {
  return side == config::Side::kA ? "A" : "B";
}

std::vector<dp::Question> InspectPlan::Questions() const {
  std::vector<dp::Question> all;
  for (const QuestionPlan& part : questions) all.push_back(part.question);
  return all;
}

std::vector<dp::Event> InspectPlan::SurveyEvents() const {
  if (questions.empty()) return {};
  return RunNamed(survey_run).events;
}

const dp::Event& InspectPlan::RoundsOf(const ModelPlan& model) const {
  return RunNamed(model.run).events.front();
}

dp::Event& InspectPlan::RoundsOf(const ModelPlan& model) {
  return const_cast<dp::Event&>(std::as_const(*this).RoundsOf(model));
}

InspectPlan PlanInspection(const config::TrainConfig& config,
                           const DataFacts& data,
                           const InspectOptions& options) {
  InspectPlan plan;
  plan.simulation = data.origin != data::Origin::kPrivate;
  plan.name = options.name;
  plan.root = PopulationName(config, data);
  plan.dataset_ids = data.dataset_ids;
  plan.survey_run = options.name + "/survey";
  plan.model_folder = config.select.model;
  plan.model_is = config.select.model_is;
  plan.rounds = config.rounds;
  plan.cohort = config.cohort.sampling == config::Sampling::kEveryone
                    ? 0
                    : config.cohort.size;
  plan.pays_once = config::SidesShareNobody(config.select.by);
  plan.taken_as_fixed = TakenAsFixed(config, options);
  if (config.select.by == config::By::kVote) {
    plan.taken_as_fixed.push_back(
        ReadVoteSource(config.select, plan.simulation).not_counted);
  }
  CheckDesign(config);
  if (!plan.simulation) CheckPrivateDesign(config);
  RequireVocabulary(config, plan.simulation, plan.root);
  plan.vocabulary = ReleasedVocabulary(config, options.folder);
  if (plan.vocabulary) {
    dp::Event& choice = *plan.vocabulary->event;
    // Simulated people may have any name.
    if (plan.simulation) choice.population = {.name = plan.root};
    plan.before = {choice};
  }
  CheckModel(config, plan.simulation);
  config::CheckThresholds(config.select);
  CheckAllThresholds(config.select, options);
  CheckQuantiles(config.select);
  AddQuestions(plan, config);
  // Two states of the data have all users each.
  const auto known = [&](const std::optional<double>& given) {
    return !given && plan.simulation &&
                   config.select.by == config::By::kBeforeAfter
               ? static_cast<double>(data.users)
               : given;
  };
  const double a =
      SideUsers(plan, config::Side::kA, config.select.users_a,
                known(options.users_a), data.users, options.users_are);
  const double b =
      SideUsers(plan, config::Side::kB, config.select.users_b,
                known(options.users_b), data.users, options.users_are);
  AddModels(plan, config, a, b);
  const auto given = static_cast<double>(config.cohort.population);
  // Whatever the config says, there are at least the users of one side.
  const double population =
      given > 0 ? std::max({given, a, b})
                : (plan.simulation ? static_cast<double>(data.users) : a + b);
  plan.delta = DeltaOf(config, population);
  AddCensus(plan, config, data, plan.pays_once ? a + b : std::max(a, b));
  RemarkOnNoise(plan, population);
  SetNoise(plan, config.privacy.noise_multiplier > 0
                     ? config.privacy.noise_multiplier
                     : NoiseFor(plan, config.privacy.epsilon));
  const dp::GaussianMechanism possible(
      {.noise_multiplier = plan.noise_multiplier,
       .clip_norm = config.privacy.clip_norm,
       .participants = dp::ParticipantsOf(
           plan.RoundsOf(plan.models.front()).sampling)});  // or throws
  SetPrices(plan);
  CheckBudget(plan, config.privacy.epsilon);
  return plan;
}

void CheckQuantiles(const config::SelectConfig& select) {
  const double above = select.above_quantile;
  const double below = select.below_quantile;
  if (above == 0 && below == 0) return;
  if (!config::HasQuantiles(select.by)) {
    throw BadInput(
        fmt::format("quantiles, where users are chosen by {}",
                    config::Word(select.by)),
        "select.above_quantile",
        "quantiles are of the users' accuracy or perplexity; leave them out");
  }
  if (above > 0 && below > 0 && !(above >= below)) {
    throw BadInput(fmt::format("quantiles above {:g} and below {:g} overlap",
                               above, below),
                   "select.below_quantile",
                   "give at most select.above_quantile");
  }
}

Error NoJudge(const config::SelectConfig& select) {
  return BadInput(
      fmt::format("users are chosen by {}, and no model judges them",
                  config::Word(select.by)),
      "select.model", HowToGetAModel(select));
}

dp::QuantileQuestion ThresholdQuestion(const config::TrainConfig& config,
                                       double quantile) {
  return {.quantile = quantile,
          .upper = config.select.by == config::By::kPerplexity
                       ? kMostLogPerplexity
                       : 1,
          .epsilon = config.survey.quantile_epsilon};
}

double ThresholdOf(const config::SelectConfig& select, double answer) {
  return select.by == config::By::kPerplexity ? std::exp(answer) : answer;
}

config::TrainConfig KindConfig(const config::TrainConfig& config,
                               const std::string& kind) {
  if (kind != kOfCharacters) return config;
  const config::TrainConfig preset = config::ParseTrainConfig(
      fmt::format("preset = \"{}\"\n[data]\ngenerate = \"forum\"\n",
                  config.inspect.character_preset),
      config.inspect.character_preset);
  config::TrainConfig own = config;
  own.model = preset.model;
  own.lstm = preset.lstm;
  own.local = preset.local;
  own.server = preset.server;
  own.privacy.clip_norm = preset.privacy.clip_norm;
  own.rounds = config.inspect.character_rounds > 0
                   ? config.inspect.character_rounds
                   : preset.rounds;
  return own;
}

config::TrainConfig ConfigOf(const config::TrainConfig& config,
                             const InspectPlan& plan, const ModelPlan& model) {
  config::TrainConfig own = KindConfig(config, model.kind);
  own.census = {};  // asked before, and once
  own.name = fmt::format("{}-{}", config.name, model.name);
  own.select.side = model.side;
  own.select.half = model.half;
  // Noise and starting points of a simulation follow the seed: every model has
  // its own, as outside of one.
  own.seed = config.seed * 16 + 8 * (model.kind == kOfCharacters) +
             4 * (model.side == config::Side::kB) + model.half;
  own.privacy.noise_multiplier = plan.noise_multiplier;
  own.privacy.epsilon = 0;
  own.privacy.delta = plan.delta;
  own.privacy.population = plan.RunNamed(model.run).population.name;
  own.cohort.population = static_cast<std::int64_t>(model.users);
  return own;
}

TrainPlan PlanOf(const InspectPlan& plan, const ModelPlan& model) {
  PlannedRun run = plan.RunNamed(model.run);
  run.population = {.name = run.population.name};  // the ledger knows the rest
  dp::Event& rounds = run.events.front();
  rounds.population = run.population;
  TrainPlan own;
  own.simulation = plan.simulation;
  own.root = plan.root;
  own.dataset_ids = plan.dataset_ids;
  own.noise_multiplier = plan.noise_multiplier;
  own.delta = plan.delta;
  own.protects = true;
  own.population = static_cast<std::int64_t>(model.users);
  own.expected_cohort = plan.cohort > 0 ? plan.cohort : model.users;
  own.participants = dp::ParticipantsOf(rounds.sampling, run.population);
  own.runs = {run};
  SetPrice(own);
  return own;
}

}  // namespace sfumato::plan

// What an inspection will ask and cost, before anything is asked.
//
//   const InspectPlan plan = PlanInspection(config, facts, {.name = "first"});
//   plan.epsilon;                              // of everything, at plan.delta
//
// inspect_plan_text.h describes it, inspect_ledger.h enters it in the ledger.
//
// The parts: a census first, where there are references for one; questions to
// all users (thresholds, sizes, accuracy, corrections); then one model for each
// side and half. Everything is one plan fixed in
// advance, so its price is one composition. Models whose populations share
// nobody pay once (rule 6 of docs/privacy_proofs.md): the halves of a side
// always; the two sides if nobody can be on both (config::SidesShareNobody).
//
// A plan is a function of the config and of what is public about the data. In a
// simulation it may be given the number of users on each side; for private data
// the config gives approximate numbers (rule 4).

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/train_config.h"
#include "dp/accounting/event.h"
#include "dp/mechanisms/question.h"
#include "plan/census_plan.h"
#include "plan/train_plan.h"
#include "plan/vocabulary_source.h"
#include "runs/inspection.h"

namespace sfumato::plan {

// Names of the questions, in the order in which they are asked.
inline constexpr const char* kThresholdAbove = "threshold_above";
inline constexpr const char* kThresholdBelow = "threshold_below";
inline constexpr const char* kSizes = "sizes";   // bars: side a, side b
inline constexpr const char* kSizeA = "size_a";  // if users may be on both
inline constexpr const char* kSizeB = "size_b";
inline constexpr const char* kAccuracyBars = "accuracy";
inline constexpr const char* kCorrections = "corrections";  // seldom, often
inline constexpr const char* kUnknownA = "unknown_a";  // text: users by the
inline constexpr const char* kUnknownB = "unknown_b";  // share of unknown words
// Text: the kinds of models. Images have one kind, "".
inline constexpr const char* kOfWords = "words";
inline constexpr const char* kOfCharacters = "characters";
inline constexpr std::int64_t kAccuracyBarCount = 20;

// The values of select.model_is (rule 5), for error messages.
inline constexpr const char* kProvenances =
    "public: it never saw these users' data; released: by a run whose cost is "
    "in this ledger; fixed: declared, ε then holds given the model, and what "
    "the model itself gives away is not counted";

struct InspectOptions {
  // Unique in the ledger: the folder's name, with a random suffix outside
  // simulations.
  std::string name = "inspection";
  // Folder of an inspection that resumes; its vocabulary copy takes precedence.
  base::Path folder = {};
  // Simulations: users on each side, if the config does not say.
  std::optional<double> users_a = {};
  std::optional<double> users_b = {};
  // Simulations: text describing the users before selection.
  std::string users_are = "";
  // The config's threshold was released by the first inspection of a series.
  bool above_released = false;
  bool below_released = false;
};

struct ModelPlan {
  std::string name = "";  // "a1": folder and name on the page
  config::Side side = {};
  std::int64_t half = 0;  // 0: all of the side
  std::string kind = "";  // kOfWords, kOfCharacters; "": images
  std::string run = "";   // its name in the ledger, and in Plan::runs
  double users = 0;       // approximate number that take part; whole
  double epsilon = 0;     // by itself
};

// What the price of a census is called.
inline constexpr const char* kCensusPart = "census";
// "model a1": what a model's price is called.
std::string PartName(const ModelPlan& model);

// The name shown to people: "A" for the config's "a".
std::string SideName(config::Side side);

// The census is one run, the questions are another, and so is each model.
struct InspectPlan : Plan {
  std::string name = "";
  std::optional<CensusPlan> census = {};
  std::string survey_run = "";    // the questions' name in the ledger
  std::string model_folder = "";  // the judging model; empty: made for this
  config::Provenance model_is = {};
  // If it was chosen from these users; its cost is in Plan::before.
  std::optional<VocabularySource> vocabulary = {};
  std::vector<QuestionPlan> questions = {};
  std::vector<ModelPlan> models = {};
  std::int64_t rounds = 0;        // of each model, without spare ones
  double cohort = 0;              // expected per round; 0: everyone
  double census_epsilon = 0;      // of the census
  double survey_epsilon = 0;      // of all questions
  double models_epsilon = 0;      // of all models
  double vocabulary_epsilon = 0;  // of the vocabulary, if it is released
  bool pays_once = false;         // nobody is on both sides
  std::vector<std::string> taken_as_fixed = {};
  std::vector<std::string> remarks = {};

  std::vector<dp::Question> Questions() const;  // for fed::Survey
  std::vector<dp::Event> SurveyEvents() const;  // of the questions, in order
  // All rounds of a model, spare ones included, as one event.
  const dp::Event& RoundsOf(const ModelPlan& model) const;
  dp::Event& RoundsOf(const ModelPlan& model);
};

// Throws
//   bad_input     no two sides (everyone); a criterion without its model,
//                 thresholds that overlap, quantiles of anything but a user's
//                 accuracy or perplexity; private data without users_a,
//                 users_b; a cohort larger than the users it is drawn from; in
//                 a simulation, a side of nobody
//                 as ReadVoteSource (vote_source.h), for sides by vote
//   unsupported   fedavg; a fixed-size cohort of users whom their own data
//                 select (rule 4); private data and a model of unknown
//                 provenance (rule 5); a census for replace_one, since models
//                 hold under add/remove only
//   budget_spent  privacy.epsilon does not pay for it; says what would fit
// and as PlanCensus, with census.reference.
InspectPlan PlanInspection(const config::TrainConfig& config,
                           const DataFacts& data,
                           const InspectOptions& options);

// BadInput: the criterion needs a judging model, and the config names none.
Error NoJudge(const config::SelectConfig& select);

// Throws BadInput for quantiles that overlap, or of anything but a user's
// accuracy or perplexity.
void CheckQuantiles(const config::SelectConfig& select);

// The question for a threshold: a quantile of the users' accuracy or, since
// perplexities differ by powers of ten, of the logarithm of their perplexity.
// ThresholdOf turns its answer into the threshold.
dp::QuantileQuestion ThresholdQuestion(const config::TrainConfig& config,
                                       double quantile);
double ThresholdOf(const config::SelectConfig& select, double answer);

// The inspection's config with the values of that kind of model.
config::TrainConfig KindConfig(const config::TrainConfig& config,
                               const std::string& kind);

// The config that `sfumato train` gets for one model of the plan, and that
// model's part of the plan: its rounds cost what the plan says, and are charged
// to the model's population.
config::TrainConfig ConfigOf(const config::TrainConfig& config,
                             const InspectPlan& plan, const ModelPlan& model);
TrainPlan PlanOf(const InspectPlan& plan, const ModelPlan& model);

}  // namespace sfumato::plan

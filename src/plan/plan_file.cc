#include "plan/plan_file.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <variant>
#include <vector>

#include "base/json.h"
#include "nlohmann/json.hpp"
#include "runs/json_record.h"

namespace sfumato::plan {
namespace {

using nlohmann::json;

constexpr const char* kFile = "plan.json";
constexpr runs::RecordKind kKind = {"a plan", "sfumato.plan/1"};

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// JSON has no infinity and no NaN: both are null.
double NumberFrom(const json& value, double missing = kUnbounded) {
  return value.is_null() ? missing : value.get<double>();
}

json::other_error Damaged(const char* what, const json& where) {
  return json::other_error::create(501, what, &where);
}

json EventsJson(const std::vector<dp::Event>& events) {
  json all = json::array();
  for (const dp::Event& event : events) all.push_back(dp::ToJson(event));
  return all;
}

std::vector<dp::Event> EventsFrom(const json& all, const std::string& where) {
  std::vector<dp::Event> events;
  for (const json& event : all) {
    events.push_back(dp::EventFromJson(event, where));
  }
  return events;
}

template <typename Enum>
Enum WordFrom(const json& word) {
  const auto& words = config::kWords<Enum>;
  const auto found = std::ranges::find(words, word.get<std::string>());
  if (found == words.end()) {
    throw Damaged("an unknown word", word);
  }
  return static_cast<Enum>(found - words.begin());
}

json PartsJson(const Plan& plan) {
  json runs = json::array();
  for (const PlannedRun& run : plan.runs) {
    runs.push_back({{"name", run.name},
                    {"trains", run.trains},
                    {"events", EventsJson(run.events)}});
  }
  return {{"schema", kKind.schema},
          {"simulation", plan.simulation},
          {"root", plan.root},
          {"dataset_ids", plan.dataset_ids},
          {"before", EventsJson(plan.before)},
          {"runs", runs},
          {"noise_multiplier", plan.noise_multiplier},
          {"delta", plan.delta},
          {"epsilon", plan.epsilon},
          {"guessed_right", plan.guessed_right},
          {"proof", plan.proof},
          {"against", plan.against}};
}

void ReadParts(const json& from, const std::string& where, Plan& plan) {
  from.at("simulation").get_to(plan.simulation);
  from.at("root").get_to(plan.root);
  from.at("dataset_ids").get_to(plan.dataset_ids);
  plan.before = EventsFrom(from.at("before"), where);
  for (const json& run : from.at("runs")) {
    PlannedRun planned{.name = run.at("name"),
                       .trains = run.at("trains"),
                       .events = EventsFrom(run.at("events"), where)};
    if (planned.events.empty()) {
      throw Damaged("a run without events", run);
    }
    planned.population = planned.events.front().population;
    plan.runs.push_back(std::move(planned));
  }
  from.at("noise_multiplier").get_to(plan.noise_multiplier);
  from.at("delta").get_to(plan.delta);
  plan.epsilon = NumberFrom(from.at("epsilon"));
  plan.guessed_right = NumberFrom(from.at("guessed_right"),
                                  std::numeric_limits<double>::quiet_NaN());
  from.at("proof").get_to(plan.proof);
  from.at("against").get_to(plan.against);
}

json QuestionJson(const QuestionPlan& part) {
  json about = {{"name", part.question.name},
                {"words", part.words},
                {"epsilon", part.epsilon}};
  if (const auto* bars = std::get_if<dp::BarsQuestion>(&part.question.about)) {
    about["edges"] = bars->edges;
    about["deviation"] = bars->deviation;
    return about;
  }
  const auto& one = std::get<dp::QuantileQuestion>(part.question.about);
  about["quantile"] = one.quantile;
  about["lower"] = one.lower;
  about["upper"] = one.upper;
  about["price"] = one.epsilon;
  return about;
}

QuestionPlan QuestionFrom(const json& from) {
  QuestionPlan part{.question = {.name = from.at("name")},
                    .words = from.at("words"),
                    .epsilon = NumberFrom(from.at("epsilon"))};
  if (from.contains("edges")) {
    part.question.about = dp::BarsQuestion{.edges = from.at("edges"),
                                           .deviation = from.at("deviation")};
  } else {
    part.question.about = dp::QuantileQuestion{.quantile = from.at("quantile"),
                                               .lower = from.at("lower"),
                                               .upper = from.at("upper"),
                                               .epsilon = from.at("price")};
  }
  return part;
}

json ModelJson(const ModelPlan& model) {
  return {{"name", model.name},      {"side", config::Word(model.side)},
          {"half", model.half},      {"kind", model.kind},
          {"run", model.run},        {"users", model.users},
          {"epsilon", model.epsilon}};
}

ModelPlan ModelFrom(const json& from) {
  return {.name = from.at("name"),
          .side = WordFrom<config::Side>(from.at("side")),
          .half = from.at("half"),
          .kind = from.at("kind"),
          .run = from.at("run"),
          .users = from.at("users"),
          .epsilon = NumberFrom(from.at("epsilon"))};
}

json VocabularyJson(const VocabularySource& source) {
  return {{"remarks", source.remarks},
          {"event", dp::ToJson(*source.event)},
          {"ledger_run", source.ledger_run},
          {"sum", source.sum},
          {"counted", source.counted}};
}

VocabularySource VocabularyFrom(const json& from, const std::string& where) {
  return {.remarks = from.at("remarks"),
          .event = dp::EventFromJson(from.at("event"), where),
          .ledger_run = from.at("ledger_run"),
          .sum = from.at("sum"),
          .counted = from.at("counted")};
}

json ToJson(const TrainPlan& plan) {
  json made = PartsJson(plan);
  made.update({{"population", plan.population},
               {"expected_cohort", plan.expected_cohort},
               {"remarks", plan.remarks}});
  return made;
}

TrainPlan TrainPlanFrom(const json& from, const std::string& where) {
  TrainPlan plan;
  ReadParts(from, where, plan);
  if (plan.runs.size() != 1) throw Damaged("not the plan of one run", from);
  plan.protects = true;
  const dp::Event& rounds = plan.rounds();
  plan.participants = {.sampling = rounds.sampling,
                       .adjacency = rounds.adjacency,
                       .unit = rounds.unit,
                       .population = rounds.population};
  from.at("population").get_to(plan.population);
  from.at("expected_cohort").get_to(plan.expected_cohort);
  from.at("remarks").get_to(plan.remarks);
  return plan;
}

json ToJson(const InspectPlan& plan) {
  json made = PartsJson(plan);
  json questions = json::array();
  for (const QuestionPlan& part : plan.questions) {
    questions.push_back(QuestionJson(part));
  }
  json models = json::array();
  for (const ModelPlan& model : plan.models) {
    models.push_back(ModelJson(model));
  }
  made.update({{"name", plan.name},
               {"survey_run", plan.survey_run},
               {"model_folder", plan.model_folder},
               {"model_is", config::Word(plan.model_is)},
               {"questions", questions},
               {"models", models},
               {"rounds", plan.rounds},
               {"cohort", plan.cohort},
               {"survey_epsilon", plan.survey_epsilon},
               {"models_epsilon", plan.models_epsilon},
               {"vocabulary_epsilon", plan.vocabulary_epsilon},
               {"pays_once", plan.pays_once},
               {"taken_as_fixed", plan.taken_as_fixed},
               {"remarks", plan.remarks}});
  if (plan.vocabulary) made["vocabulary"] = VocabularyJson(*plan.vocabulary);
  return made;
}

InspectPlan InspectPlanFrom(const json& from, const std::string& where) {
  InspectPlan plan;
  ReadParts(from, where, plan);
  from.at("name").get_to(plan.name);
  from.at("survey_run").get_to(plan.survey_run);
  from.at("model_folder").get_to(plan.model_folder);
  plan.model_is = WordFrom<config::Provenance>(from.at("model_is"));
  for (const json& part : from.at("questions")) {
    plan.questions.push_back(QuestionFrom(part));
  }
  if (!plan.questions.empty() && !plan.Has(plan.survey_run)) {
    throw Damaged("questions without a run", from);
  }
  if (plan.SurveyEvents().size() != plan.questions.size()) {
    throw Damaged("another number of questions than of events", from);
  }
  for (const json& model : from.at("models")) {
    plan.models.push_back(ModelFrom(model));
    if (!plan.Has(plan.models.back().run)) {
      throw Damaged("a model without rounds", model);
    }
  }
  from.at("rounds").get_to(plan.rounds);
  from.at("cohort").get_to(plan.cohort);
  plan.survey_epsilon = NumberFrom(from.at("survey_epsilon"));
  plan.models_epsilon = NumberFrom(from.at("models_epsilon"));
  plan.vocabulary_epsilon = NumberFrom(from.at("vocabulary_epsilon"));
  from.at("pays_once").get_to(plan.pays_once);
  from.at("taken_as_fixed").get_to(plan.taken_as_fixed);
  from.at("remarks").get_to(plan.remarks);
  if (from.contains("vocabulary")) {
    plan.vocabulary = VocabularyFrom(from.at("vocabulary"), where);
  }
  return plan;
}

json ToJson(const MonitorPlan& plan) {
  json made = PartsJson(plan);
  made["inspections"] = json::array();
  for (const InspectPlan& inspection : plan.inspections) {
    made["inspections"].push_back(ToJson(inspection));
  }
  return made;
}

MonitorPlan MonitorPlanFrom(const json& from, const std::string& where) {
  MonitorPlan plan;
  ReadParts(from, where, plan);
  for (const json& inspection : from.at("inspections")) {
    plan.inspections.push_back(InspectPlanFrom(inspection, where));
  }
  if (plan.inspections.empty() || plan.runs != plan.Remaining(0).runs) {
    throw Damaged("other runs than those of its inspections", from);
  }
  return plan;
}

template <typename AnyPlan>
void Write(const base::Path& folder, const AnyPlan& plan) {
  base::WriteFileAtomically(folder / kFile, ToJson(plan).dump(2) + "\n");
}

bool IsFor(const Plan& plan, const PlannedFor& given) {
  return plan.simulation == (given.data.origin != data::Origin::kPrivate) &&
         plan.root == PopulationName(given.config, given.data) &&
         plan.dataset_ids == given.data.dataset_ids;
}

// `read` makes a plan of the JSON.
template <typename ReadJson>
auto Read(const base::Path& folder, const PlannedFor& given,
          const ReadJson& read) {
  const base::Path path = folder / kFile;
  using AnyPlan = decltype(read(json(), path.string()));
  if (!std::filesystem::exists(path)) return std::optional<AnyPlan>();
  return std::optional<AnyPlan>(
      runs::ReadRecord(base::ParseJson(base::ReadFile(path)), kKind,
                       path.string(), [&](const json& from) {
                         AnyPlan plan = read(from, path.string());
                         if (!IsFor(plan, given))
                           throw Damaged("a plan for other data", from);
                         return plan;
                       }));
}

}  // namespace

void WritePlan(const base::Path& folder, const TrainPlan& plan) {
  if (plan.protects) Write(folder, plan);
}

void WritePlan(const base::Path& folder, const InspectPlan& plan) {
  Write(folder, plan);
}

void WritePlan(const base::Path& folder, const MonitorPlan& plan) {
  Write(folder, plan);
}

std::optional<TrainPlan> ReadTrainPlan(const base::Path& folder,
                                       const PlannedFor& given) {
  return Read(folder, given, TrainPlanFrom);
}

std::optional<InspectPlan> ReadInspectPlan(const base::Path& folder,
                                           const PlannedFor& given) {
  return Read(folder, given, [&](const json& from, const std::string& where) {
    InspectPlan plan = InspectPlanFrom(from, where);
    if (!IsOfDesign(plan, given.config)) {
      throw Damaged("other models than the config's", from);
    }
    return plan;
  });
}

std::optional<MonitorPlan> ReadMonitorPlan(const base::Path& folder,
                                           const PlannedFor& given,
                                           std::int64_t repeat) {
  return Read(folder, given, [&](const json& from, const std::string& where) {
    MonitorPlan plan = MonitorPlanFrom(from, where);
    if (std::ssize(plan.inspections) != repeat) {
      throw Damaged("another number of inspections", from);
    }
    for (std::int64_t i = 1; i <= repeat; ++i) {
      const InspectPlan& one =
          plan.inspections[static_cast<std::size_t>(i - 1)];
      if (!IsFor(one, given) ||
          !IsOfDesign(one, ConfigOfRepetition(given.config, plan, i))) {
        throw Damaged("other models than the config's", from);
      }
    }
    return plan;
  });
}

}  // namespace sfumato::plan

#include "plan/inspect_plan_text.h"

#include <cstdint>

#include "base/progress.h"
#include "dp/ledger/standing.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "report/number_text.h"

namespace sfumato::plan {
namespace {

// Who pays for how many models.
const char* ShareWords(const InspectPlan& plan) {
  if (!plan.pays_once) {
    return "a user may be on both sides, and pays for one of each kind there";
  }
  return plan.models.front().kind == plan.models.back().kind
             ? "nobody is in two of them: everybody pays for one"
             : "nobody is in two of a kind: everybody pays for one of words "
               "and one of characters";
}

std::string UsersText(const ModelPlan& model) {
  return "~" + base::HumanCount(static_cast<std::uint64_t>(model.users));
}

// Of each character model, without spare ones; 0 where there is none.
std::int64_t CharacterRounds(const InspectPlan& plan) {
  if (plan.models.empty() || plan.models.back().kind != kOfCharacters) return 0;
  return plan.RoundsOf(plan.models.back()).count -
         plan.RoundsOf(plan.models.front()).count + plan.rounds;
}

// "100 rounds", or "100 and 200 rounds" where models of two kinds take their
// own.
std::string RoundsText(const InspectPlan& plan) {
  const auto count = [](std::int64_t rounds) {
    return base::HumanCount(static_cast<std::uint64_t>(rounds));
  };
  const std::int64_t others = CharacterRounds(plan);
  return others == 0 || others == plan.rounds
             ? base::HumanCount(static_cast<std::uint64_t>(plan.rounds),
                                "round")
             : count(plan.rounds) + " and " + count(others) + " rounds";
}

// What everybody is asked first, thresholds that nobody gave among it.
std::string AsksLines(const InspectPlan& plan) {
  std::string questions;
  for (const QuestionPlan& part : plan.questions) {
    const auto* bars = std::get_if<dp::BarsQuestion>(&part.question.about);
    questions += fmt::format(
        "{}{}{}", questions.empty() ? "" : " · ", part.words,
        bars == nullptr ? "" : fmt::format(" ± {:g}", bars->deviation));
  }
  return questions.empty() ? "" : fmt::format("Asks     {}\n", questions);
}

std::string CohortText(const InspectPlan& plan) {
  if (plan.cohort == 0) return "everyone in each round";
  const std::string a = UsersText(plan.models.front());
  const std::string b = UsersText(plan.models.back());
  return fmt::format("about {:g} of {}{} users per round", plan.cohort, a,
                     a == b ? "" : fmt::format(" (A) or {} (B)", b));
}

}  // namespace

std::string GrantedText(const std::string& root, const LedgerPrice& price) {
  return fmt::format(
      "   population \"{}\": {} used, ε {:g} granted{}", root,
      dp::ShareText(price.used_before), price.granted_epsilon,
      price.by_plan()
          ? "\n         which this fits into only as a plan: once it "
            "has begun, nothing else can be asked of them"
          : "");
}

std::string WorkText(const InspectPlan& plan) {
  return fmt::format("{} {} · {}", plan.models.size(),
                     plan.models.front().kind.empty() ? "generators" : "models",
                     RoundsText(plan));
}

std::string PriceLines(const InspectPlan& plan, const LedgerPrice* price) {
  std::string text =
      fmt::format("Plan     {} · {} · noise {}\n", WorkText(plan),
                  CohortText(plan), report::SmallText(plan.noise_multiplier));
  if (plan.census) {
    text += fmt::format("Census   {}\n", VoteText(*plan.census));
  }
  text += AsksLines(plan);
  text += fmt::format(
      "Costs    ε {} at δ {} ({}, user, add-remove){}\n",
      report::BoundText(plan.epsilon), report::SmallText(plan.delta),
      plan.simulation ? "would cost: a simulation spends nothing" : "proven",
      price == nullptr || plan.simulation  // where nobody granted anything
          ? ""
          : GrantedText(plan.root, *price));
  text += fmt::format(
      "         {}{}{}models {} ({})\n",
      plan.vocabulary ? fmt::format("vocabulary {}, released before · ",
                                    report::BoundText(plan.vocabulary_epsilon))
                      : "",
      plan.census
          ? fmt::format("census {} · ", report::BoundText(plan.census_epsilon))
          : "",
      plan.questions.empty()
          ? ""
          : fmt::format("questions {} · ",
                        report::BoundText(plan.survey_epsilon)),
      report::BoundText(plan.models_epsilon), ShareWords(plan));
  for (const std::string& given : plan.taken_as_fixed) {
    text += LinesBelow("not in it: " + given);
  }
  text += HoldsAgainstLine(plan.against);
  text += MeansLine(plan.guessed_right);
  if (plan.census) text += PowerLine(*plan.census);
  return text;
}

std::string WillSeeLine(const std::vector<runs::PowerRow>& power) {
  const std::string words = runs::PowerText(power);
  return words.empty() ? "" : "Will see in simulation, " + words + "\n";
}

void FillPrivacy(const InspectPlan& plan, runs::PrivacyRecord& record) {
  record.epsilon = plan.epsilon;
  record.delta = plan.delta;
  record.unit = std::string(dp::Name(dp::Unit::kUser));
  record.adjacency = std::string(dp::Name(dp::Adjacency::kAddRemove));
  record.proof = plan.proof;
  record.against = plan.against;
  record.guessed_right = plan.guessed_right;
  record.seeded = plan.simulation;
  record.published = false;
  record.pays_once = plan.pays_once;
  record.parts.clear();
  if (plan.vocabulary) {
    record.parts.push_back({.what = "vocabulary, released before",
                            .epsilon = plan.vocabulary_epsilon,
                            .events = dp::Describe(plan.before.front())});
  }
  if (plan.census) {
    record.parts.push_back({.what = kCensusPart,
                            .epsilon = plan.census_epsilon,
                            .events = dp::Describe(plan.census->vote())});
  }
  const std::vector<dp::Event> survey = plan.SurveyEvents();
  for (std::size_t i = 0; i < survey.size(); ++i) {
    record.parts.push_back({.what = plan.questions[i].words,
                            .epsilon = plan.questions[i].epsilon,
                            .events = dp::Describe(survey[i])});
  }
  for (const ModelPlan& model : plan.models) {
    record.parts.push_back({.what = PartName(model),
                            .epsilon = model.epsilon,
                            .events = dp::Describe(plan.RoundsOf(model))});
  }
  record.taken_as_fixed = plan.taken_as_fixed;
  record.population = plan.root;
  record.noise_multiplier = plan.noise_multiplier;
  record.cohort = plan.cohort;
  record.rounds = plan.rounds;
  record.character_rounds = CharacterRounds(plan);
}

}  // namespace sfumato::plan

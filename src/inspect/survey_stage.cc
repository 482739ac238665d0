#include <algorithm>
#include <string>

#include "dp/mechanisms/question.h"
#include "fed/release/survey.h"
#include "fmt/format.h"
#include "inspect/stages.h"
#include "plan/consent.h"
#include "plan/earlier.h"
#include "plan/inspect_ledger.h"
#include "plan/side_sizes.h"
#include "select/selection.h"

namespace sfumato::inspect {
namespace {

constexpr config::Side kAgainst = config::Side::kA;

// What the page asks; the rule of each side stands below it.
std::string Question(const Inspection& inspection) {
  const config::By by = inspection.config.select.by;
  if (by == config::By::kBeforeAfter)
    return "Has the text of the same users changed?";
  if (by == config::By::kPerplexity)
    return "What do users write whom the model reads badly?";
  if (by == config::By::kVote)
    return fmt::format("What do users have whose vote is {}?",
                       inspection.config.select.answer);
  if (by == config::By::kLikelihood)
    return "What do people write that the model did not expect?";
  return fmt::format("Do {} have other {} than {}?", inspection.record.b.words,
                     data::Name(inspection.data.set->info().kind),
                     inspection.record.a.words);
}

void FillSideTexts(Inspection& inspection) {
  const auto fill = [&](config::Side side, runs::SideRecord& into) {
    const select::Criterion criterion = inspection.CriterionFor(side);
    into.words = select::Words(criterion);
    into.rule = select::Rule(criterion);
    into.runs.clear();
    for (const plan::ModelPlan& model : inspection.plan.models) {
      if (model.side == side) into.runs.push_back(model.name);
    }
  };
  fill(config::Side::kA, inspection.record.a);
  fill(config::Side::kB, inspection.record.b);
  inspection.record.question = inspection.config.inspect.question.empty()
                                   ? Question(inspection)
                                   : inspection.config.inspect.question;
}

void AskThresholds(Inspection& inspection, fed::Survey& survey) {
  if (!config::HasThresholds(inspection.config.select.by)) return;
  const auto threshold = [&](const char* name,
                             const std::optional<double>& given, bool released,
                             std::optional<runs::Sourced>& into) {
    if (into) return;  // from before a crash
    if (inspection.Asks(name)) {
      const fed::SurveyAnswer answer =
          survey.Ask(name, [&] { return inspection.medium->Answers(name); });
      into = {.value =
                  plan::ThresholdOf(inspection.config.select, answer.values[0]),
              .source = "released"};
    } else {
      into = runs::Sourced{.value = given.value(),
                           .source = released ? "released" : "given"};
    }
    inspection.Save();
  };
  threshold(plan::kThresholdAbove, inspection.config.select.above,
            inspection.job.above_released, inspection.record.above);
  threshold(plan::kThresholdBelow, inspection.config.select.below,
            inspection.job.below_released, inspection.record.below);
  // Noise may have crossed them.
  inspection.record.below->value =
      std::min(inspection.record.below->value, inspection.record.above->value);
  inspection.config.select.above = inspection.record.above->value;
  inspection.config.select.below = inspection.record.below->value;
  inspection.config.select.above_quantile =
      inspection.config.select.below_quantile = 0;
}

// Where nobody is asked: what the config says, or in simulations the truth.
void FillUncountedSizes(Inspection& inspection, const models::Examples& a,
                        const models::Examples& b) {
  if (inspection.plan.simulation) {
    const auto exact = [](const models::Examples& side) {
      return runs::Sourced{
          .value = static_cast<double>(select::SelectedUsers(side)),
          .source = "simulation_only"};
    };
    inspection.record.a.users = exact(a);
    inspection.record.b.users = exact(b);
    return;
  }
  inspection.record.a.users = {
      .value = static_cast<double>(inspection.config.select.users_a)};
  inspection.record.b.users = {
      .value = static_cast<double>(inspection.config.select.users_b)};
}

void FillSizes(Inspection& inspection, fed::Survey& survey) {
  const auto a =
      inspection.medium->Chosen(inspection.CriterionFor(config::Side::kA), "");
  const auto b =
      inspection.medium->Chosen(inspection.CriterionFor(config::Side::kB), "");
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
    inspection.Save();
  };
  if (inspection.Asks(plan::kSizes)) {
    if (inspection.record.b.users.source != kReleased) {
      const fed::SurveyAnswer answer =
          survey.Ask(plan::kSizes, [&] { return select::SidesOf(*a, *b); });
      inspection.record.a.users = released(answer.values[0], answer);
      inspection.record.b.users = released(answer.values[1], answer);
      inspection.Save();
    }
  } else if (inspection.Asks(plan::kSizeA)) {
    size(plan::kSizeA, *a, inspection.record.a.users);
    size(plan::kSizeB, *b, inspection.record.b.users);
  } else {
    FillUncountedSizes(inspection, *a, *b);
  }
}

// The bars of a question as the record keeps them.
runs::HistogramRecord AskBars(Inspection& inspection, fed::Survey& survey,
                              const dp::Question& question) {
  const fed::SurveyAnswer answer = survey.Ask(
      question.name, [&] { return inspection.medium->Answers(question.name); });
  return {.edges = std::get<dp::BarsQuestion>(question.about).edges,
          .counts = answer.values,
          .deviation = answer.deviation};
}

// How users are spread, and how many correct often: what does not decide who is
// on which side.
void AskRest(Inspection& inspection, fed::Survey& survey) {
  runs::InspectionRecord& record = inspection.record;
  for (const dp::Question& question : inspection.plan.Questions()) {
    const auto bars = [&](const char* name,
                          std::optional<runs::HistogramRecord>& into) {
      if (question.name != name || into) return;
      into = AskBars(inspection, survey, question);
      inspection.Save();
    };
    bars(plan::kAccuracyBars, record.histogram);
    bars(plan::kUnknownA, record.unknown_a);
    bars(plan::kUnknownB, record.unknown_b);
    if (question.name != plan::kCorrections || record.correction_rate) continue;
    const fed::NoisyShare share =
        fed::ShareOfSecondBar(survey.Ask(question.name, [&] {
          return inspection.medium->Answers(question.name);
        }));
    record.correction_rate = runs::Sourced{.value = share.value,
                                           .source = "released",
                                           .deviation = share.deviation};
    record.correction_level = inspection.config.survey.correction_level;
  }
}

// The price stays that of the plan, which holds wherever it stops.
void EndWithoutModels(Inspection& inspection, const plan::TooFew& few) {
  inspection.contrast =
      plan::FewLeft(few, *inspection.record.earlier, inspection.record.b.rule);
  runs::WriteContrast(inspection.job.folder, inspection.contrast);
  runs::PrivacyRecord& privacy = inspection.record.privacy;
  std::erase_if(privacy.parts, [&](const runs::PriceRecord& part) {
    return std::ranges::any_of(inspection.plan.models,
                               [&](const plan::ModelPlan& model) {
                                 return part.what == plan::PartName(model);
                               });
  });
  constexpr const char* kBack =
      "; no model was trained, and what was set aside for them is back in the "
      "ledger: the price of the whole plan is an upper bound";
  if (!privacy.proof.ends_with(kBack)) privacy.proof += kBack;
  inspection.record.a.runs.clear();
  inspection.record.b.runs.clear();
}

}  // namespace

void Survey(Inspection& inspection) {
  if (!inspection.record.surveyed) inspection.SetStage("survey");
  fed::Survey survey(
      *inspection.ledger,
      {.run = inspection.plan.survey_run,
       .population = inspection.plan.root,
       .randomness = {.simulation = inspection.plan.simulation,
                      .seed =
                          static_cast<std::uint64_t>(inspection.config.seed)},
       .questions = inspection.plan.Questions(),
       .before_more = [&](const dp::Event& question) {
         plan::RequireYesForMore(
             *inspection.ledger, inspection.plan, question,
             fmt::format("Resume   an answer was lost: its question ({}) is "
                         "asked again and paid again\n",
                         dp::Describe(question)),
             inspection.job.yes);
       }});
  if (inspection.record.surveyed) {
    survey.Finish();  // a crash may have come before it
    if (inspection.record.above)
      inspection.config.select.above = inspection.record.above->value;
    if (inspection.record.below)
      inspection.config.select.below = inspection.record.below->value;
    inspection.config.select.above_quantile =
        inspection.config.select.below_quantile = 0;
    FillSideTexts(inspection);
    return;
  }
  AskThresholds(inspection, survey);
  FillSideTexts(inspection);
  FillSizes(inspection, survey);
  AskRest(inspection, survey);
  inspection.record.surveyed = true;
  plan::FillSpent(*inspection.ledger, inspection.plan,
                  inspection.record.privacy);
  inspection.Save();
  survey.Finish();
}

bool EndsWithTooFew(Inspection& inspection) {
  const auto few = plan::FindTooFew(inspection.plan, inspection.record.a.users,
                                    inspection.record.b.users);
  if (!few) return false;
  plan::GiveBack(*inspection.ledger, inspection.plan);
  if (!inspection.record.earlier || !inspection.record.earlier->found() ||
      few->side == kAgainst) {
    throw plan::Refusal(*few, inspection.record);
  }
  EndWithoutModels(inspection, *few);
  plan::FillSpent(*inspection.ledger, inspection.plan,
                  inspection.record.privacy);
  return true;
}

}  // namespace sfumato::inspect

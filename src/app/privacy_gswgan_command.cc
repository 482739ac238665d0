// `sfumato privacy gswgan`: what a generator trained by many critics costs.

#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "app/privacy_options.h"
#include "base/progress.h"
#include "dp/accounting/gs_wgan.h"
#include "dp/accounting/published.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

using nlohmann::json;

struct GswganOptions {
  std::optional<std::int64_t> critics = 1000;
  std::optional<std::int64_t> batch = 32;
  std::optional<std::int64_t> steps = 20000;
  std::optional<double> sigma = 1.07;
  dp::CriticSchedule schedule = dp::CriticSchedule::kRoundRobin;
  PrivacyOptions privacy;  // --delta, --epsilon
};

struct Schedule {
  dp::CriticSchedule kind;
  const char* name;
  const char* key;
  const char* why;
};
constexpr Schedule kSchedules[] = {
    {dp::CriticSchedule::kRoundRobin, "round-robin", "round_robin",
     "each critic in turn; Gaussians without sampling"},
    {dp::CriticSchedule::kRandom, "random", "random",
     "a critic drawn each step, and everybody can see which"},
};

// What holds under the chosen schedule, exactly.
plan::Spent Strict(const dp::GsWganOptions& options) {
  const bool random = options.schedule == dp::CriticSchedule::kRandom;
  const dp::Event event = dp::GsWganEvents(options).front();
  plan::Spent spent{
      .guarantee = {.epsilon = dp::GsWganEpsilon(options).strict,
                    .delta = options.delta,
                    .accountant = dp::Accountant::kPld,
                    .adjacency = event.adjacency,
                    .unit = event.unit,
                    .sampling = std::string(dp::Name(event.sampling)),
                    .proof = "exact Gaussian: Balle and Wang 2018, Theorem 8; "
                             "composition: Dong, Roth and Su 2022",
                    .warnings = {}}};
  if (random) {
    spent.guarantee.proof +=
        "; mean over how often the record's critic is drawn: joint convexity";
  }
  spent.guessed_right =
      dp::GuessedRight(spent.guarantee.epsilon, options.delta);
  return spent;
}

Answer Gswgan(const GswganOptions& given) {
  dp::GsWganOptions options{.critics = *given.critics,
                            .batch = *given.batch,
                            .steps = *given.steps,
                            .sigma = *given.sigma,
                            .delta = *given.privacy.delta,
                            .schedule = given.schedule};
  const double claimed = *given.privacy.epsilon;
  const plan::Spent spent = Strict(options);
  const double published = dp::GsWganEpsilon(options).published;

  std::vector<plan::Fact> facts = {
      {"published",
       fmt::format("ε {} by the paper's recipe; proof: {}",
                   report::NumberText(published), dp::kPublishedProof)}};
  json strict;
  json sigmas;
  for (const Schedule& schedule : kSchedules) {
    options.schedule = schedule.kind;
    strict[schedule.key] = report::Finite(dp::GsWganEpsilon(options).strict);
    sigmas[schedule.key] = dp::GsWganSigma(options, claimed);
    facts.push_back(
        {schedule.name,
         fmt::format("ε {}; for ε {} sigma {} ({})",
                     report::BoundText(strict[schedule.key]),
                     report::SmallText(claimed),
                     report::BoundText(sigmas[schedule.key]), schedule.why)});
  }
  facts.push_back(
      {"training",
       fmt::format("{} steps of {} gradients by {} critics, sigma {} of 2C",
                   base::HumanCount(options.steps),
                   base::HumanCount(options.batch),
                   base::HumanCount(options.critics),
                   report::SmallText(options.sigma))});
  facts.push_back(
      {"why",
       "the gradients of a step come from one critic, so they are one draw, "
       "not many; and critics of fixed subsets are distinguishable, so drawing "
       "one hides nothing"});
  const bool round_robin = given.schedule == dp::CriticSchedule::kRoundRobin;
  Answer answer{.text = fmt::format("ε {} at δ {}, {} schedule\n\n",
                                    plan::EpsilonText(spent.guarantee),
                                    report::SmallText(options.delta),
                                    round_robin ? "round-robin" : "random") +
                        plan::GuaranteeText(spent, facts),
                .json = plan::GuaranteeJson(spent)};
  answer.json.update({{"schedule", round_robin ? "round-robin" : "random"},
                      {"published", published},
                      {"published_proof", dp::kPublishedProof},
                      {"strict", strict},
                      {"wanted_epsilon", claimed},
                      {"sigma_for_wanted_epsilon", sigmas},
                      {"critics", options.critics},
                      {"batch", options.batch},
                      {"steps", options.steps},
                      {"sigma", options.sigma}});
  return answer;
}

const Registration kGswgan(
    {.path = "privacy gswgan",
     .summary = "Show the privacy cost of GS-WGAN: the ε that the paper "
                "prints, and the ε that can be proven.",
     .example = "sfumato privacy gswgan --critics 1000 --batch 32 --steps "
                "20000 --sigma 1.07 --schedule random",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto options = std::make_shared<GswganOptions>();
       options->privacy.delta = 1e-5;
       options->privacy.epsilon = 10;
       AddCount(app, "--critics", options->critics,
                "Critics, each with its own part of the data.")
           ->option_text("NUMBER=1000");
       AddCount(app, "--batch", options->batch,
                "Gradients that one step releases.")
           ->option_text("NUMBER=32");
       AddCount(app, "--steps", options->steps,
                "Updates of the generator in all.")
           ->option_text("NUMBER=20000");
       AddPositive(app, "--sigma", options->sigma,
                   "Deviation of the noise over 2C, twice the clip norm.")
           ->option_text("NUMBER=1.07");
       AddChoice<dp::CriticSchedule>(
           app, "--schedule", options->schedule,
           {{"random", dp::CriticSchedule::kRandom},
            {"round-robin", dp::CriticSchedule::kRoundRobin}},
           "How a step chooses its critic.");
       AddDelta(app, options->privacy)
           ->description("Probability that the bound fails.")
           ->option_text("NUMBER=1e-5");
       AddEpsilon(app, options->privacy)
           ->description("Find the sigma that this ε requires.")
           ->option_text("NUMBER=10");
       return [options] { return Gswgan(*options); };
     }});

}  // namespace
}  // namespace sfumato::app

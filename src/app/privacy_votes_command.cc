// `sfumato privacy votes`: what noisy votes of agents cost.

#include <cmath>
#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "app/privacy_options.h"
#include "base/progress.h"
#include "dp/accounting/votes.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

struct VotesOptions {
  std::optional<std::int64_t> queries;
  std::optional<double> sigma;
  std::optional<std::int64_t> neighbours;
  dp::Vote::Level level = dp::Vote::Level::kAgent;
  dp::Adjacency adjacency = dp::Adjacency::kAddRemove;
  PrivacyOptions privacy;  // --delta
};

// What the paper's own formula gives, where that is something else.
std::vector<std::string> PaperRemarks(const dp::VoteEpsilons& cost,
                                      const dp::VoteOptions& options) {
  if (std::abs(cost.printed - cost.closed_form) <= 1e-9 * cost.closed_form) {
    return {};
  }
  if (options.level == dp::Vote::Level::kAgent) {
    return {
        "Theorem 3 counts an agent more or less; exchanging "
        "an agent's vote moves the counts by the square root of 2"};
  }
  return {fmt::format(
      "Theorem 3 prints Q a/(k sigma^2), which gives ε {}: valid, but loose; "
      "one record changes one of {} neighbours, so Q a/(k^2 sigma^2) holds",
      report::BoundText(cost.printed), options.neighbours)};
}

Answer Votes(const VotesOptions& given) {
  const dp::VoteOptions options{.queries = *given.queries,
                                .sigma = *given.sigma,
                                .delta = DeltaOf(given.privacy),
                                .level = given.level,
                                .neighbours = given.neighbours.value_or(0),
                                .adjacency = given.adjacency};
  const dp::VoteEpsilons cost = dp::VoteEpsilon(options);
  const dp::Event event = dp::VoteEvent(options);
  const plan::Spent spent =
      plan::AccountFor({&event, 1}, options.delta, dp::Accountant::kPld);
  std::vector<plan::Fact> facts = {
      {"queries", base::HumanCount(options.queries)},
      {"sigma", fmt::format("{}, in votes", report::SmallText(options.sigma))},
      {"level",
       fmt::format("{}: a neighbour moves the counts by {} (L2)",
                   dp::Name(options.level),
                   report::SmallText(std::sqrt(cost.sensitivity_squared)))},
      {"closed form", fmt::format("ε {} by rho + 2 sqrt(rho log(1/δ))",
                                  report::BoundText(cost.closed_form))}};
  for (const std::string& remark : PaperRemarks(cost, options)) {
    facts.push_back({"paper", remark});
  }
  Answer answer{.text = fmt::format("ε {} at δ {} for {} {}\n\n",
                                    report::BoundText(cost.exact),
                                    report::SmallText(options.delta),
                                    base::HumanCount(options.queries),
                                    options.queries == 1 ? "vote" : "votes") +
                        plan::GuaranteeText(spent, facts),
                .json = plan::GuaranteeJson(spent)};
  answer.json.update({{"queries", options.queries},
                      {"sigma", options.sigma},
                      {"level", dp::Name(options.level)},
                      {"neighbours", options.neighbours},
                      {"sensitivity_squared", cost.sensitivity_squared},
                      {"closed_form", cost.closed_form},
                      {"exact", cost.exact},
                      {"paper_formula", cost.printed}});
  return answer;
}

const Registration kVotes(
    {.path = "privacy votes",
     .summary = "Say what labels by noisy votes of agents cost.",
     .example = "sfumato privacy votes --queries 1000 --sigma 25 --delta 1e-3\n"
                "sfumato privacy votes --queries 1000 --sigma 25 --delta 1e-3 "
                "--level instance --neighbours 10",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto options = std::make_shared<VotesOptions>();
       AddCount(app, "--queries", options->queries, "Votes that are shown.")
           ->required();
       AddPositive(app, "--sigma", options->sigma,
                   "Deviation of the noise on each class's count, in votes.")
           ->required();
       AddDelta(app, options->privacy)
           ->required()
           ->description("Chance with which the bound may fail.");
       AddChoice<dp::Vote::Level>(app, "--level", options->level,
                                  {{"agent", dp::Vote::Level::kAgent},
                                   {"instance", dp::Vote::Level::kInstance}},
                                  "Whose privacy: an agent's, with all its "
                                  "data, or one record's.");
       AddCount(app, "--neighbours", options->neighbours,
                "k of the kNN vote: an agent's vote is the mean of its k "
                "nearest records' labels.");
       AddChoice<dp::Adjacency>(app, "--adjacency", options->adjacency,
                                {{"add-remove", dp::Adjacency::kAddRemove},
                                 {"replace-one", dp::Adjacency::kReplaceOne}},
                                "What must not be noticed: that an agent or "
                                "record is there, or that it was exchanged.");
       return [options] { return Votes(*options); };
     }});

}  // namespace
}  // namespace sfumato::app

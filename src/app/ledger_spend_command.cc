// `sfumato ledger spend`: enter releases that something else makes.

#include <cmath>
#include <memory>

#include "app/command.h"
#include "app/ledger_options.h"
#include "base/error.h"
#include "base/progress.h"
#include "dp/accounting/accountant.h"
#include "fmt/format.h"
#include "plan/consent.h"
#include "plan/guarantee_text.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

struct SpendGiven {
  LedgerGiven ledger;
  std::string population;
  std::string run;
  std::string events;
  bool yes = false;
  bool dry_run = false;
};

std::string PriceText(const dp::Price& price, const dp::Totals& totals,
                      double alone) {
  const dp::Budget& budget = totals.budget;
  std::string text = fmt::format(
      "Costs    {}, ε {} at δ {:g} without anything else ({}, {})\n",
      base::HumanCount(static_cast<std::uint64_t>(price.asked), "event"),
      report::BoundText(alone, 4), budget.delta, dp::Name(budget.unit),
      dp::Name(budget.adjacency));
  text += plan::BudgetLine(totals, price);
  if (!price.by_plan) {
    text +=
        "         counted by the filter's cost, which holds however the next "
        "release is chosen, and not by ε alone\n";
  }
  text += "Means    if all of the budget is spent, " +
          plan::OddsSentence(budget,
                             dp::GuessedRight(budget.epsilon, budget.delta)) +
          "\n";
  return text;
}

// The answer got lost, or the process was killed after it had entered all.
Answer EnteredBefore(const SpendGiven& given, const dp::Head& head) {
  return {.text = fmt::format(
              "Spent    already entered as run '{}', and nothing more was "
              "spent now; its head is {}\nAnother release of the same kind "
              "needs a run of its own",
              given.run, dp::ToText(head)),
          .json = {{"ledger", given.ledger.path},
                   {"population", given.population},
                   {"run", given.run},
                   {"spent", true},
                   {"already_entered", true},
                   {"head", dp::ToText(head)}}};
}

Answer Spend(const SpendGiven& given) {
  const std::vector<dp::Event> events = dp::ReadEvents(given.events);
  dp::Ledger ledger = given.ledger.Open(dp::Ledger::Mode::kWrite);
  if (const auto head = ledger.FindSpent(given.run, given.population, events)) {
    return EnteredBefore(given, *head);
  }
  ledger.CheckBound(given.population, {});  // not a cell of somebody's run
  const dp::Price price = ledger.PriceOf(given.population, events);
  const dp::Totals totals = ledger.TotalsOf(given.population);
  // A reservation that does not fit says why by itself.
  const double alone = dp::ComposedEpsilon(events, totals.budget.delta);
  std::string text = PriceText(price, totals, alone);
  nlohmann::json json = {{"ledger", given.ledger.path},
                         {"population", given.population},
                         {"run", given.run},
                         {"events", price.asked},
                         {"epsilon", alone},
                         {"budget", plan::ToJson(totals.budget)},
                         {"fits", price.fits},
                         {"proof", price.by_plan ? "plan" : "filter"},
                         {"used_before", price.used_before},
                         {"used_after", price.used_after},
                         {"spent", false},
                         {"already_entered", false}};
  if (given.dry_run && price.fits) {
    return {.text = text + "Spent    nothing: --dry-run", .json = json};
  }
  if (price.fits && !given.yes && !plan::Consents(text)) {
    json["ok"] = false;
    return {.text = "Nothing was spent.",
            .json = json,
            .exit_code = ExitCode(ErrorKind::kBadInput)};
  }
  const dp::Head head = ledger.Spend(given.run, given.population, events).head;
  json["spent"] = true;
  json["head"] = dp::ToText(head);
  return {.text = text + fmt::format("Spent    as run '{}'; keep its head {}",
                                     given.run, dp::ToText(head)),
          .json = json};
}

const Registration kSpend(
    {.path = "ledger spend",
     .summary = "Enter releases that are about to be made, all or none. Shows "
                "the price, and asks.",
     .example =
         "echo '{\"mechanism\":\"gaussian\",\"noise_multiplier\":1.0,"
         "\"sampling\":{\"kind\":\"poisson\",\"rate\":0.01},"
         "\"adjacency\":\"add-remove\",\"unit\":\"user\",\"count\":100}' > "
         "events.jsonl\n"
         "sfumato ledger create ledger.sqlite --population phones --epsilon 2 "
         "--delta 1e-6\n"
         "sfumato ledger spend ledger.sqlite --population phones --run first "
         "--events events.jsonl --yes",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<SpendGiven>();
       AddLedger(app, given->ledger, "The ledger's file.");
       app.add_option("--population", given->population,
                      "Whose records are asked.")
           ->required();
       app.add_option("--run", given->run,
                      "A name for this spending; each is used once.")
           ->required();
       app.add_option("--events", given->events,
                      "The releases, one JSON object per line.")
           ->required();
       app.add_flag("--yes,-y", given->yes, "Spend without asking.");
       app.add_flag("--dry-run", given->dry_run, "Only show the price.");
       return [given] { return Spend(*given); };
     }});

}  // namespace
}  // namespace sfumato::app

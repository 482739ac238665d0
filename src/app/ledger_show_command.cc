// `sfumato ledger show`: granted, spent, reserved, left.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "app/command.h"
#include "app/ledger_options.h"
#include "base/progress.h"
#include "dp/accounting/accountant.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "report/number_text.h"
#include "report/text_table.h"

namespace sfumato::app {
namespace {

constexpr char kTrust[] =
    "The bound holds against whoever sees only releases. The ledger's owner is "
    "trusted: 'sfumato ledger verify' compares the history with heads that "
    "runs "
    "and reports kept.";

constexpr char kCached[] =
    "Totals as cached; 'sfumato ledger verify' reads the whole history.";

// What filter_epsilon supposes (filter.h): it is a reading, not a theorem.
constexpr char kMeter[] =
    "the filter's meter; what is proven however the analyst chose is the "
    "budget";

// ε grows with the square root of what is released, roughly, and the filter's
// count in proportion to it.
constexpr char kThreeNumbers[] =
    "  Why these three do not agree: the share counts divergence, which adds "
    "up "
    "release by\n"
    "  release, and ε grows more slowly than that, so that a tenth of the "
    "budget's divergence\n"
    "  is far more than a tenth of its ε. The filter's ε is above the composed "
    "one because it\n"
    "  holds for any next release. What decides whether more fits is the "
    "share.\n";

struct Row {
  dp::Totals totals;
  double composed = 0;  // by privacy loss distributions, of the releases
  double guessed = 0.5;
  dp::Shares shares = {};  // `left` is the root's
};

Row RowOf(dp::Ledger& ledger, const std::string& name) {
  Row row{.totals = ledger.TotalsOf(name)};
  const dp::Totals& totals = row.totals;
  row.composed = dp::ComposedEpsilon(totals.released, totals.budget.delta);
  row.guessed = dp::ComposedGuess(totals.released);
  row.shares = dp::SharesOf(totals);
  return row;
}

nlohmann::json EventsJson(const std::vector<dp::Event>& events) {
  nlohmann::json list = nlohmann::json::array();
  for (const dp::Event& event : events) list.push_back(dp::ToJson(event));
  return list;
}

// How often a guess is right at most by the filter's reading.
double MeterGuess(const dp::Totals& totals) {
  return std::isfinite(totals.filter_epsilon)
             ? dp::GuessedRight(totals.filter_epsilon, totals.budget.delta)
             : 1;
}

int TimesIn100(double right) {
  return static_cast<int>(std::min(100.0, std::ceil(100 * right - 1e-9)));
}

nlohmann::json RowJson(const Row& row) {
  const dp::Totals& totals = row.totals;
  return {{"name", totals.population.name},
          {"root", totals.population.Root()},
          {"partition", totals.population.partition},
          {"selected", totals.population.selected},
          {"budget", plan::ToJson(totals.budget)},
          {"stage", dp::Name(totals.stage)},
          {"spent", row.shares.spent},
          {"reserved", row.shares.taken - row.shares.spent},
          {"left", row.shares.left},
          {"filter_epsilon", totals.filter_epsilon},
          {"filter_epsilon_holds", kMeter},
          {"filter_guessed_right", MeterGuess(totals)},
          {"composed_epsilon", row.composed},
          {"composed_epsilon_holds", plan::kIfFixed},
          {"guessed_right",
           dp::GuessedRight(totals.budget.epsilon, totals.budget.delta)},
          {"composed_guessed_right", row.guessed},
          {"runs", totals.runs},
          {"open_runs", totals.open_runs},
          {"released_events", EventsJson(totals.released)},
          {"reserved_events", EventsJson(totals.reserved)}};
}

void AddLine(report::TextTable& table, const Row& row) {
  const dp::Totals& totals = row.totals;
  const bool root = totals.population.root.empty();
  const std::string runs =
      totals.open_runs > 0
          ? fmt::format("{} ({} open)", totals.runs, totals.open_runs)
          : fmt::format("{}", totals.runs);
  const std::string left = totals.stage == dp::Stage::kPlan
                               ? "the plan's rest"
                               : plan::Share(row.shares.left);
  table.Add({(root ? "" : "  ") + totals.population.name,
             root ? fmt::format("ε {:g} at δ {:g}", totals.budget.epsilon,
                                totals.budget.delta)
                  : "charges " + totals.population.root,
             plan::Share(row.shares.spent),
             plan::Share(row.shares.taken - row.shares.spent), root ? left : "",
             runs});
}

std::string RootText(const Row& row) {
  const dp::Totals& totals = row.totals;
  const dp::Budget& budget = totals.budget;
  std::string text =
      fmt::format("\n{} ({}, {}, {})\n", totals.population.name,
                  dp::Name(budget.unit), dp::Name(budget.adjacency),
                  totals.stage == dp::Stage::kPlan
                      ? "a plan fixed in advance"
                      : fmt::format("{} filter", dp::Name(budget.filter)));
  // What holds for every analyst comes first; a plan was not chosen by looking.
  text += fmt::format(
      "  however the analyst chose: ε {:g} at δ {:g}, the whole budget; {}\n",
      budget.epsilon, budget.delta,
      plan::OddsSentence(budget,
                         dp::GuessedRight(budget.epsilon, budget.delta)));
  if (totals.stage != dp::Stage::kPlan) {
    text += fmt::format(
        "    the filter has counted ε {} of it so far ({} of what it "
        "admits); were that the budget, {} times in 100\n",
        report::BoundText(totals.filter_epsilon, 4),
        plan::Share(row.shares.spent), TimesIn100(MeterGuess(totals)));
  }
  text += fmt::format(
      "  what was released so far, composed: ε {} at δ {:g}, {}; {} times "
      "in 100\n",
      report::BoundText(row.composed, 4), budget.delta, plan::kIfFixed,
      TimesIn100(row.guessed));
  if (!totals.released.empty() && totals.stage != dp::Stage::kPlan) {
    text += kThreeNumbers;
  }
  return text;
}

// Whose records the datasets hold, and who saw some of them as they are.
std::string DatasetsText(const std::map<std::string, std::string>& bindings,
                         const std::vector<dp::Look>& looks) {
  std::string text;
  if (!bindings.empty()) text += "\ndatasets\n";
  for (const auto& [dataset, population] : bindings) {
    text += fmt::format("  {} is of '{}'\n", dataset, population);
  }
  if (!looks.empty()) {
    text += "\nlooks at the records themselves, which no ε covers\n";
  }
  for (const dp::Look& look : looks) {
    text += fmt::format("  {}  {} of dataset {} by '{}'\n", look.date,
                        look.records < 0 ? "all records"
                        : look.records == 1
                            ? "1 record"
                            : fmt::format("up to {} records", look.records),
                        look.dataset, look.command);
  }
  return text;
}

nlohmann::json LooksJson(const std::vector<dp::Look>& looks) {
  nlohmann::json list = nlohmann::json::array();
  for (const dp::Look& look : looks) {
    list.push_back({{"date", look.date},
                    {"dataset", look.dataset},
                    {"records", look.records},
                    {"command", look.command}});
  }
  return list;
}

Answer Show(const LedgerGiven& given, const std::string& only) {
  dp::Ledger ledger = given.Open(dp::Ledger::Mode::kRead);
  ledger.Glance();
  const dp::Head head = ledger.head();
  report::TextTable table(
      {"population", "granted", "spent", "reserved", "left", "runs"});
  std::string below;
  nlohmann::json rows = nlohmann::json::array();
  std::map<std::string, double> left;  // by root
  for (const std::string& name : ledger.Populations()) {
    Row row = RowOf(ledger, name);
    const std::string& root = row.totals.population.Root();
    if (name == root) left[root] = row.shares.left;
    row.shares.left = left[root];  // a root comes before what derives from it
    if (!only.empty() && name != only && row.totals.population.Root() != only) {
      continue;
    }
    AddLine(table, row);
    if (row.totals.population.root.empty()) below += RootText(row);
    rows.push_back(RowJson(row));
  }
  if (rows.empty()) ledger.TotalsOf(only);  // says which there are
  const std::map<std::string, std::string> bindings = ledger.Bindings();
  const std::vector<dp::Look> looks = ledger.Looks();
  return {.text = fmt::format("{}: {} entries, head {}{}\n\n{}{}{}\n{}\n{}",
                              given.path, head.seq, dp::ToText(head),
                              ledger.keyed() ? ", with a key" : "",
                              table.Text(), below,
                              DatasetsText(bindings, looks), kCached, kTrust),
          .json = {{"ledger", given.path},
                   {"entries", head.seq},
                   {"head", dp::ToText(head)},
                   {"keyed", ledger.keyed()},
                   {"populations", rows},
                   {"datasets", bindings},
                   {"looks", LooksJson(looks)},
                   {"totals", kCached},
                   {"trust", kTrust}}};
}

const Registration kShow(
    {.path = "ledger show",
     .summary = "Say what was granted, spent and reserved on each population, "
                "what is left, and what that means for a person.",
     .example =
         "sfumato ledger create ledger.sqlite --population phones --epsilon 2 "
         "--delta 1e-6\n"
         "sfumato ledger show ledger.sqlite",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<LedgerGiven>();
       auto only = std::make_shared<std::string>();
       app.add_option("LEDGER", given->path, "The ledger's file.")->required();
       app.add_option("--population", *only,
                      "Only this one and what derives from it.");
       return [given, only] { return Show(*given, *only); };
     }});

}  // namespace
}  // namespace sfumato::app

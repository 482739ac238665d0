// `sfumato census`: asks every device once which damage its own examples have,
// and says which share of users has which.

#include <filesystem>
#include <memory>
#include <optional>

#include "app/census_answer.h"
#include "app/command.h"
#include "app/config_options.h"
#include "app/ledger_options.h"
#include "app/version.h"
#include "base/error.h"
#include "census/answer/noise_law.h"
#include "fmt/format.h"
#include "plan/census_plan.h"
#include "plan/training_data.h"

namespace sfumato::app {
namespace {

struct CensusGiven {
  ConfigGiven config;
  std::string fail_on;
  LedgerGiven ledger;
  bool yes = false;
  bool dry_run = false;
};

// Shows what is left of the budget if there is a ledger, and what share of
// users would be seen if voters were always right.
Answer DryRun(config::TrainConfig config, const CensusGiven& given) {
  CheckCensus(given.config.Folder(config.name), config);
  plan::CheckSums(config.data);
  const plan::DataFacts facts = plan::FactsOf(config.data);
  const bool simulation = facts.origin != data::Origin::kPrivate;
  const std::string key = given.ledger.Key();
  if (!simulation) plan::UseLedgersDelta(config, facts, key);
  plan::CensusPlan plan = plan::PlanCensus(config, facts, {});
  plan::NameReferences(plan.taken_as_fixed, config, key);
  Answer answer{.text = "",
                .json = {{"epsilon", plan.epsilon},
                         {"delta", plan.delta},
                         {"noise", census::ToJson(plan.Noise())},
                         {"marks", plan.histogram.marks},
                         {"groups", plan.groups},
                         {"guessed_right", plan.guessed_right},
                         {"simulation", plan.simulation},
                         {"no_verdict", plan.no_verdict},
                         {"power", plan::SeenWith(plan)},
                         {"least_share", plan::LeastShareOf(plan)},
                         {"asked", false}}};
  std::optional<plan::LedgerPrice> price;
  if (!simulation &&
      std::filesystem::exists(plan::LedgerPath(config, false, ""))) {
    dp::Ledger ledger = plan::CensusLedger(config, plan, "", key);
    price = plan::GrantedIn(ledger, plan);  // or says what would fit
    answer.json["granted_epsilon"] = price->granted_epsilon;
  }
  answer.text = plan::PriceLines(plan, price ? &*price : nullptr);
  answer.text += "Nothing was learned or asked: --dry-run";
  return answer;
}

Answer RunCensus(const CensusGiven& given, const Common& common) {
  const config::TrainConfig config = given.config.Read(common);
  if (given.dry_run) return DryRun(config, given);
  const base::Path folder = given.config.Folder(config.name);
  CheckCensus(folder, config);
  return CensusInto({.folder = folder,
                     .config = config,
                     .version = kVersion,
                     .ledger_key = given.ledger.Key(),
                     .yes = given.yes},
                    given.fail_on);
}

const Registration kCensus(
    {.path = "census",
     .summary =
         "Ask every device once which damage its own examples have, and say "
         "which share of users has which. Needs references that are public or "
         "generated; trains nothing on users.",
     .example = "sfumato census handwriting_census --out votes",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<CensusGiven>();
       AddConfig(app, given->config, "census");
       app.add_option("--fail-on", given->fail_on,
                      "Exit with 1 on this verdict: differs, cannot_say.")
           ->check(CLI::IsMember({"differs", "cannot_say"}));
       app.add_flag("--dry-run", given->dry_run,
                    "Only show what it would cost and see.");
       AddKeyFile(app, given->ledger);
       app.add_flag("--yes,-y", given->yes, "Spend without asking.");
       return [given, &common] { return RunCensus(*given, common); };
     }});

}  // namespace
}  // namespace sfumato::app

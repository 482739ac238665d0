// `sfumato inspect`: two sides of a population, what their models draw, and the
// page that says what differs.

#include <filesystem>
#include <memory>
#include <optional>

#include "app/command.h"
#include "app/config_options.h"
#include "app/inspection_answer.h"
#include "app/ledger_options.h"
#include "app/torch_part.h"
#include "app/version.h"
#include "base/error.h"
#include "census/answer/noise_law.h"
#include "fmt/format.h"
#include "inspect/inspection.h"
#include "inspect/series/monitor.h"
#include "inspect/series/sweep.h"
#include "plan/earlier.h"
#include "plan/inspect_ledger.h"
#include "plan/inspect_plan_text.h"
#include "plan/training_data.h"
#include "runs/run.h"
#include "runs/sweep.h"

namespace sfumato::app {
namespace {

struct InspectGiven {
  ConfigGiven config;
  std::string verify;
  std::string fail_on;
  LedgerGiven ledger;
  bool yes = false;
  bool dry_run = false;
  std::string power;
  bool sweep = false;
  std::string shares = inspect::kUsualShares;
  std::string bugs;
  std::int64_t seeds = 5;
  std::int64_t monitor = 0;
  std::string every = "0s";
  std::vector<std::string> set_at;

  std::vector<runs::PowerRow> Power() const {
    if (power.empty()) return {};
    return runs::PowerOf(runs::ReadSweep(power));
  }
};

void CheckConfig(const config::TrainConfig& config) {
  TorchFunction<decltype(inspect::SfumatoCheckInspection)>(
      "SfumatoCheckInspection")(&config);
}

// Costs nothing, and comes before anything that does.
void CheckEarly(const config::TrainConfig& config, const base::Path& folder,
                const std::string& verify) {
  if (!verify.empty()) plan::EarlierIn(verify, config::ModelsLanguage(config));
  CheckFolder(folder, config);
  CheckConfig(config);
}

void InspectOne(const inspect::InspectJob& job,
                inspect::InspectOutcome& outcome) {
  TorchFunction<decltype(inspect::SfumatoInspect)>("SfumatoInspect")(&job,
                                                                     &outcome);
}

// Shows what is left of the budget if there is a ledger, and what the plan had
// to assume.
Answer DryRun(config::TrainConfig config, const InspectGiven& given) {
  CheckEarly(config, given.config.Folder(config.name), given.verify);
  plan::CheckSums(config.data);
  const plan::DataFacts facts = plan::FactsOf(config.data);
  const bool simulation = facts.origin != data::Origin::kPrivate;
  const std::string key = given.ledger.Key();
  if (!simulation) plan::UseLedgersDelta(config, facts, key);
  plan::InspectPlan plan = plan::PlanInspection(config, facts, {});
  if (plan.census) plan::NameReferences(plan.taken_as_fixed, config, key);
  Answer answer{.text = "",
                .json = {{"epsilon", plan.epsilon},
                         {"delta", plan.delta},
                         {"noise_multiplier", plan.noise_multiplier},
                         {"rounds", plan.rounds},
                         {"models", plan.models.size()},
                         {"guessed_right", plan.guessed_right},
                         {"simulation", plan.simulation},
                         {"remarks", plan.remarks},
                         {"trained", false}}};
  if (plan.census) {
    answer.json["census"] = {{"epsilon", plan.census_epsilon},
                             {"noise", census::ToJson(plan.census->Noise())},
                             {"groups", plan.census->groups}};
  }
  std::optional<plan::LedgerPrice> price;
  if (!simulation &&
      std::filesystem::exists(plan::LedgerPath(config, false, ""))) {
    dp::Ledger ledger = plan::InspectionLedger(config, plan, "", key);
    plan::CheckProvenance(ledger, plan);
    price = plan::GrantedIn(ledger, plan);  // or says what would fit
    answer.json["granted_epsilon"] = price->granted_epsilon;
  }
  answer.text = plan::PriceLines(plan, price ? &*price : nullptr);
  for (const std::string& remark : plan.remarks) {
    answer.text += fmt::format("But      {}\n", remark);
  }
  answer.text += plan::WillSeeLine(given.Power());
  answer.text += "Nothing was asked or trained: --dry-run";
  return answer;
}

Answer AnswerOf(inspect::SeriesAnswer said) {
  return {.text = std::move(said.text),
          .json = std::move(said.json),
          .exit_code = said.exit_code};
}

Answer Sweep(const InspectGiven& given, const config::TrainConfig& config) {
  const inspect::SweepOptions options{
      .shares = inspect::ParseShares(given.shares),
      .seeds = given.seeds,
      .bugs = inspect::ParseBugs(given.bugs, config.data.bug,
                                 config::ModelsWords(config)
                                     ? data::Kind::kText
                                     : data::Kind::kImages)};
  return AnswerOf(inspect::RunSweep(config, options,
                                    given.config.Folder(config.name + "_sweep"),
                                    kVersion, InspectOne));
}

Answer Monitor(const InspectGiven& given, const config::TrainConfig& config) {
  inspect::MonitorGiven monitor{
      .repeat = given.monitor,
      .every = inspect::ParseDuration(given.every, "--every"),
      .fail_on = given.fail_on,
      .version = kVersion,
      .ledger_key = given.ledger.Key(),
      .power = given.Power(),
      .check = CheckConfig,
      .yes = given.yes,
      .dry_run = given.dry_run};
  for (const std::string& text : given.set_at) {
    monitor.changes.push_back(inspect::ParseSetAt(text));
  }
  const base::Path folder = given.config.Folder(config.name + "_monitor");
  return AnswerOf(inspect::RunMonitor(config, monitor, folder, InspectOne));
}

Answer Inspect(const InspectGiven& given, const Common& common) {
  const config::TrainConfig config = given.config.Read(common);
  if (given.sweep) return Sweep(given, config);
  if (given.monitor != 0) return Monitor(given, config);
  if (given.dry_run) return DryRun(config, given);
  const base::Path folder = given.config.Folder(config.name);
  CheckEarly(config, folder, given.verify);
  return InspectInto(folder,
                     {.folder = folder,
                      .config = config,
                      .version = kVersion,
                      .ledger_key = given.ledger.Key(),
                      .verify = given.verify,
                      .power = given.Power(),
                      .yes = given.yes},
                     given.fail_on);
}

// Options of a sweep are refused with a monitor, and the other way round.
void AddSeveral(CLI::App& app, InspectGiven& given) {
  CLI::Option* sweep = app.add_flag(
      "--sweep", given.sweep,
      "Simulations: run many inspections with the bug on different shares of "
      "users (or examples, see data.bug_of), and report how often it is found. "
      "The same command with the same --out resumes, or joins a running "
      "sweep.");
  app.add_option(
         "--shares", given.shares,
         "Sweep: shares of users (or examples) that get the bug. Share 0 is "
         "always included, to measure false alarms.")
      ->needs(sweep)
      ->capture_default_str();
  app.add_option("--seeds", given.seeds, "Sweep: inspections per share.")
      ->needs(sweep)
      ->capture_default_str();
  app.add_option("--bugs", given.bugs,
                 "Sweep: bugs of `data bug`, such as invert,mirror or join,cut "
                 "(default: "
                 "the config's data.bug).")
      ->needs(sweep);
  CLI::Option* monitor = app.add_option(
      "--monitor", given.monitor,
      "Repeat the inspection N times, paid for together before the first. "
      "The same command with the same --out resumes.");
  monitor->check(CLI::Range(1, 1000))->excludes(sweep);
  app.add_option("--every", given.every,
                 "Monitor: time from one start to the next: 90s, 10m, 2h, 1d.")
      ->needs(monitor)
      ->capture_default_str();
  app.add_option("--set-at", given.set_at,
                 "Monitor, simulations: change a data key from a given "
                 "inspection on, e.g. 3:data.bug_share=0.5. May be repeated.")
      ->needs(monitor)
      ->allow_extra_args(false);
  app.add_option("--power", given.power,
                 "A sweep's sweep.json: shows what such an inspection finds "
                 "in simulation, beside the price and on the page.")
      ->excludes(sweep);
  app.get_option("--verify")->excludes(sweep)->excludes(monitor);
  app.get_option("--fail-on")->excludes(sweep);
  app.get_option("--dry-run")->excludes(sweep);
}

const Registration kInspect(
    {.path = "inspect",
     .summary =
         "Select two sides of a population, train private models on each, "
         "compare what they draw, and write a page that says what differs.",
     .example = "sfumato inspect handwriting_inspect --set "
                "rounds=6 --out look",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<InspectGiven>();
       AddConfig(app, given->config, "inspection");
       app.add_option("--verify", given->verify,
                      "An earlier inspection's folder: reports whether what it "
                      "found is gone.");
       app.add_option("--fail-on", given->fail_on,
                      "Exit with 1 on this verdict: differs, cannot_say.")
           ->check(CLI::IsMember({"differs", "cannot_say"}));
       app.add_flag("--dry-run", given->dry_run,
                    "Only show what it would cost.");
       AddSeveral(app, *given);
       AddKeyFile(app, given->ledger);
       app.add_flag("--yes,-y", given->yes, "Spend without asking.");
       return [given, &common] { return Inspect(*given, common); };
     }});

}  // namespace
}  // namespace sfumato::app

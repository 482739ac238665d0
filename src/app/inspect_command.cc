// `sfumato inspect`: two sides of a population, what their models draw, and the
// page that says what differs.

#include <chrono>
#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/inspect_plan.h"
#include "app/inspection_answer.h"
#include "app/ledger_options.h"
#include "app/torch/inspection.h"
#include "app/training_data.h"
#include "app/version.h"
#include "base/error.h"
#include "fmt/format.h"
#include "runs/run.h"

namespace sfumato::app {
namespace {

struct InspectGiven {
  std::string config;
  std::vector<std::string> sets;
  std::string device;
  std::string out;
  std::string verify;
  std::string fail_on;
  LedgerGiven ledger;
  bool yes = false;
  bool dry_run = false;

  runs::TrainConfig Read() const {
    std::vector<std::string> all = sets;
    if (!device.empty()) {
      all.push_back(fmt::format("device.name=\"{}\"", device));
    }
    return runs::ReadTrainConfig(config, all);
  }
};

Answer DryRun(const runs::TrainConfig& config) {
  const InspectPlan plan = PlanInspection(config, FactsOf(config.data), {});
  return {.text = PriceLines(plan) + "Nothing was asked or trained: --dry-run",
          .json = {{"epsilon", plan.epsilon},
                   {"delta", plan.delta},
                   {"noise_multiplier", plan.noise_multiplier},
                   {"rounds", plan.rounds},
                   {"models", plan.models.size()},
                   {"simulation", plan.simulation},
                   {"trained", false}}};
}

Answer Inspect(const InspectGiven& given) {
  const runs::TrainConfig config = given.Read();
  if (given.dry_run) return DryRun(config);
  const base::Path folder =
      !given.out.empty()
          ? base::Path(given.out)
          : runs::NewRunFolder("runs", config.name,
                               std::chrono::floor<std::chrono::seconds>(
                                   std::chrono::system_clock::now()));
  return InspectInto(folder,
                     {.folder = folder,
                      .config = config,
                      .version = kVersion,
                      .ledger_key = given.ledger.Key(),
                      .verify = given.verify,
                      .yes = given.yes},
                     given.fail_on);
}

const Registration kInspect(
    {.path = "inspect",
     .summary =
         "Select two sides of a population, train a private generator on each, "
         "compare what they draw, and write a page that says what differs.",
     .example = "sfumato inspect configs/handwriting_inspect.toml --set "
                "rounds=6 --set data.users=60 --set inspect.samples=50 "
                "--out look",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<InspectGiven>();
       app.add_option("config", given->config, "The config's file (TOML).")
           ->required();
       app.add_option("--set", given->sets,
                      "Another value for a key: cohort.size=50. May be "
                      "repeated.")
           ->allow_extra_args(false);
       app.add_option("--device", given->device, "auto, cpu or cuda.");
       app.add_option("--out", given->out,
                      "The inspection's folder (default: runs/TIME_NAME).");
       app.add_option("--verify", given->verify,
                      "An earlier inspection's folder: says whether what it "
                      "found is gone.");
       app.add_option("--fail-on", given->fail_on,
                      "Exit with 1 on this verdict: differs, cannot_say.")
           ->check(CLI::IsMember({"differs", "cannot_say"}));
       app.add_flag("--dry-run", given->dry_run,
                    "Only say what it would cost.");
       AddKeyFile(app, given->ledger);
       app.add_flag("--yes,-y", given->yes, "Spend without asking.");
       return [given, &common] {
         if (common.seed_given) {
           given->sets.push_back(fmt::format("seed={}", common.seed));
         }
         return Inspect(*given);
       };
     }});

}  // namespace
}  // namespace sfumato::app

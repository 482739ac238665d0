// `sfumato train`: a config in, a run's folder out.

#include <chrono>
#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/consent.h"
#include "app/guarantee_text.h"
#include "app/ledger_options.h"
#include "app/torch_part.h"
#include "app/training_commands.h"
#include "app/training_data.h"
#include "app/version.h"
#include "base/error.h"
#include "base/progress.h"
#include "dp/ledger/ledger.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

struct TrainGiven {
  std::string config;
  std::vector<std::string> sets;
  std::string device;
  std::string out;
  bool dry_run = false;
  bool yes = false;
  bool tensorboard = false;

  runs::TrainConfig Read() const {
    std::vector<std::string> all = sets;
    if (!device.empty())
      all.push_back(fmt::format("device.name=\"{}\"", device));
    return runs::ReadTrainConfig(config, all);
  }
};

// The population's ledger says whether it fits; the price is for people.
std::string PriceText(const runs::TrainConfig& config, const TrainPlan& plan) {
  const base::Path path = LedgerPath(config, plan, "");
  if (!std::filesystem::exists(path)) {
    throw BadInput(
        "no ledger for private data", path.string(),
        fmt::format("have one granted: sfumato ledger create {} "
                    "--population {} --epsilon … --delta …",
                    path.string(), plan.participants.population.name));
  }
  dp::Ledger ledger = dp::Ledger::Open(path);
  const std::string& name = plan.participants.population.name;
  const dp::Price price = ledger.PriceOf(name, {&plan.rounds, 1});
  const dp::Totals totals = ledger.TotalsOf(name);
  if (!price.fits) {
    throw Error(
        ErrorKind::kBudgetSpent,
        fmt::format("{} rounds do not fit into what is left of '{}'",
                    config.rounds, totals.population.Root()),
        path.string(),
        price.fitting > 0
            ? fmt::format("--set rounds={} would fit", price.fitting)
            : "a larger cohort.population, more noise or fewer rounds cost "
              "less");
  }
  return fmt::format(
      "Budget   '{}': ε {:g} granted at δ {:g}, {} taken before, {} with "
      "this\n",
      totals.population.Root(), totals.budget.epsilon, totals.budget.delta,
      Share(price.used_before), Share(price.used_after));
}

std::string EstimateText(const TrainEstimate& estimate, double seconds) {
  return fmt::format(
      "Takes    {} on {} · {} parameters · {} of memory\n",
      seconds > 0 ? "about " + base::HumanDuration(seconds)
                  : "a time that depends on private sizes",
      estimate.device,
      base::HumanCount(static_cast<std::uint64_t>(estimate.parameters)),
      base::HumanBytes(static_cast<std::uint64_t>(estimate.memory_bytes)));
}

Answer DryRun(const runs::TrainConfig& config) {
  const DataFacts facts = FactsOf(config.data);
  const TrainPlan plan = PlanTraining(config, facts);
  TrainEstimate estimate;
  TorchFunction<decltype(SfumatoEstimate)>("SfumatoEstimate")(&config, &facts,
                                                              &estimate);
  const double seconds =
      estimate.seconds_per_round * static_cast<double>(config.rounds);
  Answer answer{.text = PlanText(config, plan), .json = PlanJson(config, plan)};
  if (!plan.simulation) answer.text += PriceText(config, plan);
  answer.text += EstimateText(estimate, seconds);
  answer.text += "Nothing was trained: --dry-run";
  answer.json["device"] = estimate.device;
  answer.json["parameters"] = estimate.parameters;
  answer.json["estimated_seconds"] =
      seconds > 0 ? nlohmann::json(seconds) : nlohmann::json();
  answer.json["memory_bytes"] = estimate.memory_bytes;
  answer.json["trained"] = false;
  return answer;
}

base::Path FolderOf(const TrainGiven& given, const runs::TrainConfig& config) {
  if (!given.out.empty()) return given.out;
  if (Launched()) {
    throw BadInput("several processes, and no folder that all of them know",
                   "--out", "name the run's folder under a launcher");
  }
  return runs::NewRunFolder("runs", config.name,
                            std::chrono::floor<std::chrono::seconds>(
                                std::chrono::system_clock::now()));
}

// Takes the folder away again when the run ends before it began: bad input, no
// consent.
class UnlessBegun {
 public:
  explicit UnlessBegun(const runs::Run& run) : run_(run) {}
  ~UnlessBegun() {
    std::error_code ignored;
    if (run_.status() == runs::Status::kCreated) {
      std::filesystem::remove_all(run_.path(), ignored);
    }
  }
  UnlessBegun(const UnlessBegun&) = delete;
  UnlessBegun& operator=(const UnlessBegun&) = delete;

 private:
  const runs::Run& run_;
};

Answer Train(const TrainGiven& given) {
  const runs::TrainConfig config = given.Read();
  if (given.dry_run) return DryRun(config);
  const base::Path folder = FolderOf(given, config);
  if (LaunchedRank() > 0) return HelpTraining(folder);

  runs::Run run = runs::Run::Create(
      folder, config,
      {.version = kVersion, .ledger_run = folder.filename().string()});
  const UnlessBegun cleared(run);
  const TrainPlan plan =
      PlanTraining(config, OpenTrainingData(config.data, folder).facts());
  const std::string text = PlanText(config, plan);
  if (plan.simulation) {
    base::Note(text.substr(0, text.size() - 1));
  } else {
    const std::string price = text + PriceText(config, plan);
    if (!given.yes && !Consents(price)) {
      return {.text = "Nothing was spent.",
              .json = {{"ok", false}, {"trained", false}},
              .exit_code = ExitCode(ErrorKind::kBadInput)};
    }
    if (given.yes) base::Note(price.substr(0, price.size() - 1));
  }
  return TrainToTheEnd(run, plan, given.tensorboard);
}

const Registration kTrain(
    {.path = "train",
     .summary = "Train a model across users under privacy, as a config says. "
                "Shows the price, and asks before private data are touched.",
     .example = "sfumato train configs/quick.toml --set rounds=5 --out first",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<TrainGiven>();
       app.add_option("config", given->config, "The config's file (TOML).")
           ->required();
       app.add_option("--set", given->sets,
                      "Another value for a key: cohort.size=50. May be "
                      "repeated.")
           ->allow_extra_args(false);
       app.add_option("--device", given->device, "auto, cpu or cuda.");
       app.add_option("--out", given->out,
                      "The run's folder (default: runs/TIME_NAME).");
       app.add_flag("--dry-run", given->dry_run,
                    "Only say what it would cost: privacy, time, memory.");
       app.add_flag("--yes,-y", given->yes, "Spend without asking.");
       app.add_flag("--tensorboard", given->tensorboard,
                    "Write event files for TensorBoard too.");
       return [given, &common] {
         // A seed on the command line is the config's seed.
         if (common.seed_given) {
           given->sets.push_back(fmt::format("seed={}", common.seed));
         }
         return Train(*given);
       };
     }});

}  // namespace
}  // namespace sfumato::app

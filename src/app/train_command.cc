// `sfumato train`: a config in, a run's folder out.

#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/config_options.h"
#include "app/torch_part.h"
#include "app/training_commands.h"
#include "app/version.h"
#include "base/error.h"
#include "base/launcher.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "plan/inspect_plan.h"
#include "plan/plan_file.h"
#include "plan/training_data.h"
#include "runs/writable_folder.h"

namespace sfumato::app {
namespace {

struct TrainGiven {
  ConfigGiven config;
  bool dry_run = false;
  TrainingGiven training;
};

std::string EstimateText(const train::TrainEstimate& estimate, double seconds) {
  return fmt::format(
      "Takes    {} on {} · {} parameters · {} of memory\n",
      seconds > 0 ? "about " + base::HumanDuration(seconds)
                  : "a time that depends on private sizes",
      estimate.device,
      base::HumanCount(static_cast<std::uint64_t>(estimate.parameters)),
      base::HumanBytes(static_cast<std::uint64_t>(estimate.memory_bytes)));
}

Answer DryRun(const config::TrainConfig& config, const TrainingGiven& given) {
  plan::CheckSums(config.data);
  const plan::DataFacts facts = plan::FactsOf(config.data);
  const bool is_private = facts.origin == data::Origin::kPrivate;
  const base::Path ledger =
      is_private ? plan::LedgerPath(config, /*simulation=*/false, "")
                 : base::Path();
  const bool granted = is_private && std::filesystem::exists(ledger);
  const plan::TrainPlan plan = granted ? PlanOf(config, facts, given)
                                       : plan::PlanTraining(config, facts);
  train::TrainEstimate estimate;
  TorchFunction<decltype(train::SfumatoEstimate)>("SfumatoEstimate")(
      &config, &facts, &estimate);
  const double seconds =
      estimate.seconds_per_round * static_cast<double>(config.rounds);
  Answer answer{.text = PlanText(config, plan), .json = PlanJson(config, plan)};
  if (!plan.simulation) {
    answer.text += granted ? PriceText(config, plan, given)
                           : fmt::format("Budget   none granted yet: {}\n",
                                         ledger.string());
    answer.json["fits"] = granted;  // where it does not, PriceText refuses
  }
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

base::Path FolderOf(const TrainGiven& given,
                    const config::TrainConfig& config) {
  if (given.config.out.empty() && base::LaunchedRank()) {
    throw BadInput("several processes, and no folder that all of them know",
                   "--out", "name the run's folder under a launcher");
  }
  return given.config.Folder(config.name);
}

// Takes the folder away again when the run ends before it began: bad input, no
// consent.
class UnlessBegun {
 public:
  // `made`: folders that were not there before, from the inside out.
  UnlessBegun(const runs::Run& run, std::vector<base::Path> made)
      : run_(run), made_(std::move(made)) {}
  ~UnlessBegun() {
    std::error_code ignored;
    if (run_.status() != runs::Status::kCreated) return;
    for (const auto& entry :
         std::filesystem::directory_iterator(run_.path(), ignored)) {
      std::filesystem::remove_all(entry.path(), ignored);
    }
    for (const base::Path& folder : made_) {
      std::filesystem::remove(folder, ignored);  // if it is empty
    }
  }
  UnlessBegun(const UnlessBegun&) = delete;
  UnlessBegun& operator=(const UnlessBegun&) = delete;

 private:
  const runs::Run& run_;
  std::vector<base::Path> made_;
};

// A criterion on private data needs a judging model of known provenance, its
// population booked as a selected one, and thresholds that are given or paid
// for: an inspection sees to all of that.
void RefuseSelectedPrivateData(const config::TrainConfig& config) {
  if (!config::Selects(config.select) ||
      plan::FactsOf(config.data).origin != data::Origin::kPrivate) {
    return;
  }
  throw Unsupported(
      "training on users of private data that a criterion selects", "select.by",
      "sfumato inspect trains both of its sides");
}

// Quantiles are questions, and `train` asks none; nor does it train a judge.
void RefuseWhatOnlyInspectionsDo(const config::TrainConfig& config) {
  const config::SelectConfig& select = config.select;
  if (select.by != config::By::kEveryone &&
      (select.above_quantile > 0 || select.below_quantile > 0)) {
    throw BadInput("thresholds by quantile, which nobody is asked for here",
                   select.above_quantile > 0 ? "select.above_quantile"
                                             : "select.below_quantile",
                   "give select.above and select.below, or use sfumato "
                   "inspect, which asks");
  }
  if (select.by == config::By::kBeforeAfter) {
    throw BadInput("two states of the data, where one is trained on",
                   "select.by",
                   "give data.path the state to train on, or use sfumato "
                   "inspect");
  }
  if (config::NeedsModel(select.by) && select.model.empty()) {
    throw plan::NoJudge(select);
  }
}

// Costs nothing, makes nothing, and comes before anything that does: a dry run
// is refused for what the run would be refused for.
void CheckEarly(const config::TrainConfig& config, const base::Path& folder) {
  RefuseSelectedPrivateData(config);
  RefuseWhatOnlyInspectionsDo(config);
  runs::Run::CheckFree(folder);
  runs::RequireWritableFolder(folder);
  TorchFunction<decltype(train::SfumatoCheckTraining)>("SfumatoCheckTraining")(
      &config);
}

Answer Train(const TrainGiven& given, const Common& common) {
  const config::TrainConfig config = given.config.Read(common);
  const base::Path folder = FolderOf(given, config);
  if (base::LaunchedRank().value_or(0) > 0 && !given.dry_run) {
    return HelpTraining(folder);
  }
  CheckEarly(config, folder);
  if (given.dry_run) return DryRun(config, given.training);

  std::vector<base::Path> made;
  for (base::Path path = folder;
       !path.empty() && !std::filesystem::exists(path);
       path = path.parent_path()) {
    made.push_back(path);
  }
  runs::Run run = runs::Run::Create(folder, config, {.version = kVersion});
  const UnlessBegun cleared(run, made);
  const plan::TrainPlan plan =
      PlanOf(config, plan::OpenTrainingData(config.data, folder).facts(),
             given.training);
  RequireYesToPlan(config, plan, given.training);
  if (plan.protects) plan::WritePlan(folder, plan);
  return TrainToTheEnd(run, plan, given.training);
}

const Registration kTrain(
    {.path = "train",
     .summary = "Train a model across users under privacy, as a config says. "
                "Shows the price, and asks before private data are touched.",
     .example = "sfumato train quick --set rounds=5 --out first",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<TrainGiven>();
       AddConfig(app, given->config, "run");
       app.add_flag("--dry-run", given->dry_run,
                    "Only say what it would cost: privacy, time, memory.");
       AddTrainingOptions(app, given->training);
       return [given, &common] { return Train(*given, common); };
     }});

}  // namespace
}  // namespace sfumato::app

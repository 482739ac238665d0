#include "census/stages.h"

#include "base/crc32c.h"
#include "census/answer/census_answer.h"
#include "census/pin.h"
#include "fmt/format.h"
#include "report/page.h"

namespace sfumato::census {
namespace {

void OpenBefore(Census& census) {
  const config::TrainConfig& config = census.config;
  if (config.census.groups != config::Groups::kBeforeAfter) return;
  census.before = plan::OpenTrainingData(plan::DataBefore(config.data),
                                         census.job.folder / "before");
  census.before.CheckSums();
  plan::CheckBefore(*census.before.set, *census.people().set);
}

Design DesignOf(const config::TrainConfig& config) {
  if (config.census.groups != config::Groups::kSides) {
    return Design::kEverybody;
  }
  return config.select.by == config::By::kColumn ? Design::kTwoGroups
                                                 : Design::kOwnAccuracy;
}

std::string QuestionOf(const config::TrainConfig& config,
                       const data::DatasetInfo& info) {
  if (!config.inspect.question.empty()) return config.inspect.question;
  if (config.census.about == config::About::kClasses) {
    return "Which classes do users have?";
  }
  return fmt::format("What was done to users' {}?", data::Name(info.kind));
}

}  // namespace

Census::Census(const CensusJob& given, CensusOutcome& outcome,
               const CensusPart* part_of)
    : job(given),
      part(part_of),
      config(given.config),
      record(outcome.record),
      device(train::DeviceFor(given.config.device)),
      pool(device.threads) {
  if (runs::IsCensus(job.folder)) record = runs::ReadCensus(job.folder);
  record.version = job.version;
  record.name = config.name;
  record.part = part != nullptr;
}

void Census::SetStage(const std::string& stage) {
  record.status = runs::Status::kRunning;
  record.stage = stage;
  Save();
}

void OpenData(Census& census) {
  const config::TrainConfig& config = census.config;
  runs::CensusRecord& record = census.record;
  // Before people are generated: one that is stopped there has a page too.
  record.simulation =
      plan::FactsOf(config.data).origin != data::Origin::kPrivate;
  if (census.part == nullptr) {
    census.data = plan::OpenTrainingData(config.data, census.job.folder);
    census.data.CheckSums();
  }
  const data::DatasetInfo& info = census.people().set->info();
  record.data = info.name;
  record.origin = data::Name(info.origin);
  record.question = QuestionOf(config, info);
  record.design = DesignOf(config);
  record.level = config.census.level;
  CheckGroups(config, info);
  record.groups = DescribeGroups(config);
  OpenBefore(census);
  config::TrainConfig design = census.job.config;
  design.device = {};
  Pin(record.config_crc32c,
      fmt::format("{:08x}", base::Crc32c(config::ChangedKeys(design))),
      "the config is", (census.job.folder / "config.toml").string());
  Pin(record.data_crc32c,
      census.people().description_crc32c +
          (census.before.set ? "-" + census.before.description_crc32c : ""),
      "the data is", record.data);
}

void WritePage(Census& census) {
  runs::CensusRecord& record = census.record;
  record.status = runs::Status::kFinished;
  record.stage = "";
  if (record.simulation) {
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - census.begun;
    record.simulation_only = {{"seconds", taken.count()},
                              {"device", census.device.Text()},
                              {"bug", census.config.data.bug},
                              {"bug_share", census.config.data.bug_share}};
  }
  census.Save();
  report::WriteReport(census.job.folder);
}

}  // namespace sfumato::census

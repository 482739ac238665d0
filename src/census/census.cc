#include "census/census.h"

#include <chrono>

#include "base/error.h"
#include "base/interrupt.h"
#include "census/groups.h"
#include "census/stages.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

using Clock = std::chrono::steady_clock;

void CheckKind(const data::DatasetInfo& info) {
  if (info.kind != data::Kind::kFeatures) return;
  throw BadInput(fmt::format("{} of {}", data::Name(info.kind), info.name),
                 "data", "a census is of images or text");
}

void Run(const CensusJob& job, CensusOutcome& outcome) {
  SfumatoCheckCensus(&job.config);
  Census census(job, outcome);
  OpenData(census);
  CheckPrice(census);
  FixVoter(census);
  Price(census);
  Ask(census);
  Answer(census);
  WritePage(census);
}

}  // namespace

extern "C" void SfumatoCheckCensus(const config::TrainConfig* config) {
  plan::CheckOrigins(config->data);
  const data::DatasetInfo info = plan::InfoOf(config->data);
  CheckKind(info);
  plan::CheckBug(config->data, info);
  const std::string own =
      config->data.generate.empty()
          ? data::FederatedDataset(base::Path(config->data.path)).Fingerprint()
          : "";
  plan::CheckReference(*config, info, own);
  plan::PlanCensus(*config, plan::FactsOf(config->data), {});  // or throws
  CheckGroups(*config, info);
  train::DeviceFor(config->device);
  if (!config->census.voter.empty()) ReadVoter(config->census.voter);
}

extern "C" void SfumatoCensus(const CensusJob* job, CensusOutcome* outcome) {
  const auto end = [&](runs::Status status) {
    if (outcome->record.stage.empty()) return;  // nothing was begun
    outcome->record.status = status;
    runs::WriteCensus(job->folder, outcome->record);
  };
  const auto start = Clock::now();
  try {
    Run(*job, *outcome);
  } catch (const base::Interrupted& interrupted) {
    if (outcome->record.stage.empty()) throw;
    end(runs::Status::kInterrupted);
    throw base::Interrupted(interrupted.signal(), job->folder.string(),
                            "it is saved, and resumes with: sfumato resume " +
                                job->folder.string());
  } catch (const std::exception&) {
    end(runs::Status::kFailed);
    throw;
  }
  outcome->seconds =
      std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace sfumato::census

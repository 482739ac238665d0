#include "inspect/inspection.h"

#include <chrono>
#include <memory>

#include "base/error.h"
#include "base/interrupt.h"
#include "census/census.h"
#include "fmt/format.h"
#include "inspect/image_medium.h"
#include "inspect/stages.h"
#include "inspect/text_medium.h"
#include "plan/earlier.h"
#include "plan/training_data.h"
#include "select/criterion.h"
#include "train/device.h"

namespace sfumato::inspect {
namespace {

using Clock = std::chrono::steady_clock;

void CheckKind(const data::DatasetInfo& info) {
  if (info.kind != data::Kind::kFeatures) return;
  throw BadInput(fmt::format("{} of {}", data::Name(info.kind), info.name),
                 "data", "an inspection is of images or text");
}

// What an earlier inspection said; kept in the record for a resume, which is
// not given its folder.
void ReadEarlier(Inspection& inspection) {
  if (inspection.job.verify.empty()) return;
  inspection.record.earlier = plan::EarlierIn(
      inspection.job.verify,
      plan::InfoOf(inspection.config.data).kind == data::Kind::kText);
}

void Run(const InspectJob& job, InspectOutcome& outcome) {
  CheckKind(plan::InfoOf(job.config.data));
  Inspection inspection(job, outcome);
  ReadEarlier(inspection);
  OpenData(inspection);
  inspection.medium = inspection.data.set->info().kind == data::Kind::kText
                          ? OpenText(inspection)
                          : OpenImages(inspection);
  Price(inspection);
  outcome.census = AskCensus(inspection);
  Survey(inspection);
  if (!EndsWithTooFew(inspection)) {
    TrainModels(inspection);
    Compare(inspection);
  }
  WritePage(inspection);
}

}  // namespace

extern "C" void SfumatoCheckInspection(const config::TrainConfig* config) {
  plan::CheckOrigins(config->data);
  const data::DatasetInfo info = plan::InfoOf(config->data);
  CheckKind(info);
  plan::CheckBug(config->data, info);
  train::DeviceFor(config->device);
  select::CheckCriterion(select::CriterionOf(config->select), info);
  if (info.kind == data::Kind::kText) {
    CheckText(*config);
  } else {
    CheckImages(*config, info);
  }
  if (!config->census.reference.empty()) census::CheckQuestion(*config, info);
}

extern "C" void SfumatoInspect(const InspectJob* job, InspectOutcome* outcome) {
  const auto end = [&](runs::Status status) {
    if (outcome->record.stage.empty()) return;  // nothing was begun
    outcome->record.status = status;
    runs::WriteInspection(job->folder, outcome->record);
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

}  // namespace sfumato::inspect

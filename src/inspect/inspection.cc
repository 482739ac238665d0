#include "inspect/inspection.h"

#include <chrono>
#include <memory>

#include "base/error.h"
#include "base/interrupt.h"
#include "fmt/format.h"
#include "inspect/image_inspection.h"
#include "inspect/inspection_stages.h"
#include "inspect/text_inspection.h"
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

std::unique_ptr<InspectionStages> InspectionFor(const InspectJob& job,
                                                InspectOutcome& outcome) {
  const data::DatasetInfo info = plan::InfoOf(job.config.data);
  CheckKind(info);
  return info.kind == data::Kind::kText ? MakeTextInspection(job, outcome)
                                        : MakeImageInspection(job, outcome);
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
    CheckTextInspection(*config);
  } else {
    CheckImageInspection(*config, info);
  }
}

extern "C" void SfumatoInspect(const InspectJob* job, InspectOutcome* outcome) {
  const auto end = [&](runs::Status status) {
    if (outcome->record.stage.empty()) return;  // nothing was begun
    outcome->record.status = status;
    runs::WriteInspection(job->folder, outcome->record);
  };
  const auto start = Clock::now();
  try {
    InspectionFor(*job, *outcome)->Run();
  } catch (const base::Interrupted& interrupted) {
    if (outcome->record.stage.empty()) throw;
    end(runs::Status::kInterrupted);
    throw base::Interrupted(interrupted.signal(), job->folder.string(),
                            "it is saved, and goes on with: sfumato resume " +
                                job->folder.string());
  } catch (const std::exception&) {
    end(runs::Status::kFailed);
    throw;
  }
  outcome->seconds =
      std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace sfumato::inspect

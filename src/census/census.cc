#include "census/census.h"

#include <chrono>
#include <filesystem>

#include "base/error.h"
#include "base/interrupt.h"
#include "census/drawn_references.h"
#include "census/groups.h"
#include "census/stages.h"
#include "census/voter/class_voter.h"
#include "fmt/format.h"
#include "plan/reference_run.h"
#include "train/judging_model.h"

namespace sfumato::census {
namespace {

using Clock = std::chrono::steady_clock;

void CheckKind(const config::TrainConfig& config,
               const data::DatasetInfo& info) {
  if (info.kind != data::Kind::kFeatures ||
      config.census.about == config::About::kClasses) {
    return;
  }
  throw BadInput(fmt::format("{} of {}", data::Name(info.kind), info.name),
                 "data",
                 "a census about damage is of images or text; about classes, "
                 "of anything");
}

// Of a dataset, what learning would refuse: a dry run says so, too.
void CheckReferenceSet(const config::TrainConfig& config,
                       const data::DatasetInfo& info) {
  const config::CensusConfig& census = config.census;
  if (census.about == config::About::kClasses || !census.voter.empty() ||
      config::GeneratesReference(census) || plan::RunOfReference(census)) {
    return;
  }
  const data::FederatedDataset set{base::Path(census.reference)};
  CheckReferences(set, VoterOptionsOf(config, set.info(), info,
                                      /*alike=*/true));
}

void LearnStages(Census& census) {
  OpenData(census);
  CheckPrice(census);
  FixVoter(census);
}

void RunStages(Census& census) {
  LearnStages(census);
  Price(census);
  AskThresholds(census);
  Ask(census);
  Answer(census);
  WritePage(census);
}

void EndWith(runs::Status status, const CensusJob& job,
             CensusOutcome& outcome) {
  if (outcome.record.stage.empty()) return;  // nothing was begun
  outcome.record.status = status;
  runs::WriteCensus(job.folder, outcome.record);
}

void AsPart(const CensusJob& job, const CensusPart& part,
            CensusOutcome& outcome, void (*run)(Census&)) {
  std::filesystem::create_directories(job.folder);
  try {
    Census census(job, outcome, &part);
    if (census.record.status != runs::Status::kFinished) run(census);
  } catch (const base::Interrupted&) {
    EndWith(runs::Status::kInterrupted, job, outcome);
    throw;
  } catch (const std::exception&) {
    EndWith(runs::Status::kFailed, job, outcome);
    throw;
  }
}

}  // namespace

void CheckQuestion(const config::TrainConfig& config,
                   const data::DatasetInfo& info) {
  const std::string own =
      config.data.generate.empty()
          ? data::FederatedDataset(base::Path(config.data.path)).Fingerprint()
          : "";
  plan::CheckReference(config, info, own);
  if (const auto run = plan::RunOfReference(config.census)) {
    CheckDraws(*run, info);
  }
  CheckGroups(config, info);
  CheckReferenceSet(config, info);
  if (config.census.about == config::About::kDamage &&
      config.census.voter.empty()) {
    CheckSplit(info, VoterOptionsOf(config, info, info, /*alike=*/true));
  }
  if (config.census.about == config::About::kClasses) {
    MakeClassVoter(info, config.census.marks);  // or throws
  }
  if (!config.census.voter.empty()) {
    CheckVoter(*ReadVoter(config.census.voter), config, info);
  }
  if (config.census.groups == config::Groups::kSides &&
      config.select.by == config::By::kAccuracy &&
      !config.select.model.empty() &&
      config::GeneratesReference(config.census)) {
    // It judges the placebo, too.
    train::ReadJudge(config.select.model,
                     plan::InfoOf(plan::PlaceboData(config)),
                     /*discriminator=*/false);
  }
}

extern "C" void SfumatoCheckCensus(const config::TrainConfig* config) {
  plan::CheckOrigins(config->data);
  const data::DatasetInfo info = plan::InfoOf(config->data);
  CheckKind(*config, info);
  plan::CheckBug(config->data, info);
  plan::PlanCensus(*config, plan::FactsOf(config->data), {});  // or throws
  CheckQuestion(*config, info);
  train::DeviceFor(config->device);
}

void LearnPart(const CensusJob& job, const CensusPart& part,
               CensusOutcome& outcome) {
  AsPart(job, part, outcome, LearnStages);
}

void RunPart(const CensusJob& job, const CensusPart& part,
             CensusOutcome& outcome) {
  AsPart(job, part, outcome, RunStages);
}

extern "C" void SfumatoCensus(const CensusJob* job, CensusOutcome* outcome) {
  const auto start = Clock::now();
  try {
    SfumatoCheckCensus(&job->config);
    Census census(*job, *outcome);
    RunStages(census);
  } catch (const base::Interrupted& interrupted) {
    if (outcome->record.stage.empty()) throw;
    EndWith(runs::Status::kInterrupted, *job, *outcome);
    throw base::Interrupted(interrupted.signal(), job->folder.string(),
                            "it is saved, and resumes with: sfumato resume " +
                                job->folder.string());
  } catch (const std::exception&) {
    EndWith(runs::Status::kFailed, *job, *outcome);
    throw;
  }
  outcome->seconds =
      std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace sfumato::census

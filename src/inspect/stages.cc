#include "inspect/stages.h"

#include <algorithm>

#include "base/progress.h"
#include "report/page.h"

namespace sfumato::inspect {

Inspection::Inspection(const InspectJob& given, InspectOutcome& outcome)
    : job(given),
      config(given.config),
      record(outcome.record),
      contrast(outcome.contrast),
      device(train::DeviceFor(given.config.device)),
      pool(device.threads) {
  if (runs::IsInspection(job.folder)) {
    record = runs::ReadInspection(job.folder);
  }
  record.version = job.version;
  record.name = config.name;
  if (!job.power.empty()) record.power = job.power;
}

void Inspection::SetStage(const std::string& stage) {
  record.status = runs::Status::kRunning;
  record.stage = stage;
  Save();
}

bool Inspection::Asks(std::string_view question) const {
  return std::ranges::any_of(plan.questions,
                             [&](const plan::QuestionPlan& each) {
                               return each.question.name == question;
                             });
}

select::Criterion Inspection::CriterionFor(config::Side side,
                                           std::int64_t half) const {
  config::SelectConfig select = config.select;
  select.side = side;
  select.half = half;
  return select::CriterionOf(select);
}

std::vector<std::vector<std::string>> MarksBy(const train::CensusVoter& voter,
                                              Inspection& inspection) {
  inspection.record.model_words = voter.source.words;
  inspection.record.model_provenance =
      config::Word(config::Provenance::kPublic);
  base::Note("Every device looks at its own examples and votes …");
  return train::VotedBy(voter, inspection.data, inspection.pool).marks;
}

void OpenData(Inspection& inspection) {
  const config::TrainConfig& config = inspection.config;
  runs::InspectionRecord& record = inspection.record;
  // Before people are generated: one that is stopped there has a page too.
  record.simulation =
      plan::FactsOf(config.data).origin != data::Origin::kPrivate;
  inspection.data = plan::OpenTrainingData(config.data, inspection.job.folder);
  inspection.data.CheckSums();
  const data::DatasetInfo& info = inspection.data.set->info();
  record.data = info.name;
  record.origin = data::Name(info.origin);
  record.simulation = info.origin != data::Origin::kPrivate;
  select::CheckCriterion(select::CriterionOf(config.select), info);
}

void Compare(Inspection& inspection) {
  inspection.SetStage("contrast");
  base::Note("Comparing what the models draw …");
  inspection.medium->Compare(inspection);
  runs::WriteContrast(inspection.job.folder, inspection.contrast);
}

void WritePage(Inspection& inspection) {
  runs::InspectionRecord& record = inspection.record;
  record.status = runs::Status::kFinished;
  record.stage = "";
  if (record.simulation) {
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - inspection.begun;
    record.simulation_only = {{"seconds", taken.count()},
                              {"device", inspection.device.Text()},
                              {"bug", inspection.config.data.bug},
                              {"bug_share", inspection.config.data.bug_share},
                              {"examples", inspection.real_examples}};
  }
  inspection.Save();
  report::WriteReport(inspection.job.folder);
}

}  // namespace sfumato::inspect

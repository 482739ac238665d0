#include "base/progress.h"
#include "census/census.h"
#include "fmt/format.h"
#include "inspect/stages.h"
#include "plan/inspect_ledger.h"
#include "report/census_page.h"

namespace sfumato::inspect {
namespace {

census::CensusJob JobOf(const Inspection& inspection) {
  return {.folder = inspection.job.folder / runs::kCensusFolder,
          .config = inspection.job.config,
          .version = inspection.job.version,
          .ledger_key = inspection.job.ledger_key,
          .yes = inspection.job.yes};
}

census::CensusPart PartOf(Inspection& inspection) {
  return {.plan = *inspection.plan.census,
          .people = inspection.data,
          .ledger = *inspection.ledger,
          .folder = inspection.job.folder,
          .before_more = [&inspection](const dp::Event& vote) {
            plan::RequireYesForMore(
                *inspection.ledger, inspection.plan, vote,
                fmt::format("Resume   the votes were lost: everybody is asked "
                            "again, and it is paid again ({})\n",
                            dp::Describe(vote)),
                inspection.job.yes);
          }};
}

}  // namespace

void LearnCensusVoter(Inspection& inspection) {
  if (!inspection.plan.census) return;
  if (inspection.record.ledger_name.empty()) inspection.SetStage("preparing");
  census::CensusOutcome outcome;
  census::LearnPart(JobOf(inspection), PartOf(inspection), outcome);
}

std::optional<runs::CensusRecord> AskCensus(Inspection& inspection) {
  if (!inspection.plan.census) return std::nullopt;
  if (!inspection.record.surveyed) inspection.SetStage("census");
  census::CensusOutcome outcome;
  census::RunPart(JobOf(inspection), PartOf(inspection), outcome);
  // Models take longer, and may yet be refused.
  if (!inspection.record.surveyed) {
    base::Note(report::CensusLines(outcome.record));
  }
  plan::FillSpent(*inspection.ledger, inspection.plan,
                  inspection.record.privacy);
  inspection.Save();
  return outcome.record;
}

}  // namespace sfumato::inspect

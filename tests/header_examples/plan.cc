// The examples in the headers of `plan` and `runs`.

#include "plan/plan.h"

#include <filesystem>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/safetensors.h"
#include "plan/account.h"
#include "plan/census_plan.h"
#include "plan/class_names.h"
#include "plan/dataset_ledger.h"
#include "plan/guarantee_text.h"
#include "plan/inspect_ledger.h"
#include "plan/inspect_plan.h"
#include "plan/inspect_plan_text.h"
#include "plan/monitor_plan.h"
#include "plan/plan_file.h"
#include "plan/plan_fits.h"
#include "plan/plan_ledger.h"
#include "plan/reference_run.h"
#include "plan/run_vocabulary.h"
#include "plan/side_sizes.h"
#include "plan/train_plan.h"
#include "plan/training_data.h"
#include "plan/vocabulary_source.h"
#include "plan/vote_source.h"
#include "runs/census.h"
#include "runs/checkpoint.h"
#include "runs/gate.h"
#include "runs/inspection.h"
#include "runs/json_record.h"
#include "runs/metrics.h"
#include "runs/monitor.h"
#include "runs/run.h"
#include "runs/sample_set.h"
#include "runs/samples.h"
#include "runs/sweep.h"
#include "runs/tensorboard.h"
#include "runs/text_samples.h"

namespace sfumato::plan {

void AccountExample(const std::vector<dp::Event>& events) {
#include "plan/account.example"
}

void CensusPlanExample(const config::TrainConfig& config,
                       const DataFacts& facts) {
#include "plan/census_plan.example"
}

void ClassNamesExample(base::Metadata& metadata, const data::DatasetInfo& info,
                       const base::SafetensorsFile& file,
                       const data::DatasetInfo& other) {
#include "plan/class_names.example"
}

void DatasetLedgerExample() {
#include "plan/dataset_ledger.example"
}

void GuaranteeTextExample(const std::vector<dp::Event>& events) {
#include "plan/guarantee_text.example"
}

void InspectLedgerExample(const config::TrainConfig& config,
                          const InspectPlan& plan, const base::Path& folder,
                          const std::string& key,
                          runs::InspectionRecord& record) {
#include "plan/inspect_ledger.example"
}

void InspectPlanExample(const config::TrainConfig& config,
                        const DataFacts& facts) {
#include "plan/inspect_plan.example"
}

void InspectPlanTextExample(const InspectPlan& plan) {
#include "plan/inspect_plan_text.example"
}

void MonitorPlanExample(const config::TrainConfig& config,
                        const DataFacts& facts, dp::Ledger& ledger) {
#include "plan/monitor_plan.example"
}

void PlanExample(const dp::Event& rounds) {
#include "plan/plan.example"
}

void PlanFileExample(const base::Path& folder, const Plan& plan,
                     const config::TrainConfig& config,
                     const DataFacts& facts) {
#include "plan/plan_file.example"
}

void PlanFitsExample(const InspectPlan& plan, double budget) {
#include "plan/plan_fits.example"
}

void PlanLedgerExample(dp::Ledger& ledger, const Plan& plan) {
#include "plan/plan_ledger.example"
}

void ReferenceRunExample(const config::TrainConfig& config,
                         const std::string& key) {
#include "plan/reference_run.example"
}

void RunVocabularyExample(const config::TrainConfig& config,
                          const base::Path& run_folder) {
#include "plan/run_vocabulary.example"
}

void SideSizesExample(const InspectPlan& plan,
                      const runs::InspectionRecord& record) {
#include "plan/side_sizes.example"
}

void TrainPlanExample(const config::TrainConfig& config) {
#include "plan/train_plan.example"
}

void VocabularySourceExample(const dp::Event& event, const std::string& run,
                             const data::Vocabulary& words,
                             data::VocabularyText& text, dp::Ledger& ledger) {
#include "plan/vocabulary_source.example"
}

void VoteSourceExample(const config::TrainConfig& config) {
#include "plan/vote_source.example"
}

}  // namespace sfumato::plan

namespace sfumato::runs {

void Restore(const base::Path& checkpoint);

void CensusExample() {
#include "runs/census.example"
}

void CheckpointExample(const base::Path& folder,
                       const std::vector<base::TensorOut>& tensors) {
#include "runs/checkpoint.example"
}

void GateExample(Metrics& metrics) {
#include "runs/gate.example"
}

void InspectionExample() {
#include "runs/inspection.example"
}

auto JsonRecordExample(const nlohmann::json& json, const std::string& where) {
#include "runs/json_record.example"
}

void MetricsExample(const base::Path& folder, const Run& run) {
#include "runs/metrics.example"
}

void MonitorExample() {
#include "runs/monitor.example"
}

void RunExample(const config::TrainConfig& config) {
#include "runs/run.example"
}

void SampleSetExample(const ImageSamples& drawn,
                      const base::Metadata& metadata) {
#include "runs/sample_set.example"
}

void SamplesExample(const Run& run, const ImageSamples& drawn,
                    const base::Metadata& metadata) {
#include "runs/samples.example"
}

void SweepExample(InspectionRecord& record) {
#include "runs/sweep.example"
}

void TensorboardExample(const Run& run, double now, const std::string& bytes) {
#include "runs/tensorboard.example"
}

void TextSamplesExample(
    const Run& run, const std::vector<std::vector<std::string>>& sentences) {
#include "runs/text_samples.example"
}

}  // namespace sfumato::runs

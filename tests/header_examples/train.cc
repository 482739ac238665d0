// The examples in the headers of `train`, `inspect` and `bench`.

#include "bench/census_simulation.h"
#include "bench/outside_damages.h"
#include "inspect/series/monitor.h"
#include "inspect/series/sweep.h"
#include "train/canaries.h"
#include "train/census_vote.h"
#include "train/judging_model.h"
#include "train/language_run.h"
#include "train/model_input.h"
#include "train/population.h"
#include "train/run_model.h"
#include "train/trained_model.h"

namespace sfumato::train {

extern const config::TrainConfig config;
extern const base::Path run_folder;
extern const plan::TrainingData data;
extern const data::FederatedDataset set;
extern fed::WorkerPool pool;

void CanariesExample(const data::Vocabulary& vocabulary) {
#include "train/canaries.example"
}

void CensusVoteExample() {
#include "train/census_vote.example"
}

void JudgingModelExample() {
#include "train/judging_model.example"
}

void LanguageRunExample() {
#include "train/language_run.example"
}

void ModelInputExample() {
#include "train/model_input.example"
}

void PopulationExample(const eval::Judge& judge,
                       const select::Criterion& criterion) {
#include "train/population.example"
}

void RunModelExample() {
#include "train/run_model.example"
}

void TrainedModelExample(const Device& device, const models::Examples& test,
                         const std::vector<std::int64_t>& users) {
#include "train/trained_model.example"
}

}  // namespace sfumato::train

namespace sfumato::inspect {

extern const config::TrainConfig config;

void MonitorExample(const InspectFunction& inspect) {
#include "inspect/series/monitor.example"
}

void SweepExample(const std::string& version, const InspectFunction& inspect) {
#include "inspect/series/sweep.example"
}

}  // namespace sfumato::inspect

namespace sfumato::bench {

void CensusSimulationExample(const census::Votes& votes,
                             const census::Votes& other,
                             const census::Voter& voter,
                             fed::WorkerPool& pool) {
#include "bench/census_simulation.example"
}

void OutsideDamagesExample(census::ImageSet& images, base::Rng& rng) {
#include "bench/outside_damages.example"
}

}  // namespace sfumato::bench

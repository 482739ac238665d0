// The examples in the headers of `fed`, `algorithms` and `select`.

#include "algorithms/central_classifier.h"
#include "algorithms/dp_fedavg.h"
#include "algorithms/generator_update.h"
#include "base/random.h"
#include "fed/epsilon_meter.h"
#include "fed/evaluate.h"
#include "fed/lane_cohort.h"
#include "fed/lane_sum.h"
#include "fed/local_schedule.h"
#include "fed/mean_mechanism.h"
#include "fed/mpi_cohort.h"
#include "fed/release/entered.h"
#include "fed/release/run_ledger.h"
#include "fed/release/survey.h"
#include "fed/release/vote_loop.h"
#include "fed/release/word_choice.h"
#include "fed/round_loop.h"
#include "fed/sampling.h"
#include "fed/server_optimizer.h"
#include "fed/thread_cohort.h"
#include "fed/worker_pool.h"
#include "models/classifier.h"
#include "models/gan.h"
#include "select/criterion.h"
#include "select/selection.h"

namespace sfumato::fed {

extern dp::Ledger ledger;
extern MeanMechanism& mechanism;
extern dp::ClippedSum sum;
extern Algorithm& algorithm;
extern const models::Examples& examples;
extern const LocalTraining local;
extern const at::Device device;
extern const at::Tensor params;
extern const std::int64_t round, lane;
extern const std::vector<std::int64_t> users;

template <typename... T>
void Train(const T&...);

void EpsilonMeterExample(const RoundReport& report, void Show(double epsilon)) {
#include "fed/epsilon_meter.example"
}

void EvaluateExample(const models::Stack& model) {
#include "fed/evaluate.example"
}

void LaneCohortExample(std::span<const double> weights) {
#include "fed/lane_cohort.example"
}

void LaneSumExample(std::int64_t dimension, double clip_norm,
                    const at::Tensor& updates, const at::Tensor& weights) {
#include "fed/lane_sum.example"
}

void LocalScheduleExample() {
#include "fed/local_schedule.example"
}

void MeanMechanismExample(std::size_t parameters, const std::string& cohort,
                          RunLedger& run_ledger) {
#include "fed/mean_mechanism.example"
}

void MpiCohortExample(Cohort& local, const LocalTraining& training,
                      void RunRoundsWith(Cohort& cohort)) {
#include "fed/mpi_cohort.example"
}

void EnteredExample(const dp::Event& event, const Randomness& randomness) {
#include "fed/release/entered.example"
}

void RunLedgerExample() {
#include "fed/release/run_ledger.example"
}

void SurveyExample(const std::vector<dp::Question>& questions,
                   const select::Verdicts& verdicts,
                   void Keep(double threshold)) {
#include "fed/release/survey.example"
}

struct VoterOfExample {
  std::vector<std::vector<std::int64_t>> VotesOf(
      const std::vector<std::int64_t>& users) const;
};
void VoteLoopExample(const dp::VoteNoise& noise, const VoterOfExample& voter,
                     const std::vector<std::int64_t>& users,
                     void Keep(const std::vector<std::int64_t>& counts)) {
#include "fed/release/vote_loop.example"
}

void WordChoiceExample(const std::vector<std::vector<std::string>>& words) {
#include "fed/release/word_choice.example"
}

void RoundLoopExample(Cohort& cohort, MeanMechanism* mechanism,
                      RoundObserver& observer) {
#include "fed/round_loop.example"
}

void SamplingExample() {
#include "fed/sampling.example"
}

void ServerOptimizerExample(const params::Layout& layout,
                            const dp::Released<std::vector<float>>& mean) {
#include "fed/server_optimizer.example"
}

void ThreadCohortExample(std::span<const double> weights) {
#include "fed/thread_cohort.example"
}

void WorkerPoolExample(std::size_t items) {
#include "fed/worker_pool.example"
}

}  // namespace sfumato::fed

namespace sfumato::algorithms {

void CentralClassifierExample(const models::Stack& model,
                              const models::Examples& examples) {
#include "algorithms/central_classifier.example"
}

void DpFedAvgExample(const models::Stack& stack, const fed::RoundParts& parts,
                     const fed::RoundOptions& options) {
#include "algorithms/dp_fedavg.example"
}

void GeneratorUpdateExample(const models::Gan& gan, at::Device device,
                            const at::Tensor& critic_params,
                            std::uint64_t round, const at::Tensor& latent) {
#include "algorithms/generator_update.example"
}

}  // namespace sfumato::algorithms

namespace sfumato::select {

void CriterionExample(const config::TrainConfig& config,
                      const data::FederatedDataset& set) {
#include "select/criterion.example"
}

void SelectionExample(const models::Stack& model, const at::Tensor& params,
                      const models::Examples& examples,
                      const Criterion& criterion,
                      const data::FederatedDataset& set,
                      const std::vector<std::int64_t>& users) {
#include "select/selection.example"
}

}  // namespace sfumato::select

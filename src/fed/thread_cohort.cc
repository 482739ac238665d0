#include "fed/thread_cohort.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "fed/local_schedule.h"

namespace sfumato::fed {

// What one thread works in, from client to client.
struct ThreadCohort::Worker {
  std::unique_ptr<LaneTrainer> trainer;
  at::Tensor params;  // [1, size]
  models::Batch batch;
  LocalSchedule schedule;
  std::optional<dp::ClippedSum> sum;
};

ThreadCohort::ThreadCohort(const models::Examples& examples,
                           const ThreadCohortOptions& options)
    : examples_(examples), options_(options), pool_(options_.threads) {}

ThreadCohort::~ThreadCohort() = default;

CohortFacts ThreadCohort::Train(const Algorithm& algorithm, std::uint64_t round,
                                std::span<const std::int64_t> users,
                                std::span<const double> weights,
                                dp::ClippedSum& sum) {
  Prepare(algorithm, algorithm.Broadcast());
  for (auto& worker : workers_) {
    worker->sum.emplace(sum.clip_norm(), sum.dimension(), sum.cohort());
  }
  // Sizes are asked for once: a comparison that looked them up would touch the
  // data n log n times.
  std::vector<std::int64_t> steps;
  for (const std::int64_t user : users) {
    steps.push_back(StepsOf(examples_.user_size(user), options_.local));
  }
  largest_.resize(users.size());
  std::iota(largest_.begin(), largest_.end(), 0);
  std::ranges::stable_sort(largest_, std::greater(),
                           [&](std::size_t i) { return steps[i]; });
  outcomes_.assign(users.size(), {});

  pool_.Run(users.size(), [&](int worker, std::size_t item) {
    const std::size_t i = largest_[item];
    outcomes_[i] = TrainClient(*workers_[static_cast<std::size_t>(worker)],
                               round, users[i], weights[i]);
  });

  for (auto& worker : workers_) {
    sum.Merge(std::move(*worker->sum));
    worker->sum.reset();
  }
  return Summary(outcomes_);  // in the order of users, whoever trained them
}

void ThreadCohort::Prepare(const Algorithm& algorithm,
                           const at::Tensor& broadcast) {
  broadcast_ = broadcast.contiguous();
  if (trains_ == algorithm.id()) return;
  trains_ = 0;  // until all of them have a trainer
  workers_.clear();
  const models::Shape shape = examples_.shape();
  const std::int64_t batch = options_.local.batch_size;
  for (int i = 0; i < pool_.size(); ++i) {
    auto worker = std::make_unique<Worker>();
    worker->trainer = algorithm.MakeTrainer(at::kCPU, 1, batch);
    worker->params = at::empty({1, broadcast_.numel()});
    worker->batch = {.inputs = at::zeros(
                         {1, batch, shape.height, shape.width, shape.channels}),
                     .labels = at::zeros({1, batch}, at::kLong),
                     .weights = at::zeros({1, batch}),
                     .keys = at::zeros({1}, at::kLong)};
    workers_.push_back(std::move(worker));
  }
  trains_ = algorithm.id();
}

ClientFacts ThreadCohort::TrainClient(Worker& worker, std::uint64_t round,
                                      std::int64_t user, double weight) {
  worker.schedule.Plan(
      {.seed = options_.seed, .round = round, .local = options_.local},
      {&user, 1}, examples_);
  // Who has nothing to train on adds zero.
  if (worker.schedule.steps() == 0) return {.clip = {.finite = true}};
  worker.params.copy_(broadcast_.unsqueeze(0));
  worker.batch.keys.data_ptr<std::int64_t>()[0] =
      models::ClientKey(options_.seed, round, static_cast<std::uint64_t>(user));
  worker.trainer->Begin();
  const std::int64_t steps = worker.schedule.steps();
  for (std::int64_t step = 0; step < steps; ++step) {
    worker.trainer->Step(worker.params, FillBatch(worker, user, step));
  }
  ClientFacts outcome{.loss = worker.trainer->losses()[0].item<float>(),
                      .stepped = true};

  // What training changed.
  const std::span update(worker.params.data_ptr<float>(),
                         static_cast<std::size_t>(broadcast_.numel()));
  const float* before = broadcast_.data_ptr<float>();
  for (std::size_t i = 0; i < update.size(); ++i) update[i] -= before[i];
  outcome.clip = worker.sum->Add(std::span<const float>(update), weight);
  return outcome;
}

// The last batch of an epoch may be smaller; the views are then shorter, so
// that nothing is computed for nobody.
models::Batch ThreadCohort::FillBatch(Worker& worker, std::int64_t user,
                                      std::int64_t step) const {
  const std::int64_t rows = worker.schedule.rows(step, 0);
  const std::span<const std::int64_t> chosen =
      worker.schedule.examples(step, 0);
  const std::span<const float> weights = worker.schedule.weights(step, 0);
  const auto size = static_cast<std::size_t>(examples_.shape().size());
  float* inputs = worker.batch.inputs.data_ptr<float>();
  auto* labels = worker.batch.labels.data_ptr<std::int64_t>();
  for (std::int64_t row = 0; row < rows; ++row) {
    labels[row] =
        examples_.Read(user, chosen[static_cast<std::size_t>(row)],
                       {inputs + static_cast<std::size_t>(row) * size, size});
  }
  std::copy_n(weights.begin(), rows, worker.batch.weights.data_ptr<float>());
  return {.inputs = worker.batch.inputs.narrow(1, 0, rows),
          .labels = worker.batch.labels.narrow(1, 0, rows),
          .weights = worker.batch.weights.narrow(1, 0, rows),
          .keys = worker.batch.keys,
          .step = step};
}

}  // namespace sfumato::fed

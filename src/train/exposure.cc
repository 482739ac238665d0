#include "train/exposure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "dp/accounting/pld.h"
#include "fed/worker_pool.h"
#include "models/lstm_loss.h"
#include "models/sequences.h"
#include "plan/plan_file.h"
#include "plan/train_plan.h"
#include "plan/training_data.h"
#include "runs/run.h"
#include "train/canaries.h"
#include "train/device.h"
#include "train/language_run.h"

namespace sfumato::train {
namespace {

constexpr std::size_t kBatch = 256;

// Bits by which a model is surprised by one sentence after another.
std::vector<double> LogPerplexities(
    const LanguageRun& run, const std::vector<models::WordNumbers>& sentences,
    fed::WorkerPool& pool) {
  std::vector<double> bits(sentences.size());
  const std::int64_t width = run.config.canary.words + 2;
  const std::size_t batches = (sentences.size() + kBatch - 1) / kBatch;
  pool.Run(batches, [&](int, std::size_t batch) {
    const std::size_t first = batch * kBatch;
    const std::size_t rows = std::min(kBatch, sentences.size() - first);
    const auto count = static_cast<std::int64_t>(rows);
    at::Tensor inputs = at::empty({1, count, 1, width, 1});
    at::Tensor labels = at::empty({1, count}, at::kLong);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto size = static_cast<std::size_t>(width);
      labels.data_ptr<std::int64_t>()[row] =
          models::WriteSentence(sentences[first + row],
                                {inputs.data_ptr<float>() + row * size, size});
    }
    const at::Tensor found =
        models::JudgeSequences(run.model, run.params, inputs, labels)
            .log_likelihood.contiguous();
    for (std::size_t row = 0; row < rows; ++row) {
      bits[first + row] = -found.data_ptr<double>()[row] / std::numbers::ln2;
    }
  });
  return bits;
}

std::string SentenceOf(const models::WordNumbers& words,
                       const data::Vocabulary& vocabulary) {
  std::string sentence;
  for (const std::int64_t word : words) {
    sentence += (sentence.empty() ? "" : " ") + vocabulary.WordOf(word);
  }
  return sentence;
}

// A chance is bounded by any guarantee that training has, also one with a delta
// that nobody would promise by itself: it is the least of them that counts. At
// a very large epsilon none of them says anything, and each takes seconds.
std::vector<eval::PrivacyPoint> PointsOf(const dp::Event& rounds,
                                         double delta) {
  constexpr double kHopeless = 100;
  if (rounds.count == 0) return {{.epsilon = 0, .delta = delta}};
  std::vector<eval::PrivacyPoint> points = {
      {.epsilon = dp::PldEpsilon({&rounds, 1}, delta), .delta = delta}};
  if (!(points[0].epsilon < kHopeless)) return points;
  for (const double other :
       {1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5}) {
    points.push_back(
        {.epsilon = dp::PldEpsilon({&rounds, 1}, other), .delta = other});
  }
  return points;
}

void Prove(const plan::TrainPlan& plan, ExposureReport& report) {
  report.protects = plan.protects;
  report.mean_at_most = report.table.most;
  if (!plan.protects) return;
  dp::Event rounds = plan.rounds();
  rounds.count = report.round;
  const std::vector<eval::PrivacyPoint> points = PointsOf(rounds, plan.delta);
  report.epsilon = points.front().epsilon;
  report.delta = points.front().delta;
  report.unit = dp::Name(plan.participants.unit);
  report.adjacency = dp::Name(plan.participants.adjacency);
  for (const double share : {0.25, 0.5, 0.75, 1.0}) {
    const double bits = share * report.table.most;
    report.chances.push_back(
        {.exposure = bits, .at_most = eval::ChanceOfExposure(points, bits)});
  }
  report.mean_at_most = eval::ExpectedExposure(points, report.table.most);
}

}  // namespace

extern "C" void SfumatoExposure(const ExposureJob* job,
                                ExposureReport* report) {
  const config::TrainConfig config = runs::ReadRun(job->folder).config;
  if (config.canary.users == 0) {
    throw BadInput("a run without canaries", job->folder.string(),
                   "train a model of words with them: --set canary.users=10");
  }
  const LanguageRun run = ReadLanguageRun(job->folder, job->round);
  const plan::TrainingData data =
      plan::OpenTrainingData(config.data, job->folder);
  const plan::DataFacts facts = data.facts();
  const plan::TrainPlan plan = plan::PlanAsKept(
      job->folder, config, [&](const config::TrainConfig& fixed) {
        return plan::PlanTraining(fixed, facts, job->folder);
      });
  const Device device = DeviceFor(config.device);
  fed::WorkerPool pool(device.threads);
  std::vector<models::WordNumbers> sentences;
  for (const models::Canary& canary :
       CanariesOf(config, run.vocabulary, data.users.size())) {
    const std::int64_t user = data.users[static_cast<std::size_t>(canary.user)];
    report->users.push_back(
        {.user =
             std::string(data.set->user(static_cast<std::size_t>(user)).id()),
         .sentence = SentenceOf(canary.words, run.vocabulary)});
    sentences.push_back(canary.words);
  }
  report->round = run.round;
  report->data = data.set->info().name;
  report->repeats = config.canary.repeats;
  report->table = eval::Exposures(
      LogPerplexities(run, sentences, pool),
      LogPerplexities(
          run,
          models::DrawAlternatives(CanaryOptionsOf(config), run.vocabulary,
                                   job->alternatives),
          pool));
  report->form_bits =
      static_cast<double>(config.canary.words) *
      std::log2(static_cast<double>(run.vocabulary.words().size()));
  // The first of all sentences that there are is as far as it goes.
  for (eval::CanaryExposure& found : report->table.canaries) {
    if (found.extrapolated > report->form_bits) {
      found.extrapolated = report->form_bits;
    }
  }
  Prove(plan, *report);
}

}  // namespace sfumato::train

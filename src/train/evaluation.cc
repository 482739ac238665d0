#include "train/evaluation.h"

#include <memory>
#include <numeric>

#include "base/error.h"
#include "fed/evaluate.h"
#include "fmt/format.h"
#include "plan/class_names.h"
#include "plan/training_data.h"
#include "runs/run.h"
#include "train/device.h"
#include "train/model_input.h"
#include "train/run_model.h"
#include "train/trained_model.h"

namespace sfumato::train {
namespace {

// The data to judge on, and which of its users.
struct Judged {
  std::unique_ptr<data::FederatedDataset> set;
  std::vector<std::int64_t> users;
};

Judged DataOf(const EvalJob& job, const config::TrainConfig& config) {
  Judged judged;
  if (job.data.empty()) {
    plan::TrainingData data = plan::OpenTrainingData(config.data, job.folder);
    if (data.test_users.empty()) {
      throw BadInput("a run without test users", job.folder.string(),
                     "name data to judge on: --data FOLDER");
    }
    judged.users = data.test_users;
    judged.set = std::move(data.test_set ? data.test_set : data.set);
    return judged;
  }
  judged.set = std::make_unique<data::FederatedDataset>(job.data);
  data::CheckDeclared(judged.set->info(), "--data");
  if (judged.set->info().origin != data::Origin::kPrivate) {  // refused below
    judged.set->CheckSums();
  }
  judged.users.resize(judged.set->users());
  std::iota(judged.users.begin(), judged.users.end(), 0);
  return judged;
}

// If the run distinguishes users' own examples from public ones: both.
class Discriminated {
 public:
  Discriminated(const config::TrainConfig& config,
                const data::DatasetInfo& info, const models::Examples& own)
      : own_(own) {
    if (config.data.public_path.empty()) return;
    set_ = plan::OpenPublicSet(config.data.public_path, info);
    open_ = models::ExamplesOf(*set_, {}, models::Labels::kUnused);
    both_ = models::AgainstPublic(own, *open_,
                                  static_cast<std::uint64_t>(config.seed));
  }
  const models::Examples& examples() const { return both_ ? *both_ : own_; }

 private:
  const models::Examples& own_;
  std::unique_ptr<data::FederatedDataset> set_;
  std::unique_ptr<models::Examples> open_;
  std::unique_ptr<models::Examples> both_;
};

void CheckFits(const RunModel& run, const models::Examples& examples) {
  if (run.shape == examples.shape() && run.classes == examples.classes()) {
    return;
  }
  throw BadInput(
      fmt::format("examples of {} in {} classes, where the run's model takes "
                  "{} in {}",
                  models::ToText(examples.shape()), examples.classes(),
                  models::ToText(run.shape), run.classes),
      "--data", "judge on data of the kind it was trained on");
}

}  // namespace

extern "C" void SfumatoEval(const EvalJob* job, EvalReport* report) {
  const runs::RunRecord record = runs::ReadRun(job->folder);
  if (!TraitsFor(record.config).judges) {
    throw BadInput("a generator, which judges nothing", job->folder.string(),
                   "draw from it: sfumato sample " + job->folder.string());
  }
  const Judged judged = DataOf(*job, record.config);
  if (judged.set->info().origin == data::Origin::kPrivate) {
    throw Unsupported(
        "accuracy on private records is itself private",
        judged.set->info().name,
        "judge on generated or public data; a release by a mechanism costs "
        "privacy and is not offered here");
  }
  const Device device = DeviceFor(record.config.device);
  const RunModel run = ReadRunModel(job->folder, job->round);
  const ModelInput input(record.config, job->folder);
  const auto own = input.Read(*judged.set);
  const Discriminated against(record.config, judged.set->info(), *own);
  const models::Examples& examples = against.examples();
  report->language = input.traits().reads != Reads::kPixels;
  if (!report->language) CheckFits(run, examples);
  plan::CheckClassNames(run.metadata, judged.set->info().classes, "--data");
  report->round = run.round;
  report->data = judged.set->info().name;
  fed::WorkerPool pool(device.threads);
  const fed::Evaluation found =
      run.model->Judge(run.params, examples, judged.users, pool);
  report->accuracy = found.accuracy();
  report->loss = found.mean_loss();
  for (const fed::UserScore& score : found.users) {
    report->users.push_back(
        {.user = std::string(
             judged.set->user(static_cast<std::size_t>(score.user)).id()),
         .examples = score.examples,
         .correct = score.correct,
         .loss = score.examples == 0
                     ? 0
                     : score.loss / static_cast<double>(score.examples)});
  }
}

}  // namespace sfumato::train

#include "train/training.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "algorithms/dp_fedavg.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/secure_random.h"
#include "dp/accounting/accountant.h"
#include "dp/ledger/ledger.h"
#include "fed/lane_cohort.h"
#include "fed/local_schedule.h"
#include "fed/mpi_cohort.h"
#include "fed/round_loop.h"
#include "fed/thread_cohort.h"
#include "fmt/format.h"
#include "plan/dataset_ledger.h"
#include "plan/training_data.h"
#include "plan/vocabulary_source.h"
#include "train/canaries.h"
#include "train/census_vote.h"
#include "train/device.h"
#include "train/judging_model.h"
#include "train/model_input.h"
#include "train/population.h"
#include "train/run_observer.h"
#include "train/trained_model.h"

namespace sfumato::train {
namespace {

using Clock = std::chrono::steady_clock;

// Examples of the users that train and of those that test.
struct Examples {
  std::string description_crc32c = "";
  std::unique_ptr<ModelInput> input = {};
  std::unique_ptr<Population> population = {};
  std::unique_ptr<models::Examples> chosen = {};  // where there is a criterion
  std::unique_ptr<models::Examples> with_canaries = {};
  const models::Examples* train = nullptr;
  std::unique_ptr<models::Examples> all_test = {};
  std::unique_ptr<models::Examples> test = {};
  const models::Examples* judged = nullptr;  // those of the test users
  // If users' own examples are distinguished from public ones.
  std::unique_ptr<models::Examples> open = {};
  std::unique_ptr<models::Examples> train_or_public = {};
  std::unique_ptr<models::Examples> test_or_public = {};
};

// Seeds what happens on the devices (order of examples, dropout, drawn images).
// On private data nobody knows it: users are numbered by their place in the
// set, and one who leaves must not visibly change what the others do.
std::uint64_t DeviceSeed(const config::TrainConfig& config,
                         data::Origin origin) {
  return origin == data::Origin::kPrivate
             ? base::SecureRandom()()
             : static_cast<std::uint64_t>(config.seed);
}

// From here on the classes are two, public and own.
void LabelOwnAgainstPublic(const plan::TrainingData& data, std::uint64_t seed,
                           Examples& examples) {
  examples.open =
      models::ExamplesOf(*data.public_set, {}, models::Labels::kUnused);
  const auto against = [&](const models::Examples& own) {
    return models::AgainstPublic(own, *examples.open, seed);
  };
  examples.train_or_public = against(*examples.train);
  examples.train = examples.train_or_public.get();
  examples.test_or_public = against(*examples.test);
  examples.judged = examples.test_or_public.get();
}

// The criterion's own outcome, where nobody has it yet.
std::unique_ptr<models::Examples> ChosenBy(const config::TrainConfig& config,
                                           const plan::TrainingData& data,
                                           const Population& population,
                                           const Device& device) {
  CheckSelection(config, data.set->info());
  const select::Criterion criterion = select::CriterionOf(config.select);
  select::Verdicts verdicts;
  fed::WorkerPool pool(device.threads);
  if (criterion.by == select::By::kVote) {
    verdicts =
        VotedBy(ReadCensusVoter(config.select, data.set->info()), data, pool);
  } else if (config::NeedsWordModel(criterion.by)) {
    verdicts = JudgedBy(ReadWordJudge(config.select.model), data, pool);
  } else if (config::NeedsModel(criterion.by)) {
    const bool discriminator = criterion.by == select::By::kUnlikePublic;
    verdicts = population.JudgedBy(
        ReadJudge(config.select.model, data.set->info(), discriminator),
        discriminator, pool);
  }
  return population.Chosen(criterion, verdicts);
}

// Only into what is trained on: what is judged stays as people wrote it.
void AddCanaries(const config::TrainConfig& config, Examples& examples) {
  const auto users = static_cast<std::size_t>(examples.train->users());
  examples.with_canaries = models::WithCanaries(
      *examples.train, CanariesOf(config, *examples.input->vocabulary(), users),
      config.canary.repeats);
  examples.train = examples.with_canaries.get();
}

Examples ExamplesFor(const TrainJob& job, const config::TrainConfig& config,
                     const plan::TrainingData& data, const Device& device) {
  Examples examples{.description_crc32c = data.description_crc32c};
  examples.input = std::make_unique<ModelInput>(config, job.folder);
  if (job.selected != nullptr) {
    examples.train = job.selected;
  } else {
    examples.population = std::make_unique<Population>(data, *examples.input);
    examples.train = &examples.population->train();
    if (config::Selects(config.select)) {
      examples.chosen = ChosenBy(config, data, *examples.population, device);
      examples.train = examples.chosen.get();
    }
    if (config.canary.users > 0) AddCanaries(config, examples);
  }
  if (!data.test_users.empty())
    examples.all_test = examples.input->Read(data.test());
  examples.test = models::ChosenUsers(
      examples.all_test ? *examples.all_test : *examples.train,
      data.test_users);
  examples.judged = examples.test.get();
  if (data.public_set) {
    LabelOwnAgainstPublic(data, DeviceSeed(config, data.set->info().origin),
                          examples);
  }
  return examples;
}

fed::LocalTraining LocalOf(const config::TrainConfig& config,
                           const models::Examples& examples,
                           data::Origin origin) {
  return fed::FittedTo(
      examples,
      {.epochs = config.local.epochs,
       .max_steps = config.local.max_steps,
       .batch_size = config.local.batch_size},
      origin != data::Origin::kPrivate && !TraitsFor(config).whole_batches);
}

// Clients at a time on a GPU: room for most cohorts, a function of the config
// alone (the size of a real one is private).
std::int64_t LanesFor(const config::TrainConfig& config) {
  constexpr double kMost = 256;
  if (config.device.lanes > 0) return config.device.lanes;
  const double cohort = config.cohort.sampling == config::Sampling::kEveryone
                            ? kMost
                            : 1.25 * config.cohort.size;
  return static_cast<std::int64_t>(8 * std::ceil(std::min(kMost, cohort) / 8));
}

std::unique_ptr<fed::Cohort> CohortFor(const config::TrainConfig& config,
                                       const Device& device,
                                       const models::Examples& examples,
                                       data::Origin origin) {
  const std::uint64_t seed = DeviceSeed(config, origin);
  const fed::LocalTraining local = LocalOf(config, examples, origin);
  if (device.torch.is_cpu()) {
    return std::make_unique<fed::ThreadCohort>(
        examples, fed::ThreadCohortOptions{
                      .seed = seed, .local = local, .threads = device.threads});
  }
  return std::make_unique<fed::LaneCohort>(
      examples, fed::LaneCohortOptions{.seed = seed,
                                       .local = local,
                                       .device = device.torch,
                                       .lanes = LanesFor(config)});
}

std::unique_ptr<fed::MeanMechanism> MechanismFor(
    const config::TrainConfig& config, const plan::TrainPlan& plan) {
  const bool weighted = config.cohort.weights == config::Weights::kExamples;
  fed::MeanOptions options{
      .clipping = config.privacy.clipping == config::Clipping::kAdaptive
                      ? fed::Clipping::kAdaptive
                      : fed::Clipping::kFixed,
      .noise_multiplier = plan.noise_multiplier,
      .clip_norm = config.privacy.clip_norm,
      .target_quantile = config.privacy.target_quantile,
      .clip_learning_rate = config.privacy.clip_learning_rate,
      .expected_cohort = plan.expected_cohort,
      .expected_weight = weighted ? config.cohort.expected_weight : 1,
      .participants = plan.participants};
  if (plan.protects) {
    return fed::MakeMeanMechanism(algorithms::DpFedAvgMean(options));
  }
  options.clip_norm = 0;  // generous
  return fed::MakeMeanMechanism(algorithms::FedAvgMean(options));
}

// A fixed cohort is accounted for a known number of users. Whether it is right
// is checked once the data is bound to a ledger of replace-one, under which it
// is public; under add-remove the answer would be a release.
void RequireFixedPopulation(const plan::TrainPlan& plan, std::int64_t users) {
  const auto* fixed = std::get_if<dp::FixedSize>(&plan.participants.sampling);
  if (fixed == nullptr || fixed->population == users) return;
  throw BadInput(fmt::format("a fixed cohort from {} users, and the data has "
                             "another number",
                             fixed->population),
                 "cohort.population",
                 "give the number of users, or draw them by poisson");
}

// A simulation has a ledger of its own, with a budget that its plan fits into;
// for private data there is the population's, which somebody granted.
std::unique_ptr<dp::Ledger> LedgerFor(const TrainJob& job,
                                      const config::TrainConfig& config,
                                      std::int64_t users) {
  const plan::TrainPlan& plan = job.plan;
  if (!plan.protects) return nullptr;
  const base::Path path =
      job.ledger.empty() ? plan::LedgerPath(config, plan.simulation, job.folder)
                         : job.ledger;
  if (plan.simulation && !std::filesystem::exists(path)) {
    const double granted = std::max(config.privacy.epsilon, plan.epsilon);
    return std::make_unique<dp::Ledger>(dp::Ledger::Create(
        path, {.name = plan.participants.population.name,
               .budget = {.epsilon = granted * (1 + 1e-9),
                          .delta = plan.delta,
                          .adjacency = plan.participants.adjacency}}));
  }
  auto ledger = std::make_unique<dp::Ledger>(
      dp::Ledger::Open(path, plan.simulation ? "" : job.ledger_key));
  // An inspection has looked before its first question.
  if (plan.simulation || !job.ledger_run.empty()) return ledger;
  const auto vocabulary = plan::ReleasedVocabulary(config, job.folder);
  if (vocabulary) {
    plan::CheckInLedger(*ledger, *vocabulary,
                        plan.participants.population.Root());
  }
  // After everything that may be refused for nothing: what is bound stays
  // bound.
  plan::BindToLedger(config.data, *ledger);
  ledger->BindFirst(plan.participants.population.name, plan.dataset_ids);
  RequireFixedPopulation(plan, users);
  return ledger;
}

// Examples of a user on average; 0: private.
std::int64_t MeanSize(const config::TrainConfig& config,
                      const plan::DataFacts& facts) {
  if (!config.data.generate.empty()) return config.data.examples;
  if (facts.origin == data::Origin::kPrivate) return 0;
  const data::FederatedDataset set{base::Path(config.data.path)};
  const auto users = static_cast<double>(std::max<std::size_t>(1, set.users()));
  return static_cast<std::int64_t>(
      std::ceil(static_cast<double>(set.examples()) / users));
}

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The run's name in the ledger. There nobody else has it: two folders of one
// name, or a copy of a folder, would be taken for one run.
std::string LedgerRunName(const TrainJob& job) {
  const std::string name = plan::LedgerNameOf(job.folder);
  return job.plan.simulation
             ? name
             : fmt::format("{}-{:08x}", name,
                           base::SecureRandom()() & 0xffffffffu);
}

// Other data under the same name must not continue the run.
void CheckSameData(const runs::Run& run, const plan::TrainingData& data) {
  const std::string& before = run.facts().data_crc32c;
  if (before.empty() || before == data.description_crc32c) return;
  throw BadInput("the data is not what the run began with",
                 run.config().data.path,
                 "put it back, or train anew with another --out");
}

// Everything that a run needs.
struct Stage {
  const TrainJob& job;
  const config::TrainConfig& config;
  const Device& device;
  int ranks = 1;
  const Examples& examples;
  const TrainedModel& model;
  fed::Algorithm& algorithm;
  fed::Cohort& cohort;
};

runs::RunFacts FactsNow(const Stage& stage) {
  const TrainJob& job = stage.job;
  const Device& device = stage.device;
  runs::RunFacts facts = job.run->facts();
  facts.version = job.version;
  facts.simulation = job.plan.simulation;
  facts.cpu_count = std::thread::hardware_concurrency();
  facts.device_kind = device.torch.is_cpu() ? "cpu" : "cuda";
  facts.device_name = device.name;
  facts.libtorch_version = TORCH_VERSION;
  facts.threads = device.threads;
  facts.lanes = device.torch.is_cpu() ? 1 : LanesFor(stage.config);
  facts.ranks = stage.ranks;
  facts.data_crc32c = stage.examples.description_crc32c;
  if (facts.ledger_run.empty()) {
    facts.ledger_run =
        job.ledger_run.empty() ? LedgerRunName(job) : job.ledger_run;
  }
  return facts;
}

// What rank 0, or the only process, does.
void Conduct(const Stage& stage, TrainOutcome& outcome) {
  const TrainJob& job = stage.job;
  const config::TrainConfig& config = stage.config;
  const std::unique_ptr<fed::MeanMechanism> mechanism =
      MechanismFor(config, job.plan);
  const std::unique_ptr<dp::Ledger> ledger =
      LedgerFor(job, config, stage.examples.train->users());
  job.run->Start(FactsNow(stage));
  RunObserver observer({.run = *job.run,
                        .plan = job.plan,
                        .mechanism = *mechanism,
                        .model = stage.model,
                        .traits = stage.examples.input->traits(),
                        .test = *stage.examples.judged,
                        .threads = stage.device.threads,
                        .tensorboard = job.tensorboard,
                        .turn = job.turn});
  const std::int64_t first = observer.Restore(stage.algorithm, *mechanism);
  const std::int64_t released = fed::RunRounds(
      {.algorithm = stage.algorithm,
       .cohort = stage.cohort,
       .examples = *stage.examples.train,
       .mechanism = *mechanism,
       .ledger = ledger.get(),
       .observer = observer},
      {.run = job.run->facts().ledger_run,
       .population = job.plan.participants.population.name,
       .randomness = {.simulation = job.plan.simulation,
                      .seed = static_cast<std::uint64_t>(config.seed)},
       .weighting = {.by_examples =
                         config.cohort.weights == config::Weights::kExamples,
                     .cap = config.cohort.weight_cap},
       .rounds = config.rounds,
       .first_round = first,
       .spare_rounds = config.privacy.spare_rounds});
  outcome.rounds = config.rounds;
  outcome.epsilon = observer.EpsilonOf(released);
  outcome.accuracy = observer.accuracy();
}

// Ends in the run's status, whatever happens.
void ConductWithStatus(const Stage& stage, TrainOutcome& outcome) {
  runs::Run& run = *stage.job.run;
  try {
    Conduct(stage, outcome);
    run.SetStatus(runs::Status::kFinished);
  } catch (const base::Interrupted& interrupted) {
    if (run.status() == runs::Status::kCreated) throw;
    run.SetStatus(runs::Status::kInterrupted);
    throw base::Interrupted(
        interrupted.signal(), run.path().string(),
        "it is saved, and resumes with: sfumato resume " + run.path().string());
  } catch (const std::exception&) {
    try {
      if (run.status() != runs::Status::kCreated) {
        run.SetStatus(runs::Status::kFailed);
      }
    } catch (const Error&) {  // the first error counts
    }
    throw;
  }
}

void Estimate(const config::TrainConfig& config, const plan::DataFacts& data,
              TrainEstimate& estimate) {
  const Device device = DeviceFor(config.device);
  estimate.device = device.Text();
  std::int64_t mean_size = MeanSize(config, data);
  if (!config.data.public_path.empty()) mean_size *= 2;  // as many public ones
  // Users of the size that the real ones have on average; where sizes are
  // private, of one batch.
  const ModelInput input = ModelInput::OfSize(config);
  // The exact number of private users must not show, not even in memory use.
  const std::int64_t people = std::max<std::int64_t>(
      1, data.origin == data::Origin::kPrivate && config.cohort.population > 0
             ? config.cohort.population
             : data.users);
  const auto made_up = input.MakeUp(
      plan::InfoOf(config.data),
      {.users = people,
       .user_size = mean_size > 0 ? mean_size : config.local.batch_size});
  const auto algorithm =
      ModelFor(config, input.SizeOf(*made_up))->MakeAlgorithm(device);
  const std::unique_ptr<fed::Cohort> cohort =
      CohortFor(config, device, *made_up, data::Origin::kGenerated);
  estimate.parameters = algorithm->Broadcast().numel();
  // A first cohort for the memory, a second for the clock.
  const double size =
      config.cohort.sampling == config::Sampling::kEveryone
          ? static_cast<double>(people)
          : std::min(config.cohort.size, static_cast<double>(people));
  const auto probe = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(size), 1,
      device.torch.is_cpu() ? 2 * device.threads : 256);
  std::vector<std::int64_t> users(static_cast<std::size_t>(probe));
  std::iota(users.begin(), users.end(), 0);
  for (std::int64_t& user : users) user %= made_up->users();
  const std::vector<double> weights(users.size(), 1.0);
  double seconds = 0;
  for (const std::uint64_t round : {0, 1}) {
    dp::ClippedSum sum(1, static_cast<std::size_t>(estimate.parameters));
    const auto start = Clock::now();
    cohort->Train(*algorithm, round, users, weights, sum);
    seconds = SecondsSince(start);
  }
  estimate.memory_bytes = ResidentBytes();
  if (mean_size > 0) {
    estimate.seconds_per_round = seconds * size / static_cast<double>(probe);
  }
}

// LibTorch's own errors, without the stack that they carry.
Error Translated(const c10::Error& error) {
  const std::string what = error.what_without_backtrace();
  if (what.find("allocate memory") != std::string::npos ||
      what.find("out of memory") != std::string::npos) {
    return Unavailable("not enough memory for this training", "local, device",
                       "take smaller batches, fewer threads or lanes");
  }
  return {ErrorKind::kBug, what};
}

// One process of a run: all of it, rank 0 of several (with a session), or a
// rank that helps (without a run).
void Train(const TrainJob& job, fed::MpiSession* mpi,
           TrainOutcome& outcome) try {
  if (mpi && (job.run != nullptr) != (mpi->rank() == 0)) {
    throw Unavailable("the launcher and MPI number the processes differently",
                      "mpi", "start it by mpirun");
  }
  // A helping rank finds what rank 0 wrote before it came here; signals are
  // for rank 0, which saves and then ends all.
  if (!job.run) base::IgnoreInterrupts();
  const config::TrainConfig config =
      job.run ? job.run->config() : runs::ReadRun(job.folder).config;
  const Device device = DeviceFor(config.device);
  const plan::TrainingData data =
      plan::OpenTrainingData(config.data, job.folder);
  if (job.run) CheckSameData(*job.run, data);
  // An inspection has checked them before its first model.
  if (job.run && job.selected == nullptr) data.CheckSums();
  const Examples examples = ExamplesFor(job, config, data, device);
  ModelSize size = examples.input->SizeOf(*examples.train);
  size.class_names = data.set->info().classes;
  const auto model = ModelFor(config, size);
  const auto algorithm = model->MakeAlgorithm(device);
  const data::Origin origin = data.set->info().origin;
  const std::unique_ptr<fed::Cohort> local =
      CohortFor(config, device, *examples.train, origin);
  std::optional<fed::MpiCohort> shared;
  if (mpi) {
    shared.emplace(*mpi, *local, *examples.train,
                   LocalOf(config, *examples.train, origin));
  }
  outcome.device = device.Text();
  if (!job.run) {
    shared.value().Serve(*algorithm);
    return;
  }
  ConductWithStatus({.job = job,
                     .config = config,
                     .device = device,
                     .ranks = mpi ? mpi->size() : 1,
                     .examples = examples,
                     .model = *model,
                     .algorithm = *algorithm,
                     .cohort = shared ? *shared : *local},
                    outcome);
} catch (const c10::Error& error) {
  throw Translated(error);
}

}  // namespace

extern "C" void SfumatoTrain(const TrainJob* job, TrainOutcome* outcome) {
  const auto start = Clock::now();
  std::unique_ptr<fed::MpiSession> mpi;
  if (fed::MpiLaunched()) mpi = std::make_unique<fed::MpiSession>();
  if (mpi) {
    mpi->OrAbort([&] { Train(*job, mpi.get(), *outcome); });
  } else {
    Train(*job, nullptr, *outcome);
  }
  outcome->seconds = SecondsSince(start);
}

extern "C" void SfumatoEstimate(const config::TrainConfig* config,
                                const plan::DataFacts* data,
                                TrainEstimate* estimate) {
  try {
    Estimate(*config, *data, *estimate);
  } catch (const c10::Error& error) {
    throw Translated(error);
  }
}

}  // namespace sfumato::train

#include "bench/bench.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "algorithms/dp_fedavg.h"
#include "base/interrupt.h"
#include "bench/rivals.h"
#include "fed/lane_cohort.h"
#include "fed/mean_mechanism.h"
#include "fed/sampling.h"
#include "fed/thread_cohort.h"
#include "fed/worker_pool.h"
#include "fmt/format.h"
#include "models/classifier.h"
#include "models/critic_step.h"
#include "train/device.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#endif

namespace sfumato::bench {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void Wait([[maybe_unused]] const train::Device& device) {
#if SFUMATO_HAS_CUDA
  if (device.torch.is_cuda()) AT_CUDA_CHECK(cudaDeviceSynchronize());
#endif
}

// `ours` beside each rival; alone where there is none.
template <typename Measure, typename... Given>
void Race(const BenchRow& ours, const std::vector<Rival<Measure>>& rivals,
          bool more_is_better, const Report& row, const Given&... given) {
  if (rivals.empty()) row(ours);
  for (const Rival<Measure>& rival : rivals) {
    base::CheckInterrupted();
    BenchRow raced = ours;
    raced.rival_name = rival.name;
    raced.rival = rival.measure(given...);
    raced.ratio =
        more_is_better ? ours.ours / raced.rival : raced.rival / ours.ours;
    row(raced);
  }
}

// Client-steps per second of the first paper's critic, `lanes` at a time on a
// GPU; on CPUs one on each core, a share of the steps each.
double CriticSteps(const train::Device& device, std::int64_t lanes, int steps) {
  const models::Stack critic = models::WganCritic({28, 28, 1});
  struct Client {
    std::unique_ptr<models::CriticStep> step;
    at::Tensor params, real, fake, mix, weights;
    void Step() const { step->Step(params, real, fake, mix, weights); }
  };
  const at::NoGradGuard no_gradient;
  const auto options = at::TensorOptions().device(device.torch);
  const auto make = [&] {
    Client client;
    client.step = std::make_unique<models::CriticStep>(
        critic, device.torch, lanes, 32, models::CriticOptions{});
    client.params =
        params::EmptyLanes(lanes, critic.layout().size(), device.torch);
    client.params.copy_(critic.Initial(1).expand({lanes, -1}));
    client.real = at::rand({lanes, 32, 28, 28, 1}, options);
    client.fake = at::rand({lanes, 32, 28, 28, 1}, options);
    client.mix = at::rand({lanes, 32}, options);
    client.weights = at::full({lanes, 32}, 1.0 / 32, options);
    return client;
  };
  if (device.torch.is_cpu()) {
    fed::WorkerPool pool(device.threads);
    std::vector<Client> clients;
    for (int i = 0; i < pool.size(); ++i) clients.push_back(make());
    const auto run = [&](std::size_t count) {
      pool.Run(count, [&](int worker, std::size_t) {
        clients[static_cast<std::size_t>(worker)].Step();
      });
    };
    run(static_cast<std::size_t>(2 * pool.size()));
    const auto count = static_cast<std::size_t>(steps * pool.size());
    return static_cast<double>(count) / Seconds([&] { run(count); });
  }
  const Client client = make();
  for (int i = 0; i < 6; ++i) client.Step();
  Wait(device);
  const double seconds = Seconds([&] {
    for (int i = 0; i < steps; ++i) client.Step();
    Wait(device);
  });
  return static_cast<double>(lanes * steps) / seconds;
}

void Critic(const BenchJob& job, const Rivals& rivals,
            const train::Device& device, const Report& row) {
  const std::vector<std::int64_t> lanes =
      device.torch.is_cpu() ? std::vector<std::int64_t>{1}
                            : std::vector<std::int64_t>{10, 100};
  for (const std::int64_t n : lanes) {
    base::CheckInterrupted();
    const int steps = device.torch.is_cpu() ? (job.quick ? 4 : 20) : 60;
    Race({.figure = device.torch.is_cpu()
                        ? fmt::format("critic step, {}", device.Text())
                        : fmt::format("critic step, {} clients at once", n),
          .ours = CriticSteps(device, n, steps),
          .unit = "client-steps/s"},
         rivals.critic, /*more_is_better=*/true, row, device,
         job.quick ? 6 : 18);
  }
}

// Rounds of an engine without ledger and disk.
class Engine {
 public:
  struct Options {
    std::string model = "cifar_cnn";
    models::SyntheticOptions data = {};
    double cohort = 50;
    bool fixed_cohort = true;
    bool is_private = false;
    fed::LocalTraining local = {.epochs = 1, .batch_size = 10};
  };

  Engine(const train::Device& device, std::int64_t lanes,
         const Options& options)
      : options_(options), examples_(models::SyntheticExamples(options.data)) {
    algorithm_ = std::make_unique<algorithms::DpFedAvg>(
        models::TrainableClassifier(models::ClassifierNamed(
            options.model, options.data.shape, options.data.classes)),
        algorithms::DpFedAvgOptions{.device = {.learning_rate = 0.1}});
    if (options.fixed_cohort) {
      sampling_ =
          dp::FixedSize{.cohort = static_cast<std::int64_t>(options.cohort),
                        .population = options.data.users};
    } else {
      sampling_ = dp::Poisson{.rate = options.cohort /
                                      static_cast<double>(options.data.users)};
    }
    const fed::MeanOptions mean{.noise_multiplier = 1,
                                .clip_norm = 0.4,
                                .expected_cohort = options.cohort,
                                .participants = dp::ParticipantsOf(sampling_)};
    mechanism_ = fed::MakeMeanMechanism(options.is_private
                                            ? algorithms::DpFedAvgMean(mean)
                                            : algorithms::FedAvgMean(mean));
    if (device.torch.is_cpu()) {
      cohort_ = std::make_unique<fed::ThreadCohort>(
          *examples_, fed::ThreadCohortOptions{.local = options.local,
                                               .threads = device.threads});
    } else {
      cohort_ = std::make_unique<fed::LaneCohort>(
          *examples_,
          fed::LaneCohortOptions{
              .local = options.local, .device = device.torch, .lanes = lanes});
    }
  }

  void Round() {
    base::CheckInterrupted();
    dp::BitStream bits = fed::CohortBits({.simulation = true},
                                         static_cast<std::uint64_t>(round_));
    const std::vector<std::int64_t> users =
        fed::DrawCohort(sampling_, examples_->users(), bits);
    const std::vector<double> weights(users.size(), 1.0);
    const auto dimension =
        static_cast<std::size_t>(algorithm_->layout().size());
    dp::ClippedSum sum = mechanism_->EmptySum(dimension, "bench");
    cohort_->Train(*algorithm_, static_cast<std::uint64_t>(round_), users,
                   weights, sum);
    dp::NoiseSource noise = dp::NoiseSource::Secure();
    algorithm_->Absorb(mechanism_->Release(std::move(sum), noise));
    ++round_;
  }

  // The fastest of `rounds`, after two that warm up.
  double BestSeconds(int rounds) {
    Round();
    Round();
    double best = 1e30;
    for (int i = 0; i < rounds; ++i) {
      best = std::min(best, Seconds([&] { Round(); }));
    }
    return best;
  }

 private:
  Options options_;
  std::unique_ptr<models::Examples> examples_;
  std::unique_ptr<algorithms::DpFedAvg> algorithm_;
  dp::Sampling sampling_ = dp::All{};
  std::unique_ptr<fed::MeanMechanism> mechanism_;
  std::unique_ptr<fed::Cohort> cohort_;
  std::int64_t round_ = 0;
};

void Cifar(const BenchJob& job, const Rivals& rivals,
           const train::Device& device, const Report& row) {
  const int rounds = job.quick ? 1 : (device.torch.is_cpu() ? 3 : 10);
  for (const bool is_private : {false, true}) {
    Engine engine(device, job.device.lanes,
                  {.data = {.shape = {32, 32, 3},
                            .classes = 10,
                            .users = 1000,
                            .user_size = 50},
                   .is_private = is_private});
    Race({.figure = fmt::format("round of 50 clients, CNN of 1,626,442{}",
                                is_private ? ", clipped and noised" : ""),
          .ours = engine.BestSeconds(rounds),
          .unit = "s/round"},
         rivals.cifar, /*more_is_better=*/false, row, device,
         std::min(rounds, 3), is_private);
  }
}

Engine::Options Small(std::int64_t users, double cohort,
                      std::int64_t user_size = 10) {
  return {.model = "logistic",
          .data = {.shape = {28, 28, 1},
                   .classes = 10,
                   .users = users,
                   .user_size = user_size},
          .cohort = cohort,
          .fixed_cohort = false,
          .is_private = true};
}

// Microseconds per client against the size of the cohort.
void CohortSizes(const BenchJob& job, const train::Device& device,
                 const Report& row) {
  double first = 0;
  for (const double cohort : {10.0, 100.0, 1000.0, 10'000.0}) {
    Engine engine(device, job.device.lanes, Small(20'000, cohort));
    const double micros =
        1e6 * engine.BestSeconds(cohort < 1000 ? 20 : 3) / cohort;
    if (first == 0) first = micros;
    row({.figure = fmt::format("cohort of {:g} from 20,000", cohort),
         .ours = micros,
         .unit = "µs/client",
         .ratio = micros / first});
  }
}

// Milliseconds per round against the size of the population.
void PopulationSizes(const BenchJob& job, const train::Device& device,
                     const Report& row) {
  double first = 0;
  for (const std::int64_t users :
       {std::int64_t{1000}, std::int64_t{30'000}, std::int64_t{2'000'000}}) {
    Engine engine(device, job.device.lanes, Small(users, 100, /*user_size=*/1));
    const double millis = 1e3 * engine.BestSeconds(20);
    if (first == 0) first = millis;
    row({.figure = fmt::format("population of {}, 100 a round", users),
         .ours = millis,
         .unit = "ms/round",
         .ratio = millis / first});
  }
}

// Resident memory after 10 and after 1,000 rounds.
void Memory(const BenchJob& job, const train::Device& device,
            const Report& row) {
  Engine engine(device, job.device.lanes, Small(10'000, 50));
  double early = 0;
  const int rounds = job.quick ? 200 : 1000;
  for (int round = 1; round <= rounds; ++round) {
    engine.Round();
    if (round == 10) early = train::ResidentBytes();
  }
  row({.figure = fmt::format("memory after {} rounds against 10", rounds),
       .ours = train::ResidentBytes() / 1e6,
       .unit = "MB",
       .ratio = train::ResidentBytes() / early});
}

}  // namespace

void MeasureCohort(const BenchJob& job, const Rivals& rivals,
                   const Report& row) {
  const train::Device device = train::DeviceFor(job.device);
  const auto asked = [&](const char* figure) {
    return job.figure == "all" || job.figure == figure;
  };
  if (asked("memory")) Memory(job, device, row);
  if (asked("critic")) Critic(job, rivals, device, row);
  if (asked("cifar")) Cifar(job, rivals, device, row);
  if (asked("cohort")) CohortSizes(job, device, row);
  if (asked("population")) PopulationSizes(job, device, row);
}

extern "C" void SfumatoBench(const BenchJob* job, const Report* row) {
  MeasureCohort(*job, {}, *row);
}

}  // namespace sfumato::bench

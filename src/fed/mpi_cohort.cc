#include "fed/mpi_cohort.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <numeric>
#include <string>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/launcher.h"
#include "base/progress.h"
#include "fed/local_schedule.h"
#include "fmt/format.h"

#if SFUMATO_HAS_MPI
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace sfumato::fed {

bool MpiLaunched() { return base::LaunchedRank().has_value(); }

std::vector<std::size_t> ShareOf(std::span<const std::int64_t> steps, int rank,
                                 int ranks) {
  // Largest first to whoever has least: never more than a third above the best
  // division (Graham 1969).
  std::vector<std::size_t> largest(steps.size());
  std::iota(largest.begin(), largest.end(), 0);
  std::ranges::stable_sort(largest, std::greater(),
                           [&](std::size_t i) { return steps[i]; });
  std::vector<std::int64_t> load(static_cast<std::size_t>(ranks));
  std::vector<std::size_t> share;
  for (const std::size_t i : largest) {
    const auto least = std::ranges::min_element(load);
    // One more than its steps: a user without data is some work, too.
    *least += steps[i] + 1;
    if (least - load.begin() == rank) share.push_back(i);
  }
  std::ranges::sort(share);
  return share;
}

#if SFUMATO_HAS_MPI

namespace {

// What devices start from on a rank other than 0; everything else is the rank's
// own algorithm.
class Received : public Algorithm {
 public:
  explicit Received(Algorithm& own) : own_(own) {}
  at::Tensor params;     // [size]
  at::Tensor companion;  // [size], or undefined

  at::Tensor Broadcast() const override { return params; }
  std::unique_ptr<LaneTrainer> MakeTrainer(
      at::Device device, std::int64_t lanes,
      std::int64_t batch_size) const override {
    return own_.MakeTrainer(device, lanes, batch_size);
  }
  at::Tensor Companion() const override { return companion; }
  void ShareCompanion() { own_.SetCompanion(companion); }
  // Rank 0 alone is a server.
  void Absorb(const dp::Released<std::vector<float>>&) override {}
  params::NamedTensors State() const override { return {}; }
  void Restore(const base::SafetensorsFile&) override {}

 private:
  Algorithm& own_;
};

// The first thing that rank 0 sends in a round.
struct Header {
  std::uint64_t round = 0;
  std::int64_t users = -1;  // -1: it is over
  std::int64_t dimension = 0;
  std::int64_t companion = 0;  // numbers
  double clip_norm = 0;
};

template <typename T>
void FromRankZero(std::span<T> values) {
  // Counts are int in MPI; parameters of larger models go in parts.
  constexpr std::size_t kPart = std::size_t{1} << 28;
  const std::span<std::byte> bytes = std::as_writable_bytes(values);
  for (std::size_t at = 0; at < bytes.size(); at += kPart) {
    const std::size_t size = std::min(kPart, bytes.size() - at);
    MPI_Bcast(bytes.data() + at, static_cast<int>(size), MPI_BYTE, 0,
              MPI_COMM_WORLD);
  }
}

void SumOnRankZero(std::span<std::int64_t> numbers, int rank) {
  constexpr std::size_t kPart = std::size_t{1} << 26;
  for (std::size_t at = 0; at < numbers.size(); at += kPart) {
    const int size = static_cast<int>(std::min(kPart, numbers.size() - at));
    std::int64_t* part = numbers.data() + at;
    if (rank == 0) {
      MPI_Reduce(MPI_IN_PLACE, part, size, MPI_INT64_T, MPI_SUM, 0,
                 MPI_COMM_WORLD);
    } else {
      MPI_Reduce(part, nullptr, size, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    }
  }
}

CohortFacts FactsOnRankZero(const CohortFacts& own, int ranks) {
  std::vector<CohortFacts> all(static_cast<std::size_t>(ranks));
  MPI_Gather(&own, sizeof(own), MPI_BYTE, all.data(), sizeof(own), MPI_BYTE, 0,
             MPI_COMM_WORLD);
  CohortFacts facts;
  for (const CohortFacts& each : all) facts = Together(facts, each);
  return facts;
}

}  // namespace

struct MpiCohort::Order {
  std::uint64_t round = 0;
  std::span<const std::int64_t> users;
  std::span<const double> weights;
};

MpiSession::MpiSession() {
  if (!MpiLaunched()) {
    throw BadInput("MPI without a launcher", "mpi",
                   "start it by mpirun -n 2 sfumato …");
  }
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  // Whatever rank 0 wrote before it came here is there for all.
  MPI_Barrier(MPI_COMM_WORLD);
}

MpiSession::~MpiSession() { MPI_Finalize(); }

void MpiSession::OrAbort(const std::function<void()>& work) const {
  int code = ExitCode(ErrorKind::kBug);
  std::string said;
  try {
    work();
    return;
  } catch (const Error& error) {
    code = ExitCode(error.kind());
    said =
        fmt::format("{} ({}): {}", error.what(), error.where(), error.todo());
  } catch (const std::exception& error) {
    said = error.what();
  }
  base::Say(fmt::format("sfumato: rank {} ends the run: {}\n", rank_, said));
  MPI_Abort(MPI_COMM_WORLD, code);
}

MpiCohort::MpiCohort(const MpiSession& mpi, Cohort& local,
                     const models::Examples& examples,
                     const LocalTraining& training)
    : mpi_(mpi), local_(local), examples_(examples), training_(training) {}

MpiCohort::~MpiCohort() {
  if (mpi_.rank() != 0 || in_round_) return;
  Header over;
  FromRankZero(std::span(&over, 1));
}

CohortFacts MpiCohort::Train(const Algorithm& algorithm, std::uint64_t round,
                             std::span<const std::int64_t> users,
                             std::span<const double> weights,
                             dp::ClippedSum& sum) {
  in_round_ = true;
  at::Tensor params = algorithm.Broadcast().contiguous();
  at::Tensor companion = algorithm.Companion();
  if (companion.defined()) companion = companion.to(at::kCPU).contiguous();
  Header header{.round = round,
                .users = static_cast<std::int64_t>(users.size()),
                .dimension = params.numel(),
                .companion = companion.defined() ? companion.numel() : 0,
                .clip_norm = sum.clip_norm()};
  FromRankZero(std::span(&header, 1));
  std::vector<std::int64_t> ids(users.begin(), users.end());
  std::vector<double> each(weights.begin(), weights.end());
  FromRankZero(std::span(ids));
  FromRankZero(std::span(each));
  FromRankZero(std::span(params.data_ptr<float>(),
                         static_cast<std::size_t>(params.numel())));
  if (companion.defined()) {
    FromRankZero(std::span(companion.data_ptr<float>(),
                           static_cast<std::size_t>(companion.numel())));
  }
  CohortFacts facts;
  std::exception_ptr interrupted;
  mpi_.OrAbort([&] {
    try {
      facts = TrainShare(algorithm, {round, users, weights}, sum);
    } catch (const base::Interrupted&) {
      interrupted = std::current_exception();
    }
  });
  // Rank 0 saves before it ends the others.
  if (interrupted) std::rethrow_exception(interrupted);
  in_round_ = false;
  return facts;
}

void MpiCohort::Serve(Algorithm& algorithm) {
  Received received(algorithm);
  std::vector<std::int64_t> users;
  std::vector<double> weights;
  while (true) {
    Header header;
    FromRankZero(std::span(&header, 1));
    if (header.users < 0) return;
    users.resize(static_cast<std::size_t>(header.users));
    weights.resize(users.size());
    if (!received.params.defined() ||
        received.params.numel() != header.dimension) {
      received.params = at::empty({header.dimension});
    }
    FromRankZero(std::span(users));
    FromRankZero(std::span(weights));
    FromRankZero(std::span(received.params.data_ptr<float>(),
                           static_cast<std::size_t>(header.dimension)));
    if (header.companion > 0) {
      received.companion = at::empty({header.companion});
      FromRankZero(std::span(received.companion.data_ptr<float>(),
                             static_cast<std::size_t>(header.companion)));
      received.ShareCompanion();
    }
    mpi_.OrAbort([&] {
      dp::ClippedSum sum(header.clip_norm,
                         static_cast<std::size_t>(header.dimension));
      TrainShare(received, {header.round, users, weights}, sum);
    });
  }
}

// Trains what is this rank's, and brings all to rank 0.
CohortFacts MpiCohort::TrainShare(const Algorithm& algorithm,
                                  const Order& order, dp::ClippedSum& sum) {
  std::vector<std::int64_t> steps;
  for (const std::int64_t user : order.users) {
    steps.push_back(StepsOf(examples_.user_size(user), training_));
  }
  std::vector<std::int64_t> users;
  std::vector<double> weights;
  for (const std::size_t i : ShareOf(steps, mpi_.rank(), mpi_.size())) {
    users.push_back(order.users[i]);
    weights.push_back(order.weights[i]);
  }
  const CohortFacts own =
      local_.Train(algorithm, order.round, users, weights, sum);
  sum.Reduce([&](std::span<std::int64_t> numbers) {
    SumOnRankZero(numbers, mpi_.rank());
  });
  return FactsOnRankZero(own, mpi_.size());
}

#else

MpiSession::MpiSession() {
  throw Unsupported("several processes", "mpi",
                    "this program was built without MPI; start it by itself");
}
MpiSession::~MpiSession() = default;
void MpiSession::OrAbort(const std::function<void()>& work) const { work(); }

MpiCohort::MpiCohort(const MpiSession& mpi, Cohort& local,
                     const models::Examples& examples,
                     const LocalTraining& training)
    : mpi_(mpi), local_(local), examples_(examples), training_(training) {}
MpiCohort::~MpiCohort() = default;
CohortFacts MpiCohort::Train(const Algorithm& algorithm, std::uint64_t round,
                             std::span<const std::int64_t> users,
                             std::span<const double> weights,
                             dp::ClippedSum& sum) {
  return local_.Train(algorithm, round, users, weights, sum);
}
void MpiCohort::Serve(Algorithm&) {}

#endif

}  // namespace sfumato::fed

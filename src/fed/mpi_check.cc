// A small training shared by MPI ranks, to be compared with one process; and
// ranks that fail. Run by mpi_cohort_test through the launcher:
//
//   mpirun -n 3 fed_mpi_check OUT [throw|kill]
//
// Rank 0 writes the trained parameters to OUT as text, each number as its bits.
// Without a launcher the same training runs in this process alone.

#include <signal.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/random.h"
#include "fed/fed_testing.h"
#include "fed/mpi_cohort.h"
#include "fed/round_loop.h"
#include "fed/thread_cohort.h"

namespace sfumato::fed {
namespace {

constexpr std::int64_t kDimension = 20;
constexpr LocalTraining kLocal = {.epochs = 2, .batch_size = 4};

PointExamples People() {
  base::Rng rng(4);
  std::vector<std::vector<Point>> users(200);
  for (auto& user : users) {
    user.resize(rng.Below(30));
    for (Point& point : user) {
      for (std::int64_t i = 0; i < kDimension; ++i) {
        point.push_back(static_cast<float>(rng.Normal()));
      }
    }
  }
  return {kDimension, users};
}

class Silent : public RoundObserver {
 public:
  explicit Silent(std::int64_t& users) : users_(users) {}
  void AfterRound(const RoundReport& report, const Algorithm&) override {
    users_ += report.simulation_only.facts.users;
  }

 private:
  std::int64_t& users_;
};

// A cohort that fails on a rank in its second round.
class Failing : public Cohort {
 public:
  Failing(Cohort& inner, std::string how)
      : inner_(inner), how_(std::move(how)) {}
  CohortFacts Train(const Algorithm& algorithm, std::uint64_t round,
                    std::span<const std::int64_t> users,
                    std::span<const double> weights,
                    dp::ClippedSum& sum) override {
    if (round == 1 && how_ == "throw") {
      throw Unavailable("the device is on fire", "rank", "wait");
    }
    if (round == 1 && how_ == "kill") kill(getpid(), SIGKILL);
    return inner_.Train(algorithm, round, users, weights, sum);
  }

 private:
  Cohort& inner_;
  std::string how_;
};

std::string Train(MovingAlgorithm& algorithm, Cohort& cohort,
                  const PointExamples& people) {
  std::int64_t users = 0;
  Silent observer(users);
  const auto mechanism = MakeMeanMechanism(
      {.clipping = Clipping::kUnprotected,
       .clip_norm = 0.5,
       .expected_cohort = 50,
       .participants = dp::ParticipantsOf(dp::Poisson{.rate = 0.25})});
  RunRounds({.algorithm = algorithm,
             .cohort = cohort,
             .examples = people,
             .mechanism = *mechanism,
             .ledger = nullptr,
             .observer = observer},
            {.randomness = {.simulation = true, .seed = 3}, .rounds = 4});
  std::string text = fmt::format("{} users\n", users);
  for (const float x : algorithm.params()) {
    text += fmt::format("{:08x}\n", std::bit_cast<std::uint32_t>(x));
  }
  return text;
}

int Main(const std::string& out, const std::string& fails) {
  const PointExamples people = People();
  MovingAlgorithm algorithm(Point(kDimension, 0.0f), 0.3);
  ThreadCohort threads(people, {.seed = 3, .local = kLocal, .threads = 1});
  if (!MpiLaunched()) {
    base::WriteFileAtomically(out, Train(algorithm, threads, people));
    return 0;
  }
  const MpiSession mpi;
  Failing failing(threads, mpi.rank() == 1 ? fails : "");
  MpiCohort cohort(mpi, failing, people, kLocal);
  if (mpi.rank() == 0) {
    base::WriteFileAtomically(out, Train(algorithm, cohort, people));
  } else {
    cohort.Serve(algorithm);
  }
  return 0;
}

}  // namespace
}  // namespace sfumato::fed

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  return sfumato::fed::Main(argv[1], argc > 2 ? argv[2] : "");
}

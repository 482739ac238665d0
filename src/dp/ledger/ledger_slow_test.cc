// The ledger under several processes, and under processes that are killed.
//
// SFUMATO_LEDGER_RESERVATIONS=1000000 sets how many reservations the first test
// makes, SFUMATO_LEDGER_KILLS how often the second kills, SFUMATO_LEDGER_PLACE
// the folder in which both work.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "base/error.h"
#include "dp/accounting/gaussian.h"
#include "dp/ledger/ledger.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

namespace fs = std::filesystem;

int FromEnvironment(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

Event GaussianEvent(double noise, std::int64_t count = 1) {
  return {.mechanism = Gaussian{.noise_multiplier = noise}, .count = count};
}

class LedgerSlowTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* place = std::getenv("SFUMATO_LEDGER_PLACE");
    folder_ = fs::path(place != nullptr                ? place
                       : access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                                       : testing::TempDir()) /
              fmt::format("ledger_slow_test.{}", getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = folder_ / "ledger.sqlite";
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
  fs::path path_;
};

// Reserves one event after the other until the budget is spent; how many.
int ReserveToTheEnd(const fs::path& path, int worker, double noise) {
  Ledger ledger = Ledger::Open(path);
  const Event event = GaussianEvent(noise);
  for (int made = 0;; ++made) {
    try {
      ledger.Reserve(fmt::format("w{}-{}", worker, made), "phones",
                     {&event, 1});
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kBudgetSpent) return made;
      fmt::print(stderr, "worker {}: {}\n", worker, error.what());
      return -1;
    }
  }
}

TEST_F(LedgerSlowTest, FourProcessesReachTheCapExactlyAndNeverPassIt) {
  const int wanted = FromEnvironment("SFUMATO_LEDGER_RESERVATIONS", 100'000);
  const Budget budget{.epsilon = 2, .delta = 1e-6, .filter = FilterKind::kGdp};
  // An event costs 1 / z^2 of the budget's mu^2; z is such that the budget ends
  // between `wanted` and the next.
  const double mu = GaussianMu(budget.epsilon, budget.delta);
  const double noise = std::sqrt(wanted + 0.5) / mu;
  {
    Ledger ledger = Ledger::Create(path_, {.name = "phones", .budget = budget});
    // From here on the filter decides. It costs far less than half an event.
    ledger.Spend("start", "phones", {{GaussianEvent(1000 * noise)}});
  }
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::pair<pid_t, int>> workers;
  for (int worker = 0; worker < 4; ++worker) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const int made = ReserveToTheEnd(path_, worker, noise);
      _exit(write(ends[1], &made, sizeof made) == sizeof made ? 0 : 1);
    }
    close(ends[1]);
    workers.emplace_back(child, ends[0]);
  }
  std::int64_t total = 0;
  for (const auto& [child, end] : workers) {
    int made = -1;
    ASSERT_EQ(read(end, &made, sizeof made), ssize_t{sizeof made});
    close(end);
    waitpid(child, nullptr, 0);
    fmt::print("a process made {} reservations\n", made);
    ASSERT_GE(made, 0);
    // Nobody starves: a fair share is a quarter.
    EXPECT_GT(made, wanted / 16);
    total += made;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  fmt::print("{} reservations in {:.1f} s\n", total, seconds);
  EXPECT_EQ(total, wanted);
  Ledger ledger = Ledger::Open(path_);
  const Totals totals = ledger.TotalsOf("phones");
  EXPECT_LE(totals.used_reserved, 1);
  EXPECT_GT(totals.used_reserved, 1 - 1.0 / wanted);
  ASSERT_EQ(totals.reserved.size(), 1u);
  EXPECT_EQ(totals.reserved[0].count, total);
  EXPECT_TRUE(ledger.Verify().empty());
}

// Reserves and releases for ever; says on `said` which round returned.
[[noreturn]] void SpendForEver(const fs::path& path, int child, int said) {
  Ledger ledger = Ledger::Open(path);
  const std::string run = fmt::format("child-{}", child);
  for (std::int64_t round = 0;; ++round) {
    const std::string name = fmt::format("{}-{}", run, round / 10);
    const Event event = GaussianEvent(1e6 + static_cast<double>(round % 3));
    if (round % 10 == 0) {
      const Event plan[] = {GaussianEvent(1e6, 12), GaussianEvent(1e6 + 1, 12),
                            GaussianEvent(1e6 + 2, 12)};
      ledger.Reserve(name, "phones", plan);
    }
    ledger.Release({.run = name, .round = round}, event);
    if (write(said, &round, sizeof round) != sizeof round) _exit(1);
    if (round % 10 == 9) ledger.Finish(name);
  }
}

TEST_F(LedgerSlowTest, KilledAtAnyInstantNothingReleasedIsUncounted) {
  const int kills = FromEnvironment("SFUMATO_LEDGER_KILLS", 300);
  std::mt19937 random(1);
  std::int64_t said_total = 0;
  int unsaid = 0;
  for (int kill_number = 0; kill_number < kills; ++kill_number) {
    if (kill_number % 10 == 0) {  // short histories are read quickly
      fs::remove_all(folder_);
      fs::create_directories(folder_);
      Ledger::Create(
          path_, {.name = "phones", .budget = {.epsilon = 2, .delta = 1e-6}});
      said_total = 0;
      unsaid = 0;
    }
    // Two children at once, so that one dies while the other writes.
    int ends[2][2];
    pid_t children[2];
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(pipe(ends[i]), 0);
      children[i] = fork();
      if (children[i] == 0) {
        close(ends[i][0]);
        SpendForEver(path_, 2 * kill_number + i, ends[i][1]);
      }
      close(ends[i][1]);
    }
    usleep(5'000 + random() % 30'000);
    for (int i = 0; i < 2; ++i) {
      kill(children[i], SIGKILL);
      waitpid(children[i], nullptr, 0);
    }
    Ledger ledger = Ledger::Open(path_);
    for (int i = 0; i < 2; ++i) {
      std::int64_t round = -1, rounds = 0;
      while (read(ends[i][0], &round, sizeof round) == ssize_t{sizeof round}) {
        ASSERT_EQ(round, rounds);
        ++rounds;
      }
      close(ends[i][0]);
      said_total += rounds;
      // The last round that was said, and perhaps one more, is there.
      if (round >= 0) {
        const Head again = ledger.Release(
            {.run = fmt::format("child-{}-{}", 2 * kill_number + i, round / 10),
             .round = round},
            GaussianEvent(1e6 + static_cast<double>(round % 3)));
        EXPECT_LE(again.seq, ledger.head().seq);
      }
    }
    std::int64_t counted = 0;
    for (const Event& event : ledger.TotalsOf("phones").released) {
      counted += event.count;
    }
    // Each killed process may have entered one release that it never saw.
    unsaid += 2;
    ASSERT_GE(counted, said_total) << "a release is uncounted";
    ASSERT_LE(counted, said_total + unsaid);
    const std::vector<Finding> findings = ledger.Verify();
    ASSERT_TRUE(findings.empty()) << findings.front().what;
  }
  EXPECT_GT(said_total, 0);
}

}  // namespace
}  // namespace sfumato::dp

#include "dp/ledger/ledger.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "base/json_lines.h"
#include "dp/accounting/pld.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

namespace fs = std::filesystem;

constexpr Budget kBudget = {.epsilon = 2, .delta = 1e-6};

Event GaussianEvent(double noise, std::int64_t count = 1) {
  return {.mechanism = Gaussian{.noise_multiplier = noise}, .count = count};
}
Event PoissonEvent(double noise, double rate, std::int64_t count = 1) {
  return {.mechanism = Gaussian{.noise_multiplier = noise},
          .sampling = Poisson{.rate = rate},
          .count = count};
}

// The kind of the error that `act` throws; kBug when it throws none.
template <typename Act>
ErrorKind KindOfError(Act&& act, std::string* said = nullptr) {
  try {
    act();
  } catch (const Error& error) {
    if (said != nullptr) {
      *said = error.where() + ": " + error.what() + " (" + error.todo() + ")";
    }
    return error.kind();
  }
  return ErrorKind::kBug;
}

// A folder of its own for each test. Synchronising costs most of a test's time
// on a disk, so it is in memory where there is such a place.
class LedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path memory = "/dev/shm";
    const fs::path place = access(memory.c_str(), W_OK) == 0
                               ? memory
                               : fs::path(testing::TempDir());
    folder_ =
        place /
        fmt::format(
            "ledger_test.{}.{}", getpid(),
            testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = folder_ / "ledger.sqlite";
  }
  void TearDown() override { fs::remove_all(folder_); }

  Ledger Make(const Budget& budget = kBudget, const std::string& key = "") {
    return Ledger::Create(path_, {.name = "phones", .budget = budget}, key);
  }

  // Changes the file behind the ledger's back.
  void Sql(const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    char* said = nullptr;
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &said), SQLITE_OK)
        << said;
    sqlite3_close(db);
  }

  // Writes every hash anew, as somebody with the key would.
  void Rechain(const std::string& key = "") {
    std::vector<std::pair<std::int64_t, std::string>> rows;
    Database db(path_, Database::Mode::kWrite);
    Statement row = db.Prepare("SELECT seq, body FROM entries ORDER BY seq");
    while (row.Next()) rows.emplace_back(row.Whole(0), row.Text(1));
    std::string last;
    for (const auto& [seq, body] : rows) {
      last = ChainHash(key, last, body);
      db.Prepare("UPDATE entries SET hash = ? WHERE seq = ?")
          .Bind(last, seq)
          .Run();
    }
  }

  std::vector<Finding> Verify(const std::vector<Head>& heads = {},
                              const std::string& key = "") {
    return Ledger::Open(path_, key, Ledger::Mode::kRead).Verify(heads);
  }

  // Two runs, three releases, one given back.
  Head Fill(Ledger& ledger) {
    ledger.Reserve("first", "phones", {{GaussianEvent(50, 10)}});
    ledger.Release({.run = "first", .round = 1}, GaussianEvent(50));
    ledger.Release({.run = "first", .round = 2}, GaussianEvent(50));
    ledger.Reserve("second", "phones", {{PoissonEvent(2, 0.01, 5)}});
    Event round = PoissonEvent(2, 0.01);
    round.cohort = "c1";
    ledger.Release({.run = "second", .round = 1}, round);
    return ledger.Finish("first");
  }

  fs::path folder_;
  fs::path path_;
};

std::string Whole(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) {
    text += fmt::format("[{}] {}\n", f.seq, f.what);
  }
  return text;
}

// ---- Reserving and releasing.

TEST_F(LedgerTest, RefusesReleasesWithoutNoise) {
  Ledger ledger = Make();
  const Event plain{.mechanism = Unprotected{}};
  EXPECT_EQ(KindOfError([&] {
              ledger.Reserve("first", "phones", std::span(&plain, 1));
            }),
            ErrorKind::kUnsupported);
  EXPECT_EQ(KindOfError([&] { ledger.Spend("first", "phones", {&plain, 1}); }),
            ErrorKind::kUnsupported);
  EXPECT_FALSE(ledger.FindRun("first"));
}

TEST_F(LedgerTest, ReleasesWithinTheReservationAndGivesBackTheRest) {
  Ledger ledger = Make();
  ledger.Reserve("run", "phones", {{GaussianEvent(50, 10)}});
  for (int round = 0; round < 3; ++round) {
    ledger.Release({.run = "run", .round = round}, GaussianEvent(50));
  }
  Totals totals = ledger.TotalsOf("phones");
  ASSERT_EQ(totals.released.size(), 1u);
  EXPECT_EQ(totals.released[0].count, 3);
  ASSERT_EQ(totals.reserved.size(), 1u);
  EXPECT_EQ(totals.reserved[0].count, 7);
  EXPECT_EQ(totals.open_runs, 1);
  ledger.Finish("run");
  totals = ledger.TotalsOf("phones");
  EXPECT_EQ(totals.released[0].count, 3);
  EXPECT_TRUE(totals.reserved.empty());
  EXPECT_EQ(totals.runs, 1);
  EXPECT_EQ(totals.open_runs, 0);
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, RefusesARoundBeyondItsReservation) {
  Ledger ledger = Make();
  ledger.Reserve("run", "phones", {{GaussianEvent(50, 2)}});
  ledger.Release({.run = "run", .round = 1}, GaussianEvent(50));
  ledger.Release({.run = "run", .round = 2}, GaussianEvent(50));
  const Head before = ledger.head();
  EXPECT_EQ(KindOfError([&] {
              ledger.Release({.run = "run", .round = 3}, GaussianEvent(50));
            }),
            ErrorKind::kBudgetSpent);
  EXPECT_EQ(KindOfError([&] {
              ledger.Release({.run = "run", .round = 4}, GaussianEvent(49));
            }),
            ErrorKind::kBadInput)
      << "another event was never reserved";
  EXPECT_EQ(KindOfError([&] {
              ledger.Release({.run = "other", .round = 1}, GaussianEvent(50));
            }),
            ErrorKind::kBadInput);
  EXPECT_EQ(ledger.head(), before) << "a refusal enters nothing";
}

TEST_F(LedgerTest, ARoundIsEnteredOnceAndANewAttemptCountsAgain) {
  Ledger ledger = Make();
  const Event plan[] = {GaussianEvent(50, 5), GaussianEvent(60)};
  ledger.Reserve("run", "phones", plan);
  const Head first =
      ledger.Release({.run = "run", .round = 7}, GaussianEvent(50));
  ledger.Release({.run = "run", .round = 8}, GaussianEvent(50));
  EXPECT_EQ(ledger.Release({.run = "run", .round = 7}, GaussianEvent(50)),
            first)
      << "the head of the entry that is there";
  EXPECT_EQ(ledger.TotalsOf("phones").released[0].count, 2);
  ledger.Release({.run = "run", .round = 7, .attempt = 1}, GaussianEvent(50));
  EXPECT_EQ(ledger.TotalsOf("phones").released[0].count, 3);
  std::string said;
  EXPECT_EQ(KindOfError(
                [&] {
                  ledger.Release({.run = "run", .round = 7},
                                 GaussianEvent(50, 2));
                },
                &said),
            ErrorKind::kBadInput);
  EXPECT_NE(said.find("new attempt"), std::string::npos) << said;
  EXPECT_EQ(KindOfError([&] {
              ledger.Release({.run = "run", .round = 7}, GaussianEvent(60));
            }),
            ErrorKind::kBadInput);
  ledger.Finish("run");
  EXPECT_EQ(ledger.Release({.run = "run", .round = 7}, GaussianEvent(50)),
            first)
      << "a replay after the end is still the same release";
  EXPECT_EQ(KindOfError([&] {
              ledger.Release({.run = "run", .round = 9}, GaussianEvent(50));
            }),
            ErrorKind::kBadInput);
}

TEST_F(LedgerTest, AReservationIsMadeOnce) {
  Ledger ledger = Make();
  const Event both[] = {GaussianEvent(50, 3), GaussianEvent(60, 2)};
  const Event again[] = {GaussianEvent(60, 2), GaussianEvent(50, 2),
                         GaussianEvent(50)};
  const Reservation made = ledger.Reserve("run", "phones", both);
  EXPECT_FALSE(made.existing);
  ledger.Release({.run = "run"}, GaussianEvent(50));
  const Reservation found = ledger.Reserve("run", "phones", again);
  EXPECT_TRUE(found.existing) << "a run that goes on finds its own";
  EXPECT_EQ(ledger.TotalsOf("phones").runs, 1);
  EXPECT_EQ(KindOfError([&] {
              ledger.Reserve("run", "phones", {{GaussianEvent(50, 3)}});
            }),
            ErrorKind::kBadInput);
  ledger.Finish("run");
  EXPECT_EQ(KindOfError([&] { ledger.Reserve("run", "phones", both); }),
            ErrorKind::kBadInput);
}

TEST_F(LedgerTest, StopsAtTheBudgetAndSaysWhatWouldFit) {
  Ledger ledger = Make();
  // Settle for the filter, so that its count is what decides.
  ledger.Spend("start", "phones", {{GaussianEvent(1000)}});
  const Filter filter(kBudget);
  const FilterCost start = filter.Cost(GaussianEvent(1000));
  const FilterCost cost = filter.Cost(GaussianEvent(30));
  std::int64_t fitting = 0;
  for (;; ++fitting) {
    const Charge charges[] = {{start, 1}, {cost, fitting + 1}};
    if (!filter.Fits(charges)) break;
  }
  ASSERT_GT(fitting, 50);
  const Head before = ledger.head();
  std::string said;
  EXPECT_EQ(KindOfError(
                [&] {
                  ledger.Reserve("run", "phones",
                                 {{GaussianEvent(30, 100'000)}});
                },
                &said),
            ErrorKind::kBudgetSpent);
  EXPECT_NE(said.find(fmt::format("first {} of its 100000", fitting)),
            std::string::npos)
      << said;
  EXPECT_EQ(ledger.head(), before);
  ledger.Reserve("run", "phones", {{GaussianEvent(30, fitting)}});
  EXPECT_EQ(KindOfError([&] {
              ledger.Reserve("more", "phones", {{GaussianEvent(30)}});
            }),
            ErrorKind::kBudgetSpent);
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, WhatARunGivesBackCanBeReservedAgainAndReleasesCannot) {
  Ledger ledger = Make();
  ledger.Spend("start", "phones", {{GaussianEvent(1000)}});
  const Price price = ledger.PriceOf("phones", {{GaussianEvent(30, 100'000)}});
  ledger.Reserve("one", "phones", {{GaussianEvent(30, price.fitting)}});
  ledger.Release({.run = "one"}, GaussianEvent(30, 10));
  ledger.Finish("one");
  EXPECT_EQ(ledger.PriceOf("phones", {{GaussianEvent(30, 100'000)}}).fitting,
            price.fitting - 10);
}

TEST_F(LedgerTest, ManySmallReservationsReachTheCapWhereOneLargeDoes) {
  Ledger ledger = Make();
  ledger.Spend("start", "phones", {{GaussianEvent(1000)}});
  const std::int64_t cap =
      ledger.PriceOf("phones", {{GaussianEvent(30, 1'000'000)}}).fitting;
  ASSERT_GT(cap, 50);
  std::int64_t made = 0;
  for (; made <= cap; ++made) {
    const auto reserve = [&] {
      ledger.Reserve(fmt::format("r{}", made), "phones", {{GaussianEvent(30)}});
    };
    if (KindOfError(reserve) == ErrorKind::kBudgetSpent) break;
  }
  EXPECT_EQ(made, cap);
}

TEST_F(LedgerTest, SpendIsAllOrNothing) {
  Ledger ledger = Make();
  const Event events[] = {GaussianEvent(50, 4), PoissonEvent(2, 0.01, 3)};
  const Head spent = ledger.Spend("audit", "phones", events).head;
  const auto run = ledger.FindRun("audit");
  ASSERT_TRUE(run.has_value());
  EXPECT_TRUE(run->finished);
  EXPECT_TRUE(run->reserved.empty());
  EXPECT_EQ(run->released.size(), 2u);
  const Head before = ledger.head();
  EXPECT_EQ(spent, before);
  EXPECT_EQ(KindOfError([&] {
              ledger.Spend("big", "phones", {{GaussianEvent(0.1, 1000)}});
            }),
            ErrorKind::kBudgetSpent);
  EXPECT_EQ(ledger.head(), before);
  EXPECT_FALSE(ledger.FindRun("big").has_value());
  ledger.Reserve("open", "phones", events);
  EXPECT_EQ(KindOfError([&] { ledger.Spend("open", "phones", events); }),
            ErrorKind::kBadInput)
      << "a name is used once";
}

TEST_F(LedgerTest, SpendingTheSameAgainFindsTheFirst) {
  Ledger ledger = Make();
  ledger.AddPopulation({.name = "slow", .root = "phones"});
  const Event events[] = {GaussianEvent(50, 4), PoissonEvent(2, 0.01, 3)};
  EXPECT_FALSE(ledger.FindSpent("audit", "phones", events).has_value());
  const Head spent = ledger.Spend("audit", "phones", events).head;
  const Head last = ledger.Spend("later", "phones", {{GaussianEvent(50)}}).head;
  const Reservation again = ledger.Spend("audit", "phones", events);
  EXPECT_TRUE(again.existing);
  EXPECT_EQ(again.head, spent) << "of its own end, not of the ledger's";
  EXPECT_EQ(ledger.FindSpent("audit", "phones", events), spent);
  EXPECT_EQ(ledger.head(), last) << "pasted twice, it is counted once";

  const Event more[] = {GaussianEvent(50, 4), PoissonEvent(2, 0.01, 4)};
  const Event noise[] = {GaussianEvent(50, 4), PoissonEvent(3, 0.01, 3)};
  const Event longer[] = {events[0], events[1], GaussianEvent(50)};
  const auto refused = [&](const std::string& run, const std::string& on,
                           std::span<const Event> what) {
    EXPECT_FALSE(ledger.FindSpent(run, on, what).has_value());
    return KindOfError([&] { ledger.Spend(run, on, what); }) ==
           ErrorKind::kBadInput;
  };
  EXPECT_TRUE(refused("audit", "phones", more));
  EXPECT_TRUE(refused("audit", "phones", noise));
  EXPECT_TRUE(refused("audit", "phones", longer));
  EXPECT_TRUE(refused("audit", "phones", {events, 1}));
  EXPECT_TRUE(refused("audit", "slow", events));

  // A run that went its own way is no spending, though the sums agree.
  ledger.Reserve("run", "phones", {{GaussianEvent(50, 2)}});
  ledger.Release({.run = "run"}, GaussianEvent(50));
  ledger.Finish("run");
  const Event one = GaussianEvent(50);
  const Event two = GaussianEvent(50, 2);
  EXPECT_TRUE(refused("run", "phones", {&one, 1}));
  EXPECT_TRUE(refused("run", "phones", {&two, 1}));
  EXPECT_EQ(Whole(Verify()), "");
}

// ---- The plan fixed in advance (rule 3).

// A count of Gaussian z = 30 that composes within the budget and that the
// filter does not hold.
std::int64_t BetweenFilterAndPlan(Ledger& ledger) {
  const std::int64_t most =
      ledger.PriceOf("phones", {{GaussianEvent(30, 1'000'000)}}).fitting;
  Event all = GaussianEvent(30, most);
  EXPECT_LE(PldEpsilon({&all, 1}, kBudget.delta), kBudget.epsilon);
  const Filter filter(kBudget);
  const Charge charge{filter.Cost(all), most};
  EXPECT_FALSE(filter.Fits({&charge, 1}));
  return most;
}

TEST_F(LedgerTest, APlanFixedBeforeAnyReleaseMayUseTheWholeComposition) {
  Ledger ledger = Make();
  const std::int64_t most = BetweenFilterAndPlan(ledger);
  // Several reservations are one plan, as long as nothing was released.
  EXPECT_FALSE(
      ledger.Reserve("a", "phones", {{GaussianEvent(30, most / 2)}}).by_plan);
  EXPECT_TRUE(
      ledger.Reserve("b", "phones", {{GaussianEvent(30, most - most / 2)}})
          .by_plan);
  EXPECT_EQ(KindOfError(
                [&] { ledger.Reserve("c", "phones", {{GaussianEvent(30)}}); }),
            ErrorKind::kBudgetSpent);
  ledger.Release({.run = "b"}, GaussianEvent(30));
  EXPECT_EQ(ledger.TotalsOf("phones").stage, Stage::kPlan);
  // A plan's shares are of its epsilon, and nothing beside it is left.
  const Shares shares = SharesOf(ledger.TotalsOf("phones"));
  const Event one = GaussianEvent(30);
  const Event all = GaussianEvent(30, most);
  EXPECT_NEAR(shares.spent,
              PldEpsilon({&one, 1}, kBudget.delta) / kBudget.epsilon, 1e-6);
  EXPECT_NEAR(shares.taken,
              PldEpsilon({&all, 1}, kBudget.delta) / kBudget.epsilon, 1e-3);
  EXPECT_EQ(shares.left, 0);
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, AfterTheFirstReleaseOnlyTheFilterAdmits) {
  Ledger ledger = Make();
  const std::int64_t most = BetweenFilterAndPlan(ledger);
  ledger.Spend("look", "phones", {{GaussianEvent(1000)}});
  EXPECT_EQ(ledger.TotalsOf("phones").stage, Stage::kFilter);
  EXPECT_EQ(KindOfError([&] {
              ledger.Reserve("run", "phones", {{GaussianEvent(30, most - 1)}});
            }),
            ErrorKind::kBudgetSpent);
}

TEST_F(LedgerTest, AHalfUsedPlanCannotGoOnUnderTheFilter) {
  // A history that is under one proof for some outcomes and under the other
  // for others would cost delta twice.
  Ledger ledger = Make();
  const std::int64_t most = BetweenFilterAndPlan(ledger);
  ledger.Reserve("run", "phones", {{GaussianEvent(30, most)}});
  ledger.Release({.run = "run"}, GaussianEvent(30));
  ledger.Finish("run");
  std::string said;
  EXPECT_EQ(
      KindOfError(
          [&] { ledger.Reserve("other", "phones", {{GaussianEvent(500)}}); },
          &said),
      ErrorKind::kBudgetSpent);
  EXPECT_NE(said.find("plan"), std::string::npos) << said;
  // What the plan has left may be reserved again, and no more.
  EXPECT_EQ(KindOfError([&] {
              ledger.Reserve("again", "phones", {{GaussianEvent(30, most)}});
            }),
            ErrorKind::kBudgetSpent);
  EXPECT_TRUE(ledger.Reserve("again", "phones", {{GaussianEvent(30, most - 1)}})
                  .by_plan);
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, APlanThatTheFilterHeldGoesOnUnderTheFilter) {
  Ledger ledger = Make();
  ledger.Reserve("run", "phones", {{GaussianEvent(30, 50)}});
  ledger.Release({.run = "run"}, GaussianEvent(30));
  EXPECT_EQ(ledger.TotalsOf("phones").stage, Stage::kFilter);
  ledger.Finish("run");
  EXPECT_FALSE(
      ledger.Reserve("other", "phones", {{GaussianEvent(500)}}).by_plan);
}

// ---- Populations (rules 1, 2, 6).

TEST_F(LedgerTest, ADerivedPopulationChargesItsRoot) {
  Ledger ledger = Make();
  ledger.AddPopulation({.name = "slow", .root = "phones"});
  ledger.AddPopulation({.name = "fast", .root = "phones"});
  ledger.Spend("a", "slow", {{PoissonEvent(2, 0.01, 5)}});
  ledger.Spend("b", "fast", {{PoissonEvent(2, 0.01, 7)}});
  const Totals root = ledger.TotalsOf("phones");
  ASSERT_EQ(root.released.size(), 1u);
  EXPECT_EQ(root.released[0].count, 12) << "without a partition, both add";
  EXPECT_EQ(ledger.TotalsOf("slow").released[0].count, 5);
  EXPECT_EQ(ledger.TotalsOf("fast").released[0].count, 7);
  EXPECT_EQ(ledger.TotalsOf("slow").budget, kBudget);
  ledger.Reserve("c", "phones", {{PoissonEvent(2, 0.01)}});
  EXPECT_EQ(ledger.TotalsOf("phones").runs, 3) << "all that it pays for";
  EXPECT_EQ(ledger.TotalsOf("phones").open_runs, 1);
  EXPECT_EQ(ledger.TotalsOf("slow").runs, 1);
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, CellsOfOnePartitionPayOnce) {
  Ledger ledger = Make();
  ledger.AddPopulation({.name = "a", .root = "phones", .partition = "bug-7"});
  ledger.AddPopulation({.name = "b", .root = "phones", .partition = "bug-7"});
  ledger.Spend("ra", "a", {{PoissonEvent(2, 0.01, 100)}});
  const double one = ledger.TotalsOf("phones").used;
  ledger.Spend("rb", "b", {{PoissonEvent(2, 0.01, 100)}});
  EXPECT_DOUBLE_EQ(ledger.TotalsOf("phones").used, one);
  EXPECT_EQ(Whole(Verify()), "");
  // Who is in which cell was settled; a third cell cannot come later.
  std::string said;
  EXPECT_EQ(KindOfError(
                [&] {
                  ledger.AddPopulation(
                      {.name = "c", .root = "phones", .partition = "bug-7"});
                },
                &said),
            ErrorKind::kBadInput);
  EXPECT_NE(said.find("already released"), std::string::npos) << said;
  // Another inspection may sort users otherwise: it adds.
  ledger.AddPopulation({.name = "c", .root = "phones", .partition = "bug-8"});
  ledger.Spend("rc", "c", {{PoissonEvent(2, 0.01, 100)}});
  EXPECT_GT(ledger.TotalsOf("phones").used, 1.5 * one);
}

TEST_F(LedgerTest, RefusesPopulationsThatCannotBe) {
  Ledger ledger = Make();
  ledger.AddPopulation({.name = "slow", .root = "phones"});
  ledger.AddPopulation(
      {.name = "records",
       .budget = {
           .epsilon = 1, .delta = 1e-6, .adjacency = Adjacency::kReplaceOne}});
  const PopulationOptions bad[] = {
      {.name = "phones", .budget = kBudget},
      {.name = ""},
      {.name = "a\nb"},
      {.name = std::string(201, 'x')},
      {.name = "\xff"},
      {.name = "x", .root = "nobody"},
      {.name = "x", .root = "slow"},
      {.name = "x", .budget = {.epsilon = std::nan("")}},
      {.name = "x", .budget = {.delta = 0}},
      {.name = "x", .budget = kBudget, .partition = "p"},
  };
  for (const PopulationOptions& options : bad) {
    EXPECT_EQ(KindOfError([&] { ledger.AddPopulation(options); }),
              ErrorKind::kBadInput)
        << options.name;
  }
  EXPECT_EQ(KindOfError([&] {
              ledger.AddPopulation(
                  {.name = "x", .root = "records", .partition = "p"});
            }),
            ErrorKind::kUnsupported);
}

TEST_F(LedgerTest, RefusesFixedSizeSamplingOfASelectedPopulation) {
  Ledger ledger =
      Make({.epsilon = 2, .delta = 1e-6, .adjacency = Adjacency::kReplaceOne});
  ledger.AddPopulation({.name = "slow", .root = "phones"});
  ledger.AddPopulation(
      {.name = "germany", .root = "phones", .selected = false});
  const Event event{.mechanism = Gaussian{.noise_multiplier = 10},
                    .sampling = FixedSize{.cohort = 10, .population = 10'000},
                    .adjacency = Adjacency::kReplaceOne};
  EXPECT_EQ(KindOfError([&] { ledger.Reserve("a", "slow", {{event}}); }),
            ErrorKind::kUnsupported);
  ledger.Reserve("b", "phones", {{event}});
  ledger.Reserve("c", "germany", {{event}});
}

TEST_F(LedgerTest, RefusesEventsOfAnotherKindOfBudget) {
  Ledger ledger = Make();
  Event replace = GaussianEvent(50);
  replace.adjacency = Adjacency::kReplaceOne;
  Event example = GaussianEvent(50);
  example.unit = Unit::kExample;
  Event elsewhere = GaussianEvent(50);
  elsewhere.population.name = "tablets";
  for (const Event& event : {replace, example, elsewhere}) {
    EXPECT_EQ(KindOfError([&] { ledger.Reserve("r", "phones", {{event}}); }),
              ErrorKind::kBadInput)
        << Describe(event);
  }
  EXPECT_EQ(KindOfError([&] { ledger.Reserve("r", "phones", {}); }),
            ErrorKind::kBadInput);
  EXPECT_EQ(KindOfError(
                [&] { ledger.Reserve("r", "tablets", {{GaussianEvent(50)}}); }),
            ErrorKind::kBadInput);
  Event nan = GaussianEvent(std::nan(""));
  EXPECT_EQ(KindOfError([&] { ledger.Reserve("r", "phones", {{nan}}); }),
            ErrorKind::kBadInput);
}

TEST_F(LedgerTest, OneCohortIsOneEvent) {
  Ledger ledger = Make();
  ledger.AddPopulation({.name = "slow", .root = "phones"});
  ledger.Reserve("run", "phones", {{PoissonEvent(2, 0.01, 10)}});
  ledger.Reserve("other", "slow", {{PoissonEvent(2, 0.01, 10)}});
  Event round = PoissonEvent(2, 0.01);
  round.cohort = "draw-1";
  ledger.Release({.run = "run", .round = 1}, round);
  std::string said;
  const auto retry = [&] {
    ledger.Release({.run = "run", .round = 1, .attempt = 1}, round);
  };
  EXPECT_EQ(KindOfError(retry, &said), ErrorKind::kBadInput)
      << "a repeated round draws a new cohort";
  EXPECT_NE(said.find("joint noise"), std::string::npos) << said;
  EXPECT_EQ(
      KindOfError([&] { ledger.Release({.run = "other", .round = 1}, round); }),
      ErrorKind::kBadInput);
  round.cohort = "draw-2";
  ledger.Release({.run = "run", .round = 1, .attempt = 1}, round);
  EXPECT_EQ(ledger.TotalsOf("phones").released[0].count, 2);
}

TEST_F(LedgerTest, AGdpBudgetTakesOnlyPlainGaussians) {
  Ledger ledger =
      Make({.epsilon = 1, .delta = 1e-5, .filter = FilterKind::kGdp});
  ledger.Spend("start", "phones", {{GaussianEvent(1000)}});
  // mu^2 of the budget is 1 / 3.73063^2 (privacy_facts); z = 100 costs 1e-4.
  EXPECT_EQ(ledger.PriceOf("phones", {{GaussianEvent(100, 100'000)}}).fitting,
            static_cast<std::int64_t>(1e4 / (3.73063 * 3.73063) - 0.01));
  EXPECT_EQ(KindOfError([&] {
              ledger.Reserve("r", "phones", {{PoissonEvent(1, 0.01)}});
            }),
            ErrorKind::kUnsupported);
}

// ---- The chain (rule 10).

TEST_F(LedgerTest, EveryChangeMovesTheHeadAndOldHeadsStayValid) {
  Ledger ledger = Make();
  std::vector<Head> heads = {ledger.head()};
  ledger.Reserve("run", "phones", {{GaussianEvent(50, 10)}});
  heads.push_back(ledger.head());
  ledger.Release({.run = "run"}, GaussianEvent(50));
  heads.push_back(ledger.head());
  ledger.Finish("run");
  heads.push_back(ledger.head());
  for (std::size_t i = 1; i < heads.size(); ++i) {
    EXPECT_EQ(heads[i].seq, heads[i - 1].seq + 1);
    EXPECT_NE(heads[i].hash, heads[i - 1].hash);
  }
  EXPECT_EQ(Whole(Verify(heads)), "");
  EXPECT_EQ(HeadFromText(ToText(heads[2]), ""), heads[2]);
}

struct Tampering {
  const char* name;
  const char* sql;
  const char* found;  // a word of the finding
};

TEST_F(LedgerTest, VerifyFindsEveryEntryThatWasChanged) {
  const Tampering cases[] = {
      {"less noise counted as more",
       "UPDATE entries SET body = replace(body, '50.0', '90.0') WHERE seq = 3",
       "hash"},
      {"a release renamed",
       "UPDATE entries SET body = replace(body, '\"round\":2', '\"round\":3') "
       "WHERE seq = 5",
       "hash"},
      {"one space", "UPDATE entries SET body = body || ' ' WHERE seq = 4",
       "hash"},
      {"a hash",
       "UPDATE entries SET hash = CASE substr(hash, 1, 1) WHEN 'a' THEN 'b' "
       "ELSE 'a' END || substr(hash, 2) WHERE seq = 4",
       "hash"},
      {"an entry removed", "DELETE FROM entries WHERE seq = 5", "removed"},
      {"two entries removed", "DELETE FROM entries WHERE seq IN (4, 5)",
       "entries 4 to 5 were removed"},
      {"an entry moved up",
       "DELETE FROM entries WHERE seq = 5; UPDATE entries "
       "SET seq = seq - 1 WHERE seq > 5",
       "another number"},
      {"nonsense", "UPDATE entries SET body = 'x' WHERE seq = 4", "another"},
      {"a total", "UPDATE charges SET released = released - 1", "totals"},
      {"a plan", "UPDATE charges SET planned = planned + 9", "totals"},
      {"a total of a run", "UPDATE run_charges SET released = 0", "run"},
      {"a run reopened", "UPDATE runs SET finished = 0", "run 'first'"},
      {"a release forgotten", "DELETE FROM releases WHERE round = 2",
       "releases are missing"},
      {"a cohort forgotten", "DELETE FROM cohorts", "cohorts"},
      {"a budget", "UPDATE populations SET body = replace(body, '2.0', '20.0')",
       "population 'phones'"},
      {"a stage", "UPDATE populations SET stage = 'open'", "stage"},
      {"a run that nobody made",
       "INSERT INTO runs(name, population, finished) VALUES ('x', 1, 0)",
       "run 'x'"},
  };
  for (const Tampering& tampering : cases) {
    fs::remove(path_);
    {
      Ledger ledger = Make();
      Fill(ledger);
      ASSERT_EQ(Whole(ledger.Verify()), "");
    }
    Sql(tampering.sql);
    const std::string found = Whole(Verify());
    EXPECT_NE(found.find(tampering.found), std::string::npos)
        << tampering.name << ": " << found;
  }
}

TEST_F(LedgerTest, ACutEndIsFoundByAHeadThatWasKept) {
  Ledger ledger = Make();
  const Head kept = Fill(ledger);
  // Cut the last entry and everything that follows from it: the file is sound
  // by itself.
  Sql("DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries);"
      "UPDATE runs SET finished = 0 WHERE name = 'first';"
      "UPDATE charges SET reserved = reserved + 8 WHERE event LIKE '%50.0%';"
      "UPDATE run_charges SET reserved = 8 WHERE charge = 1");
  EXPECT_EQ(Whole(Verify()), "") << "alone, nothing tells";
  EXPECT_NE(Whole(Verify({kept})).find("cut off"), std::string::npos);
}

TEST_F(LedgerTest, AnOldCopyPutBackIsFoundByAHeadThatWasKept) {
  Ledger ledger = Make();
  ledger.Reserve("run", "phones", {{GaussianEvent(50, 10)}});
  ledger.Release({.run = "run", .round = 1}, GaussianEvent(50));
  fs::copy_file(path_, folder_ / "old");
  const Head kept =
      ledger.Release({.run = "run", .round = 2}, GaussianEvent(50));
  fs::rename(folder_ / "old", path_);
  EXPECT_EQ(Whole(Verify()), "");
  EXPECT_NE(Whole(Verify({kept})).find("older copy"), std::string::npos);
  // Going on from the old copy gives the same number another hash.
  Ledger fork = Ledger::Open(path_);
  fork.Release({.run = "run", .round = 3}, GaussianEvent(50));
  EXPECT_EQ(Whole(Verify()), "");
  EXPECT_NE(Whole(Verify({kept})).find("written anew"), std::string::npos);
}

TEST_F(LedgerTest, ARecomputedChainIsFoundByAHeadThatWasKept) {
  Ledger ledger = Make();
  const Head kept = Fill(ledger);
  Sql("UPDATE entries SET body = replace(body, '2026', '2025') || '';"
      "UPDATE entries SET body = replace(body, '\"round\":2', '\"round\":4')");
  Rechain();
  Sql("UPDATE releases SET round = 4 WHERE round = 2");
  EXPECT_EQ(Whole(Verify()), "") << "without a key, whoever writes can";
  EXPECT_NE(Whole(Verify({kept})).find("written anew"), std::string::npos);
}

TEST_F(LedgerTest, AKeyFindsAChainRecomputedWithoutIt) {
  const std::string key = "0123456789abcdef";
  Ledger ledger = Make(kBudget, key);
  const Head kept = Fill(ledger);
  EXPECT_EQ(Whole(Verify({kept}, key)), "");
  EXPECT_NE(Whole(Verify({kept})).find("cannot be checked"), std::string::npos);
  Sql("UPDATE entries SET body = replace(body, '\"round\":2', '\"round\":4');"
      "UPDATE releases SET round = 4 WHERE round = 2");
  Rechain();
  EXPECT_NE(Whole(Verify({}, key)).find("without the key"), std::string::npos);
  // Somebody with the key can; only a kept head tells.
  Rechain(key);
  EXPECT_EQ(Whole(Verify({}, key)), "");
  EXPECT_NE(Whole(Verify({kept}, key)).find("written anew"), std::string::npos);
}

TEST_F(LedgerTest, AWrongKeyIsOneFindingAndAMissingOneIsNoFault) {
  const std::string key = "0123456789abcdef";
  Ledger ledger = Make(kBudget, key);
  Fill(ledger);
  std::vector<Finding> findings = Verify({}, "fedcba9876543210");
  ASSERT_EQ(findings.size(), 1u) << Whole(findings);
  EXPECT_FALSE(findings[0].unchecked);
  findings = Verify();
  ASSERT_EQ(findings.size(), 1u) << Whole(findings);
  EXPECT_TRUE(findings[0].unchecked);
  // With the right key every changed entry has its line, also the first.
  Sql("UPDATE entries SET hash = replace(hash, substr(hash, 1, 4), 'abcd') "
      "WHERE seq IN (1, 5)");
  findings = Verify({}, key);
  ASSERT_EQ(findings.size(), 4u) << Whole(findings);
  std::set<std::int64_t> entries;
  for (const Finding& finding : findings) entries.insert(finding.seq);
  EXPECT_EQ(entries, (std::set<std::int64_t>{1, 2, 5, 6}));
}

TEST_F(LedgerTest, AKeyThatWasTakenAwayIsFound) {
  const std::string key = "0123456789abcdef";
  {
    Ledger ledger = Make(kBudget, key);
    Fill(ledger);
  }
  Sql("UPDATE entries SET body = replace(body, '\"keyed\":true', "
      "'\"keyed\":false')");
  Rechain();
  EXPECT_NE(Whole(Verify({}, key)).find("has no key"), std::string::npos);
  EXPECT_EQ(KindOfError([&] { Ledger::Open(path_, key); }),
            ErrorKind::kBadInput);
}

TEST_F(LedgerTest, AKeyedLedgerIsWrittenWithItsKeyOnly) {
  const std::string key = "0123456789abcdef";
  Make(kBudget, key);
  for (const std::string& wrong : {std::string(), std::string("another key")}) {
    EXPECT_EQ(KindOfError([&] { Ledger::Open(path_, wrong); }),
              ErrorKind::kBadInput);
  }
  Ledger::Open(path_, key).Spend("a", "phones", {{GaussianEvent(50)}});
  EXPECT_EQ(Ledger::Open(path_, "", Ledger::Mode::kRead)
                .TotalsOf("phones")
                .released.size(),
            1u)
      << "reading needs no key";
}

TEST_F(LedgerTest, NothingIsAddedToAChainWhoseEndDoesNotHold) {
  {
    Ledger ledger = Make();
    Fill(ledger);
  }
  Sql("UPDATE entries SET body = body || ' ' WHERE seq = (SELECT max(seq) FROM "
      "entries)");
  EXPECT_EQ(KindOfError([&] { Ledger::Open(path_); }), ErrorKind::kCorrupt);
}

TEST_F(LedgerTest, AGlanceFindsWhatIsCheapToFind) {
  const char* changes[] = {
      "DELETE FROM entries WHERE seq = 4",
      "UPDATE charges SET released = 0",
      "UPDATE charges SET reserved = 0",
      "UPDATE run_charges SET released = 0",
      "DELETE FROM charges",
      "DELETE FROM run_charges",
      "UPDATE entries SET body = body || ' ' WHERE seq = (SELECT max(seq) FROM "
      "entries)"};
  for (const char* change : changes) {
    fs::remove(path_);
    {
      Ledger ledger = Make();
      Fill(ledger);
      ledger.Glance();
    }
    Sql(change);
    EXPECT_EQ(KindOfError([&] { Ledger::Open(path_); }), ErrorKind::kCorrupt)
        << change;
    Ledger reader = Ledger::Open(path_, "", Ledger::Mode::kRead);
    EXPECT_EQ(KindOfError([&] { reader.Glance(); }), ErrorKind::kCorrupt)
        << change;
  }
}

TEST_F(LedgerTest, NothingIsAddedToAnEndThatChangedWhileItWasOpen) {
  Ledger ledger = Make();
  Fill(ledger);
  Sql("UPDATE entries SET body = body || ' ' WHERE seq = (SELECT max(seq) FROM "
      "entries)");
  EXPECT_EQ(KindOfError([&] {
              ledger.Release({.run = "second", .round = 2},
                             PoissonEvent(2, 0.01));
            }),
            ErrorKind::kCorrupt);
}

TEST(ShareTest, ManyTimesTheBudgetIsSaidInWords) {
  EXPECT_EQ(ShareText(0.1234), "12.3 %");
  EXPECT_EQ(ShareText(9.99), "999 %");
  EXPECT_EQ(ShareText(12), "12 times the budget");
  EXPECT_EQ(ShareText(123456), "123456 times the budget");
}

TEST_F(LedgerTest, VerifyFindsAHistoryThatBrokeTheRules) {
  // The chain is recomputed, so that only the rules can tell.
  const Tampering cases[] = {
      {"a reservation beyond the budget",
       "UPDATE entries SET body = replace(body, '\"count\":10', "
       "'\"count\":1000000') WHERE seq = 3",
       "more than the budget"},
      {"a release beyond the reservation",
       "UPDATE entries SET body = replace(body, '\"count\":10', '\"count\":1') "
       "WHERE seq = 3",
       "had not reserved"},
      {"a cohort asked twice",
       "UPDATE entries SET body = replace(replace(body, '\"noise_multiplier\":"
       "50.0,\"sampling\":{\"kind\":\"all\"}', '\"noise_multiplier\":2.0,"
       "\"sampling\":{\"kind\":\"poisson\",\"rate\":0.01}'), "
       "'\"count\":1,', '\"cohort\":\"c1\",\"count\":1,') WHERE seq IN (4, 5)",
       "cohort 'c1' was asked twice"},
      {"an unknown kind",
       "UPDATE entries SET body = replace(body, '\"finish\"', '\"fnish\"')",
       "unknown kind"},
      {"a second opening",
       "UPDATE entries SET body = (SELECT replace(body, '\"seq\":1', "
       "'\"seq\":8') FROM entries WHERE seq = 1) WHERE seq = 8",
       "opened"},
  };
  for (const Tampering& tampering : cases) {
    fs::remove(path_);
    {
      Ledger ledger = Make();
      Fill(ledger);
      ASSERT_EQ(ledger.head().seq, 8);
    }
    Sql(tampering.sql);
    Rechain();
    const std::string found = Whole(Verify());
    EXPECT_NE(found.find(tampering.found), std::string::npos)
        << tampering.name << ": " << found;
    EXPECT_EQ(found.find("hash"), std::string::npos) << found;
  }
}

TEST(ChainTest, HashesAreThoseOfTheStandards) {
  // FIPS 180-2, appendix B.1, and RFC 4231, test case 2.
  EXPECT_EQ(ChainHash("", "", "abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(ChainHash("", "a", "bc"), ChainHash("", "", "abc"));
  EXPECT_EQ(ChainHash("Jefe", "what do ya want ", "for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(ChainTest, RefusesWhatIsNoHead) {
  for (const char* text : {"", "1", "1:", ":ab",
                           "0:ba7816bf8f01cfea414140de5dae2223b00361a396177a"
                           "9cb410ff61f20015ad",
                           "1:ba78",
                           "x:ba7816bf8f01cfea414140de5dae2223b003"
                           "61a396177a9cb410ff61f20015ad",
                           "1:za7816bf8f01cfea414140de5dae2223b003"
                           "61a396177a9cb410ff61f20015ad"}) {
    EXPECT_EQ(KindOfError([&] { HeadFromText(text, "--head"); }),
              ErrorKind::kBadInput)
        << text;
  }
}

// ---- Lines.

TEST_F(LedgerTest, LinesCarryTheWholeHistoryToAnotherLedger) {
  Ledger ledger = Make();
  const Head head = Fill(ledger);
  std::string lines;
  ledger.Export([&](const std::string& line) { lines += line + "\n"; });
  const fs::path file = folder_ / "lines.jsonl", copy = folder_ / "copy.sqlite";
  base::WriteFileAtomically(file, lines);
  Ledger read = Ledger::Import(file, copy);
  EXPECT_EQ(read.head().seq, head.seq + 1) << "the import is an entry";
  EXPECT_EQ(Whole(read.Verify({{head}})), "");
  EXPECT_EQ(read.TotalsOf("phones").released,
            ledger.TotalsOf("phones").released);
  EXPECT_EQ(read.TotalsOf("phones").reserved,
            ledger.TotalsOf("phones").reserved);
  read.Release({.run = "second", .round = 2}, PoissonEvent(2, 0.01));
  EXPECT_EQ(Whole(read.Verify()), "");
  EXPECT_EQ(KindOfError([&] { Ledger::Import(file, copy); }),
            ErrorKind::kBadInput)
      << "never over another";
}

TEST_F(LedgerTest, ImportRefusesLinesThatWereTouched) {
  Ledger ledger = Make();
  Fill(ledger);
  std::vector<std::string> lines;
  ledger.Export([&](const std::string& line) { lines.push_back(line); });
  const auto without = [&](std::size_t i) {
    auto copy = lines;
    copy.erase(copy.begin() + static_cast<std::ptrdiff_t>(i));
    return copy;
  };
  auto changed = lines;
  changed[3].replace(changed[3].find("50.0"), 4, "90.0");
  auto half = lines;
  half.back() = half.back().substr(0, half.back().size() / 2);
  auto longer = lines;
  longer.push_back(lines.back());
  const std::vector<std::vector<std::string>> bad = {
      without(0), without(4), without(lines.size() - 1),
      changed,    half,       longer,
      {},         {"{}"},     {lines.back()}};
  for (std::size_t i = 0; i < bad.size(); ++i) {
    std::string text;
    for (const std::string& line : bad[i]) text += line + "\n";
    if (i == 4) text.pop_back();  // as a crash or a full disk leaves it
    base::WriteFileAtomically(folder_ / "bad.jsonl", text);
    const ErrorKind kind = KindOfError(
        [&] { Ledger::Import(folder_ / "bad.jsonl", folder_ / "copy"); });
    EXPECT_TRUE(kind == ErrorKind::kCorrupt || kind == ErrorKind::kBadInput)
        << i;
    EXPECT_FALSE(fs::exists(folder_ / "copy")) << i;
  }
  std::string keyed;
  for (const std::string& line : lines) keyed += line + "\n";
  base::WriteFileAtomically(folder_ / "lines.jsonl", keyed);
  EXPECT_EQ(KindOfError([&] {
              Ledger::Import(folder_ / "lines.jsonl", folder_ / "copy",
                             "0123456789abcdef");
            }),
            ErrorKind::kCorrupt);
}

// ---- What a run reserves again after a stop.

TEST_F(LedgerTest, ARunReservesMoreAsPartsOfItsOwn) {
  Ledger ledger = Make();
  EXPECT_TRUE(ledger.PartsOf("first").empty());
  const std::vector<Event> events = {GaussianEvent(50, 2)};
  EXPECT_EQ(ledger.ReserveMore("first", "phones", events), "first");
  const std::string second = ledger.ReserveMore("first", "phones", events);
  Event released = GaussianEvent(50);
  released.cohort = "first/0";
  ledger.Release({.run = second}, released);

  const std::vector<RunPart> parts = ledger.PartsOf("first");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "first");
  EXPECT_EQ(parts[1].name, second);
  EXPECT_NE(second, "first");
  EXPECT_EQ(CountOf(parts[0].run.released), 0);
  EXPECT_EQ(CountOf(parts[1].run.released), 1);
  EXPECT_EQ(ReservedRounds(parts), 3);
  // A run of another name is not a part.
  ledger.Reserve("first2", "phones", events);
  EXPECT_EQ(ledger.PartsOf("first").size(), 2u);

  ledger.FinishParts("first");
  EXPECT_EQ(ReservedRounds(ledger.PartsOf("first")), 0);
  const Head head = ledger.head();
  ledger.FinishParts("first");
  EXPECT_EQ(ledger.head(), head);
  EXPECT_TRUE(ledger.Verify().empty());
}

// ---- Cells that belong to a run, and datasets that belong to a population.

TEST_F(LedgerTest, ACellTakesItsOwnRunAndThatRunsPartsAlone) {
  Ledger ledger = Make();
  for (const char* cell : {"a1", "a2"}) {
    ledger.AddPopulation({.name = fmt::format("phones/look/{}", cell),
                          .root = "phones",
                          .partition = "look",
                          .owner = fmt::format("look/{}", cell)});
  }
  ledger.Reserve("look/a1", "phones/look/a1", {{GaussianEvent(50, 2)}});
  ledger.Reserve("look/a1 (2)", "phones/look/a1", {{GaussianEvent(50)}});
  ledger.Spend("look/a1 (3)", "phones/look/a1", {{GaussianEvent(50)}});
  const Head before = ledger.head();
  for (const char* run :
       {"train-1", "look/a2", "look/a1 (1)", "look/a1 (02)", "look/a1 (x)",
        "look/a1 (5)",  // a gap: nobody would count it
        "look/a1 ()", "look/a1(2)", "look/a1 (2", "look/a10"}) {
    std::string said;
    EXPECT_EQ(KindOfError(
                  [&] {
                    ledger.Reserve(run, "phones/look/a1",
                                   {{GaussianEvent(50)}});
                  },
                  &said),
              ErrorKind::kBadInput)
        << run;
    EXPECT_NE(said.find("belongs to run 'look/a1'"), std::string::npos) << said;
    EXPECT_NE(said.find("charge 'phones'"), std::string::npos) << said;
    EXPECT_EQ(KindOfError([&] {
                ledger.Spend(run, "phones/look/a1", {{GaussianEvent(50)}});
              }),
              ErrorKind::kBadInput)
        << run;
  }
  EXPECT_EQ(ledger.head(), before) << "a refusal enters nothing";
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, NobodyJoinsAPartitionThatBelongsToARun) {
  Ledger ledger = Make();
  ledger.AddPopulation({.name = "phones/look/a1",
                        .root = "phones",
                        .partition = "look",
                        .owner = "look/a1"});
  const Head before = ledger.head();
  EXPECT_EQ(KindOfError([&] {
              ledger.AddPopulation(
                  {.name = "mine", .root = "phones", .partition = "look"});
            }),
            ErrorKind::kBadInput);
  EXPECT_EQ(ledger.head(), before);
  ledger.AddPopulation(
      {.name = "mine", .root = "phones", .partition = "my own"});
}

TEST_F(LedgerTest, VerifyFindsARunOnAnothersCell) {
  Ledger ledger = Make();
  ledger.AddPopulation(
      {.name = "phones/look/a1", .root = "phones", .partition = "look"});
  ledger.Spend("train-1", "phones/look/a1", {{GaussianEvent(50)}});
  ASSERT_EQ(Whole(Verify()), "") << "as long as the cell has no owner";
  const auto give = [&](const char* table, const char* where) {
    Sql(
        fmt::format("UPDATE {} SET body = json_set(body, '$.owner', "
                    "'look/a1') WHERE {}",
                    table, where));
  };
  give("entries", "seq = 3");
  give("populations", "name = 'phones/look/a1'");
  Rechain();
  const std::string found = Whole(Verify());
  EXPECT_NE(found.find("run 'train-1' charged to 'phones/look/a1', which "
                       "belongs to run 'look/a1'"),
            std::string::npos)
      << found;
}

// Ledgers of the first format have no owners: there ROOT/RUN belongs to RUN.
TEST_F(LedgerTest, AnOldCellBelongsToTheRunOfItsName) {
  Ledger ledger = Make();
  ledger.AddPopulation(
      {.name = "phones/look/a1", .root = "phones", .partition = "look"});
  ledger.Reserve("look/a1", "phones/look/a1", {{GaussianEvent(50, 2)}});
  EXPECT_EQ(KindOfError([&] {
              ledger.Reserve("train-1", "phones/look/a1",
                             {{GaussianEvent(50)}});
            }),
            ErrorKind::kBadInput);
  ledger.Reserve("look/a1 (2)", "phones/look/a1", {{GaussianEvent(50)}});
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, ALedgerOfTheFirstFormatOpensAndTakesWhatIsNew) {
  {
    Ledger ledger = Make();
    Fill(ledger);
  }
  // As the first format had it.
  Sql("DROP TABLE bindings; DROP TABLE looks; PRAGMA user_version = 1;"
      "UPDATE entries SET body = json_set(body, '$.schema', "
      "'sfumato.ledger/1', '$.time', '2026-11-15T03:19:00Z') WHERE seq = 1");
  Rechain();
  EXPECT_EQ(Whole(Verify()), "") << "also where nobody may write";
  {
    Ledger old = Ledger::Open(path_, "", Ledger::Mode::kRead);
    EXPECT_TRUE(old.Bindings().empty());
    EXPECT_TRUE(old.Looks().empty());
    EXPECT_EQ(old.TotalsOf("phones").runs, 2);
  }
  Ledger ledger = Ledger::Open(path_);
  ledger.Bind("phones", "id-1");
  ledger.EnterLook("id-1", 5, "data show");
  ledger.Spend("third", "phones", {{GaussianEvent(50)}});
  EXPECT_EQ(ledger.Bindings().size(), 1u);
  EXPECT_EQ(ledger.Looks().size(), 1u);
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, ADatasetIsBoundToOnePopulation) {
  Ledger ledger = Make();
  ledger.AddPopulation({.name = "tablets", .budget = kBudget});
  const Head bound = ledger.Bind("phones", "id-1");
  EXPECT_EQ(ledger.Bind("phones", "id-1"), bound) << "again: nothing";
  std::string said;
  EXPECT_EQ(KindOfError([&] { ledger.Bind("tablets", "id-1"); }, &said),
            ErrorKind::kBadInput);
  EXPECT_NE(said.find("bound to population 'phones'"), std::string::npos)
      << said;
  ledger.Bind("phones", "id-2");  // next month's records
  EXPECT_EQ(ledger.Bindings(), (std::map<std::string, std::string>{
                                   {"id-1", "phones"}, {"id-2", "phones"}}));
  EXPECT_EQ(KindOfError([&] { ledger.Bind("nobody", "id-3"); }),
            ErrorKind::kBadInput);
  EXPECT_EQ(KindOfError([&] { ledger.Bind("phones", ""); }),
            ErrorKind::kBadInput);
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, TheFirstUseBindsAndWhatIsBoundElsewhereIsRefused) {
  Ledger ledger = Make();
  ledger.AddPopulation({.name = "tablets", .budget = kBudget});
  const std::vector<std::string> now_and_before = {"id-1", "id-2"};
  const std::vector<std::string> third = {"id-3"};
  const std::vector<std::string> one_more = {"id-1", "id-3"};
  const Head before = ledger.head();
  ledger.CheckBound("phones", now_and_before);
  EXPECT_EQ(ledger.head(), before) << "a check enters nothing";
  ledger.BindFirst("phones", now_and_before);
  EXPECT_EQ(ledger.Bindings().size(), 2u);
  const Head after = ledger.head();
  ledger.BindFirst("phones", now_and_before);
  ledger.CheckBound("phones", now_and_before);
  for (const auto& sets : {third, one_more}) {
    std::string said;
    EXPECT_EQ(KindOfError([&] { ledger.BindFirst("phones", sets); }, &said),
              ErrorKind::kBadInput);
    EXPECT_NE(said.find("ledger bind"), std::string::npos) << said;
    EXPECT_EQ(KindOfError([&] { ledger.CheckBound("phones", sets); }),
              ErrorKind::kBadInput);
  }
  std::string said;
  EXPECT_EQ(KindOfError([&] { ledger.BindFirst("tablets", one_more); }, &said),
            ErrorKind::kBadInput);
  EXPECT_NE(said.find("bound to population 'phones'"), std::string::npos)
      << said;
  EXPECT_EQ(ledger.head(), after) << "refusals enter nothing";
  // Neither does a derived population of the same people take it.
  ledger.AddPopulation({.name = "some phones", .root = "phones"});
  EXPECT_EQ(KindOfError([&] { ledger.BindFirst("some phones", third); }),
            ErrorKind::kBadInput);
  ledger.Bind("phones", "id-3");
  ledger.BindFirst("phones", one_more);
  EXPECT_EQ(Whole(Verify()), "");
}

TEST_F(LedgerTest, NoDatasetIsChargedToARunsCell) {
  Ledger ledger = Make();
  ledger.AddPopulation({.name = "phones/look/a1",
                        .root = "phones",
                        .partition = "look",
                        .owner = "look/a1"});
  const std::vector<std::string> set = {"id-1"};
  EXPECT_EQ(KindOfError([&] { ledger.Bind("phones/look/a1", "id-1"); }),
            ErrorKind::kBadInput);
  EXPECT_EQ(KindOfError([&] { ledger.CheckBound("phones/look/a1", set); }),
            ErrorKind::kBadInput);
  EXPECT_EQ(KindOfError([&] { ledger.BindFirst("phones/look/a1", set); }),
            ErrorKind::kBadInput);
  EXPECT_TRUE(ledger.Bindings().empty());
}

TEST_F(LedgerTest, VerifyFindsChangedBindingsAndLooks) {
  {
    Ledger ledger = Make();
    ledger.AddPopulation({.name = "tablets", .budget = kBudget});
    ledger.Bind("phones", "id-1");
    ledger.EnterLook("id-1", 12, "data show");
  }
  ASSERT_EQ(Whole(Verify()), "");
  Sql("UPDATE bindings SET population = 2");
  EXPECT_NE(Whole(Verify()).find("the datasets' populations"),
            std::string::npos);
  Sql("UPDATE bindings SET population = 1; DELETE FROM looks");
  EXPECT_NE(Whole(Verify()).find("the looks at records"), std::string::npos);
}

TEST_F(LedgerTest, LooksAreKeptInOrderAndSurviveAnExport) {
  {
    Ledger ledger = Make();
    ledger.Bind("phones", "id-1");
    ledger.EnterLook("id-1", 12, "data show");
    ledger.EnterLook("id-2", 3, "data describe");
    std::ofstream lines(folder_ / "lines.jsonl");
    ledger.Export([&](const std::string& line) { lines << line << "\n"; });
  }
  Ledger copy = Ledger::Import(folder_ / "lines.jsonl", folder_ / "copy");
  const std::vector<Look> looks = copy.Looks();
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(looks[0].dataset, "id-1");
  EXPECT_EQ(looks[0].records, 12);
  EXPECT_EQ(looks[0].command, "data show");
  EXPECT_EQ(looks[1].dataset, "id-2");
  EXPECT_EQ(copy.Bindings().at("id-1"), "phones");
}

// How long a round took depends on the data of those who were drawn.
TEST_F(LedgerTest, EntriesHaveTheirDateAndNoTimeOfDay) {
  Ledger ledger = Make();
  Fill(ledger);
  ledger.Bind("phones", "id-1");
  ledger.EnterLook("id-1", 12, "data show");
  int entries = 0;
  ledger.Export([&](const std::string& line) {
    const auto json = base::ParseJson(line);
    if (!json.contains("entry")) return;
    ++entries;
    const std::string time = json["entry"]["time"];
    EXPECT_EQ(time.size(), std::string("2026-11-15").size()) << time;
    EXPECT_EQ(time.find(':'), std::string::npos) << time;
  });
  EXPECT_EQ(entries, 10);
}

TEST_F(LedgerTest, RefusesABudgetWhoseDeltaPromisesNothing) {
  for (const double delta : {0.5, 0.0101}) {
    std::string said;
    EXPECT_EQ(KindOfError([&] { Make({.epsilon = 2, .delta = delta}); }, &said),
              ErrorKind::kBadInput)
        << delta;
    EXPECT_NE(said.find("at most 0.01"), std::string::npos) << said;
    EXPECT_FALSE(fs::exists(path_));
  }
  Ledger ledger = Make({.epsilon = 2, .delta = 0.01});
  EXPECT_EQ(KindOfError([&] {
              ledger.AddPopulation(
                  {.name = "tablets", .budget = {.epsilon = 1, .delta = 0.02}});
            }),
            ErrorKind::kBadInput);
}

// ---- Files that are no ledger, and disks that fail.

TEST_F(LedgerTest, EveryFileThatIsNoLedgerHasItsOwnError) {
  const auto write = [&](const char* name, const std::string& content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  };
  Ledger ledger = Make();
  Fill(ledger);
  const std::string whole = base::ReadFile(path_);
  struct Case {
    fs::path path;
    ErrorKind kind;
    const char* word;
  };
  std::vector<Case> cases = {
      {folder_ / "nowhere", ErrorKind::kBadInput, "no such file"},
      {folder_, ErrorKind::kBadInput, "folder"},
      {write("empty", ""), ErrorKind::kBadInput, "empty file"},
      {write("text", std::string(5000, 'x')), ErrorKind::kBadInput,
       "not a ledger"},
      {write("tiny", "x"), ErrorKind::kBadInput, "not a ledger"},
      {write("page", whole.substr(0, 4096)), ErrorKind::kCorrupt, "damaged"},
      {write("half", whole.substr(0, whole.size() / 2)), ErrorKind::kCorrupt,
       "damaged"},
      {write("bytes", whole.substr(0, 60)), ErrorKind::kCorrupt, "damaged"},
  };
  fs::copy_file(path_, folder_ / "newer");
  fs::copy_file(path_, folder_ / "other");
  const fs::path original = path_;
  path_ = folder_ / "newer";
  Sql("PRAGMA user_version = 3");
  path_ = folder_ / "other";
  Sql("PRAGMA application_id = 0");
  path_ = original;
  cases.push_back({folder_ / "newer", ErrorKind::kUnsupported, "format 3"});
  cases.push_back({folder_ / "other", ErrorKind::kBadInput, "SQLite file"});
  for (const Case& c : cases) {
    std::string said;
    EXPECT_EQ(KindOfError([&] { Ledger::Open(c.path); }, &said), c.kind)
        << c.path << " " << said;
    EXPECT_NE(said.find(c.word), std::string::npos) << said;
  }
}

TEST_F(LedgerTest, CreateNeverReplacesAndNeedsAPlaceThatCanBeWritten) {
  std::ofstream(folder_ / "mine") << "precious";
  const PopulationOptions phones{.name = "phones"};
  EXPECT_EQ(KindOfError([&] { Ledger::Create(folder_ / "mine", phones); }),
            ErrorKind::kBadInput);
  EXPECT_EQ(base::ReadFile(folder_ / "mine"), "precious");
  EXPECT_EQ(KindOfError([&] { Ledger::Create("/proc/ledger.sqlite", phones); }),
            ErrorKind::kUnavailable);
  EXPECT_EQ(KindOfError([&] { Ledger::Create(path_, {.name = ""}); }),
            ErrorKind::kBadInput);
  EXPECT_FALSE(fs::exists(path_)) << "nothing half-made stays";
  Ledger::Create(folder_ / "new" / "folder" / "ledger.sqlite", phones);
  EXPECT_TRUE(fs::exists(folder_ / "new" / "folder" / "ledger.sqlite"));
  for (const auto& entry : fs::directory_iterator(folder_ / "new" / "folder")) {
    EXPECT_EQ(entry.path().filename(), "ledger.sqlite") << "nothing is left";
  }
}

// Runs `act` in a child that is not root, who may write everything; its exit
// code.
template <typename Act>
int AsNobody(Act&& act) {
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(99);
    _exit(act());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(LedgerTest, AWriteProtectedLedgerCanBeReadAndNotSpent) {
  Make();
  fs::permissions(path_, fs::perms(0444));
  fs::permissions(folder_, fs::perms(0555));
  EXPECT_EQ(
      AsNobody([&] {
        return static_cast<int>(
            Ledger::Open(path_, "", Ledger::Mode::kRead).Populations().size());
      }),
      1);
  const auto kind = [](ErrorKind k) { return static_cast<int>(k); };
  EXPECT_EQ(
      AsNobody([&] { return kind(KindOfError([&] { Ledger::Open(path_); })); }),
      kind(ErrorKind::kUnavailable));
  fs::permissions(path_, fs::perms(0666));
  EXPECT_EQ(AsNobody([&] {
              return kind(KindOfError([&] {
                Ledger::Open(path_).AddPopulation({.name = "more"});
              }));
            }),
            kind(ErrorKind::kUnavailable))
      << "the folder must take the journal";
  fs::permissions(folder_, fs::perms(0755));
  EXPECT_EQ(Ledger::Open(path_).Populations().size(), 1u);
}

// Runs `act` in a child whose files cannot grow beyond `bytes`; its exit code.
template <typename Act>
int WithSmallDisk(std::uintmax_t bytes, Act&& act) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(act());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(LedgerTest, AFullDiskLosesNothing) {
  {
    Ledger ledger = Make();
    ledger.Reserve("run", "phones", {{GaussianEvent(1000, 100'000)}});
  }
  const std::uintmax_t size = fs::file_size(path_);
  // Some room at first, so that the disk is full in the middle of the run.
  const int released = WithSmallDisk(size + 20'000, [&] {
    Ledger ledger = Ledger::Open(path_);
    for (int round = 0; round < 200; ++round) {
      const ErrorKind kind = KindOfError([&] {
        ledger.Release({.run = "run", .round = round}, GaussianEvent(1000));
      });
      if (kind == ErrorKind::kUnavailable) return round;
      if (kind != ErrorKind::kBug) return 251;
    }
    return 250;  // never full
  });
  ASSERT_LT(released, 250);
  ASSERT_GT(released, 0);
  Ledger ledger = Ledger::Open(path_);
  EXPECT_EQ(ledger.TotalsOf("phones").released[0].count, released)
      << "what returned is there, what threw is not";
  EXPECT_EQ(Whole(ledger.Verify()), "");
  ledger.Release({.run = "run", .round = released}, GaussianEvent(1000));
}

TEST_F(LedgerTest, WritesReachTheDiskBeforeACallReturns) {
  // 3 is EXTRA: also the removal of the journal, which is the commit.
  Make();
  Database db(path_, Database::Mode::kWrite);
  EXPECT_EQ(db.WholeOf("PRAGMA synchronous"), 3);
  Statement mode = db.Prepare("PRAGMA journal_mode");
  ASSERT_TRUE(mode.Next());
  EXPECT_EQ(mode.Text(0), "delete");
}

TEST_F(LedgerTest, TwoHandlesSeeEachOthersReservations) {
  Ledger one = Make();
  Ledger two = Ledger::Open(path_);
  one.Spend("start", "phones", {{GaussianEvent(1000)}});
  const std::int64_t cap =
      one.PriceOf("phones", {{GaussianEvent(30, 1'000'000)}}).fitting;
  one.Reserve("a", "phones", {{GaussianEvent(30, cap / 2)}});
  two.Reserve("b", "phones", {{GaussianEvent(30, cap - cap / 2)}});
  for (Ledger* ledger : {&one, &two}) {
    EXPECT_EQ(KindOfError([&] {
                ledger->Reserve("c", "phones", {{GaussianEvent(30)}});
              }),
              ErrorKind::kBudgetSpent);
  }
}

}  // namespace
}  // namespace sfumato::dp

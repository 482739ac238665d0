#include "runs/metrics.h"

#include <cmath>
#include <fstream>
#include <limits>

#include "runs/runs_testing.h"

namespace sfumato::runs {
namespace {

// What a little training writes: a value released, one public, one private.
void AppendRound(Metrics& metrics, std::int64_t round) {
  metrics.Append(round,
                 {Released("clip_norm", 0.5), Public("epsilon", 0.25 * round),
                  SimulationOnly("loss", 8.0 / round)});
}

TEST(MetricsTest, WritesOneObjectALine) {
  const base::Path path = FreshPath("metrics.jsonl");
  Metrics metrics = Metrics::Open(path, Gate::Simulation());
  AppendRound(metrics, 1);
  metrics.Append(
      2, {Public("device", "cpu"), Public("users", 3), Public("done", false)});
  EXPECT_EQ(base::ReadFile(path),
            "{\"clip_norm\":0.5,\"epsilon\":0.25,\"loss\":8.0,\"round\":1}\n"
            "{\"device\":\"cpu\",\"done\":false,\"round\":2,\"users\":3}\n");
}

TEST(MetricsTest, OutsideSimulationNothingPrivateIsWritten) {
  const base::Path path = FreshPath("metrics.jsonl");
  Metrics metrics = Metrics::Open(path, Gate::PrivateData());
  AppendRound(metrics, 1);
  metrics.Append(2, {SimulationOnly("secret_reason", NAN)});
  EXPECT_EQ(base::ReadFile(path),
            "{\"clip_norm\":0.5,\"epsilon\":0.25,\"round\":1}\n"
            "{\"round\":2}\n");
}

TEST(MetricsTest, NumbersThatAreNotFiniteAreNullWithAReason) {
  const base::Path path = FreshPath("metrics.jsonl");
  const double infinity = std::numeric_limits<double>::infinity();
  Metrics::Open(path, Gate::Simulation())
      .Append(
          1, {Public("a", NAN), Public("b", infinity), Public("c", -infinity)});
  EXPECT_EQ(base::ReadFile(path),
            "{\"a\":null,\"a_reason\":\"not a number\","
            "\"b\":null,\"b_reason\":\"infinite\","
            "\"c\":null,\"c_reason\":\"minus infinite\",\"round\":1}\n");
}

TEST(MetricsTest, ARunThatGoesOnWritesTheSameBytes) {
  const base::Path whole = FreshPath("whole.jsonl");
  {
    Metrics metrics = Metrics::Open(whole, Gate::Simulation());
    for (int round = 1; round <= 5; ++round) AppendRound(metrics, round);
  }
  const base::Path resumed = FreshPath("resumed.jsonl");
  {
    Metrics metrics = Metrics::Open(resumed, Gate::Simulation());
    for (int round = 1; round <= 4; ++round) AppendRound(metrics, round);
  }
  std::ofstream(resumed, std::ios::app) << "{\"round\":5,\"lo";  // killed
  {
    Metrics metrics =
        Metrics::Open(resumed, Gate::Simulation(), {.keep_up_to_round = 2});
    for (int round = 3; round <= 5; ++round) AppendRound(metrics, round);
  }
  EXPECT_EQ(base::ReadFile(resumed), base::ReadFile(whole));
}

TEST(MetricsTest, KeepsALastLineThatOnlyLacksItsEnd) {
  const base::Path path = FreshPath("metrics.jsonl");
  base::WriteFileAtomically(path, "{\"round\":1}\n{\"round\":2}");
  Metrics::Open(path, Gate::Simulation(), {.keep_up_to_round = 2});
  EXPECT_EQ(base::ReadFile(path), "{\"round\":1}\n{\"round\":2}\n");
}

TEST(MetricsTest, ANewRunHasNoLines) {
  const base::Path path = FreshPath("metrics.jsonl");
  base::WriteFileAtomically(path, "{\"round\":1}\n{\"round\":2}\n");
  Metrics::Open(path, Gate::Simulation());  // no checkpoint: from the start
  EXPECT_EQ(base::ReadFile(path), "");
}

TEST(MetricsTest, NamesTheLineThatIsDamaged) {
  const base::Path path = FreshPath("metrics.jsonl");
  for (const char* bad : {"nonsense", "[1]", "{\"round\":\"2\"}", "{}", ""}) {
    base::WriteFileAtomically(
        path, std::string("{\"round\":1}\n") + bad + "\n{\"round\":3}\n");
    const Error error =
        Thrown([&] { Metrics::Open(path, Gate::Simulation()); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << bad;
    EXPECT_EQ(error.where(), path.string() + ":2") << bad;
  }
}

}  // namespace
}  // namespace sfumato::runs

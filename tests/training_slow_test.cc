// Killed at any instant; over several processes; examples as they are pasted.

#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "training_testing.h"

namespace sfumato {
namespace {

using namespace std::chrono_literals;

class TrainingSlowTest : public TrainingFixture {};

TEST_F(TrainingSlowTest, KilledAtAnyInstantItEndsInTheSameBytes) {
  constexpr int kKills = 50;
  constexpr int kRounds = 300;
  MakePeople();
  WriteConfig(kRounds,
              "clipping = \"adaptive\"\n[server]\noptimizer = \"adam\"\n"
              "learning_rate = 0.01\n[evaluation]\nevery = 50\n");
  ASSERT_EQ(Sfumato({"train", "c.toml", "--out", "whole"}), 0) << Read("err");
  std::mt19937 random(7);
  int kills = 0;
  int runs = 0;
  while (kills < kKills) {
    const std::string run = "cut" + std::to_string(runs++);
    for (;;) {
      // Killed before there was a run, it is made anew.
      const bool begun = fs::exists(folder_ / run / "run.json");
      const pid_t child = begun ? Start({"resume", run})
                                : Start({"train", "c.toml", "--out", run});
      std::this_thread::sleep_for(
          std::chrono::milliseconds(random() % (kills % 5 == 0 ? 300 : 1200)));
      kill(child, SIGKILL);
      const int code = Wait(child);
      if (code == -SIGKILL) {
        ++kills;
      } else {
        ASSERT_EQ(code, 0) << Read("err");
      }
      if (code == 0 || kills >= kKills) break;
    }
    const bool begun = fs::exists(folder_ / run / "run.json");
    ASSERT_EQ(Sfumato(begun ? std::vector<std::string>{"resume", run}
                            : std::vector<std::string>{"train", "c.toml",
                                                       "--out", run}),
              0)
        << Read("err");
    EXPECT_EQ(Checkpoints(run), Checkpoints("whole")) << run;
    EXPECT_EQ(Metrics(run), Metrics("whole")) << run;
    EXPECT_EQ(Sfumato({"ledger", "verify", run + "/ledger.sqlite"}), 0);
    fs::remove_all(folder_ / run);
  }
}

#if SFUMATO_HAS_MPI
TEST_F(TrainingSlowTest, OneRankOrThreeGiveTheSameBytes) {
  MakePeople();
  WriteConfig(5);
  // What root, two cores and a machine without ssh need.
  for (const auto& [name, value] :
       {std::pair{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
        {"OMPI_MCA_plm", "isolated"},
        {"OMPI_MCA_hwloc_base_binding_policy", "none"},
        {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}}) {
    setenv(name, value, 1);
  }
  ASSERT_EQ(Sfumato({"train", "c.toml", "--out", "one"}), 0) << Read("err");
  const std::string shell = "cd " + folder_.string() + " && mpirun -n 3 " +
                            std::string(SFUMATO_PROGRAM) +
                            " train c.toml --quiet --out three > mpi.log 2>&1";
  ASSERT_EQ(std::system(shell.c_str()), 0) << Read("mpi.log");
  EXPECT_EQ(Checkpoints("one"), Checkpoints("three"));
  // A bad config ends all of them.
  const std::string bad = "cd " + folder_.string() + " && mpirun -n 2 " +
                          std::string(SFUMATO_PROGRAM) +
                          " train c.toml --out bad --set cohort.size=1e6 > "
                          "mpi.log 2>&1";
  EXPECT_NE(std::system(bad.c_str()), 0);
}
#endif

TEST_F(TrainingSlowTest, ExamplesWorkWhenPasted) {
  for (const char* name :
       {"train", "resume", "eval", "report", "bench cohort", "bench lm",
        "bench census", "inspect", "sample", "demo images"}) {
    const std::string command(name);
    std::vector<std::string> help;
    for (std::size_t at = 0; at < command.size();) {
      const std::size_t end = std::min(command.find(' ', at), command.size());
      help.push_back(command.substr(at, end - at));
      at = end + 1;
    }
    help.push_back("--help");
    ASSERT_EQ(Sfumato(help), 0);
    const std::string text = Read("out");
    std::size_t at = text.find("Example:");
    ASSERT_NE(at, std::string::npos) << name;
    int pasted = 0;
    while ((at = text.find("  sfumato ", at)) != std::string::npos) {
      const std::string line =
          text.substr(at + 10, text.find('\n', at) - at - 10);
      const std::string shell = "cd " + folder_.string() + " && " +
                                std::string(SFUMATO_PROGRAM) + " " + line +
                                " --quiet > log 2>&1";
      EXPECT_EQ(std::system(shell.c_str()), 0) << line << "\n" << Read("log");
      at += 10;
      ++pasted;
    }
    EXPECT_GT(pasted, 0) << name;
  }
}

}  // namespace
}  // namespace sfumato

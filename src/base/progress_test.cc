#include "base/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <limits>
#include <string>
#include <thread>

namespace sfumato::base {
namespace {

TEST(HumanTest, WritesCountsDurationsAndSizes) {
  EXPECT_EQ(HumanCount(0), "0");
  EXPECT_EQ(HumanCount(999), "999");
  EXPECT_EQ(HumanCount(1000), "1,000");
  EXPECT_EQ(HumanCount(1234567), "1,234,567");
  EXPECT_EQ(HumanCount(0, "user"), "0 users");
  EXPECT_EQ(HumanCount(1, "user"), "1 user");
  EXPECT_EQ(HumanCount(1234, "user"), "1,234 users");
  EXPECT_EQ(HumanDuration(0.2), "1 s");
  EXPECT_EQ(HumanDuration(59), "59 s");
  EXPECT_EQ(HumanDuration(200), "3 min 20 s");
  EXPECT_EQ(HumanDuration(7500), "2 h 05 min");
  EXPECT_EQ(HumanDuration(std::numeric_limits<double>::infinity()),
            "very long");
  EXPECT_EQ(HumanDuration(std::numeric_limits<double>::quiet_NaN()),
            "very long");
  EXPECT_EQ(HumanCount(0, "user"), "0 users");
  EXPECT_EQ(HumanCount(1, "user"), "1 user");
  EXPECT_EQ(HumanCount(1234, "user"), "1,234 users");
  EXPECT_EQ(HumanCount(1, "class"), "1 class");
  EXPECT_EQ(HumanCount(2, "class"), "2 classes");
  EXPECT_EQ(HumanBytes(999), "999 B");
  EXPECT_EQ(HumanBytes(1500), "1.5 kB");
  EXPECT_EQ(HumanBytes(2'000'000'000), "2 GB");
}

// Sets how the process talks, for one test.
class TalkAs {
 public:
  explicit TalkAs(const Talk& talk) : before_(ProcessTalk()) {
    ProcessTalk() = talk;
  }
  ~TalkAs() { ProcessTalk() = before_; }

 private:
  Talk before_;
};

TEST(ForPeopleTest, TakesControlOutOfText) {
  const TalkAs talk({.utf8 = true});
  EXPECT_EQ(ForPeople("a\x1b[31mb\tc\nd\x7f\xc2\x9b"), "a?[31mb\tc\nd??");
  EXPECT_EQ(ForPeople("é … ×"), "é … ×");
}

TEST(ForPeopleTest, WritesOurSignsInAsciiWhereNothingElseShows) {
  const TalkAs talk({.utf8 = false});
  EXPECT_EQ(ForPeople("28×28 · … — ✗"), "28x28 | ... - x");
  EXPECT_EQ(ForPeople("ε 1 at δ 1e-5, Rényi"),
            "epsilon 1 at delta 1e-5, Renyi");
}

// A quarter of the work takes more than the half second after which the first
// line is due.
std::string ProgressOf(const Talk& talk) {
  const TalkAs as(talk);
  testing::internal::CaptureStderr();
  {
    Progress progress("drawing", 4000, "writers");
    std::this_thread::sleep_for(std::chrono::milliseconds(550));
    progress.Advance(1000);
  }
  return testing::internal::GetCapturedStderr();
}

TEST(ProgressTest, DrawsAMeterWithTheTimeLeftOnATerminal) {
  const std::string drawn = ProgressOf({.terminal = true, .utf8 = true});
  EXPECT_NE(drawn.find("drawing 1,000/4,000 writers █████···············"
                       " 25% · 2 s left · Ctrl-C stops"),
            std::string::npos)
      << drawn;
}

TEST(ProgressTest, ShowsADetailAndNoTimeWhereTimeIsPrivate) {
  const TalkAs as({});
  testing::internal::CaptureStderr();
  {
    Progress progress("round", 10, "rounds", {.begun = 4, .shows_time = false});
    std::this_thread::sleep_for(std::chrono::milliseconds(550));
    progress.Advance(1, "ε 0.5 of 1");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "round 5/10 rounds ##########.......... 50% | epsilon 0.5 of 1\n");
}

TEST(ProgressTest, TheTimeLeftIsThatOfAllWhichComesAfterwards) {
  const TalkAs as({});
  testing::internal::CaptureStderr();
  {
    // A quarter in a bit more than half a second: three quarters and twelve
    // wholes more are about 28 seconds.
    Progress progress("model 2 of 14", 4, "rounds", {.later = 48});
    std::this_thread::sleep_for(std::chrono::milliseconds(550));
    progress.Advance(1);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  const std::string begin =
      "model 2 of 14 1/4 rounds #####............... 25% | ";
  ASSERT_TRUE(said.starts_with(begin)) << said;
  const int seconds = std::stoi(said.substr(begin.size()));
  EXPECT_GE(seconds, 28);
  EXPECT_LT(seconds, 60) << "a machine that is slow tenfold";
  EXPECT_NE(said.find(" s left in all\n"), std::string::npos) << said;
}

TEST(ProgressTest, AStderrThatTakesNothingStopsNoWork) {
  const TalkAs as({});
  const int kept = dup(STDERR_FILENO);
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  dup2(full, STDERR_FILENO);
  close(full);
  EXPECT_NO_THROW({
    Note("a line");
    Warning("another");
    Progress progress("drawing", 2, "writers");
    std::this_thread::sleep_for(std::chrono::milliseconds(550));
    progress.Advance();
  });
  dup2(kept, STDERR_FILENO);
  close(kept);
}

TEST(ProgressTest, WritesLinesIntoALogAndNothingWhenQuiet) {
  EXPECT_EQ(
      ProgressOf({}),
      "drawing 1,000/4,000 writers #####............... 25% | 2 s left\n");
  EXPECT_EQ(ProgressOf({.quiet = true}), "");
}

TEST(ProgressTest, SaysNothingWhenTheWorkIsShort) {
  testing::internal::CaptureStderr();
  {
    Progress progress("drawing", 10, "writers");
    for (int i = 0; i < 10; ++i) progress.Advance();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace sfumato::base

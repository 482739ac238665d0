#include "census/answer/class_answer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error_testing.h"
#include "base/random.h"

namespace sfumato::census {
namespace {

// ε 0.5, one mark, add/remove.
constexpr NoiseLaw kNoise{.kind = NoiseKind::kLaplace, .parameter = 2};

// Users who each mark one of the classes, with noise.
std::vector<double> Marked(const std::vector<double>& shares, int users,
                           base::Rng& rng) {
  std::vector<double> counts(shares.size() + 2, 0);
  for (int user = 0; user < users; ++user) {
    double left = rng.Uniform();
    std::size_t c = 0;
    while (c + 1 < shares.size() && left >= shares[c]) left -= shares[c++];
    ++counts[c];
  }
  for (double& count : counts) count += static_cast<double>(Draw(kNoise, rng));
  return counts;
}

// Classes of 10 %, of which the second group has lost one to `lost` of its
// users; these have another one instead.
std::vector<double> Tenths(double lost) {
  std::vector<double> shares(10, (1 - 0.1 * (1 - lost)) / 9);
  shares[7] = 0.1 * (1 - lost);
  return shares;
}

const std::vector<std::string> kTen = {"0", "1", "2", "3", "4",
                                       "5", "6", "7", "8", "9"};

TEST(ClassAnswerTest, CountsEverybodysClassesAndComparesThemWithNothing) {
  const Calibration calibration = ClassCells({"cat", "dog", "emu"}, 1);
  const CensusAnswer answer =
      AnswerOf({.counts = {{300, 99, 1, -2, 2}}, .noise = kNoise}, calibration,
               {.design = Design::kEverybody});
  EXPECT_EQ(answer.about, About::kClasses);
  EXPECT_EQ(Name(answer.verdict), "counted");
  ASSERT_EQ(answer.answers.size(), 5u);
  EXPECT_EQ(answer.answers[0].key, "class=cat");
  // 300 of 400; nothing has to be corrected.
  EXPECT_NEAR(answer.answers[0].share, 0.75, 1e-9);
  EXPECT_LT(answer.answers[0].low, 0.75);
  EXPECT_GT(answer.answers[0].high, 0.75);
  EXPECT_TRUE(answer.answers[0].supported);
  EXPECT_TRUE(answer.answers[1].supported);
  EXPECT_FALSE(answer.answers[2].supported);  // noise of scale 2
  EXPECT_FALSE(answer.answers[3].supported);
  EXPECT_NE(answer.sentence.find("class emu"), std::string::npos)
      << answer.sentence;
  EXPECT_EQ(ToJson(CensusAnswerFromJson(ToJson(answer), "x")), ToJson(answer));
}

// 600 censuses of nobody at a level of 1 %, in each the count of ten classes is
// noise alone: 6 are allowed on average, more than 15 with probability 0.0005.
TEST(ClassAnswerTest, AClassThatNobodyHasIsHardlyEverCalledSeen) {
  int seen = 0;
  for (int i = 0; i < 600; ++i) {
    base::Rng rng(21, {static_cast<std::uint64_t>(i)});
    std::vector<double> shares(11, 0);
    shares[0] = 1;
    std::vector<std::string> names = kTen;
    names.insert(names.begin(), "had by all");
    const CensusAnswer answer = AnswerOf(
        {.counts = {Marked(shares, 500, rng)}, .noise = kNoise},
        ClassCells(names, 1), {.design = Design::kEverybody, .draws = 1});
    bool any = false;
    for (std::size_t c = 1; c <= 10; ++c) {
      any = any || answer.answers[c].supported;
    }
    seen += any ? 1 : 0;
  }
  EXPECT_LE(seen, 15);
  RecordProperty("seen", seen);
}

// 400 pairs of groups with the same classes: 4 on average, more than 12 with
// probability 0.0003.
TEST(ClassAnswerTest, GroupsWithTheSameClassesHardlyEverDiffer) {
  int differ = 0;
  for (int i = 0; i < 400; ++i) {
    base::Rng rng(22, {static_cast<std::uint64_t>(i)});
    const CensusAnswer answer = AnswerOf(
        {.counts = {Marked(Tenths(0), 300 + i % 3 * 300, rng),
                    Marked(Tenths(0), 400, rng)},
         .noise = kNoise},
        ClassCells(kTen, 1), {.design = Design::kTwoGroups, .draws = 1});
    differ += answer.verdict == CensusVerdict::kDiffers ? 1 : 0;
  }
  EXPECT_LE(differ, 12);
  RecordProperty("differ", differ);
}

// Of 2,000 users 200 have the class, in the other group 20: 180 apart, where
// noise and chance are about 20. The others share 180 among nine.
// An interval of 95 % misses the truth in six or more of 40 with probability
// 1.4 %; seeded.
TEST(ClassAnswerTest, AClassThatOneGroupLostIsNamedAndNotWhatIsThereInstead) {
  int inside = 0;
  for (int i = 0; i < 40; ++i) {
    base::Rng rng(23, {static_cast<std::uint64_t>(i)});
    const CensusAnswer answer =
        AnswerOf({.counts = {Marked(Tenths(0), 2000, rng),
                             Marked(Tenths(0.9), 2000, rng)},
                  .noise = kNoise},
                 ClassCells(kTen, 1),
                 {.design = Design::kTwoGroups, .groups = {"old", "new"}});
    EXPECT_EQ(Name(answer.verdict), "differs");
    for (std::size_t c = 0; c < 10; ++c) {
      EXPECT_EQ(answer.answers[c].supported, c == 7) << c;
    }
    inside += answer.answers[7].low <= -0.09 && answer.answers[7].high >= -0.09
                  ? 1
                  : 0;
    EXPECT_NE(answer.sentence.find("more in “old”"), std::string::npos)
        << answer.sentence;
  }
  EXPECT_GE(inside, 35);
}

TEST(ClassAnswerTest, TooFewUsersSayNothing) {
  const Calibration calibration = ClassCells({"a", "b"}, 1);
  EXPECT_EQ(AnswerOf({.counts = {{0, -1, 0, 0}}, .noise = kNoise}, calibration,
                     {.design = Design::kEverybody})
                .verdict,
            CensusVerdict::kCannotSay);
  // Eight users of each group, and noise of scale 2: a class of everybody in
  // one and of nobody in the other is not seen.
  EXPECT_EQ(AnswerOf({.counts = {{5, 3, 0, 0}, {4, 4, 0, 0}}, .noise = kNoise},
                     calibration, {.design = Design::kTwoGroups})
                .verdict,
            CensusVerdict::kCannotSay);
}

TEST(ClassAnswerTest, WithSeveralMarksSharesAreOfTheUsersWhoWereAsked) {
  const CensusAnswer answer = AnswerOf(
      {.counts = {{90, 60, 50, 0, 0}}, .noise = kNoise, .asked = {100}},
      ClassCells({"a", "b", "c"}, 2), {.design = Design::kEverybody});
  EXPECT_NEAR(answer.answers[0].share, 0.9, 1e-9);  // of 100 users, 200 marks
}

// Users whose examples have no labels have classes, too: nobody knows which.
TEST(ClassAnswerTest, GroupsOfWhomMostHaveNoLabelAreNotCalledAlike) {
  const Calibration calibration = ClassCells({"a", "b"}, 1);
  const AnswerOptions sides{.design = Design::kTwoGroups};
  const auto verdict = [&](double without) {
    const std::vector<double> group = {300 - without / 2, 300 - without / 2, 0,
                                       without};
    return AnswerOf({.counts = {group, group}, .noise = kNoise}, calibration,
                    sides)
        .verdict;
  };
  EXPECT_EQ(verdict(100), CensusVerdict::kHealthy);
  EXPECT_EQ(verdict(400), CensusVerdict::kCannotSay);
}

TEST(ClassAnswerTest, CellsAreTheClassesInTheirOrder) {
  const Calibration calibration = ClassCells({"x", "y"}, 2);
  EXPECT_EQ(calibration.families(), 2u);
  EXPECT_EQ(calibration.first(), 0u);
  EXPECT_EQ(calibration.CellOf("class=y"), 1u);
  EXPECT_EQ(calibration.CellOf(kNoneOfThese), 2u);
  EXPECT_EQ(calibration.CellOf(kCannotTell), 3u);
  EXPECT_EQ(ToJson(CalibrationFromJson(ToJson(calibration), "x")),
            ToJson(calibration));
  EXPECT_EQ(Thrown([] { ClassCells({}, 1); }).kind(), ErrorKind::kBadInput);
  EXPECT_EQ(Thrown([] { ClassCells({"x", "x"}, 1); }).kind(),
            ErrorKind::kBadInput);
}

// Noise of scale 2 is beyond 6 on either side with 2 e^-3.5 / (1 + e^-0.5) =
// 3.8 %, beyond 5 with 6.2 %: within 6 of 1,000 users.
TEST(ClassAnswerTest, SaysBeforehandHowWellEachShareWouldBeKnown) {
  const std::string text =
      ClassPowerText({.noise = kNoise, .users = {1000}}, 10, 1);
  EXPECT_EQ(text, "each class's share would be known to ± 0.60 %");
  EXPECT_EQ(ClassPowerText({.noise = kNoise, .users = {5, 5}}, 10, 1),
            "no difference would be seen, however large");
  EXPECT_NE(ClassPowerText({.noise = kNoise, .users = {1000, 1000}}, 10, 1)
                .find("more users of one group have would be seen"),
            std::string::npos);
}

}  // namespace
}  // namespace sfumato::census

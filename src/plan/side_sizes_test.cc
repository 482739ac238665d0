#include "plan/side_sizes.h"

#include <gtest/gtest.h>

#include <limits>

namespace sfumato::plan {
namespace {

InspectPlan Twins(double cohort) {
  InspectPlan plan;
  plan.cohort = cohort;
  for (const config::Side side : {config::Side::kA, config::Side::kA,
                                  config::Side::kB, config::Side::kB}) {
    plan.models.push_back({.side = side});
  }
  return plan;
}

runs::Sourced Noisy(double value) {
  return {.value = value, .source = "released", .deviation = 20};
}

TEST(SideSizesTest, EveryHalfNeedsACohort) {
  EXPECT_FALSE(FindTooFew(Twins(25), Noisy(50), Noisy(50)));
  const auto few = FindTooFew(Twins(25), Noisy(400), Noisy(49));
  ASSERT_TRUE(few);
  EXPECT_EQ(few->side, config::Side::kB);
  EXPECT_EQ(few->needed(), 50);
  EXPECT_EQ(few->Words(),
            "about 49 users (a noisy count), and 50 are needed: 25 a round "
            "from each of 2 halves");
  EXPECT_EQ(FindTooFew(Twins(25), Noisy(-7), Noisy(3))->side, config::Side::kA);
  EXPECT_TRUE(FindTooFew(Twins(25), Noisy(-7), Noisy(3))
                  ->Words()
                  .starts_with("about 0 users (a noisy count)"));
  EXPECT_TRUE(FindTooFew(Twins(25), Noisy(1), Noisy(3))
                  ->Words()
                  .starts_with("about 1 user (a noisy count)"));
  EXPECT_TRUE(FindTooFew(
      Twins(25), Noisy(std::numeric_limits<double>::quiet_NaN()), Noisy(400)));
  // Of everyone: somebody.
  EXPECT_TRUE(FindTooFew(Twins(0), Noisy(400), Noisy(1)));
  EXPECT_FALSE(FindTooFew(Twins(0), Noisy(400), Noisy(2)));
}

TEST(SideSizesTest, ModelsOfAnotherKindShareTheirUsers) {
  InspectPlan plan;
  plan.cohort = 25;
  for (const char* kind : {kOfWords, kOfCharacters}) {
    for (const config::Side side : {config::Side::kA, config::Side::kA,
                                    config::Side::kB, config::Side::kB}) {
      plan.models.push_back({.side = side, .kind = kind});
    }
  }
  EXPECT_FALSE(FindTooFew(plan, Noisy(50), Noisy(50)));
  EXPECT_EQ(FindTooFew(plan, Noisy(50), Noisy(49))->needed(), 50);
}

TEST(SideSizesTest, SaysWhereANumberIsFrom) {
  const std::string needed =
      ", and 50 are needed: 25 a round from each of 2 halves";
  const runs::Sourced given{.value = 40};
  EXPECT_EQ(FindTooFew(Twins(25), given, Noisy(400))->Words(),
            "40 users (as the config says)" + needed);
  const runs::Sourced counted{.value = 40, .source = "simulation_only"};
  EXPECT_EQ(FindTooFew(Twins(25), counted, Noisy(400))->Words(),
            "40 users (counted, which a simulation may)" + needed);
}

TEST(SideSizesTest, RefusesWithTheCohortAndTheThresholdThatWouldFit) {
  runs::InspectionRecord record{.above = Noisy(0.9), .below = Noisy(0.25)};
  const TooFew few = *FindTooFew(Twins(25), Noisy(400), Noisy(13));
  EXPECT_EQ(Refusal(few, record).where(), "select.users_b");
  EXPECT_EQ(Refusal(few, record).todo(),
            "--set cohort.size=6 would fit, and --set inspect.twins=1 with "
            "cohorts up to 13");
  // 13 below 0.25, 49 below 0.5, 51 below 0.75.
  record.histogram = runs::HistogramRecord{.edges = {0, 0.25, 0.5, 0.75, 1},
                                           .counts = {13, 36, 2, 400}};
  EXPECT_NE(Refusal(few, record)
                .todo()
                .find("--set select.below=0.75 would have about 51 users"),
            std::string::npos)
      << Refusal(few, record).todo();
  // Not beyond where the other side begins.
  record.above->value = 0.7;
  EXPECT_EQ(Refusal(few, record).todo().find("select.below"),
            std::string::npos);
  // Side a counts from above: 10, then 45, then 55.
  record = {.above = Noisy(0.75), .below = Noisy(0.2)};
  record.histogram = runs::HistogramRecord{.edges = {0, 0.25, 0.5, 0.75, 1},
                                           .counts = {300, 10, 35, 10}};
  const TooFew above = *FindTooFew(Twins(25), Noisy(10), Noisy(300));
  EXPECT_NE(Refusal(above, record)
                .todo()
                .find("--set select.above=0.25 would have about 55 users"),
            std::string::npos)
      << Refusal(above, record).todo();
  const TooFew nobody = *FindTooFew(Twins(25), Noisy(400), Noisy(-3));
  EXPECT_EQ(Refusal(nobody, {}).todo(),
            "choose wider thresholds, or data that have such users");
}

TEST(SideSizesTest, TheyAreGoneWhenHardlyAnybodyIsLeftByTheSameRule) {
  const TooFew few{.side = config::Side::kB,
                   .users = 3,
                   .deviation = 4,
                   .noisy = true,
                   .cohort = 20};
  // At most 3 + 2 * 4 = 11 are left: a tenth of 110, and not of 109.
  const runs::Earlier before{
      .verdict = "differs", .rule_b = "accuracy < 0.6", .users_b = 110};
  const runs::Contrast contrast = FewLeft(few, before, "accuracy < 0.6");
  EXPECT_EQ(contrast.verdict, runs::Verdict::kSame);
  EXPECT_FALSE(contrast.compared);
  EXPECT_EQ(contrast.reason,
            "Side B has about 3 users (a noisy count), and 20 are needed: "
            "cohorts of 20 a round. There were about 110 before; at most 11 "
            "are left, two deviations of the noise allowed for. No model was "
            "trained.");
  runs::Earlier fewer = before;
  fewer.users_b = 109;
  EXPECT_EQ(FewLeft(few, fewer, "accuracy < 0.6").verdict,
            runs::Verdict::kCannotSay);
  const runs::Contrast other = FewLeft(few, before, "accuracy < 0.1");
  EXPECT_EQ(other.verdict, runs::Verdict::kCannotSay);
  EXPECT_NE(other.reason.find("chosen otherwise (accuracy < 0.6)"),
            std::string::npos);
  TooFew negative = few;
  negative.users = -30;  // noise alone
  EXPECT_NE(FewLeft(negative, before, "accuracy < 0.6")
                .reason.find("at most 8 are left"),
            std::string::npos);
  EXPECT_FALSE(runs::ContrastFromJson(runs::ToJson(contrast), "here").compared);
}

}  // namespace
}  // namespace sfumato::plan

#include "plan/inspect_plan_text.h"

#include "plan/inspect_plan_testing.h"

namespace sfumato::plan {
namespace {

TEST(InspectPlanTextTest, WritesItsPriceForPeopleAndForThePage) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  const LedgerPrice price{
      .granted_epsilon = 9, .granted_delta = 1e-5, .used_before = 0.125};
  const std::string lines = PriceLines(plan, &price);
  for (const char* part :
       {"Plan     4 generators · 40 rounds · about 25 of ~500 users per round",
        "Asks     sizes of both sides ± 20 · users by accuracy ± 20 · users "
        "who correct at least 10 % of their examples ± 20\n",
        "Costs    ε ", "at δ 1e-5 (proven, user, add-remove)",
        "population \"phones\": 12.5 % used, ε 9 granted", "questions ",
        "nobody is in two of them", "not against the", "Means    a guess"}) {
    EXPECT_NE(lines.find(part), std::string::npos) << part << "\n" << lines;
  }
  EXPECT_NE(PriceLines(PlanOf(Config())).find("a simulation spends nothing"),
            std::string::npos);
  runs::PrivacyRecord record;
  FillPrivacy(plan, record);
  EXPECT_EQ(record.epsilon, plan.epsilon);
  EXPECT_EQ(record.parts.size(), 7u);
  EXPECT_EQ(record.parts[3].what, "model a1");
  EXPECT_EQ(record.population, "phones");
  EXPECT_TRUE(record.pays_once);
  EXPECT_FALSE(record.seeded);
  EXPECT_GT(record.guessed_right, 0.5);
  EXPECT_FALSE(record.proof.empty());
}

TEST(InspectPlanTextTest, SaysThatThresholdsAreAskedFor) {
  config::TrainConfig config = Unasked();
  config.select.above.reset();
  config.select.below.reset();
  config.select.above_quantile = 0.75;
  config.select.below_quantile = 0.25;
  const std::string lines = PriceLines(PlanOf(config));
  EXPECT_NE(lines.find("Asks     quantile 0.75 of the users' accuracy · "
                       "quantile 0.25 of the users' accuracy\n"),
            std::string::npos)
      << lines;
  EXPECT_EQ(lines.find("was given"), std::string::npos) << lines;
}

}  // namespace
}  // namespace sfumato::plan

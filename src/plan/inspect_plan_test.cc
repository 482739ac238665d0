#include "plan/inspect_plan.h"

#include <cmath>

#include "fmt/format.h"
#include "plan/inspect_plan_testing.h"
#include "plan/inspect_plan_text.h"

namespace sfumato::plan {
namespace {

TEST(InspectPlanTest, ModelsThatShareNobodyCostWhatOneCosts) {
  const InspectPlan plan = PlanOf(Unasked());
  ASSERT_EQ(plan.models.size(), 4u);
  EXPECT_TRUE(plan.questions.empty());
  EXPECT_TRUE(plan.pays_once);
  EXPECT_DOUBLE_EQ(plan.epsilon, Epsilon({Rounds(0.05, 40)}));
  EXPECT_DOUBLE_EQ(plan.models[2].epsilon, plan.epsilon);
  EXPECT_EQ(plan.survey_epsilon, 0);
}

TEST(InspectPlanTest, QuestionsAddToThatAndSizesOfBothSidesAreOne) {
  const InspectPlan plan = PlanOf(Config());
  ASSERT_EQ(plan.questions.size(), 3u);
  EXPECT_DOUBLE_EQ(plan.epsilon,
                   Epsilon({kBars, kBars, kBars, Rounds(0.05, 40)}));
  EXPECT_DOUBLE_EQ(plan.survey_epsilon, Epsilon({kBars, kBars, kBars}));
  config::TrainConfig config = Config();
  config.select.above_quantile = 0.75;
  config.select.below_quantile = 0.25;
  const dp::Event quantile{.mechanism = dp::Pure{.epsilon = 0.1}};
  const InspectPlan with = PlanOf(config);
  ASSERT_EQ(with.questions.size(), 5u);
  EXPECT_DOUBLE_EQ(with.epsilon, Epsilon({quantile, quantile, kBars, kBars,
                                          kBars, Rounds(0.05, 40)}));
  EXPECT_EQ(with.questions[0].question.name, kThresholdAbove);
  EXPECT_EQ(with.questions[1].question.name, kThresholdBelow);
}

TEST(InspectPlanTest, SidesThatMayShareUsersComposeWhileTwinsPayOnce) {
  config::TrainConfig config = Config();
  config.select.by = config::By::kExamples;
  const InspectPlan plan = PlanOf(config);
  EXPECT_FALSE(plan.pays_once);
  EXPECT_DOUBLE_EQ(plan.epsilon,
                   Epsilon({kBars, kBars, kBars, kBars, Rounds(0.05, 80)}));
  const auto partition = [&](std::size_t model) {
    return plan.RoundsOf(plan.models[model]).population.partition;
  };
  EXPECT_EQ(partition(0), partition(1));
  EXPECT_NE(partition(0), partition(2));
}

TEST(InspectPlanTest, TheSmallerSideIsTheDearerAndDecides) {
  config::TrainConfig config = Unasked();
  config.select.users_b = 200;  // halves of 100: rate 0.25
  const InspectPlan plan = PlanOf(config);
  EXPECT_DOUBLE_EQ(plan.epsilon, Epsilon({Rounds(0.25, 40)}));
  EXPECT_GT(plan.models[2].epsilon, plan.models[0].epsilon);
}

TEST(InspectPlanTest, OneTwinHasTheWholeSide) {
  config::TrainConfig config = Unasked();
  config.inspect.twins = 1;
  const InspectPlan plan = PlanOf(config);
  ASSERT_EQ(plan.models.size(), 2u);
  EXPECT_EQ(plan.models[1].name, "b1");
  EXPECT_EQ(plan.models[1].half, 0);
  EXPECT_DOUBLE_EQ(plan.epsilon, Epsilon({Rounds(0.025, 40)}));
}

TEST(InspectPlanTest, EverythingHasANameInTheLedger) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  EXPECT_EQ(plan.root, "phones");
  EXPECT_EQ(plan.survey_run, "first/survey");
  const ModelPlan& b2 = plan.models[3];
  EXPECT_EQ(b2.run, "first/b2");
  EXPECT_EQ(b2.half, 2);
  EXPECT_EQ(plan.RunNamed(b2.run).population,
            (dp::Population{.name = "phones/first/b2",
                            .root = "phones",
                            .partition = "first",
                            .selected = true}));
}

TEST(InspectPlanTest, PrivateDataPaySpareRoundsAndSimulationsDoNot) {
  config::TrainConfig config = Config();
  config.privacy.spare_rounds = 3;
  const auto count = [](const InspectPlan& plan) {
    return plan.RoundsOf(plan.models[0]).count;
  };
  EXPECT_EQ(count(PlanOf(config, kPrivate)), 43);
  EXPECT_EQ(count(PlanOf(config)), 40);
}

TEST(InspectPlanTest, FindsTheNoiseForTheWholeInspection) {
  for (const config::By by : {config::By::kAccuracy, config::By::kExamples}) {
    config::TrainConfig config = Config();
    config.select.by = by;
    config.privacy.noise_multiplier = 0;
    config.privacy.epsilon = 2;
    const InspectPlan plan = PlanOf(config);
    EXPECT_LE(plan.epsilon, 2);
    EXPECT_GT(plan.epsilon, 1.999);
    EXPECT_GT(plan.noise_multiplier, 0.5);
  }
}

TEST(InspectPlanTest, ABudgetThatCannotPayIsRefusedWithWhatWouldFit) {
  config::TrainConfig config = Config();
  config.privacy.epsilon = 0.9 * PlanOf(config).epsilon;
  const Error error = Thrown([&] { PlanOf(config); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  const std::vector<std::string> found = WaysIn(error.todo());
  ASSERT_EQ(found.size(), 4u) << error.todo();
  config::TrainConfig other = config;
  other.privacy.noise_multiplier = std::stod(found[1]);
  EXPECT_GT(PlanOf(other).epsilon, 0.998 * config.privacy.epsilon);
  other = config;
  other.rounds = std::stoll(found[2]);
  PlanOf(other);
  other.rounds += 1;
  EXPECT_EQ(Thrown([&] { PlanOf(other); }).kind(), ErrorKind::kBudgetSpent);
  other = config;
  other.cohort.size = std::stod(found[3]);
  PlanOf(other);
  other.cohort.size += 1;
  EXPECT_EQ(Thrown([&] { PlanOf(other); }).kind(), ErrorKind::kBudgetSpent);

  config.privacy.epsilon = 0.1;  // less than the questions alone
  EXPECT_NE(std::string(Thrown([&] { PlanOf(config); }).what())
                .find("questions alone"),
            std::string::npos);
  config.privacy.noise_multiplier = 0;
  EXPECT_EQ(Thrown([&] { PlanOf(config); }).kind(), ErrorKind::kBudgetSpent);
}

// Models of words and of characters, 40 rounds each.
config::TrainConfig TextConfig(config::By by) {
  config::TrainConfig config = Config();
  config.algorithm = config::Algorithm::kDpFedAvg;
  config.model.name = "word_lm";
  config.inspect.character_preset = "char_lm_quick";
  config.inspect.character_rounds = 40;
  config.select.by = by;
  config.select.above = 90;
  config.select.below = 60;
  return config;
}

TEST(InspectPlanTest, TheRecordHasTheRoundsOfBothKindsOfModels) {
  config::TrainConfig config = TextConfig(config::By::kPerplexity);
  config.inspect.character_rounds = 70;
  runs::PrivacyRecord record;
  FillPrivacy(PlanOf(config), record);
  EXPECT_EQ(record.rounds, 40);
  EXPECT_EQ(record.character_rounds, 70);
  FillPrivacy(PlanOf(Config()), record);
  EXPECT_EQ(record.character_rounds, 0) << "images have one kind";
}

TEST(InspectPlanTest, RoundsThatWouldFitAreThoseOfTheWordModels) {
  config::TrainConfig config = TextConfig(config::By::kPerplexity);
  config.rounds = 200;
  config.inspect.character_rounds = 10;  // which --set rounds does not change
  config.privacy.epsilon = 0.7 * PlanOf(config).epsilon;
  const Error error = Thrown([&] { PlanOf(config); });
  ASSERT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  const std::vector<std::string> found = WaysIn(error.todo());
  ASSERT_EQ(found.size(), 4u) << error.todo();
  config.rounds = std::stoll(found[2]);
  EXPECT_LT(config.rounds, 190) << "or the character models would have fewer";
  PlanOf(config);
  config.rounds += 1;
  EXPECT_EQ(Thrown([&] { PlanOf(config); }).kind(), ErrorKind::kBudgetSpent);
}

TEST(InspectPlanTest, ByPerplexityEverybodyPaysForOneModelOfEachKind) {
  const InspectPlan plan = PlanOf(TextConfig(config::By::kPerplexity));
  ASSERT_EQ(plan.models.size(), 8u);
  ASSERT_EQ(plan.questions.size(), 1u);  // both sizes
  EXPECT_TRUE(plan.pays_once);
  EXPECT_DOUBLE_EQ(plan.epsilon, Epsilon({kBars, Rounds(0.05, 80)}));
  EXPECT_NE(PriceLines(plan).find("one of words and one of characters"),
            std::string::npos);
  // Somebody's sentences may be on both sides.
  const InspectPlan sentences = PlanOf(TextConfig(config::By::kLikelihood));
  EXPECT_FALSE(sentences.pays_once);
  EXPECT_DOUBLE_EQ(sentences.epsilon,
                   Epsilon({kBars, kBars, Rounds(0.05, 160)}));
  ASSERT_EQ(sentences.taken_as_fixed.size(), 3u);  // vocabulary, thresholds
  config::TrainConfig released = TextConfig(config::By::kLikelihood);
  released.select.model_is = config::Provenance::kReleased;
  EXPECT_EQ(PlanOf(released).taken_as_fixed.size(), 4u);  // the judge's words
}

TEST(InspectPlanTest, QuantilesOfPerplexityAreAskedByItsLogarithm) {
  config::TrainConfig config = TextConfig(config::By::kPerplexity);
  config.select.above_quantile = 0.75;
  const InspectPlan plan = PlanOf(config);
  ASSERT_EQ(plan.questions.size(), 2u);
  const auto about =
      std::get<dp::QuantileQuestion>(plan.questions[0].question.about);
  EXPECT_EQ(about.lower, 0);
  EXPECT_EQ(about.upper, 14);
  EXPECT_NEAR(ThresholdOf(config.select, std::log(60.0)), 60, 1e-9);
  EXPECT_EQ(plan.questions[0].words, "quantile 0.75 of the users' perplexity");
  const config::TrainConfig accuracy = Config();
  EXPECT_EQ(ThresholdQuestion(accuracy, 0.75).upper, 1);
  EXPECT_EQ(ThresholdOf(accuracy.select, 0.9), 0.9);
  config.select.by = config::By::kLikelihood;
  EXPECT_EQ(Thrown([&] { PlanOf(config); }).where(), "select.above_quantile");
}

TEST(InspectPlanTest, NobodyTrainsAWordModelByTheWay) {
  for (const config::By by :
       {config::By::kPerplexity, config::By::kLikelihood}) {
    config::TrainConfig config = TextConfig(by);
    config.select.model = "";
    config.data.path = "";
    config.data.generate = "forum";
    const Error error = Thrown([&] { PlanOf(config); });
    EXPECT_EQ(error.where(), "select.model");
    EXPECT_NE(error.todo().find("word_lm_quick"), std::string::npos);
  }
}

struct Refused {
  const char* what;
  std::function<void(config::TrainConfig&)> change;
  ErrorKind kind;
  const char* where;
  bool in_private_only = false;
};

TEST(InspectPlanTest, RefusesWhatCannotBeByName) {
  const std::vector<Refused> all = {
      {"everyone", [](auto& c) { c.select.by = config::By::kEveryone; },
       ErrorKind::kBadInput, "select.by"},
      {"fedavg", [](auto& c) { c.algorithm = config::Algorithm::kFedAvg; },
       ErrorKind::kUnsupported, "algorithm"},
      {"fixed", [](auto& c) { c.cohort.sampling = config::Sampling::kFixed; },
       ErrorKind::kUnsupported, "cohort.sampling"},
      {"no noise", [](auto& c) { c.privacy.noise_multiplier = 0; },
       ErrorKind::kBadInput, "privacy.noise_multiplier"},
      {"NaN noise", [](auto& c) { c.privacy.noise_multiplier = std::nan(""); },
       ErrorKind::kBadInput, "privacy.noise_multiplier"},
      {"no model", [](auto& c) { c.select.model = ""; }, ErrorKind::kBadInput,
       "select.model"},
      {"unknown model",
       [](auto& c) { c.select.model_is = config::Provenance::kUnknown; },
       ErrorKind::kUnsupported, "select.model_is", true},
      {"overlap", [](auto& c) { c.select.below = 0.95; }, ErrorKind::kBadInput,
       "select.below"},
      {"quantiles overlap",
       [](auto& c) {
         c.select.above_quantile = 0.2;
         c.select.below_quantile = 0.3;
       },
       ErrorKind::kBadInput, "select.below_quantile"},
      {"quantiles of examples",
       [](auto& c) {
         c.select.by = config::By::kExamples;
         c.select.above_quantile = 0.2;
       },
       ErrorKind::kBadInput, "select.above_quantile"},
      {"a quantile that is none",
       [](auto& c) { c.select.above_quantile = 0.12345; }, ErrorKind::kBadInput,
       "quantile"},
      {"side a unknown", [](auto& c) { c.select.users_a = 0; },
       ErrorKind::kBadInput, "select.users_a", true},
      {"side b unknown", [](auto& c) { c.select.users_b = 0; },
       ErrorKind::kBadInput, "select.users_b", true},
      {"large cohort", [](auto& c) { c.cohort.size = 501; },
       ErrorKind::kBadInput, "cohort.size"},
      {"NaN cohort", [](auto& c) { c.cohort.size = std::nan(""); },
       ErrorKind::kBadInput, "cohort.size"},
  };
  for (const Refused& each : all) {
    SCOPED_TRACE(each.what);
    config::TrainConfig config = Config();
    each.change(config);
    const Error error = Thrown([&] { PlanOf(config, kPrivate); });
    EXPECT_EQ(error.kind(), each.kind);
    EXPECT_EQ(error.where(), each.where);
    EXPECT_FALSE(error.todo().empty());
    if (each.in_private_only) {
      PlanOf(config);
    } else {
      Thrown([&] { PlanOf(config); });
    }
  }
}

TEST(InspectPlanTest, AModelOfUnknownOriginIsRefusedWithTheThreeWords) {
  config::TrainConfig config = Config();
  config.select.model_is = config::Provenance::kUnknown;
  const std::string todo = Thrown([&] { PlanOf(config, kPrivate); }).todo();
  for (const char* word : {"public:", "released:", "fixed:"}) {
    EXPECT_NE(todo.find(word), std::string::npos) << word;
  }
  // It also judges slices that need no model, once it is named.
  config.select.by = config::By::kClass;
  config.select.value = "3";
  EXPECT_EQ(Thrown([&] { PlanOf(config, kPrivate); }).kind(),
            ErrorKind::kUnsupported);
  config.select.model = "";
  EXPECT_EQ(PlanOf(config, kPrivate).questions.size(), 2u);  // sizes alone
}

TEST(InspectPlanTest, RemarksOnNoiseThatIsLargeBesideTheUsers) {
  config::TrainConfig config = Config();
  // 20 of 4,000 users are half a per cent; of 600, more than three.
  EXPECT_TRUE(PlanOf(config).remarks.empty());
  EXPECT_TRUE(PlanOf(config, kPrivate).remarks.empty());
  config.select.users_a = config.select.users_b = 300;
  EXPECT_TRUE(PlanOf(config).remarks.empty()) << "4,000 are asked";
  const auto remarks = PlanOf(config, kPrivate).remarks;
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_TRUE(remarks[0].starts_with(
      "noise of ± 20 is 3.3 % of the 600 or so users who are asked (sizes of "
      "both sides, users by accuracy, "))
      << remarks[0];
  EXPECT_NE(remarks[0].find("survey.histogram_noise"), std::string::npos);
  config.survey.count_noise = config.survey.correction_noise = 2;
  EXPECT_NE(PlanOf(config, kPrivate).remarks.at(0).find("(users by accuracy)"),
            std::string::npos);
  EXPECT_TRUE(PlanOf(Unasked(), kPrivate).remarks.empty());
}

TEST(InspectPlanTest, EveryThresholdIsKnownOrAskedFor) {
  config::TrainConfig config = Config();
  config.select.above.reset();
  EXPECT_EQ(Thrown([&] { PlanOf(config); }).where(), "select.above");
  PlanInspection(config, kPublic, {.name = "second", .above_released = true});
  config.select.above_quantile = 0.75;
  PlanOf(config);
  config.select.below.reset();
  EXPECT_EQ(Thrown([&] { PlanOf(config); }).where(), "select.below");
}

TEST(InspectPlanTest, SaysWhatWasTakenAsFixed) {
  config::TrainConfig config = Config();
  EXPECT_EQ(PlanOf(config).taken_as_fixed.size(), 2u);  // both thresholds
  config.select.model_is = config::Provenance::kFixed;
  config.select.above_quantile = 0.75;
  const auto fixed = PlanOf(config).taken_as_fixed;
  ASSERT_EQ(fixed.size(), 2u);
  EXPECT_NE(fixed[0].find("declared fixed"), std::string::npos);
  EXPECT_NE(fixed[1].find("below 0.8'"), std::string::npos);
  config.select.by = config::By::kClass;
  config.select.above_quantile = 0;
  EXPECT_EQ(PlanOf(config).taken_as_fixed.size(), 1u);
}

TEST(InspectPlanTest, SidesOfASimulationMayBeToldOrGuessed) {
  config::TrainConfig config = Unasked();
  config.select.users_a = 0;
  config.select.users_b = 0;
  const InspectPlan guessed = PlanOf(config);
  EXPECT_EQ(guessed.models[0].users, 1000);
  EXPECT_EQ(guessed.remarks.size(), 2u);
  const InspectPlan told = PlanInspection(
      config, kPublic, {.name = "x", .users_a = 301, .users_b = 60});
  EXPECT_EQ(told.models[0].users, 150);  // whole users
  EXPECT_EQ(told.models[3].users, 30);
  EXPECT_TRUE(told.remarks.empty());
  for (const double nobody : {0.0, std::nan("")}) {
    const Error error = Thrown([&] {
      PlanInspection(config, kPublic,
                     {.name = "x", .users_a = 301, .users_b = nobody});
    });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_NE(std::string(error.what()).find("side B"), std::string::npos);
  }
  // Of private data nobody may be told: the config alone says.
  EXPECT_EQ(Thrown([&] {
              PlanInspection(config, kPrivate,
                             {.name = "x", .users_a = 301, .users_b = 60});
            }).where(),
            "select.users_a");
}

TEST(InspectPlanTest, RefusesADeltaOfOneOverTheUsers) {
  config::TrainConfig config = Config();  // sides of 1,000 users
  for (const double delta : {1.0 / 2000, 0.9}) {
    config.privacy.delta = delta;
    EXPECT_EQ(Thrown([&] { PlanOf(config, kPrivate); }).kind(),
              ErrorKind::kBadInput)
        << delta;
  }
  // A declared population below a side's users changes nothing of that.
  config.cohort.population = 2;
  config.privacy.delta = 0.4;
  EXPECT_EQ(Thrown([&] { PlanOf(config, kPrivate); }).where(), "privacy.delta");
  config.cohort.population = 0;
  config.privacy.delta = 0.99 / 2000;
  EXPECT_GT(PlanOf(config, kPrivate).epsilon, 0);
  // Of a simulation all 4,000 are known.
  EXPECT_EQ(Thrown([&] { PlanOf(config, kPublic); }).where(), "privacy.delta");
}

TEST(InspectPlanTest, ACensusIsAPartOfThePlanAndOfItsPrice) {
  config::TrainConfig config = Config();
  config.census.reference = "others";
  const InspectPlan plan = PlanOf(config);
  ASSERT_TRUE(plan.census);
  EXPECT_EQ(plan.runs.front().name, "first/census/vote");
  EXPECT_EQ(plan.census->delta, plan.delta);
  EXPECT_LE(plan.census_epsilon, 0.5);
  // The same events, composed here.
  dp::Event vote = plan.census->vote();
  vote.population = kBars.population;
  EXPECT_DOUBLE_EQ(plan.epsilon,
                   Epsilon({vote, kBars, kBars, kBars, Rounds(0.05, 40)}));
  EXPECT_GT(plan.epsilon, PlanOf(Config()).epsilon);
  // Models get none of their own.
  EXPECT_EQ(ConfigOf(config, plan, plan.models.front()).census.reference, "");
  // The noise that is found leaves room for it.
  config.privacy.noise_multiplier = 0;
  config.privacy.epsilon = 4;
  const InspectPlan found = PlanOf(config);
  EXPECT_LE(found.epsilon, 4);
  config.census.reference = "";
  EXPECT_GT(found.noise_multiplier, PlanOf(config).noise_multiplier);
  config.census.reference = "others";
  config.census.epsilon = 5;
  EXPECT_EQ(Thrown([&] { PlanOf(config); }).kind(), ErrorKind::kBudgetSpent);
}

TEST(InspectPlanTest, ACensusForReplaceOneOrWithPrivateThresholdsIsRefused) {
  config::TrainConfig config = Config();
  config.census.reference = "others";
  config.census.adjacency = config::Adjacency::kReplaceOne;
  EXPECT_EQ(Thrown([&] { PlanOf(config); }).where(), "census.adjacency");
  config.census.adjacency = config::Adjacency::kAddRemove;
  config.census.groups = config::Groups::kSides;
  EXPECT_EQ(PlanOf(config).census->groups, 2);
  config.select.above_quantile = 0.75;
  config.select.below_quantile = 0.25;
  EXPECT_EQ(Thrown([&] { PlanOf(config); }).kind(), ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace sfumato::plan

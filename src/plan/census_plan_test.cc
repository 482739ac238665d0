#include "plan/census_plan.h"

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/folder_testing.h"
#include "data/dataset_writer.h"
#include "dp/accounting/accountant.h"
#include "plan/inspect_plan_testing.h"
#include "runs/census.h"

namespace sfumato::plan {
namespace {

config::TrainConfig CensusConfig() {
  config::TrainConfig config;
  config.data.path = "people";
  config.census.reference = "handwriting";
  config.privacy.delta = 1e-5;
  return config;
}

CensusPlan CensusOf(const config::TrainConfig& config,
                    const DataFacts& data = kPublic) {
  return PlanCensus(config, data, {.name = "first"});
}

ErrorKind KindOf(const config::TrainConfig& config,
                 const DataFacts& data = kPublic) {
  return Thrown([&] { CensusOf(config, data); }).kind();
}

TEST(CensusPlanTest, OneVoteIsOnePureEventOfLaplaceNoise) {
  const CensusPlan plan = CensusOf(CensusConfig());
  ASSERT_EQ(plan.runs.size(), 1u);
  EXPECT_EQ(plan.runs[0].name, "first/vote");
  EXPECT_FALSE(plan.runs[0].trains);
  EXPECT_EQ(plan.vote().mechanism, dp::Mechanism(dp::Pure{.epsilon = 0.5}));
  EXPECT_EQ(plan.vote().count, 1);
  EXPECT_EQ(plan.Noise().kind, census::NoiseKind::kLaplace);
  EXPECT_EQ(plan.Noise().parameter, 2);
  EXPECT_LE(plan.epsilon, 0.5 + 1e-9);
  EXPECT_GT(plan.epsilon, 0.49);
  EXPECT_EQ(plan.users, std::vector<double>{4000});
}

TEST(CensusPlanTest, ReplaceOneTakesTwiceTheNoiseForTheSamePrice) {
  config::TrainConfig config = CensusConfig();
  config.census.adjacency = config::Adjacency::kReplaceOne;
  const CensusPlan plan = CensusOf(config);
  EXPECT_EQ(plan.Noise().parameter, 4);
  EXPECT_EQ(plan.vote().count, 2);
  EXPECT_EQ(plan.vote().adjacency, dp::Adjacency::kReplaceOne);
  EXPECT_LE(plan.epsilon, 0.5 + 1e-9);
}

// Laplace needs sqrt(2) m / epsilon for m counts: 2.8 to 11.3 at epsilon 0.5; a
// Gaussian about 5.4 sqrt(m) at delta 2e-4: 5.4 to 10.8, which wins at four.
TEST(CensusPlanTest, AFewMarksTakeLaplaceNoiseAndManyGaussian) {
  config::TrainConfig config = CensusConfig();
  config.privacy.delta = 2e-4;
  for (std::int64_t marks = 1; marks <= 4; ++marks) {
    config.census.marks = marks;
    const CensusPlan plan = CensusOf(config);
    EXPECT_EQ(plan.vote().count, marks);
    EXPECT_LE(plan.epsilon, 0.5 + 1e-9);
    const double deviation = census::DeviationOf(plan.Noise());
    EXPECT_LE(deviation,
              dp::DeviationOf(dp::LaplaceNoiseFor(0.5, marks)) * 1.0001);
    const dp::Event gaussian{
        .mechanism =
            dp::DiscreteGaussian{.noise_multiplier = 0.999 * deviation},
        .count = marks};
    // Gaussian noise below it would cost more.
    EXPECT_GT(EpsilonOf({&gaussian, 1}, 2e-4), 0.5) << marks;
    EXPECT_EQ(plan.Noise().kind, marks == 4 ? census::NoiseKind::kGaussian
                                            : census::NoiseKind::kLaplace)
        << marks;
  }
}

TEST(CensusPlanTest, TwoGroupsAreOneVoteAtThePriceOfOne) {
  config::TrainConfig config = CensusConfig();
  const CensusPlan everybody = CensusOf(config);
  config.census.groups = config::Groups::kSides;
  config.select = {.by = config::By::kColumn,
                   .column = "version",
                   .value = "2",
                   .users_a = 1000,
                   .users_b = 300};
  const CensusPlan plan = CensusOf(config);
  EXPECT_EQ(plan.groups, 2);
  EXPECT_EQ(plan.users, (std::vector<double>{1000, 300}));
  EXPECT_EQ(plan.vote(), everybody.vote());
  EXPECT_EQ(plan.epsilon, everybody.epsilon);
}

TEST(CensusPlanTest, RefusesGroupsThatMayShareSomebody) {
  config::TrainConfig config = CensusConfig();
  config.census.groups = config::Groups::kSides;
  for (const auto by : {config::By::kEveryone, config::By::kExamples,
                        config::By::kClass, config::By::kUnlikePublic}) {
    config.select.by = by;
    EXPECT_EQ(KindOf(config), ErrorKind::kBadInput) << config::Word(by);
  }
}

TEST(CensusPlanTest, TwoStatesOfTheSameUsersAreOneVote) {
  config::TrainConfig config = CensusConfig();
  const CensusPlan everybody = CensusOf(config);
  config.census.groups = config::Groups::kBeforeAfter;
  EXPECT_EQ(KindOf(config), ErrorKind::kBadInput);  // one state
  config.data.before_path = "before";
  const CensusPlan plan = CensusOf(config);
  EXPECT_EQ(plan.groups, 1);
  EXPECT_EQ(plan.vote(), everybody.vote());
  EXPECT_EQ(plan.users, everybody.users);
}

TEST(CensusPlanTest, GroupsByAccuracyNeedThresholdsAndAJudge) {
  config::TrainConfig config = CensusConfig();
  config.census.groups = config::Groups::kSides;
  config.select.by = config::By::kAccuracy;
  config.select.model = "judge";
  config.select.above = 0.9;
  config.select.below = 0.8;
  EXPECT_EQ(CensusOf(config).groups, 2);
  // Rule 5: of unknown provenance it is refused on private data.
  EXPECT_EQ(KindOf(config, kPrivate), ErrorKind::kUnsupported);
  config.select.model_is = config::Provenance::kPublic;
  EXPECT_EQ(CensusOf(config, kPrivate).groups, 2);
  config.select.model = "";
  EXPECT_EQ(KindOf(config), ErrorKind::kBadInput);
}

// Thresholds that nobody gave are two pure questions at ε 0.1, before a vote at
// 0.5: 0.7 together, as pure events add up.
TEST(CensusPlanTest, ThresholdsThatAreNotGivenAreAskedInTheSamePlan) {
  config::TrainConfig config = CensusConfig();
  config.census.groups = config::Groups::kSides;
  config.select = {.by = config::By::kAccuracy,
                   .model = "judge",
                   .above_quantile = 0.75,
                   .below_quantile = 0.25};
  const CensusPlan plan = CensusOf(config);
  ASSERT_EQ(plan.runs.size(), 2u);
  EXPECT_EQ(plan.runs[0].name, "first/survey");
  EXPECT_EQ(plan.runs[0].events.size(), 2u);
  EXPECT_EQ(plan.runs[1].name, "first/vote");
  EXPECT_EQ(plan.vote().mechanism, dp::Mechanism(dp::Pure{.epsilon = 0.5}));
  EXPECT_NEAR(plan.epsilon, 0.7, 1e-3);
  EXPECT_NE(PriceLines(plan, nullptr)
                .find("Asks     quantile 0.75 of the users' accuracy · "
                      "quantile 0.25"),
            std::string::npos);
  EXPECT_TRUE(plan.taken_as_fixed.empty());
  config.select.below_quantile = 0.8;
  EXPECT_EQ(KindOf(config), ErrorKind::kBadInput);
  config.select.below_quantile = 0.25;
  config.census.adjacency = config::Adjacency::kReplaceOne;
  EXPECT_EQ(KindOf(config), ErrorKind::kUnsupported);
  config.census.adjacency = config::Adjacency::kAddRemove;
  // As part of an inspection it is asked before any other question.
  EXPECT_EQ(Thrown([&] {
              PlanCensus(config, kPublic, {.name = "part", .delta = 1e-5});
            }).kind(),
            ErrorKind::kUnsupported);
}

TEST(CensusPlanTest, ABudgetThatIsTooSmallSaysWhatFitsAndWhatThatWouldSee) {
  config::TrainConfig config = CensusConfig();
  config.privacy.epsilon = 0.1;
  const Error error = Thrown([&] { CensusOf(config); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  EXPECT_NE(error.todo().find("census.epsilon=0.1 would fit; with it damage"),
            std::string::npos)
      << error.todo();
  config.census.epsilon = 0.1;
  EXPECT_LE(CensusOf(config).epsilon, 0.1);
}

// A price for an answer that cannot come. A simulation costs nothing.
TEST(CensusPlanTest, NobodyPaysWhereNothingCouldBeSeen) {
  config::TrainConfig config = CensusConfig();
  config.census.reference_is = config::References::kAlike;
  config.cohort.population = 12;
  const Error error = Thrown([&] { CensusOf(config, kPrivate); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_EQ(error.where(), "census.epsilon");
  config.cohort.population = 60;
  EXPECT_LT(LeastShareOf(CensusOf(config, kPrivate)), 1);
  config.cohort.population = 12;
  EXPECT_GT(LeastShareOf(CensusOf(config)), 1);
}

TEST(CensusPlanTest, PowerSaysWhatItTakesForGranted) {
  config::TrainConfig config = CensusConfig();
  config.census.reference_is = config::References::kAlike;
  EXPECT_EQ(CensusOf(config).power_if, "");
  config.census.groups = config::Groups::kSides;
  config.select = {.by = config::By::kColumn, .column = "app", .value = "2"};
  EXPECT_EQ(CensusOf(config).power_if, "if the groups are halves of the users");
  config.select.users_a = 300;
  config.select.users_b = 100;
  EXPECT_EQ(CensusOf(config).power_if, "");
  config.select = {.by = config::By::kAccuracy,
                   .model = "judge",
                   .above = 0.9,
                   .below = 0.8};
  const CensusPlan plan = CensusOf(config);
  EXPECT_NE(plan.power_if.find("placebo"), std::string::npos);
  EXPECT_NE(PowerLine(plan, {{.key = "invert", .share = 0.1}})
                .find("damage on 10 % of users would be seen (at best"),
            std::string::npos);
}

TEST(CensusPlanTest, PrivateDataNeedNoNumberOfUsers) {
  const CensusPlan plan = CensusOf(CensusConfig(), kPrivate);
  EXPECT_FALSE(plan.simulation);
  EXPECT_TRUE(plan.users.empty());  // 4,000 is private
  EXPECT_EQ(PriceLines(plan, nullptr).find("4,000"), std::string::npos);
  config::TrainConfig config = CensusConfig();
  config.census.reference_is = config::References::kAlike;
  // As many users as noise of scale 2 hides: it is above 2 log(21 / 0.018) = 14
  // in one of 21 cells with probability 0.9 %, and below -4.6 with 5 %.
  const std::string lines = PriceLines(CensusOf(config, kPrivate), nullptr);
  int users = 0;
  ASSERT_EQ(std::sscanf(lines.c_str() + lines.find("damage on about"),
                        "damage on about %d users", &users),
            1)
      << lines;
  EXPECT_GE(users, 17);
  EXPECT_LE(users, 22);
}

// Known before anything is spent.
TEST(CensusPlanTest, WhatCanGiveNoVerdictIsSaidInsteadOfThePower) {
  config::TrainConfig config = CensusConfig();
  const auto verdict = [&](const DataFacts& data) {
    const CensusPlan plan = CensusOf(config, data);
    const std::string lines = PriceLines(plan, nullptr);
    EXPECT_EQ(lines.find("Power ") == std::string::npos,
              !plan.no_verdict.empty());
    EXPECT_EQ(lines.find("Verdict ") == std::string::npos,
              plan.no_verdict.empty());
    return plan.no_verdict.empty();
  };
  // Generated references of private users.
  EXPECT_FALSE(verdict(kPrivate));
  config.census.reference_is = config::References::kAlike;
  EXPECT_TRUE(verdict(kPrivate));
  config.census.reference_is = config::References::kOther;
  EXPECT_FALSE(verdict(kPublic));
  config.census.groups = config::Groups::kSides;
  config.select = {.by = config::By::kColumn, .column = "app", .value = "2"};
  EXPECT_TRUE(verdict(kPublic));
  config.select = {.by = config::By::kAccuracy,
                   .model = "judge",
                   .above = 0.9,
                   .below = 0.8};
  EXPECT_FALSE(verdict(kPublic));
  config.census.reference_is = config::References::kAlike;
  EXPECT_TRUE(verdict(kPublic));  // beside a placebo
}

TEST(CensusPlanTest, AVoteForClassesCostsTheSameAndTakesNoReferences) {
  config::TrainConfig config = CensusConfig();
  const CensusPlan damage = CensusOf(config);
  config.census.about = config::About::kClasses;
  EXPECT_EQ(KindOf(config), ErrorKind::kBadInput);  // has references
  config.census.reference = "";
  DataFacts data = kPublic;
  data.classes = 10;
  const CensusPlan plan = CensusOf(config, data);
  EXPECT_EQ(plan.classes, 10);
  EXPECT_EQ(plan.vote(), damage.vote());
  EXPECT_EQ(plan.epsilon, damage.epsilon);
  // 4,000 users and noise of scale 2, within 6 in 96 % of cases: 6 / 4,000.
  EXPECT_NE(PriceLines(plan, nullptr).find("known to ± 0.15 %"),
            std::string::npos)
      << PriceLines(plan, nullptr);
  config.census.voter = "voter";
  EXPECT_EQ(KindOf(config, data), ErrorKind::kBadInput);
  config.census.voter = "";
  config.census.groups = config::Groups::kBeforeAfter;
  config.data.before_path = "before";
  EXPECT_EQ(KindOf(config, data), ErrorKind::kBadInput);
}

// A class that is harder than others is rarer among users of low accuracy.
TEST(CensusPlanTest, ClassesAreNotAskedOfSidesByAccuracy) {
  config::TrainConfig config = CensusConfig();
  config.census.reference = "";
  config.census.about = config::About::kClasses;
  config.census.groups = config::Groups::kSides;
  config.select = {.by = config::By::kAccuracy,
                   .model = "judge",
                   .above = 0.9,
                   .below = 0.8};
  DataFacts data = kPublic;
  data.classes = 10;
  EXPECT_EQ(KindOf(config, data), ErrorKind::kUnsupported);
  config.select = {.by = config::By::kColumn, .column = "app", .value = "2"};
  EXPECT_EQ(CensusOf(config, data).groups, 2);
  config.census.split = "rotate";
  EXPECT_EQ(KindOf(config, data), ErrorKind::kBadInput);
}

TEST(CensusPlanTest, SeveralMarksAreOfOneGroupOfKnownSize) {
  config::TrainConfig config = CensusConfig();
  config.census.marks = 2;
  EXPECT_EQ(CensusOf(config).histogram.marks, 2);
  EXPECT_EQ(CensusOf(config, kPrivate).histogram.marks, 2);
  config.census.groups = config::Groups::kSides;
  config.select = {.by = config::By::kColumn, .column = "app", .value = "2"};
  EXPECT_EQ(KindOf(config), ErrorKind::kUnsupported);
  config.census.groups = config::Groups::kEverybody;
  config.select = {};
  config.census.about = config::About::kClasses;
  config.census.reference = "";
  DataFacts data = kPrivate;  // the number of users is private
  data.classes = 10;
  EXPECT_EQ(KindOf(config, data), ErrorKind::kBadInput);
  config.cohort.population = 4000;
  EXPECT_EQ(CensusOf(config, data).users, std::vector<double>{4000});
}

class CensusLedgerTest : public base::FolderTest {
 protected:
  data::DatasetInfo Make(const std::string& name, data::Origin origin,
                         int side) {
    data::DatasetInfo info;
    info.name = name;
    info.origin = origin;
    info.image = {.height = side, .width = side};
    data::DatasetWriter writer(folder_ / name, info);
    const std::vector<std::uint8_t> pixels(
        static_cast<std::size_t>(side * side), static_cast<std::uint8_t>(side));
    writer.BeginUser("somebody");
    writer.Add({.pixels = pixels});
    writer.Finish();
    return data::FederatedDataset(folder_ / name).info();
  }
  ErrorKind Refused(const std::string& reference, const data::DatasetInfo& own,
                    const std::string& fingerprint = "") {
    config::TrainConfig config = CensusConfig();
    config.census.reference = reference;
    return Thrown([&] { CheckReference(config, own, fingerprint); }).kind();
  }
};

TEST_F(CensusLedgerTest, ReferencesArePublicOfTheSameShapeAndNotTheUsers) {
  const data::DatasetInfo own = Make("own", data::Origin::kPrivate, 8);
  Make("good", data::Origin::kPublic, 8);
  Make("large", data::Origin::kPublic, 9);
  Make("secret", data::Origin::kPrivate, 8);
  config::TrainConfig config = CensusConfig();
  config.census.reference = (folder_ / "good").string();
  CheckReference(config, own, "");
  config.census.reference = "";
  config.census.voter = "earlier/voter";  // which learned from some
  CheckReference(config, own, "");
  EXPECT_EQ(Refused("", own), ErrorKind::kBadInput);
  EXPECT_EQ(Refused((folder_ / "large").string(), own), ErrorKind::kBadInput);
  EXPECT_EQ(Refused((folder_ / "secret").string(), own),
            ErrorKind::kUnsupported);
  EXPECT_EQ(Refused((folder_ / "none").string(), own), ErrorKind::kBadInput);
  EXPECT_EQ(Refused("forum", own), ErrorKind::kBadInput);        // text
  EXPECT_EQ(Refused("handwriting", own), ErrorKind::kBadInput);  // 28 × 28
  EXPECT_EQ(Refused((folder_ / "good").string(), own,
                    data::FederatedDataset(folder_ / "good").Fingerprint()),
            ErrorKind::kBadInput);
}

TEST(CensusPlanTest, GeneratedReferencesAreOtherPeople) {
  config::TrainConfig config = CensusConfig();
  config.data.generate = "handwriting";
  const config::DataConfig reference = ReferenceData(config);
  EXPECT_EQ(reference.generate, "handwriting");
  EXPECT_NE(reference.seed, config.data.seed);
  EXPECT_GT(reference.seed, 0);
  EXPECT_EQ(reference.bug, "");
}

// Rule 5: what a released model cost whoever it learned from is said, wherever
// its draws go.
TEST_F(CensusLedgerTest, AVoterThatLearnedFromReleasedDrawsSaysWhatTheyCost) {
  config::TrainConfig config = CensusConfig();
  config.census.reference = "";
  config.census.voter = (folder_ / "asked" / "voter").string();
  runs::CensusRecord asked{.name = "asked",
                           .reference = {.words = "draws of digits",
                                         .provenance = "released",
                                         .epsilon = 3,
                                         .delta = 1e-6,
                                         .population = "writers"}};
  const auto named = [&] {
    std::filesystem::create_directories(folder_ / "asked");
    runs::WriteCensus(folder_ / "asked", asked);
    std::vector<std::string> taken_as_fixed;
    NameReferences(taken_as_fixed, config, "");
    return taken_as_fixed;
  };
  ASSERT_EQ(named().size(), 1u);
  for (const char* part : {"draws of digits", "writers", "ε 3", "1e-"}) {
    EXPECT_NE(named()[0].find(part), std::string::npos) << named()[0];
  }
  asked.reference.provenance = "public";
  EXPECT_TRUE(named().empty());
}

TEST_F(CensusLedgerTest, PrivateDataNeedALedgerAndSimulationsHaveTheirOwn) {
  config::TrainConfig config = CensusConfig();
  config.privacy.ledger = (folder_ / "none.sqlite").string();
  EXPECT_EQ(Thrown([&] {
              CensusLedger(config, CensusOf(config, kPrivate), folder_);
            }).kind(),
            ErrorKind::kBadInput);
  config.privacy.ledger = "";
  for (const auto adjacency :
       {config::Adjacency::kAddRemove, config::Adjacency::kReplaceOne}) {
    config.census.adjacency = adjacency;
    std::filesystem::remove(folder_ / "ledger.sqlite");
    const CensusPlan plan = CensusOf(config);
    dp::Ledger ledger = CensusLedger(config, plan, folder_);
    EXPECT_TRUE(GrantedIn(ledger, plan).fits());
    Reserve(ledger, plan);
    EXPECT_TRUE(IsReserved(ledger, plan));
  }
}

TEST_F(CensusLedgerTest, ALedgerWithLittleLeftSaysWhatFits) {
  config::TrainConfig config = CensusConfig();
  config.cohort.population = 4000;
  dp::Ledger ledger = dp::Ledger::Create(
      folder_ / "l.sqlite",
      {.name = "phones", .budget = {.epsilon = 0.3, .delta = 1e-5}});
  const CensusPlan plan = CensusOf(config, kPrivate);
  const Error error = Thrown([&] { GrantedIn(ledger, plan); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  const std::string key = "--set census.epsilon=";
  const auto at = error.todo().find(key);
  ASSERT_NE(at, std::string::npos) << error.todo();
  config.census.epsilon = std::stod(error.todo().substr(at + key.size()));
  EXPECT_GT(config.census.epsilon, 0.2);
  EXPECT_TRUE(GrantedIn(ledger, CensusOf(config, kPrivate)).fits());
  EXPECT_NE(error.todo().find("damage on"), std::string::npos) << error.todo();
}

}  // namespace
}  // namespace sfumato::plan

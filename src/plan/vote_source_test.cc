#include "plan/vote_source.h"

#include <filesystem>

#include "base/folder_testing.h"
#include "plan/census_plan.h"
#include "plan/inspect_ledger.h"
#include "plan/inspect_plan_testing.h"
#include "runs/census.h"

namespace sfumato::plan {
namespace {

class VoteSourceTest : public base::FolderTest {
 protected:
  // A census with a voter of three answers, and what it says of itself.
  void SetUp() override {
    FolderTest::SetUp();
    std::filesystem::create_directories(folder_ / "asked/voter");
    base::WriteFileAtomically(folder_ / "asked/voter/voter.json", "{}");
    base::WriteFileAtomically(folder_ / "asked/voter/voter.safetensors", "w");
    record_.name = "run";
    record_.groups = {{.words = "everybody"}};
    record_.reference = {.words = "handwriting", .provenance = "generated"};
    record_.calibration.cells = {{.key = census::kAsItShouldBe},
                                 {.key = "invert"},
                                 {.key = census::kNoneOfThese},
                                 {.key = census::kCannotTell}};
    record_.calibration.states = {{.key = census::kAsItShouldBe},
                                  {.key = "invert"}};
    record_.privacy.epsilon = 0.5;
    record_.privacy.delta = 1e-5;
    record_.privacy.population = "phones";
    Keep();
    select_.by = config::By::kVote;
    select_.census = (folder_ / "asked").string();
  }
  void Keep() {
    record_.voter_crc32c =
        runs::SumOfVoter(folder_ / "asked/voter", record_.reference);
    runs::WriteCensus(folder_ / "asked", record_);
  }
  Error Refused(bool simulation = false) {
    return Thrown([&] { ReadVoteSource(select_, simulation); });
  }
  config::TrainConfig Inspecting() {
    config::TrainConfig config = Unasked();
    config.select = select_;
    config.select.users_a = config.select.users_b = 1000;
    return config;
  }

  runs::CensusRecord record_;
  config::SelectConfig select_;
};

TEST_F(VoteSourceTest, IsTheVoterOfACensusAndWhatTheCensusCost) {
  const VoteSource source = ReadVoteSource(select_, /*simulation=*/false);
  EXPECT_EQ(source.voter, folder_ / "asked" / "voter");
  EXPECT_EQ(source.words, "the voter of the census asked");
  EXPECT_NE(source.not_counted.find("cost 'phones' ε 0.5"), std::string::npos)
      << source.not_counted;
}

TEST_F(VoteSourceTest, UsersAreNotChosenByTheirVoteForAClass) {
  record_.calibration = {.about = census::About::kClasses,
                         .cells = {{.key = "class=3"},
                                   {.key = census::kNoneOfThese},
                                   {.key = census::kCannotTell}}};
  Keep();
  select_.answer = "class=3";
  for (const bool simulation : {true, false}) {
    EXPECT_EQ(Refused(simulation).kind(), ErrorKind::kBadInput);
    EXPECT_EQ(Refused(simulation).where(), "select.census");
  }
}

TEST_F(VoteSourceTest, WhatIsMissingOrWasChangedIsNamed) {
  select_.answer = "invrt";
  EXPECT_EQ(Refused().where(), "select.answer");
  EXPECT_NE(Refused().todo().find("'invert'"), std::string::npos);
  select_.answer = "invert";
  base::WriteFileAtomically(folder_ / "asked/voter/voter.safetensors", "v");
  EXPECT_EQ(Refused(true).kind(), ErrorKind::kBadInput);
  EXPECT_NE(std::string(Refused(true).what()).find("not the one its census"),
            std::string::npos);
  std::filesystem::remove_all(folder_ / "asked/voter");
  EXPECT_EQ(Refused(true).kind(), ErrorKind::kBadInput);
  select_.census = (folder_ / "nowhere").string();
  EXPECT_EQ(Refused(true).kind(), ErrorKind::kBadInput);
  select_.census = "";
  EXPECT_EQ(Refused(true).where(), "select.census");
}

// Rule 5 of docs/privacy_proofs.md.
TEST_F(VoteSourceTest, OnPrivateDataItLearnedFromWhatIsOpen) {
  for (const char* provenance : {"", "released", "private", "fixed"}) {
    record_.reference.provenance = provenance;
    Keep();
    EXPECT_EQ(Refused().kind(), ErrorKind::kUnsupported) << provenance;
    ReadVoteSource(select_, /*simulation=*/true);
  }
  record_.reference.provenance = "public";
  Keep();
  ReadVoteSource(select_, /*simulation=*/false);
}

TEST_F(VoteSourceTest, SidesByVoteShareNobodyAndAreChargedToTheRoot) {
  const InspectPlan plan = PlanOf(Inspecting(), kPrivate);
  EXPECT_TRUE(plan.pays_once);
  ASSERT_EQ(plan.models.size(), 4u);
  std::string partition;
  for (const ModelPlan& model : plan.models) {
    const dp::Population& population = plan.RunNamed(model.run).population;
    EXPECT_TRUE(population.selected);
    EXPECT_EQ(population.Root(), "phones");
    if (partition.empty()) partition = population.partition;
    EXPECT_EQ(population.partition, partition);
  }
  ASSERT_EQ(plan.taken_as_fixed.size(), 1u);
  EXPECT_NE(plan.taken_as_fixed[0].find("new plan"), std::string::npos);
}

// Rule 4.
TEST_F(VoteSourceTest, FixedCohortsAreRefused) {
  config::TrainConfig config = Inspecting();
  config.cohort.sampling = config::Sampling::kFixed;
  EXPECT_EQ(Thrown([&] { PlanOf(config, kPrivate); }).kind(),
            ErrorKind::kUnsupported);
  EXPECT_EQ(Thrown([&] { PlanTraining(config, kPublic); }).kind(),
            ErrorKind::kUnsupported);
}

TEST_F(VoteSourceTest, ACensusAsksForVotesAndIsNotDividedByThem) {
  config::TrainConfig config = Inspecting();
  config.census.reference = "handwriting";
  config.census.groups = config::Groups::kSides;
  EXPECT_EQ(Thrown([&] { PlanCensus(config, kPublic, {}); }).where(),
            "select.by");
}

// Rule 3: who looked at the census before pays for both by the filter, which
// holds however the answer was chosen.
TEST_F(VoteSourceTest, AnInspectionAfterACensusIsANewPlanUnderTheFilter) {
  config::TrainConfig asked = Inspecting();
  asked.select = {};
  asked.census.reference = "handwriting";
  const CensusPlan census = PlanCensus(asked, kPrivate, {.name = "asked"});
  const InspectPlan plan = PlanOf(Inspecting(), kPrivate);
  const auto ledger_of = [&](double epsilon) {
    const base::Path path = folder_ / fmt::format("{}.sqlite", epsilon);
    return dp::Ledger::Create(
        path,
        {.name = "phones", .budget = {.epsilon = epsilon, .delta = 1e-5}});
  };
  // Alone, a plan is admitted at its own ε; behind the census it is not, though
  // composition in advance would have had room for both.
  const double together = Epsilon([&] {
    std::vector<dp::Event> events = census.Events();
    const std::vector<dp::Event> own = plan.RunNamed(plan.models[0].run).events;
    events.insert(events.end(), own.begin(), own.end());
    return events;
  }());
  dp::Ledger fresh = ledger_of(1.001 * plan.epsilon);
  EXPECT_TRUE(PriceIn(fresh, plan).by_plan());
  dp::Ledger ledger = ledger_of(1.001 * together);
  Reserve(ledger, census);
  // Before the first release it is all one plan.
  EXPECT_TRUE(PriceIn(ledger, plan).by_plan());
  ledger.Release({.run = census.vote_run, .round = 1}, census.vote());
  EXPECT_FALSE(PriceIn(ledger, plan).fits());
  dp::Ledger larger = ledger_of(3 * together);
  Reserve(larger, census);
  larger.Release({.run = census.vote_run, .round = 1}, census.vote());
  EXPECT_TRUE(PriceIn(larger, plan).fits());
  EXPECT_FALSE(PriceIn(larger, plan).by_plan());
  ReserveInspection(larger, plan);
}

}  // namespace
}  // namespace sfumato::plan

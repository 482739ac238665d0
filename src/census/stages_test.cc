#include "census/stages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/error_testing.h"
#include "base/folder_testing.h"
#include "census/census_testing.h"
#include "census/groups.h"
#include "data/dataset_writer.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

namespace fs = std::filesystem;

class CensusTest : public base::FolderTest {
 protected:
  struct People {
    std::string folder = "people";
    data::Origin origin = data::Origin::kPublic;
    int users = 400;
    int inverted = 80;  // the first ones
    int examples = 3;
  };

  void SetUp() override {
    FolderTest::SetUp();
    Make({.folder = "reference", .users = 5, .inverted = 0, .examples = 2});
    job_.folder = "out";
    job_.config.data.path = "people";
    job_.config.census.reference = "reference";
    job_.config.privacy.delta = 1e-4;
    job_.config.device.threads = 1;
    job_.yes = true;
    BrightnessVoter::asked = 0;
  }

  // Every third user has the new phone, every sixth both.
  void Make(const People& people) {
    data::DatasetInfo info;
    info.name = people.folder;
    info.origin = people.origin;
    info.image = {4, 4, 1};
    info.classes = {"one", "two"};
    info.columns = {{.name = "phone", .values = {"old", "new"}}};
    info.declared = true;
    data::DatasetWriter writer(people.folder, info);
    for (int user = 0; user < people.users; ++user) {
      writer.BeginUser(fmt::format("user{}", user));
      const std::vector<std::uint8_t> pixels(
          16, user < people.inverted ? std::uint8_t{255} : std::uint8_t{0});
      for (int i = 0; i < people.examples; ++i) {
        const bool is_new = user % 6 == 0 ? i == 0 : user % 3 == 0;
        const std::int32_t phone[] = {is_new ? 1 : 0};
        writer.Add({.pixels = pixels, .label = i % 2, .columns = phone});
      }
    }
    writer.Finish();
  }

  void Grant(double epsilon) {
    dp::Ledger::Create(
        "ledger.sqlite",
        {.name = "people", .budget = {.epsilon = epsilon, .delta = 1e-4}});
  }
  static std::int64_t Released() {
    dp::Ledger ledger = dp::Ledger::Open("ledger.sqlite");
    return dp::CountOf(ledger.TotalsOf("people").released);
  }

  VoterSource Source() {
    return {.learn =
                [this](const data::FederatedDataset&,
                       const VoterOptions& options, fed::WorkerPool&) {
                  ++learned_;
                  split_ = options.split;
                  return names_nothing_ ? BrightnessVoter::LearnNothing()
                                        : BrightnessVoter::Learn(options);
                },
            .read =
                [](const base::Path& folder) {
                  const bool learned = fs::exists(folder / "voter.safetensors");
                  return learned ? BrightnessVoter::Read(folder)
                                 : ReadVoter(folder);
                }};
  }
  // Up to and with the stage; a new process each time.
  enum Stage { kVoter, kPrice, kThresholds, kAsk, kAnswer, kPage };
  void Run(Stage last = kAnswer) {
    fs::create_directories(job_.folder);
    base::WriteFileAtomically(job_.folder / "config.toml",
                              config::ToToml(job_.config));
    outcome_ = {};
    Census census(job_, outcome_);
    OpenData(census);
    CheckPrice(census);
    FixVoter(census, Source());
    if (last >= kPrice) Price(census);
    if (last >= kThresholds) AskThresholds(census);
    if (last >= kAsk) Ask(census);
    if (last >= kAnswer) Answer(census);
    if (last == kPage) WritePage(census);
  }
  const CellAnswer& Inverted() const {
    return outcome_.record.answer->answers.at(1);
  }

  CensusJob job_;
  CensusOutcome outcome_;
  int learned_ = 0;
  std::vector<std::string> split_;
  bool names_nothing_ = false;
};

TEST_F(CensusTest, SaysWhichShareOfUsersHasWhich) {
  Make({});
  Run(kPage);
  const runs::CensusRecord& record = outcome_.record;
  ASSERT_TRUE(record.answer);
  EXPECT_EQ(Name(record.answer->verdict), "differs");
  EXPECT_EQ(Inverted().key, "invert");
  EXPECT_TRUE(Inverted().supported);
  // A fifth of 400; noise of scale 2 is beyond 30 with probability e^-15.
  EXPECT_NEAR(Inverted().share, 0.2, 0.1);
  EXPECT_EQ(record.status, runs::Status::kFinished);
  EXPECT_TRUE(record.simulation);
  EXPECT_LE(record.privacy.epsilon, 0.5 + 1e-9);
  EXPECT_EQ(record.reference.words, "reference");
  EXPECT_EQ(record.reference.provenance, "public");
  EXPECT_EQ(runs::ReadCensus("out").counts, record.counts);
}

TEST_F(CensusTest, NobodyIsInvertedWhereNobodyIs) {
  Make({.inverted = 0});
  Run();
  EXPECT_EQ(Name(outcome_.record.answer->verdict), "as_it_should_be");
  EXPECT_FALSE(Inverted().supported);
}

TEST_F(CensusTest, FamiliesToSplitAreNamedWithCommasBetween) {
  Make({});
  Run(kVoter);
  EXPECT_TRUE(split_.empty());
  job_.config.census.split = " rotate, shift,";
  job_.folder = "split";
  Run(kVoter);
  EXPECT_EQ(split_, (std::vector<std::string>{"rotate", "shift"}));
}

TEST_F(CensusTest, AResumeAsksNobodyAgainAndLearnsNothing) {
  Make({});
  Run(kVoter);
  EXPECT_EQ(learned_, 1);
  Run(kPrice);
  Run(kAsk);
  EXPECT_EQ(BrightnessVoter::asked, 1);
  const auto counts = outcome_.record.counts;
  Run();
  EXPECT_EQ(learned_, 1);
  EXPECT_EQ(BrightnessVoter::asked, 1);
  EXPECT_EQ(outcome_.record.counts, counts);
  // A simulation whose counts were lost comes to the same.
  fs::remove_all("out");
  Run();
  EXPECT_EQ(outcome_.record.counts, counts);
}

TEST_F(CensusTest, AVoterThatWasChangedOrIsGoneIsRefused) {
  Make({});
  Run(kPrice);
  base::WriteFileAtomically("out/voter/voter.safetensors", "others");
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
  fs::remove_all("out/voter");
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
  EXPECT_EQ(BrightnessVoter::asked, 0);
}

TEST_F(CensusTest, OtherDataOrAnotherConfigIsNotResumed) {
  Make({});
  Run(kPrice);
  job_.config.census.level = 0.02;
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
  job_.config.census.level = 0.01;
  fs::remove_all("people");
  Make({.inverted = 79});
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
  EXPECT_EQ(BrightnessVoter::asked, 0);
}

TEST_F(CensusTest, AnEarlierCensusLendsItsVoterUnlessItWasChanged) {
  Make({});
  Run();
  job_.folder = "second";
  job_.config.census.voter = "out/voter";
  Run();
  EXPECT_EQ(learned_, 1);
  EXPECT_EQ(outcome_.record.reference.words, "reference");
  EXPECT_EQ(outcome_.record.voter_crc32c, runs::ReadCensus("out").voter_crc32c);
  job_.folder = "third";
  base::WriteFileAtomically("out/voter/voter.safetensors", "others");
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
  // What is on record about its references is part of it.
  job_.folder = "relabelled";
  job_.config.census.voter = "second/voter";
  runs::CensusRecord record = runs::ReadCensus("second");
  const runs::CensusRecord as_it_was = record;
  record.reference.provenance = "generated";
  runs::WriteCensus("second", record);
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
  runs::WriteCensus("second", as_it_was);
  job_.folder = "as it was";
  Run();
  job_.folder = "fourth";
  job_.config.census.marks = 2;
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
}

TEST_F(CensusTest, AVoterOfUnknownReferencesAsksNoPrivateData) {
  Make({.origin = data::Origin::kPrivate});
  Grant(2);
  BrightnessVoter::Learn({})->Write("stray");
  job_.config.census.voter = "stray";
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(Released(), 0);
}

TEST_F(CensusTest, ASimulationWithAStrayVoterLendsItToNoPrivateData) {
  Make({});
  BrightnessVoter::Learn({})->Write("stray");
  job_.config.census.voter = "stray";
  Run();
  EXPECT_FALSE(outcome_.record.reference.alike);
  fs::remove_all("people");
  Make({.origin = data::Origin::kPrivate});
  Grant(2);
  job_.folder = "second";
  job_.config.census.voter = "out/voter";
  const int asked = BrightnessVoter::asked;
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(BrightnessVoter::asked, asked);
  EXPECT_EQ(Released(), 0);
}

// Killed between the voter's folder and its sum on record.
TEST_F(CensusTest, AVoterWithoutASumIsLearnedAgain) {
  Make({});
  Run(kVoter);
  runs::CensusRecord record = runs::ReadCensus("out");
  record.voter_crc32c = "";
  runs::WriteCensus("out", record);
  Run();
  EXPECT_EQ(learned_, 2);
  EXPECT_EQ(outcome_.record.answer->verdict, CensusVerdict::kDiffers);
}

TEST_F(CensusTest, PrivateDataNeedALedgerBeforeAnythingIsLearned) {
  Make({.origin = data::Origin::kPrivate});
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
  Grant(0.1);
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBudgetSpent);
  EXPECT_EQ(learned_, 0);
  EXPECT_EQ(BrightnessVoter::asked, 0);
  EXPECT_EQ(Released(), 0);
}

TEST_F(CensusTest, AnEmptyCatalogueIsRefusedBeforeAnythingIsSpent) {
  Make({.origin = data::Origin::kPrivate});
  Grant(2);
  names_nothing_ = true;
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
  EXPECT_EQ(BrightnessVoter::asked, 0);
  EXPECT_EQ(Released(), 0);
}

TEST_F(CensusTest, WithoutAYesNobodyIsAsked) {
  Make({.origin = data::Origin::kPrivate});
  Grant(2);
  job_.yes = false;
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
  EXPECT_EQ(learned_, 0);  // which takes a while, and would be lost
  EXPECT_EQ(BrightnessVoter::asked, 0);
  EXPECT_EQ(Released(), 0);
}

TEST_F(CensusTest, PrivateDataPayOnceAndAgainOnlyForWhatWasLost) {
  Make({.origin = data::Origin::kPrivate});
  Grant(2);
  Run();
  EXPECT_EQ(Released(), 1);
  EXPECT_EQ(BrightnessVoter::asked, 1);
  EXPECT_FALSE(outcome_.record.privacy.ledger_head.empty());
  Run();
  EXPECT_EQ(Released(), 1);
  // The counts were lost in a crash.
  runs::CensusRecord record = runs::ReadCensus("out");
  record.counts.clear();
  record.answer.reset();
  runs::WriteCensus("out", record);
  Run();
  EXPECT_EQ(Released(), 2);
  EXPECT_TRUE(outcome_.record.privacy.repeated);
  EXPECT_GT(outcome_.record.privacy.epsilon, 0.9);
}

// Rule 7. What is written of 40 users is what is written of 400, but for what
// the mechanism made, and the random names.
TEST_F(CensusTest, NothingWrittenOfPrivateDataDependsOnThemButTheCounts) {
  const auto written = [&](const People& people) {
    for (const char* folder : {"people", "out", "ledger.sqlite"}) {
      fs::remove_all(folder);
    }
    Make(people);
    Grant(2);
    Run();
    nlohmann::json json = runs::ToJson(outcome_.record);
    for (const char* released : {"counts", "answer"}) json.erase(released);
    for (const char* random : {"ledger_name", "data_crc32c", "config_crc32c"}) {
      json.erase(random);
    }
    for (const char* random : {"ledger_head", "entries"}) {
      json["privacy"].erase(random);
    }
    std::string text = json.dump();
    text += base::ReadFile("out/plan.json");
    const std::string& name = outcome_.record.ledger_name;
    for (auto at = text.find(name); at != std::string::npos;
         at = text.find(name)) {
      text.erase(at, name.size());
    }
    return text;
  };
  const std::string many =
      written({.origin = data::Origin::kPrivate, .users = 400});
  EXPECT_EQ(written({.origin = data::Origin::kPrivate,
                     .users = 40,
                     .inverted = 7,
                     .examples = 1}),
            many);
  EXPECT_EQ(many.find("seconds"), std::string::npos);
  // Of a simulation it does.
  EXPECT_NE(written({.users = 400}), written({.users = 40}));
}

TEST_F(CensusTest, AUserOfBothGroupsVotesInNeither) {
  Make({});
  job_.config.census.groups = config::Groups::kSides;
  job_.config.select = {
      .by = config::By::kColumn, .column = "phone", .value = "new"};
  Run();
  const auto& counts = outcome_.record.counts;
  ASSERT_EQ(counts.size(), 2u);
  ASSERT_EQ(counts[0].size(), 4u);
  // Of 400: 266 have the old phone, 66 the new one, 68 both. Noise of scale 2
  // on four cells is beyond 40 with probability e^-17 or so. Seeded.
  double users[2] = {};
  for (int group = 0; group < 2; ++group) {
    for (const double count : counts[static_cast<std::size_t>(group)]) {
      users[group] += count;
    }
  }
  EXPECT_NEAR(users[0], 266, 40);
  EXPECT_NEAR(users[1], 66, 40);
  EXPECT_EQ(outcome_.record.design, Design::kTwoGroups);
  EXPECT_EQ(
      outcome_.record.groups.at(1).rule.find("phone") != std::string::npos,
      true);
  EXPECT_EQ(outcome_.record.privacy.parts.size(), 1u);
}

// Sides by the users' own accuracy, where nobody is damaged.
TEST_F(CensusTest, SidesByAccuracyStandBesideAPlacebo) {
  config::TrainConfig& config = job_.config;
  config.data = {.generate = "handwriting", .users = 60, .examples = 10};
  config.census.reference = "handwriting";
  config.census.groups = config::Groups::kSides;
  config.select.by = config::By::kAccuracy;
  config.select.above = 0.5;
  config.select.below = 0.5;
  config.primary = {.name = "logistic", .users = 20, .epochs = 1};
  Run();
  const runs::CensusRecord& record = outcome_.record;
  EXPECT_EQ(record.design, Design::kOwnAccuracy);
  EXPECT_EQ(record.counts.size(), 2u);
  EXPECT_FALSE(Inverted().supported);
  for (const char* made : {"out/placebo", "out/reference"}) {
    EXPECT_FALSE(fs::exists(made)) << made;
  }
  EXPECT_TRUE(fs::exists("out/primary"));
}

// Thresholds are of one model's numbers, and groups are of the same.
TEST_F(CensusTest, AnotherJudgeThanThatOfTheThresholdsIsRefused) {
  config::TrainConfig& config = job_.config;
  config.data = {.generate = "handwriting", .users = 40, .examples = 10};
  config.census.reference = "handwriting";
  config.census.groups = config::Groups::kSides;
  config.select.by = config::By::kAccuracy;
  config.select.above_quantile = 0.75;
  config.select.below_quantile = 0.25;
  config.primary = {.name = "logistic", .users = 20, .epochs = 1};
  Run(kThresholds);
  runs::CensusRecord record = runs::ReadCensus("out");
  EXPECT_FALSE(record.judge_crc32c.empty());
  record.judge_crc32c = "another";
  runs::WriteCensus("out", record);
  const Error error = Thrown([&] { Run(kAsk); });
  EXPECT_NE(std::string(error.what()).find("the judging model is not the one"),
            std::string::npos)
      << error.what();
  EXPECT_TRUE(runs::ReadCensus("out").counts.empty());
}

TEST_F(CensusTest, AStoredVoterAnswersOnlyWhatItLearned) {
  Make({});
  Run();
  fs::rename("out", "earlier");
  job_.config.census.voter = "earlier/voter";
  job_.config.census.split = "invert";
  const Error error = Thrown([&] { Run(kVoter); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_EQ(error.where(), "census.split");
  job_.config.census.split = "";
  fs::remove_all("out");
  Run();
  EXPECT_EQ(learned_, 1);
}

// Quantiles that were asked first are the groups' thresholds, and a part of the
// plan.
TEST_F(CensusTest, SidesByAccuracyAskForTheirThresholdsFirst) {
  config::TrainConfig& config = job_.config;
  config.data = {.generate = "handwriting", .users = 120, .examples = 10};
  config.census.reference = "handwriting";
  config.census.groups = config::Groups::kSides;
  config.select.by = config::By::kAccuracy;
  config.select.above_quantile = 0.75;
  config.select.below_quantile = 0.25;
  config.survey.quantile_epsilon = 8;
  config.primary = {.name = "logistic", .users = 20, .epochs = 1};
  Run(kThresholds);
  const runs::CensusRecord asked = runs::ReadCensus("out");
  ASSERT_TRUE(asked.above && asked.below);
  EXPECT_EQ(asked.above->source, "released");
  EXPECT_GE(asked.above->value, asked.below->value);
  EXPECT_EQ(asked.groups.at(0).rule,
            fmt::format("accuracy > {:.4g}", asked.above->value));
  // Two quantiles and the vote; all of it in one plan.
  EXPECT_EQ(asked.privacy.parts.size(), 3u);
  EXPECT_GT(asked.privacy.epsilon, 8);
  // A resume asks for nothing that it has, and comes to the same.
  Run();
  const runs::CensusRecord& record = outcome_.record;
  EXPECT_EQ(record.above->value, asked.above->value);
  dp::Ledger ledger = dp::Ledger::Open("out/ledger.sqlite");
  EXPECT_EQ(dp::CountOf(ledger.TotalsOf("handwriting").released), 3);
  // Those beyond the thresholds vote, and no others. Noise of scale 2 on four
  // cells is beyond 30 with probability e^-12 or so. Seeded.
  const plan::TrainingData people = plan::OpenTrainingData(config.data, "out");
  fed::WorkerPool pool(1);
  double users[2] = {};
  for (const double accuracy :
       MeasuredOf(config, "out", train::DeviceFor(config.device), people, pool)
           .numbers) {
    users[0] += accuracy > record.above->value ? 1 : 0;
    users[1] += accuracy < record.below->value ? 1 : 0;
  }
  for (std::size_t group = 0; group < 2; ++group) {
    double voted = 0;
    for (const double count : record.counts.at(group)) voted += count;
    EXPECT_NEAR(voted, users[group], 30);
  }
  const auto counts = record.counts;
  fs::remove_all("out");
  Run();
  EXPECT_EQ(outcome_.record.counts, counts);
}

// Every device compares its own two states. A fifth of 400 was inverted
// between them, another tenth always had bright images, and 20 users are new.
TEST_F(CensusTest, WhoHasBothStatesVotesOnceOnWhatChanged) {
  Make({.folder = "before", .users = 380, .inverted = 40});
  Make({.inverted = 120});
  job_.config.census.groups = config::Groups::kBeforeAfter;
  job_.config.data.before_path = "before";
  Run(kPage);
  const runs::CensusRecord& record = outcome_.record;
  ASSERT_EQ(record.counts.size(), 1u);
  // Laplace noise of scale 2: beyond 20 with probability e^-10. Seeded.
  EXPECT_NEAR(record.counts[0][0], 300, 20);
  EXPECT_NEAR(record.counts[0][1], 80, 20);
  EXPECT_NEAR(record.counts[0][3], 20, 20);
  EXPECT_EQ(record.design, Design::kEverybody);
  EXPECT_LE(record.privacy.epsilon, 0.5 + 1e-9);
  EXPECT_NE(record.groups.at(0).words.find("before"), std::string::npos);
  // Another state before is another question.
  fs::remove_all("before");
  Make({.folder = "before", .users = 380, .inverted = 41});
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
}

TEST_F(CensusTest, TwoStatesOfPrivateDataArePaidOnceByBothSets) {
  Make({.folder = "before", .origin = data::Origin::kPrivate});
  Make({.origin = data::Origin::kPrivate});
  Grant(2);
  job_.config.census.groups = config::Groups::kBeforeAfter;
  job_.config.data.before_path = "before";
  Run();
  EXPECT_EQ(Released(), 1);
  // Neither set may be charged elsewhere.
  EXPECT_TRUE(fs::exists("before/ledger.id"));
  EXPECT_TRUE(fs::exists("people/ledger.id"));
}

// What a writer never writes: the sums are left out, and a name is changed.
void Rename(const std::string& set, const std::string& from,
            const std::string& to) {
  nlohmann::json json = base::ParseJson(base::ReadFile(set + "/dataset.json"));
  json.erase("crc32c");
  base::WriteFileAtomically(set + "/dataset.json", json.dump());
  std::string bytes = base::ReadFile(set + "/data.safetensors");
  const std::size_t at = bytes.find(from);
  ASSERT_NE(at, std::string::npos);
  ASSERT_EQ(from.size(), to.size());
  base::WriteFileAtomically(set + "/data.safetensors",
                            bytes.replace(at, from.size(), to));
}

TEST_F(CensusTest, AUserWhoComesTwiceWouldVoteTwiceAndIsNotNamed) {
  Make({.origin = data::Origin::kPrivate, .users = 30});
  Grant(2);
  Rename("people", "user17", "user18");
  const Error error = Thrown([&] { Run(); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  for (const std::string& text :
       {std::string(error.what()), std::string(error.todo())}) {
    EXPECT_EQ(text.find("18"), std::string::npos) << text;
  }
  EXPECT_EQ(Released(), 0);
}

TEST_F(CensusTest, TwoStatesMustBeAlikeAndAVoterOfOneStateIsNotAskedAboutTwo) {
  Make({});
  Run();
  job_.folder = "second";
  job_.config.census.voter = "out/voter";
  job_.config.census.groups = config::Groups::kBeforeAfter;
  EXPECT_EQ(Thrown([&] { Run(); }).where(), "data.before_path");
  Make({.folder = "before"});
  job_.config.data.before_path = "before";
  EXPECT_EQ(Thrown([&] { Run(); }).where(), "census.voter");
  Make({.folder = "others", .origin = data::Origin::kPrivate});
  job_.config.data.before_path = "others";
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kUnsupported);
}

// Every user has both classes, and marks one of them.
TEST_F(CensusTest, AboutClassesNothingIsLearnedAndNoReferencesAreNeeded) {
  Make({});
  job_.config.census.about = config::About::kClasses;
  job_.config.census.reference = "";
  Run(kPage);
  const runs::CensusRecord& record = outcome_.record;
  EXPECT_EQ(learned_, 0);
  EXPECT_EQ(Name(record.answer->verdict), "counted");
  ASSERT_EQ(record.counts.size(), 1u);
  ASSERT_EQ(record.counts[0].size(), 4u);
  // Of 400 about 200 each: beyond 50 with probability e^-12 or so. Seeded.
  EXPECT_NEAR(record.counts[0][0], 200, 50);
  EXPECT_NEAR(record.counts[0][1], 200, 50);
  EXPECT_NEAR(record.counts[0][0] + record.counts[0][1], 400, 30);
  EXPECT_LE(record.privacy.epsilon, 0.5 + 1e-9);
  const auto counts = record.counts;
  EXPECT_EQ(runs::ReadCensus("out").counts, counts);
  // A resume reads the same voter.
  Run();
  EXPECT_EQ(outcome_.record.counts, counts);
  base::WriteFileAtomically("out/voter/voter.safetensors", "weights");
  EXPECT_EQ(Thrown([&] { Run(); }).kind(), ErrorKind::kBadInput);
}

TEST_F(CensusTest, ClassesOfTwoGroupsAreOneVoteOfPrivateData) {
  Make({.origin = data::Origin::kPrivate});
  Grant(2);
  job_.config.census.about = config::About::kClasses;
  job_.config.census.reference = "";
  job_.config.census.groups = config::Groups::kSides;
  job_.config.select = {
      .by = config::By::kColumn, .column = "phone", .value = "new"};
  Run(kPage);
  EXPECT_EQ(Released(), 1);
  EXPECT_EQ(outcome_.record.counts.size(), 2u);
  EXPECT_EQ(Name(outcome_.record.answer->verdict), "as_it_should_be");
}

TEST_F(CensusTest, GroupsByColumnAreOfTheUsersOwnExamplesAlone) {
  Make({.users = 12});
  job_.config.census.groups = config::Groups::kSides;
  job_.config.select = {
      .by = config::By::kColumn, .column = "phone", .value = "new"};
  Census census(job_, outcome_);
  fs::create_directories("out");
  OpenData(census);
  EXPECT_EQ(GroupsOf(census.config, census.people(), {}),
            (std::vector<int>{-1, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0}));
}

}  // namespace
}  // namespace sfumato::census

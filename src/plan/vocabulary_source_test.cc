#include "plan/vocabulary_source.h"

#include <filesystem>

#include "base/folder_testing.h"
#include "dp/ledger/standing.h"
#include "dp/mechanisms/key_histogram.h"
#include "plan/inspect_plan_testing.h"
#include "plan/inspect_plan_text.h"

namespace sfumato::plan {
namespace {

dp::Event ChoiceBy(const std::string& population) {
  return dp::KeyHistogram({.noise_multiplier = 2,
                           .delta = 1e-9,
                           .most_keys = 100,
                           .participants = dp::ParticipantsOf(
                               dp::All{}, {.name = population})})
      .Event("vocabulary/1");
}

class VocabularySourceTest : public base::FolderTest {
 protected:
  std::string Written(const VocabularySource& source) {
    const base::Path path = folder_ / "words.txt";
    const std::vector<std::string> words = {"the", "a", "have"};
    VocabularySource own = source;
    if (own.event && own.sum.empty()) own.sum = data::Vocabulary(words).Sum();
    base::WriteFileAtomically(
        path, data::ToText({.words = words, .remarks = RemarksOf(own)}));
    return path.string();
  }
  config::TrainConfig Text(const VocabularySource& source) {
    config::TrainConfig config = Unasked();
    config.algorithm = config::Algorithm::kDpFedAvg;
    config.model.name = "word_lm";
    config.select = {
        .by = config::By::kColumn, .column = "country", .value = "de"};
    config.select.users_a = 1000;
    config.select.users_b = 1000;
    config.inspect.character_preset = "";
    config.text.vocabulary = Written(source);
    config.text.vocabulary_is = config::Provenance::kReleased;
    return config;
  }
};

TEST_F(VocabularySourceTest, AFileTellsAgainWhatItWasTold) {
  const VocabularySource source{.remarks = {"Chosen privately in 'phones'."},
                                .event = ChoiceBy("phones"),
                                .ledger_run = "vocabulary-phones-1",
                                .sum = "12ab"};
  const std::string path = Written(source);
  EXPECT_EQ(SourceOf(data::ParseVocabulary(base::ReadFile(path), path), path),
            source);
  // Two remarks stay two, also where they would read as another together.
  const VocabularySource two{.remarks = {"Event:", "none", ""}};
  EXPECT_EQ(SourceOf({.words = {}, .remarks = RemarksOf(two)}, "w"), two);
  EXPECT_EQ(SourceOf({.words = {"a"}, .remarks = {}}, "w"), VocabularySource{});
  EXPECT_EQ(Thrown([] {
              SourceOf({.words = {"a"}, .remarks = {"Event: {}"}}, "w.txt");
            }).where(),
            "w.txt");
}

TEST_F(VocabularySourceTest, WhoeverGivesWordsOfPrivateTextSaysWhoseTheyAre) {
  config::TrainConfig config = Text({.remarks = {"A list."}});
  config.text.vocabulary_is = config::Provenance::kUnknown;
  EXPECT_EQ(Thrown([&] { RequireVocabulary(config, false, "phones"); }).where(),
            "text.vocabulary_is");
  RequireVocabulary(config, true, "phones");
  config.text.vocabulary_is = config::Provenance::kPublic;
  RequireVocabulary(config, false, "phones");
  EXPECT_FALSE(ReleasedVocabulary(config));
  // A plain list says of no mechanism that it chose it.
  config.text.vocabulary_is = config::Provenance::kReleased;
  EXPECT_EQ(Thrown([&] { ReleasedVocabulary(config); }).where(),
            config.text.vocabulary);
  config.text.vocabulary = "";
  EXPECT_EQ(Thrown([&] { ReleasedVocabulary(config); }).where(),
            "text.vocabulary_is");
}

TEST_F(VocabularySourceTest, WhatAPopulationPaidForIsNotPublicToIt) {
  config::TrainConfig config =
      Text({.remarks = {"Chosen."}, .event = ChoiceBy("phones")});
  config.text.vocabulary_is = config::Provenance::kPublic;
  EXPECT_EQ(Thrown([&] { RequireVocabulary(config, false, "phones"); }).kind(),
            ErrorKind::kUnsupported);
  RequireVocabulary(config, false, "tablets");
  RequireVocabulary(config, true, "phones");
}

TEST_F(VocabularySourceTest, ItsWordsAreTheOnesThatWereChosen) {
  config::TrainConfig config =
      Text({.remarks = {"Chosen."}, .event = ChoiceBy("phones")});
  EXPECT_TRUE(ReleasedVocabulary(config));
  const std::string& path = config.text.vocabulary;
  base::WriteFileAtomically(path, base::ReadFile(path) + "secretname\n");
  EXPECT_EQ(Thrown([&] { ReleasedVocabulary(config); }).where(), path);
  // A run's own copy counts before the file.
  Written({.remarks = {"Chosen."}, .event = ChoiceBy("phones")});
  std::filesystem::create_directories(folder_ / "run");
  std::filesystem::rename(path, folder_ / "run/vocabulary.txt");
  EXPECT_TRUE(ReleasedVocabulary(config, folder_ / "run"));
  config.text.vocabulary_is = config::Provenance::kPublic;
  RequireVocabulary(config, false, "phones");  // the file is gone
}

// Rule 6: all that was computed from the same users counts together.
TEST_F(VocabularySourceTest, AReleasedVocabularyIsInTheInspectionsEpsilon) {
  config::TrainConfig config =
      Text({.remarks = {"Chosen."}, .event = ChoiceBy("others")});
  const InspectPlan with = PlanOf(config);
  config.text.vocabulary_is = config::Provenance::kPublic;
  const InspectPlan without = PlanOf(config);
  const dp::Event choice = ChoiceBy("people");
  std::vector<dp::Event> all = without.Events();
  EXPECT_NEAR(without.epsilon, dp::ComposedEpsilon(all, with.delta), 1e-6);
  all.push_back(choice);
  EXPECT_NEAR(with.epsilon, dp::ComposedEpsilon(all, with.delta), 1e-6);
  EXPECT_GT(with.epsilon, without.epsilon + 0.1);
  EXPECT_EQ(with.Events().size(), without.Events().size())
      << "it is not paid twice";
  runs::PrivacyRecord record;
  FillPrivacy(with, record);
  EXPECT_EQ(record.parts.front().what, "vocabulary, released before");
  EXPECT_NE(PriceLines(with).find("vocabulary "), std::string::npos);
  EXPECT_EQ(PriceLines(without).find("released before"), std::string::npos);
  EXPECT_NE(PriceLines(without).find("not in it: the vocabulary"),
            std::string::npos);
  EXPECT_TRUE(with.taken_as_fixed.empty()) << with.taken_as_fixed.front();
  EXPECT_EQ(without.taken_as_fixed.size(), 1u);
  config.text.vocabulary_is = config::Provenance::kReleased;
  config.privacy.noise_multiplier = 0;
  config.privacy.epsilon = with.vocabulary_epsilon / 2;
  EXPECT_NE(std::string(Thrown([&] { PlanOf(config); }).what())
                .find("vocabulary alone"),
            std::string::npos);
}

TEST_F(VocabularySourceTest, ARunCountsItAndPaysForItsRoundsAlone) {
  config::TrainConfig config =
      Text({.remarks = {"Chosen."}, .event = ChoiceBy("people")});
  config.select = {};
  const TrainPlan with = PlanTraining(config, kPublic);
  EXPECT_EQ(with.Events(), std::vector{with.rounds()})
      << "it is not paid twice";
  EXPECT_NEAR(with.epsilon, Epsilon({with.rounds(), ChoiceBy("people")}), 1e-3);
  EXPECT_GT(with.epsilon, Epsilon({with.rounds()}) + 0.1);
  config::TrainConfig fixed = config;
  fixed.cohort.sampling = config::Sampling::kFixed;
  EXPECT_EQ(Thrown([&] { PlanTraining(fixed, kPublic); }).where(),
            "cohort.sampling");
  // A budget is for both, and the noise is found for the rest of it.
  config.privacy.noise_multiplier = 0;
  config.privacy.epsilon = with.epsilon;
  EXPECT_NEAR(PlanTraining(config, kPublic).noise_multiplier,
              with.noise_multiplier, 1e-3);
  config.privacy.epsilon = 0.1;
  EXPECT_EQ(Thrown([&] { PlanTraining(config, kPublic); }).kind(),
            ErrorKind::kBudgetSpent);
}

// Before anybody says yes.
TEST_F(VocabularySourceTest, WordsOfOthersOrCountedOnesAreRefusedInThePlan) {
  config::TrainConfig config =
      Text({.remarks = {"Chosen."}, .event = ChoiceBy("tablets")});
  EXPECT_NE(std::string(Thrown([&] {
                          RequireVocabulary(config, false, "phones");
                        }).what())
                .find("from 'tablets' and not from 'phones'"),
            std::string::npos);
  RequireVocabulary(config, false, "tablets");
  config = Text({.remarks = {"Ours.", "Counted exactly in 'phones'."}});
  config.text.vocabulary_is = config::Provenance::kPublic;
  EXPECT_EQ(Thrown([&] { RequireVocabulary(config, false, "phones"); }).where(),
            config.text.vocabulary);
}

TEST_F(VocabularySourceTest, ThePopulationItselfMustHavePaidForIt) {
  dp::Ledger ledger = dp::Ledger::Create(
      folder_ / "ledger.sqlite",
      {.name = "phones", .budget = {.epsilon = 50, .delta = 1e-5}});
  const dp::Event event = ChoiceBy("phones");
  ledger.Spend("paid", "phones", {&event, 1});
  VocabularySource source{.event = event, .ledger_run = "paid"};
  CheckInLedger(ledger, source, "phones");
  const auto what = [&](const std::string& population) -> std::string {
    return Thrown([&] { CheckInLedger(ledger, source, population); }).what();
  };
  EXPECT_NE(what("tablets").find("paid by 'phones'"), std::string::npos);
  std::get<dp::ThresholdedHistogram>(source.event->mechanism).noise_multiplier =
      3;
  EXPECT_NE(what("phones").find("something else"), std::string::npos);
  source.ledger_run = "other";
  EXPECT_NE(what("phones").find("not in this ledger"), std::string::npos);
  source.ledger_run = "";
  EXPECT_NE(what("phones").find("simulation"), std::string::npos);
  source.event.reset();
  EXPECT_NE(what("phones").find("does not say how"), std::string::npos);
}

// Public text is nobody's secret, and generated people are nobody.
TEST_F(VocabularySourceTest, WordsCountedWherePeopleAreNotPrivateArePublic) {
  for (const char* origin : {"public", "generated"}) {
    config::TrainConfig config = Text({.counted = origin});
    config.text.vocabulary_is = config::Provenance::kPublic;
    RequireVocabulary(config, false, "phones");
  }
  for (const char* origin : {"private", "?", "Public", ""}) {
    config::TrainConfig config = Text(
        *origin == 0 ? VocabularySource{.remarks = {"Counted exactly in 'x'."}}
                     : VocabularySource{.counted = origin});
    config.text.vocabulary_is = config::Provenance::kPublic;
    EXPECT_EQ(
        Thrown([&] { RequireVocabulary(config, false, "phones"); }).where(),
        config.text.vocabulary)
        << origin;
  }
  // A remark of a person's that happens to have the words is not one of ours.
  const VocabularySource source{
      .remarks = {"Words counted exactly in Wikipedia."}};
  EXPECT_EQ(SourceOf({.remarks = RemarksOf(source)}, "words.txt"), source);
}

}  // namespace
}  // namespace sfumato::plan

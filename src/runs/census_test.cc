#include "runs/census.h"

#include <gtest/gtest.h>

#include <functional>

#include "runs/runs_testing.h"

namespace sfumato::runs {
namespace {

census::Calibration Voter() {
  return {.cells = {{.key = census::kAsItShouldBe, .words = "fine"},
                    {.key = "rotate", .words = "turned", .cause = "a camera"},
                    {.key = census::kNoneOfThese, .words = "none"},
                    {.key = census::kCannotTell, .words = "cannot tell"}},
          .states = {
              {.key = census::kAsItShouldBe,
               .tried = {{.users = 900, .votes = {899, 1, 0, 0}}}},
              {.key = "rotate",
               .tried = {
                   {.values = "30°", .users = 100, .votes = {2, 98, 0, 0}}}}}};
}

// Every member another than its default.
CensusRecord Whole() {
  CensusRecord record{
      .status = Status::kFinished,
      .stage = "votes",
      .version = "9.9.9",
      .name = "phones",
      .question = "Are they?",
      .simulation = true,
      .data = "people",
      .origin = "generated",
      .reference = {.words = "others",
                    .provenance = "released",
                    .epsilon = 2,
                    .delta = 1e-6,
                    .crc32c = "00112233"},
      .groups = {{.words = "all", .rule = "column x = 1"}},
      .level = 0.02,
      .ledger_name = "phones-1",
      .config_crc32c = "4e5f6071",
      .data_crc32c = "0a1b2c3d",
      .voter_crc32c = "76543210",
      .noise = {.kind = census::NoiseKind::kLaplace, .parameter = 2},
      .calibration = Voter(),
      .power = {{.key = "rotate", .words = "t", .share = 0.03}},
      .counts = {{540, 61, -3, 1}},
      .asked = {600},
      .remarks = {"much noise"},
      .simulation_only = {{"bug", "rotate"}}};
  record.privacy.epsilon = 0.5;
  record.privacy.adjacency = "replace-one";
  record.answer = census::AnswerOf(
      {.counts = record.counts, .noise = record.noise, .asked = record.asked},
      record.calibration, {.draws = 50});
  return record;
}

TEST(CensusRecordTest, ComesBackFromItsFolder) {
  const base::Path folder = FreshPath();
  std::filesystem::create_directories(folder);
  EXPECT_FALSE(IsCensus(folder));
  EXPECT_EQ(Thrown([&] { ReadCensus(folder); }).kind(), ErrorKind::kBadInput);
  WriteCensus(folder, Whole());
  EXPECT_TRUE(IsCensus(folder));
  const CensusRecord back = ReadCensus(folder);
  EXPECT_EQ(ToJson(back), ToJson(Whole()));
  EXPECT_EQ(back.privacy.epsilon, 0.5);
  EXPECT_EQ(back.answer->verdict, census::CensusVerdict::kDiffers);
  EXPECT_EQ(back.reference.provenance, "released");
}

TEST(CensusRecordTest, OneThatHasJustBegunComesBackToo) {
  const CensusRecord begun{.version = "9.9.9", .name = "phones"};
  EXPECT_EQ(ToJson(CensusFromJson(ToJson(begun), "x")), ToJson(begun));
}

TEST(CensusRecordTest, WhatOnlySimulationsHaveIsNotWrittenOutsideOne) {
  CensusRecord record = Whole();
  record.simulation = false;
  EXPECT_FALSE(ToJson(record).contains("simulation_only"));
}

TEST(CensusRecordTest, RefusesWhatNoCensusWrites) {
  using Change = std::function<void(nlohmann::json&)>;
  const std::pair<const char*, Change> changes[] = {
      {"no object", [](auto& json) { json = 3; }},
      {"no counts", [](auto& json) { json.erase("counts"); }},
      {"a status", [](auto& json) { json["status"] = "odd"; }},
      {"a case", [](auto& json) { json["case"] = "two_groups"; }},
      {"counts of other answers",
       [](auto& json) { json["counts"][0].push_back(1); }},
      {"more groups",
       [](auto& json) { json["counts"].push_back(json["counts"][0]); }},
      {"an answer of others",
       [](auto& json) { json["answer"]["answers"].erase(0); }},
      {"finished without an answer",
       [](auto& json) {
         json["status"] = "finished";
         json.erase("answer");
       }},
      {"a law", [](auto& json) { json["noise"]["kind"] = "uniform"; }},
      {"a voter", [](auto& json) { json["calibration"]["marks"] = -1; }}};
  for (const auto& [what, change] : changes) {
    nlohmann::json json = ToJson(Whole());
    change(json);
    const Error error = Thrown([&] { CensusFromJson(json, "census.json"); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << what;
    EXPECT_EQ(error.where(), "census.json") << what;
  }
  nlohmann::json newer = ToJson(Whole());
  newer["schema"] = "sfumato.census/2";
  EXPECT_EQ(Thrown([&] { CensusFromJson(newer, "x"); }).kind(),
            ErrorKind::kUnsupported);
}

TEST(CensusRecordTest, TheAnswerForScriptsHasSupportedOnesFirst) {
  const nlohmann::json json = AnswerJson(Whole());
  EXPECT_EQ(json["verdict"], "differs");
  EXPECT_EQ(json["epsilon"], 0.5);
  EXPECT_EQ(json["delta"], 0);
  ASSERT_EQ(json["answers"].size(), 4u);
  EXPECT_EQ(json["answers"][0]["key"], "rotate");
  EXPECT_EQ(json["answers"][0]["supported"], true);
  EXPECT_EQ(json["answers"][0]["count"], 61);
  EXPECT_EQ(json["answers"][1]["key"], census::kAsItShouldBe);
  for (const char* key : {"words", "share", "low", "high"}) {
    EXPECT_TRUE(json["answers"][0].contains(key)) << key;
  }
  EXPECT_FALSE(json.contains("simulation_only"));
}

// With a cell for "mirror", which would be seen from 4 % of users on.
census::CensusAnswer Naming(const std::vector<std::string>& keys) {
  census::CensusAnswer answer;
  answer.verdict = keys.empty() ? census::CensusVerdict::kHealthy
                                : census::CensusVerdict::kDiffers;
  if (std::ranges::find(keys, "mirror") == keys.end()) {
    answer.answers.push_back({.key = "mirror", .seen_from = 0.04});
  }
  for (const std::string& key : keys) {
    answer.answers.push_back({.key = key, .words = key, .supported = true});
  }
  return answer;
}

TEST(CensusVerifiedTest, WhatWasNamedIsNamedAgainOrGone) {
  Earlier earlier{.census_keys = {"mirror"},
                  .census_words = "mirrored",
                  .census_share = 0.1};
  EXPECT_EQ(CensusVerifiedAs(earlier, Naming({"mirror"})), "still_there");
  // Another voter may not tell the two apart.
  EXPECT_EQ(CensusVerifiedAs(earlier, Naming({"mirror_or_flip"})),
            "still_there");
  EXPECT_EQ(CensusVerifiedAs(earlier, Naming({})), "gone");
  EXPECT_EQ(CensusVerifiedAs(earlier, Naming({"blur"})), "gone");
  EXPECT_NE(CensusVerifiedText(earlier, Naming({"blur"})).find("blur"),
            std::string::npos);
  census::CensusAnswer unsure = Naming({});
  unsure.verdict = census::CensusVerdict::kCannotSay;
  EXPECT_EQ(CensusVerifiedAs(earlier, unsure), "cannot_say");
  EXPECT_EQ(CensusVerifiedAs({}, Naming({"blur"})), "nothing_before");
}

// With fewer users, or less epsilon, what was found would not be seen.
TEST(CensusVerifiedTest, WhatWouldNotBeSeenIsNotGone) {
  const Earlier few{.census_keys = {"mirror"}, .census_share = 0.03};
  EXPECT_EQ(CensusVerifiedAs(few, Naming({})), "cannot_say");
  const Earlier not_asked{.census_keys = {"rotate"}, .census_share = 0.5};
  EXPECT_EQ(CensusVerifiedAs(not_asked, Naming({})), "cannot_say");
}

TEST(CensusVerifiedTest, AStrengthIsOfItsFamily) {
  const Earlier earlier{.census_keys = {"rotate"}, .census_share = 0.1};
  EXPECT_EQ(CensusVerifiedAs(earlier, Naming({"rotate=30°"})), "still_there");
  EXPECT_EQ(runs::NamedKeys(Naming({"rotate=30°"})),
            std::vector<std::string>{"rotate"});
  // Another class is another finding.
  census::CensusAnswer classes = Naming({"class=7"});
  classes.about = census::About::kClasses;
  EXPECT_EQ(runs::NamedKeys(classes), std::vector<std::string>{"class=7"});
}

}  // namespace
}  // namespace sfumato::runs

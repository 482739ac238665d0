#include "runs/inspection.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "runs/contrast.h"
#include "runs/monitor.h"
#include "runs/sweep.h"

namespace sfumato::runs {
namespace {

namespace fs = std::filesystem;

// Every member another than its default.
InspectionRecord Whole() {
  InspectionRecord record{.status = Status::kInterrupted,
                          .stage = "training b1",
                          .version = "9.9.9",
                          .name = "phones",
                          .question = "Are they?",
                          .simulation = true,
                          .data = "people",
                          .origin = "generated",
                          .criterion = "T4",
                          .model_words = "a classifier",
                          .model_provenance = "fixed"};
  record.a = {.words = "well",
              .rule = "accuracy > 0.9",
              .users = {.value = 31, .source = "released", .deviation = 2},
              .runs = {"a1", "a2"}};
  record.b = {.words = "badly",
              .rule = "accuracy < 0.5",
              .users = {.value = -3.5, .source = "given"},
              .runs = {"b1"}};
  record.above = Sourced{.value = 0.9, .source = "released", .deviation = 0.1};
  record.below = Sourced{.value = 0.5};
  record.histogram = HistogramRecord{.edges = {0, 0.5, 1},
                                     .counts = {3.25, -1},
                                     .source = "released",
                                     .deviation = 20};
  record.correction_rate = Sourced{.value = 0.25, .source = "released"};
  record.correction_level = 0.125;
  record.ledger_name = "phones-1";
  record.config_crc32c = "4e5f6071";
  record.data_crc32c = "0a1b2c3d";
  record.judge_crc32c = "4e5f6071";
  record.surveyed = true;
  record.remarks = {"much noise"};
  record.privacy = {
      .epsilon = 1.5,
      .delta = 1e-6,
      .unit = "example",
      .adjacency = "replace",
      .proof = "a proof",
      .against = "everybody",
      .guessed_right = 0.75,
      .seeded = true,
      .published = true,
      .pays_once = true,
      .repeated = true,
      .parts = {{.what = "model a1", .epsilon = 1, .events = "e"}},
      .taken_as_fixed = {"the classifier"},
      .judge = {.what = "a run", .epsilon = 3, .events = "e"},
      .population = "phones",
      .granted_epsilon = 2,
      .used_before = 0.125,
      .used_after = 0.5,
      .set_aside = 0.25,
      .left = 0.0625,
      .ledger_head = "12ab",
      .entries = {{.run = "phones-1/a1",
                   .population = "phones/a1",
                   .released = "two",
                   .reserved = "one",
                   .finished = true}},
      .series_inspections = 12,
      .series_epsilon = 3.5,
      .noise_multiplier = 1.25,
      .cohort = 50,
      .rounds = 400,
      .character_rounds = 700};
  record.earlier = Earlier{.folder = "before",
                           .verdict = "differs",
                           .hypothesis = "inverted",
                           .explained = 0.91,
                           .rule_b = "accuracy < 0.4",
                           .users_b = 70};
  record.simulation_only = {{"bug", "invert"}};
  return record;
}

Contrast WholeContrast() {
  return {.verdict = Verdict::kDiffers,
          .compared = false,
          .sentence = "They do.",
          .reason = "0.9 over 0.6",
          .separation = {.value = 0.9, .low = 0.8, .high = 0.95},
          .separation_floor = 0.6,
          .floor_source = "twins",
          .difference = 3,
          .difference_floor = 1,
          .margins = {.measure = 1,
                      .own = 2,
                      .highest = 3,
                      .lone = 5,
                      .least_explained = 0.5,
                      .least_of_best = 0.25,
                      .lone_explained = 0.03,
                      .lone_draws = 9},
          .hypotheses = {{.key = "invert",
                          .words = "inverted",
                          .cause = "a sign",
                          .explained = {.value = 0.7, .low = 0.6, .high = 0.8},
                          .affected = 0.5,
                          .affects = "sentences",
                          .floor = 0.1,
                          .supported = true,
                          .visible_from = 0.25,
                          .picture = "pictures/x.png",
                          .mass_a = 0.5,
                          .mass_b = 0.75,
                          .examples = {"i have"}}},
          .measures = {{.key = "ink",
                        .words = "ink",
                        .distance = true,
                        .a = 1,
                        .b = 2,
                        .floor = 0.5,
                        .verdict = Verdict::kSame}},
          .health = {{.model = "a1",
                      .diversity = 0.5,
                      .sharpness = 0.25,
                      .classifier_score = 3,
                      .collapsed = true,
                      .usable = false,
                      .words = "draws one image"}},
          .steps = {{.round = 20,
                     .a = "a.png",
                     .b = "b.png",
                     .transformed = "t.png"}},
          .map = {{.x = 1, .y = -1, .model = "b2"}},
          .warnings = {"a warning"},
          .simulation_only = {{"frechet_distance", {{"a1", 2.5}}}}};
}

template <typename Read>
ErrorKind KindOf(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "it was read";
  return ErrorKind::kBadInput;
}

// Whether no leaf of `json` is that of `plain`: then a round trip that loses a
// member cannot pass for one that keeps it.
void ExpectEveryLeafDiffers(const nlohmann::json& json,
                            const nlohmann::json& plain,
                            const std::string& path) {
  for (const auto& [key, value] : json.items()) {
    if (key == "schema" || !plain.contains(key)) continue;
    if (value.is_object() && plain.at(key).is_object()) {
      ExpectEveryLeafDiffers(value, plain.at(key), path + "/" + key);
    } else {
      EXPECT_NE(value, plain.at(key)) << path << "/" << key;
    }
  }
}

TEST(InspectionRecordTest, IsReadAsItWasWritten) {
  const nlohmann::json json = ToJson(Whole());
  InspectionRecord plain;
  plain.b.users.source = "";  // Whole's is the default
  plain.b.users.deviation = 1;
  ExpectEveryLeafDiffers(json, ToJson(plain), "");
  // One key for each member of the structs of inspection.h, and the schema.
  EXPECT_EQ(json.size(), 28u);
  EXPECT_EQ(json.at("a").size(), 4u);
  EXPECT_EQ(json.at("above").size(), 3u);
  EXPECT_EQ(json.at("histogram").size(), 4u);
  EXPECT_EQ(json.at("privacy").size(), 28u);
  EXPECT_EQ(json.at("privacy").at("entries").at(0).size(), 5u);
  EXPECT_EQ(json.at("privacy").at("parts").at(0).size(), 3u);
  EXPECT_EQ(json.at("earlier").size(), 10u);
  const auto again = nlohmann::json::parse(json.dump());
  EXPECT_EQ(ToJson(InspectionFromJson(again, "x")), json);
  // Of a first moment, without thresholds.
  EXPECT_EQ(ToJson(InspectionFromJson(ToJson(InspectionRecord{}), "x")),
            ToJson(InspectionRecord{}));
}

TEST(InspectionRecordTest,
     WhatSimulationsAloneHaveIsWrittenInSimulationsAlone) {
  InspectionRecord record = Whole();
  EXPECT_EQ(ToJson(record).at("simulation_only").at("bug"), "invert");
  record.simulation = false;
  EXPECT_FALSE(ToJson(record).contains("simulation_only"));
}

TEST(InspectionRecordTest, AMissingKeyOrAnotherTypeIsCorrupt) {
  const nlohmann::json whole = ToJson(Whole());
  for (const auto& [key, value] : whole.items()) {
    const bool optional = key == "above" || key == "below" ||
                          key == "histogram" || key == "correction_rate" ||
                          key == "correction_level" || key == "earlier" ||
                          key == "remarks" || key == "simulation_only" ||
                          key == "config_crc32c";
    nlohmann::json json = whole;
    json.erase(key);
    if (optional) {
      EXPECT_NO_THROW(InspectionFromJson(json, "x")) << key;
    } else {
      EXPECT_EQ(KindOf([&] { InspectionFromJson(json, "x"); }),
                ErrorKind::kCorrupt)
          << key;
    }
    if (key == "schema" || key == "simulation_only") continue;
    json = whole;
    json[key] = nlohmann::json::array({1});
    EXPECT_EQ(KindOf([&] { InspectionFromJson(json, "x"); }),
              ErrorKind::kCorrupt)
        << key;
  }
  nlohmann::json json = whole;
  json["status"] = "asleep";
  EXPECT_EQ(KindOf([&] { InspectionFromJson(json, "x"); }),
            ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf([&] { InspectionFromJson("text", "x"); }),
            ErrorKind::kCorrupt);
}

TEST(InspectionRecordTest, ANewerFormatIsUnsupported) {
  nlohmann::json json = ToJson(Whole());
  json["schema"] = "sfumato.inspection/2";
  EXPECT_EQ(KindOf([&] { InspectionFromJson(json, "x"); }),
            ErrorKind::kUnsupported);
}

TEST(InspectionRecordTest, AFolderHoldsOneOrNone) {
  const fs::path folder =
      fs::path(testing::TempDir()) / "InspectionRecordTest_Folder";
  fs::remove_all(folder);
  fs::create_directories(folder);
  EXPECT_FALSE(IsInspection(folder));
  EXPECT_EQ(KindOf([&] { ReadInspection(folder); }), ErrorKind::kBadInput);
  WriteInspection(folder, Whole());
  EXPECT_TRUE(IsInspection(folder));
  EXPECT_EQ(ToJson(ReadInspection(folder)), ToJson(Whole()));
  fs::resize_file(folder / "inspection.json", 30);
  EXPECT_EQ(KindOf([&] { ReadInspection(folder); }), ErrorKind::kCorrupt);
}

TEST(ContrastTest, IsReadAsItWasWritten) {
  const nlohmann::json json = ToJson(WholeContrast());
  ExpectEveryLeafDiffers(json, ToJson(Contrast{}), "");
  // One key for each member of the structs of contrast.h, and the schema.
  EXPECT_EQ(json.size(), 18u);
  EXPECT_EQ(json.at("margins").size(), 8u);
  EXPECT_EQ(json.at("told_apart").size(), 3u);
  EXPECT_EQ(json.at("hypotheses").at(0).size(), 13u);
  EXPECT_EQ(json.at("measures").at(0).size(), 7u);
  EXPECT_EQ(json.at("health").at(0).size(), 7u);
  EXPECT_EQ(json.at("steps").at(0).size(), 4u);
  EXPECT_EQ(json.at("map").at(0).size(), 3u);
  const Contrast back =
      ContrastFromJson(nlohmann::json::parse(json.dump()), "x");
  EXPECT_EQ(ToJson(back), json);
  EXPECT_EQ(back.measures.at(0).verdict, Verdict::kSame);
  EXPECT_EQ(back.simulation_only.at("frechet_distance").at("a1"), 2.5);
}

TEST(ContrastTest, RefusesWhatIsNone) {
  nlohmann::json json = ToJson(WholeContrast());
  json["schema"] = "sfumato.contrast/2";
  EXPECT_EQ(KindOf([&] { ContrastFromJson(json, "x"); }),
            ErrorKind::kUnsupported);
  json.erase("schema");
  EXPECT_EQ(KindOf([&] { ContrastFromJson(json, "x"); }), ErrorKind::kCorrupt);
  for (const char* key : {"verdict", "hypotheses", "told_apart", "steps"}) {
    json = ToJson(WholeContrast());
    json[key] = 3;
    EXPECT_EQ(KindOf([&] { ContrastFromJson(json, "x"); }), ErrorKind::kCorrupt)
        << key;
  }
  json = ToJson(WholeContrast());
  json["verdict"] = "perhaps";
  EXPECT_EQ(KindOf([&] { ContrastFromJson(json, "x"); }), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf([&] { ContrastFromJson(3, "x"); }), ErrorKind::kCorrupt);
}

TEST(SeparationTest, KeepsItsKeysInTheFilesOfASeries) {
  const Monitor monitor{
      .rows = {{.folder = "01", .separation = {0.75, 0.5, 0.875}}}};
  const nlohmann::json watch = ToJson(monitor);
  EXPECT_EQ(watch.at("rows").at(0).at("told_apart"), 0.75);
  EXPECT_EQ(watch.at("rows").at(0).at("told_apart_low"), 0.5);
  EXPECT_EQ(watch.at("rows").at(0).at("told_apart_high"), 0.875);
  EXPECT_EQ(watch.at("rows").at(0).size(), 16u);
  EXPECT_EQ(ToJson(MonitorFromJson(watch, "x")), watch);

  const Sweep sweep{.trials = {{.verdict = "same", .separation = 0.75}}};
  const nlohmann::json swept = ToJson(sweep);
  EXPECT_EQ(swept.at("trials").at(0).at("told_apart"), 0.75);
  EXPECT_EQ(swept.at("trials").at(0).size(), 19u);
  EXPECT_EQ(ToJson(SweepFromJson(swept, "x")), swept);
}

TEST(FindingWordsTest, QuotesThreeExamplesAndALittleIsNotAboutLessThanOne) {
  Hypothesis joined{.words = "two words joined into one",
                    .affected = 0.078,
                    .affects = "sentences",
                    .examples = {"i have", "i am", "how can", "is it"}};
  EXPECT_EQ(FindingText(joined),
            "In B, two words joined into one (“i have”, “i am”, “how can”): "
            "about 8 % of sentences.");
  joined.affected = 0.004;
  joined.examples.clear();
  EXPECT_EQ(FindingText(joined),
            "In B, two words joined into one: less than 1 % of sentences.");
}

}  // namespace
}  // namespace sfumato::runs

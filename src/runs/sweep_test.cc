#include "runs/sweep.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace sfumato::runs {
namespace {

SweepTrial Trial(const std::string& bug, double share, std::int64_t seed,
                 const std::string& verdict, bool right = false) {
  return {.bug = bug,
          .share = share,
          .seed = seed,
          .verdict = verdict,
          .right = right};
}

Sweep Small() {
  return {.name = "small",
          .trials = {Trial("invert", 0.5, 1, "differs", true),
                     Trial("", 0, 1, "same"), Trial("", 0, 2, "differs"),
                     Trial("invert", 0.1, 1, "differs", false),
                     Trial("invert", 0.1, 2, "refused"),
                     Trial("blur", 0.5, 1, "cannot_say", true)}};
}

// By hand: 1 of 10 is (0.1 + 0.19208 ± 1.96 sqrt(0.009 + 0.009604)) / 1.38416;
// 0 of 5 ends at 3.8416 / 8.8416.
TEST(SweepTest, WilsonIntervalsAreThoseByHand) {
  EXPECT_NEAR(WilsonInterval(1, 10).low, 0.01788, 1e-5);
  EXPECT_NEAR(WilsonInterval(1, 10).high, 0.40415, 1e-5);
  EXPECT_EQ(WilsonInterval(0, 5).low, 0);
  EXPECT_NEAR(WilsonInterval(0, 5).high, 0.43449, 1e-5);
  EXPECT_NEAR(WilsonInterval(5, 5).low, 0.56551, 1e-5);
  EXPECT_EQ(WilsonInterval(5, 5).high, 1);
  EXPECT_EQ(WilsonInterval(0, 0).low, 0);
  EXPECT_EQ(WilsonInterval(0, 0).high, 1);
}

TEST(SweepTest, RatesAreByBugAndShareAndNoBugComesFirst) {
  const std::vector<SweepRate> rates = RatesOf(Small().trials);
  ASSERT_EQ(rates.size(), 4u);
  EXPECT_EQ(rates[0].bug, "");
  EXPECT_EQ(rates[0].of, 2);
  EXPECT_EQ(rates[0].noticed, 1);
  EXPECT_EQ(rates[1].bug, "invert");
  EXPECT_EQ(rates[1].share, 0.1);
  EXPECT_EQ(rates[1].noticed, 1);
  EXPECT_EQ(rates[1].found, 0) << "another hypothesis came first";
  EXPECT_EQ(rates[1].refused, 1);
  EXPECT_EQ(rates[2].share, 0.5);
  EXPECT_EQ(rates[2].found, 1);
  EXPECT_EQ(rates[3].bug, "blur");
  EXPECT_EQ(rates[3].found, 0) << "right, and not noticed";
}

TEST(SweepTest, TheFirstHypothesisMustBeSupportedAndTheBug) {
  Contrast contrast{.verdict = Verdict::kDiffers};
  contrast.hypotheses = {{.key = "dead_rows", .supported = true},
                         {.key = "invert", .supported = true}};
  SweepTrial trial{.bug = "dead-rows", .share = 0.5};
  Enter(contrast, trial);
  EXPECT_TRUE(trial.found());
  SweepTrial second{.bug = "invert", .share = 0.5};
  Enter(contrast, second);
  EXPECT_TRUE(second.noticed());
  EXPECT_FALSE(second.found());
  contrast.hypotheses[0].supported = false;
  SweepTrial unsupported{.bug = "dead_rows", .share = 0.5};
  Enter(contrast, unsupported);
  EXPECT_FALSE(unsupported.found());
  EXPECT_EQ(unsupported.key, "");
}

TEST(SweepTest, JsonGivesItBack) {
  const Sweep small = Small();
  const nlohmann::json json = ToJson(small);
  const Sweep read = SweepFromJson(json, "here");
  EXPECT_TRUE(ToJson(read) == json);
  EXPECT_EQ(read.trials.size(), 6u);
  EXPECT_EQ(json.at("false_alarms").at("noticed"), 1);
  EXPECT_EQ(json.at("rates").at(1).at("found"), 1);
}

TEST(SweepTest, DamageIsCorrupt) {
  const auto kind = [](const nlohmann::json& json) {
    try {
      SweepFromJson(json, "here");
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::kBug;
  };
  nlohmann::json json = ToJson(Small());
  json["trials"][0]["share"] = 1.5;
  EXPECT_EQ(kind(json), ErrorKind::kCorrupt);
  json["trials"][0]["share"] = "many";
  EXPECT_EQ(kind(json), ErrorKind::kCorrupt);
  json = ToJson(Small());
  json["trials"][0]["verdict"] = "perhaps";
  EXPECT_EQ(kind(json), ErrorKind::kCorrupt);
  EXPECT_EQ(kind(nlohmann::json::array()), ErrorKind::kCorrupt);
  json["schema"] = "sfumato.sweep/9";
  EXPECT_EQ(kind(json), ErrorKind::kUnsupported);
}

TEST(SweepTest, PowerSaysWhatIsFoundAndHowOftenItCriesWolf) {
  const std::vector<PowerRow> power = PowerOf(Small());
  ASSERT_EQ(power.size(), 4u);
  EXPECT_EQ(power[0].found, 1) << "false alarms";
  EXPECT_EQ(PowerText(power),
            "blur on 50 % of the users is found 0 times of 1; invert on 50 % "
            "of the users is found 1 times of 1; on 10 %, 0 of 2; a false "
            "alarm 1 of 2");
  EXPECT_EQ(PowerText({}), "");
}

TEST(SweepTest, CountsHowOftenTheCensusNamedTheBug) {
  CensusRecord record;
  record.answer.emplace();
  record.answer->verdict = census::CensusVerdict::kDiffers;
  record.answer->answers = {{.key = "mirror_or_flip",
                             .words = "mirrored or flipped",
                             .supported = true}};
  Sweep sweep{.trials = {{.verdict = "same"},
                         {.bug = "mirror", .share = 0.5, .verdict = "same"},
                         {.bug = "blur", .share = 0.5, .verdict = "same"}}};
  for (SweepTrial& trial : sweep.trials) Enter(record, trial);
  EXPECT_TRUE(sweep.trials[1].named());
  EXPECT_FALSE(sweep.trials[2].named());
  const std::vector<SweepRate> rates = RatesOf(sweep.trials);
  ASSERT_EQ(rates.size(), 3u);
  EXPECT_EQ(rates[0].census_noticed, 1) << "a false alarm";
  EXPECT_EQ(rates[1].named, 1);
  EXPECT_EQ(rates[2].named, 0);
  EXPECT_NE(PowerText(PowerOf(sweep))
                .find("by the census alone, blur on 50 % of the users is named "
                      "0 times of 1; mirror on 50 % of the users is named 1 "
                      "times of 1; a false alarm 1 of 1"),
            std::string::npos)
      << PowerText(PowerOf(sweep));
  EXPECT_EQ(ToJson(SweepFromJson(ToJson(sweep), "x")), ToJson(sweep));
}

}  // namespace
}  // namespace sfumato::runs

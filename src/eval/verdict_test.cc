#include "eval/verdict.h"

#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

using runs::Verdict;

struct Case {
  Evidence evidence = {.difference = {0.02, 0.01, 0.03},
                       .unusable = {},
                       .usually_visible_from = 0.3};
  runs::Contrast contrast = {.separation = {0.55, 0.5, 0.6},
                             .separation_floor = 0.55,
                             .floor_source = "twins",
                             .difference_floor = 0.02};
  runs::Contrast Decided() {
    Decide(evidence, contrast);
    return contrast;
  }
};

runs::Hypothesis Inverted(double affected) {
  return {.key = "invert",
          .words = "inverted",
          .explained = {0.9, 0.8, 0.95},
          .affected = affected,
          .floor = 0.01,
          .supported = true};
}

TEST(DecideTest, WithinTheFloorIsTheSame) {
  EXPECT_EQ(Case().Decided().verdict, Verdict::kSame);
}

TEST(DecideTest, NumbersThatDifferAloneAreNamedAndNoVerdict) {
  Case it;
  it.contrast.measures = {
      {.words = "letters in a word", .verdict = Verdict::kSame},
      {.words = "words with a space", .verdict = Verdict::kDiffers}};
  EXPECT_EQ(it.Decided().verdict, Verdict::kSame);
  NameOutliers(it.contrast);
  EXPECT_NE(it.contrast.reason.find("Yet 1 of 2 numbers differ more than twins "
                                    "do (words with a space)"),
            std::string::npos)
      << it.contrast.reason;
  Case none;
  none.Decided();
  NameOutliers(none.contrast);
  EXPECT_EQ(none.contrast.reason.find("Yet"), std::string::npos);
}

TEST(DecideTest, NothingIsTheSameWhereNothingWouldBeSeen) {
  Case it;
  it.evidence.usually_visible_from = 0.9;
  EXPECT_EQ(it.Decided().verdict, Verdict::kCannotSay);
}

TEST(DecideTest, ASupportedHypothesisIsTheSentence) {
  Case it;
  it.contrast.hypotheses = {Inverted(1)};
  EXPECT_EQ(it.Decided().verdict, Verdict::kDiffers);
  EXPECT_EQ(it.contrast.sentence, "B's images look like A's, inverted.");
  it.contrast.hypotheses = {Inverted(0.6)};
  EXPECT_EQ(it.Decided().sentence,
            "About 60 % of B's images look like A's, inverted.");
  EXPECT_NE(it.contrast.reason.find("90 % of the difference (80–95 %), where "
                                    "at most 1 % is explained so"),
            std::string::npos)
      << it.contrast.reason;
}

TEST(DecideTest, ALittleIsLessThanOnePercentAndNotNone) {
  Case it;
  it.evidence.usually_visible_from = 0.003;
  it.evidence.medium = kText;
  EXPECT_NE(it.Decided().reason.find(
                "would have been seen on less than 1 % of sentences or words"),
            std::string::npos)
      << it.contrast.reason;
  it.contrast.hypotheses = {Inverted(0.004)};
  it.contrast.hypotheses[0].floor = 0.002;
  EXPECT_EQ(it.Decided().sentence,
            "Less than 1 % of B's images look like A's, inverted.");
  EXPECT_NE(it.contrast.reason.find("where less than 1 % is explained so"),
            std::string::npos)
      << it.contrast.reason;
}

TEST(DecideTest, ModelsThatCannotBeComparedSayNothing) {
  Case it;
  it.contrast.hypotheses = {Inverted(1)};
  it.evidence.unusable = {"b1 draws one image over and over"};
  EXPECT_EQ(it.Decided().verdict, Verdict::kCannotSay);
  EXPECT_NE(it.contrast.reason.find("b1 draws one image"), std::string::npos);
}

TEST(DecideTest, ALargeDifferenceMayBeUnexplained) {
  Case it;
  it.evidence.difference = {0.2, 0.15, 0.25};
  it.contrast.separation = {0.9, 0.85, 0.95};
  it.contrast.hypotheses.resize(17);
  EXPECT_EQ(it.Decided().verdict, Verdict::kDiffers);
  EXPECT_EQ(it.contrast.sentence,
            "The sides differ, and none of 17 explanations fits.");
}

TEST(DecideTest, BetweenFloorAndMarginNobodyCanSay) {
  Case it;
  it.evidence.difference = {0.05, 0.035, 0.06};
  EXPECT_EQ(it.Decided().verdict, Verdict::kCannotSay);
}

TEST(DecideTest, WithoutAFloorADifferenceIsNoFinding) {
  Case it;
  it.contrast.floor_source = "none";
  it.contrast.difference_floor = 0;
  it.evidence.difference = {0.2, 0.15, 0.25};
  it.contrast.separation = {0.9, 0.85, 0.95};
  EXPECT_EQ(it.Decided().verdict, Verdict::kCannotSay);
}

TEST(DecideTest, WithoutAFloorNothingIsTheSameEither) {
  Case it;
  it.contrast.floor_source = "none";
  it.evidence.difference = {0.001, -0.01, 0.01};
  EXPECT_EQ(it.Decided().verdict, Verdict::kCannotSay);
}

TEST(LeastGainTest, IsAboveEveryFloorUnlessNoTrainingDoesIt) {
  EXPECT_DOUBLE_EQ(LeastGain(0.1, 0.1, false), 0.25);
  EXPECT_DOUBLE_EQ(LeastGain(0.01, 1, false), 1.5);
  EXPECT_DOUBLE_EQ(LeastGain(0.02, 1, true), 0.08);
  EXPECT_DOUBLE_EQ(LeastGain(0, 1, true), 0.04);
  EXPECT_DOUBLE_EQ(LeastGain(0.5, 0.5, true), 1.25);
}

Explanation Explaining(const char* key, double share, bool never = false) {
  return {.hypothesis = {.key = key, .explained = {share, share, share}},
          .never_by_chance = never,
          .gain_low = 1,
          .least_gain = 0.5,
          .confirmed = true};
}

std::string Ranked(std::vector<Explanation> all, const Medium& medium) {
  RankExplanations(all, medium);
  std::string keys;
  for (const Explanation& each : all) {
    keys += each.hypothesis.key + (each.hypothesis.supported ? "+ " : "- ");
  }
  return keys;
}

TEST(RankExplanationsTest, WhatExplainsMuchLessThanTheBestIsItsShadow) {
  EXPECT_EQ(Ranked({Explaining("shadow", 0.5), Explaining("best", 0.9),
                    Explaining("near", 0.6)},
                   kImages),
            "best+ near+ shadow- ");
  // In text, what no training does by itself stands on its own.
  EXPECT_EQ(
      Ranked({Explaining("own", 0.5, true), Explaining("best", 0.9)}, kImages),
      "best+ own- ");
  EXPECT_EQ(
      Ranked({Explaining("own", 0.5, true), Explaining("best", 0.9)}, kText),
      "best+ own+ ");
}

TEST(RankExplanationsTest, SharesThatRoundAlikeKeepTheCataloguesOrder) {
  EXPECT_EQ(Ranked({Explaining("simple", 0.896), Explaining("other", 0.909)},
                   kImages),
            "simple+ other+ ");
  EXPECT_EQ(
      Ranked({Explaining("simple", 0.896), Explaining("other", 0.909)}, kText),
      "other+ simple+ ");
}

TEST(RankExplanationsTest, EachConditionIsNeeded) {
  for (int broken = 0; broken < 3; ++broken) {
    Explanation each = Explaining("one", 0.9);
    if (broken == 0) each.gain_low = each.least_gain;
    if (broken == 1) each.least_explained = 0.91;
    if (broken == 2) each.confirmed = false;
    EXPECT_EQ(Ranked({each}, kImages), "one- ") << broken;
  }
}

TEST(AddHypothesesTest, HalfOfThemAreVisibleFromTheMedian) {
  const auto median = [](const Medium& medium) {
    std::vector<Explanation> all;
    for (const double from : {0.4, 0.1, 0.2, 0.3}) {
      all.push_back({.hypothesis = {.visible_from = from}});
    }
    Evidence evidence{.medium = medium};
    runs::Contrast contrast;
    AddHypotheses(all, evidence, contrast);
    EXPECT_EQ(contrast.hypotheses.size(), 4u);
    return evidence.usually_visible_from;
  };
  EXPECT_DOUBLE_EQ(median(kImages), 0.3);
  EXPECT_DOUBLE_EQ(median(kText), 0.2);
}

TEST(UnusableModelsTest, WhatImagesShareIsSaidOnce) {
  const std::vector<runs::Health> health = {
      {.model = "a1", .usable = false, .words = "draws noise"},
      {.model = "a2", .usable = true, .words = "draws varied images"},
      {.model = "b1", .usable = false, .words = "draws noise"}};
  EXPECT_EQ(UnusableModels(health, kImages),
            std::vector<std::string>{"each of a1, b1 draws noise"});
  EXPECT_EQ(UnusableModels(health, kText).size(), 2u);
}

}  // namespace
}  // namespace sfumato::eval

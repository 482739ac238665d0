#include <gtest/gtest.h>

#include "dp/accounting/pld.h"
#include "report/number_text.h"
#include "report/page.h"
#include "report/pair_chart.h"
#include "report/report_testing.h"
#include "runs/text_samples.h"

namespace sfumato::report {
namespace {

base::Path FreshFolder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const base::Path folder = base::Path(testing::TempDir()) /
                            (std::string("TextPageTest.") + test->name());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder / "keyboards";
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(TextPageTest, ShowsWhereUnknownWordsAreAndWhatTheyLookLike) {
  const Report report =
      MakeReport(MakeInspection(FreshFolder(), {.text = true}));
  for (const char* part :
       {"In B, two words joined into one at the beginning of sentences",
        "Unknown words by position in the sentence", "11.8 %",
        "<bdi>i have</bdi>", "10.01", "class=\"unknown\"",
        "at best 10 % of B's sentences look like that", "draws varied text",
        "a sentence or word", "such as joining words"}) {
    EXPECT_TRUE(Has(report.html, part)) << part;
  }
  const std::string visible =
      report.html.substr(0, report.html.find("<script"));
  EXPECT_FALSE(Has(visible, "Map of drawn")) << "there is none of text";
  EXPECT_FALSE(Has(visible, "B's images"));
  EXPECT_FALSE(Has(visible, "mean distance of two drawn images"));
  EXPECT_LT(report.html.size(), kMostPageBytes);
}

TEST(TextPageTest, ARunShowsWhatItsModelWroteFirstAndLast) {
  const base::Path folder = FreshFolder();
  config::TrainConfig config = FakeConfig("alone");
  config.algorithm = config::Algorithm::kDpFedAvg;
  config.model.name = "word_lm";
  runs::Run::Create(folder, config, {.simulation = true})
      .SetStatus(runs::Status::kFinished);
  EXPECT_FALSE(Has(MakeReport(folder).html, "What the model writes"));
  for (const int round : {1, 20, 300}) {
    runs::WriteTextSamples(
        folder / "samples",
        {.round = round,
         .sentences = {{"round", "<" + std::to_string(round) + ">", ""}}},
        "alone");
  }
  const std::string html = MakeReport(folder).html;
  for (const char* part :
       {"What the model writes", "after 1 round<", "after 300 rounds<",
        "&lt;1&gt;", "&lt;300&gt;", "UNK", "sfumato sample"}) {
    EXPECT_TRUE(Has(html, part)) << part;
  }
  EXPECT_FALSE(Has(html, "&lt;20&gt;"));
  EXPECT_FALSE(Has(MakeReport(folder, {.samples = false}).html, "&lt;300&gt;"));
  // A model of characters: the likeliest unknown words.
  runs::WriteTextSamples(
      folder / "samples",
      {.round = 400, .top = {{.word = "i have", .log_probability = -4.6}}},
      "alone");
  const std::string words = MakeReport(folder).html;
  EXPECT_TRUE(Has(words, "<bdi>i have</bdi>"));
  EXPECT_TRUE(Has(words, "10.05")) << "1000 exp(-4.6)";
}

// Two users' bars of hundreds, and noise in a far bar of nobody.
TEST(MeanOfTest, ABarOfNoiseAloneDoesNotMoveIt) {
  const runs::Sourced mean = runs::MeanOf(
      {.edges = {0, 0.1, 0.2, 1}, .counts = {300, 100, -6}, .deviation = 4});
  EXPECT_NEAR(mean.value, (300 * 0.05 + 100 * 0.15) / 400, 1e-12);
  // 4 · hypot(0.05 - 0.075, 0.15 - 0.075) / 400.
  EXPECT_NEAR(mean.deviation, 4 * std::hypot(0.025, 0.075) / 400, 1e-12);
  EXPECT_EQ(
      runs::MeanOf({.edges = {0, 1}, .counts = {3}, .deviation = 4}).deviation,
      1)
      << "nothing is known";
}

TEST(TextPageTest, WhatTheWinnerExplainsIsMarkedByMoreThanColour) {
  const Report report =
      MakeReport(MakeInspection(FreshFolder(), {.text = true}));
  EXPECT_TRUE(Has(report.html,
                  "<span class=\"word marked\"><span aria-label=\"marked\">"
                  "▸</span> <bdi>i have</bdi>"));
  EXPECT_TRUE(Has(report.html, "<span class=\"word\"><bdi>regex</bdi></span>"));
  EXPECT_TRUE(Has(report.markdown, "| ▸ `i have` | 10.01 |"))
      << report.markdown;
  EXPECT_TRUE(Has(report.summary, "unknown words of B: i have · i am · regex"))
      << report.summary;
}

TEST(TextPageTest, HostileWordsStayWords) {
  const base::Path folder = MakeInspection(FreshFolder(), {.text = true});
  runs::Contrast contrast = FakeTextContrast();
  const std::string hostile =
      "<img src=x onerror=alert(1)>\u202E\x1B[31m`|\n" + std::string(300, 'y');
  contrast.text->top_b[0].word = hostile;
  contrast.text->phrases_a[0][0] = hostile;
  contrast.text->changed_words[0].word = hostile;
  contrast.text->models[0].model = hostile;
  contrast.hypotheses[0].examples[0] = hostile;
  contrast.hypotheses[0].affects = hostile;
  WriteContrast(folder, contrast);
  const Report report = MakeReport(folder);
  const std::string visible =
      report.html.substr(0, report.html.find("<script"));
  EXPECT_FALSE(Has(visible, "<img src=x"));
  EXPECT_TRUE(Has(visible, "&lt;img src=x onerror=alert(1)&gt;\\u{202E}"));
  EXPECT_FALSE(Has(visible, std::string(60, 'y'))) << "long words are cut";
  for (const std::string& text : {report.markdown, report.summary}) {
    EXPECT_FALSE(Has(text, "\x1B"));
    EXPECT_FALSE(Has(text, "\u202E"));
    EXPECT_FALSE(Has(text, std::string(60, 'y')));
  }
}

TEST(TextPageTest, NumbersThatAreNoneBreakNothing) {
  const base::Path folder = MakeInspection(FreshFolder(), {.text = true});
  runs::Contrast contrast = FakeTextContrast();
  contrast.text->unknown_by_position.clear();
  contrast.text->top_a.clear();
  contrast.text->phrases_b.clear();
  contrast.text->models.clear();
  WriteContrast(folder, contrast);
  EXPECT_TRUE(Has(MakeReport(folder).html, "<bdi>i have</bdi>"));
  auto json = ToJson(contrast);
  json["text"]["unknown_a"] = nullptr;
  base::WriteFileAtomically(folder / "contrast.json", json.dump());
  EXPECT_THROW(MakeReport(folder), Error);
}

// Neither in a table nor quoted in the answer.
TEST(TextPageTest, WithoutSamplesNoDrawnWordIsOnIt) {
  const Report report = MakeReport(
      MakeInspection(FreshFolder(), {.text = true}), {.samples = false});
  for (const std::string& text :
       {report.html, report.markdown, report.summary, report.data.dump()}) {
    for (const char* drawn :
         {"i have", "i am", "jsfiddle", "mongodb", "huge", "metrics"}) {
      EXPECT_FALSE(Has(text, drawn)) << drawn;
    }
  }
  EXPECT_TRUE(Has(report.html, "Unknown words by position"));
  EXPECT_TRUE(Has(report.html, "made without drawn words"));
  for (const std::string& text : {report.html, report.markdown}) {
    EXPECT_TRUE(Has(text,
                    "In B, two words joined into one at the beginning of "
                    "sentences: about 10 % of sentences."));
  }
}

TEST(TextPageTest, ModelsThatCannotBeComparedLeaveNoEmptySection) {
  const base::Path folder = MakeInspection(FreshFolder(), {.text = true});
  runs::Contrast contrast = FakeTextContrast();
  contrast.verdict = runs::Verdict::kCannotSay;
  contrast.reason = "b1 draws a few sentences over and over.";
  contrast.hypotheses.clear();
  WriteContrast(folder, contrast);
  const Report report = MakeReport(folder);
  EXPECT_FALSE(Has(report.markdown, "## Hypotheses")) << report.markdown;
  EXPECT_FALSE(Has(report.html, "id=\"hypotheses\""));
  EXPECT_TRUE(Has(report.markdown, "over and over"));
}

TEST(TextPageTest, SaysTheRuleForWhatNoTrainingDoesByItself) {
  const base::Path folder = MakeInspection(FreshFolder(), {.text = true});
  runs::Contrast contrast = FakeTextContrast();
  contrast.margins.lone = 5;
  contrast.margins.lone_explained = 0.02;
  contrast.margins.lone_draws = 7;
  WriteContrast(folder, contrast);
  EXPECT_TRUE(Has(MakeReport(folder).html,
                  "5 times its own floor and 2 % of the difference are enough, "
                  "if each model of B drew it 7 times or more"));
}

TEST(TextPageTest, SpeaksOfWordsAndNotOfImages) {
  const base::Path folder =
      MakeInspection(FreshFolder(), {.runs_begun = 0, .text = true});
  for (const bool explained : {true, false}) {
    runs::Contrast contrast = FakeTextContrast();
    contrast.hypotheses[0].supported = explained;
    WriteContrast(folder, contrast);
    const Report report = MakeReport(folder);
    const std::size_t body = report.html.find("<body>");
    const std::string read =
        report.html.substr(body, report.html.find("id=\"reproduce\"") - body);
    for (const char* word : {"image", "grid", "generator", "picture"}) {
      EXPECT_FALSE(Has(read, word)) << word;
      EXPECT_FALSE(Has(report.markdown, word)) << word;
    }
    EXPECT_TRUE(Has(read, "unknown, % of drawn words at that position"));
    EXPECT_FALSE(Has(read, "-0 %"));
  }
}

TEST(TextPageTest, SaysWhatTheShareOfASweepIsOf) {
  const base::Path folder = MakeInspection(FreshFolder(), {.text = true});
  runs::InspectionRecord record = runs::ReadInspection(folder);
  record.power = {{.bug = "join",
                   .share = 0.1,
                   .found = 6,
                   .of = 20,
                   .bug_of = "examples"}};
  runs::WriteInspection(folder, record);
  const std::string html = MakeReport(folder).html;
  EXPECT_TRUE(Has(html, "10 % of examples"));
  EXPECT_FALSE(Has(html, "share of users affected"));
}

// A user pays for a word model and a character model of a side, and of both
// sides where somebody may be in both. 10 users at z = 0.05 are 200 at z = 1.
TEST(TextPageTest, AtScaleAUserPaysForWordsAndForCharacters) {
  const base::Path folder = MakeInspection(FreshFolder(), {.text = true});
  runs::InspectionRecord record = runs::ReadInspection(folder);
  record.a.runs = {"a1_words", "a2_words", "a1_characters", "a2_characters"};
  record.privacy.character_rounds = 700;
  const auto cost = [](std::int64_t rounds) {
    const dp::Event event{.mechanism = dp::Gaussian{.noise_multiplier = 1},
                          .sampling = dp::Poisson{.rate = 200.0 / 100'000},
                          .count = rounds};
    return "<td>1e-7</td><td><span class=\"proven\">" +
           BoundText(dp::PldEpsilon({&event, 1}, 1e-7), 3) + "</span>";
  };
  for (const bool once : {true, false}) {
    record.privacy.pays_once = once;
    runs::WriteInspection(folder, record);
    const std::string html = MakeReport(folder).html;
    EXPECT_TRUE(Has(html, cost(once ? 400 + 700 : 2 * (400 + 700)))) << once;
    EXPECT_TRUE(
        Has(html, "400 rounds of a word model and 700 of a character model"));
  }
  record.privacy.character_rounds = 0;  // as older ones are
  runs::WriteInspection(folder, record);
  EXPECT_FALSE(Has(MakeReport(folder).html, "At scale"));
}

TEST(PairChartTest, BarsAreAsHighAsTheirValues) {
  const Drawing drawing =
      Draw(PairChart{.groups = {{"1", 10, 40, 5}, {"2", 20, std::nan(""), 0}}});
  ASSERT_EQ(drawing.boxes.size(), 4u);
  EXPECT_NEAR(drawing.boxes[1].height, 4 * drawing.boxes[0].height, 1e-9);
  EXPECT_NEAR(drawing.boxes[2].height, 2 * drawing.boxes[0].height, 1e-9);
  EXPECT_EQ(drawing.boxes[3].height, 0);
  EXPECT_LT(drawing.boxes[0].corner.x, drawing.boxes[1].corner.x)
      << "A is to the left";
}

}  // namespace
}  // namespace sfumato::report

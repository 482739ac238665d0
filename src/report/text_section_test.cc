#include <gtest/gtest.h>

#include "report/page.h"
#include "report/pair_chart.h"
#include "report/report_testing.h"

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

TEST(TextPageTest, WithoutSamplesNoDrawnWordIsOnIt) {
  const Report report = MakeReport(
      MakeInspection(FreshFolder(), {.text = true}), {.samples = false});
  EXPECT_FALSE(Has(report.html, "jsfiddle"));
  EXPECT_FALSE(Has(report.html, "folder created"));
  EXPECT_FALSE(Has(report.markdown, "jsfiddle"));
  EXPECT_TRUE(Has(report.html, "Unknown words by position"));
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

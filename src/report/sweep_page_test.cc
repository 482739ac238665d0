#include "report/sweep_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "report/html_parts.h"
#include "report/monitor_page.h"

namespace sfumato::report {
namespace {

namespace fs = std::filesystem;

base::Path FreshFolder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const base::Path folder =
      base::Path(testing::TempDir()) /
      (std::string(test->test_suite_name()) + "." + test->name());
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

runs::SweepTrial Trial(const std::string& bug, double share, bool found) {
  return {.bug = bug,
          .share = share,
          .folder = "inspections/" + bug,
          .verdict = found ? "differs" : "same",
          .key = found ? bug : "",
          .words = found ? bug + "ed pixels" : "",
          .right = found && !bug.empty(),
          .separation = 0.9,
          .floor = 0.6,
          .seconds = 12,
          .a = "pictures/a.png",
          .b = "pictures/b.png"};
}

runs::Sweep Small() {
  return {.name = "people",
          .trials = {Trial("", 0, false), Trial("invert", 0.1, false),
                     Trial("invert", 0.5, true), Trial("mirror", 0.5, true)}};
}

TEST(SweepCurveTest, HasALineForEachBugAndThePointOfFalseAlarms) {
  const StepChart chart = SweepCurve(Small());
  EXPECT_EQ(chart.steps, (std::vector<std::string>{"0 %", "10 %", "50 %"}));
  ASSERT_EQ(chart.series.size(), 3u);
  EXPECT_EQ(chart.series[0].name, "invert");
  ASSERT_EQ(chart.series[0].points.size(), 2u);
  EXPECT_EQ(chart.series[0].points[0].step, 1u);
  EXPECT_EQ(chart.series[0].points[0].value, 0);
  EXPECT_EQ(chart.series[0].points[1].value, 1);
  // 1 of 1: 1 / (1 + 3.8416).
  EXPECT_NEAR(chart.series[0].points[1].low, 0.20654, 1e-5);
  EXPECT_EQ(chart.series[1].points[0].step, 2u);
  EXPECT_EQ(chart.series[2].name, "false alarms");
  EXPECT_EQ(chart.series[2].points[0].step, 0u);
}

TEST(StepChartTest, HigherValuesAreHigherAndWhiskersSpanTheirInterval) {
  const StepChart chart{
      .steps = {"one", "two"},
      .series = {{.name = "s", .points = {{0, 0.25, 0, 0.5}, {1, 1, 0.5, 1}}}},
      .width = 420,
      .height = 306};
  const Drawing drawing = Draw(chart);
  ASSERT_EQ(drawing.marks.size(), 1u);
  // 200 by 200 from (70, 44): steps at a quarter and three quarters of it.
  EXPECT_NEAR(drawing.marks[0].at[0].x, 120, 1e-9);
  EXPECT_NEAR(drawing.marks[0].at[0].y, 194, 1e-9);
  EXPECT_NEAR(drawing.marks[0].at[1].x, 220, 1e-9);
  EXPECT_NEAR(drawing.marks[0].at[1].y, 44, 1e-9);
  int whiskers = 0;
  for (const Line& line : drawing.lines) {
    if (line.points.size() != 2 || line.points[0].x != line.points[1].x) {
      continue;
    }
    ++whiskers;
    EXPECT_NEAR(line.points[0].y - line.points[1].y, 100, 1e-9);
  }
  EXPECT_EQ(whiskers, 2);
}

TEST(StepChartTest, NamesOfLinesThatMeetStandApart) {
  StepChart chart{.steps = {"one"}};
  for (int i = 0; i < 4; ++i) {
    chart.series.push_back({.name = "n", .points = {{0, 0, 0, 0}}});
  }
  std::vector<double> heights;
  for (const Text& label : Draw(chart).texts) {
    if (label.text == "n") heights.push_back(label.at.y);
  }
  ASSERT_EQ(heights.size(), 4u);
  std::sort(heights.begin(), heights.end());
  for (int i = 1; i < 4; ++i) EXPECT_GE(heights[i] - heights[i - 1], 15.9);
  EXPECT_LE(heights.back(), chart.height);
}

TEST(StepChartTest, TheNameOfALineThatEndsEarlyStandsBesideTheChart) {
  const StepChart chart{
      .steps = {"none", "few", "all"},
      .series = {{.name = "join", .points = {{1, 0, 0, 0.4}, {2, 1, 0.6, 1}}},
                 {.name = "false alarms", .points = {{0, 0, 0, 0.4}}}},
      .width = 520,
      .height = 306};
  const Drawing drawing = Draw(chart);
  Point name;
  for (const Text& label : drawing.texts) {
    if (label.text == "false alarms") name = label.at;
  }
  // The chart is 300 wide from 70: no line, point or whisker is beyond 370.
  EXPECT_GT(name.x, 370);
  ASSERT_EQ(drawing.marks.size(), 3u) << "two lines, and a sign at the name";
  EXPECT_EQ(drawing.marks[2].shape, drawing.marks[1].shape);
  EXPECT_EQ(drawing.marks[2].ink.color, drawing.marks[1].ink.color);
  EXPECT_LT(drawing.marks[2].at[0].x, name.x);
  EXPECT_GT(drawing.marks[2].at[0].x, 370);
  EXPECT_NEAR(drawing.marks[2].at[0].y, name.y - 4, 1e-9);
}

TEST(SweepPageTest, SpeaksOfNoClassifierWhereThereMayBeNone) {
  const std::string page = SweepPage(Small(), FreshFolder());
  EXPECT_FALSE(Has(page, "classifier"));
  EXPECT_TRUE(Has(page, "they may differ though nothing is broken"));
}

TEST(SweepPageTest, TheSameSweepGivesTheSameBytesWhereverItLies) {
  const base::Path folder = FreshFolder();
  EXPECT_EQ(SweepPage(Small(), folder), SweepPage(Small(), folder / "other"));
  EXPECT_FALSE(Has(SweepPage(Small(), folder), "<script"));
  EXPECT_TRUE(Has(SweepPage(Small(), folder), "default-src 'none'"));
}

TEST(SweepPageTest, WhateverWasGivenIsEscaped) {
  const std::string evil = "</table><script>alert(1)</script>\" onload='x'";
  runs::Sweep sweep = Small();
  sweep.name = evil;
  sweep.trials.push_back({.bug = evil,
                          .share = 0.5,
                          .folder = evil,
                          .verdict = "differs",
                          .key = evil,
                          .words = evil,
                          .a = evil});
  sweep.trials.push_back(
      {.bug = "x", .share = 0.5, .verdict = "refused", .why = evil});
  const std::string page = SweepPage(sweep, FreshFolder());
  EXPECT_FALSE(Has(page, "<script"));
  EXPECT_FALSE(Has(page, "onload='"));
  EXPECT_TRUE(Has(page, "&lt;script&gt;"));
}

TEST(SweepPageTest, ShowsPicturesOfOneInspectionAndNeverFromElsewhere) {
  const base::Path folder = FreshFolder();
  fs::create_directories(folder / "sweep/inspections/invert/pictures");
  base::WriteFileAtomically(folder / "sweep/inspections/invert/pictures/a.png",
                            "picture A");
  base::WriteFileAtomically(folder / "secret.png", "a secret");
  runs::Sweep sweep = Small();
  sweep.trials[2].b = "../../../secret.png";
  const std::string page = SweepPage(sweep, folder / "sweep");
  EXPECT_TRUE(Has(page, Base64("picture A")));
  EXPECT_FALSE(Has(page, Base64("a secret")));
}

TEST(SweepPageTest, SaysFalseAlarmsWithTheirInterval) {
  runs::Sweep sweep = Small();
  for (int i = 0; i < 4; ++i) sweep.trials.push_back(Trial("", 0, false));
  EXPECT_TRUE(Has(SweepPage(sweep, FreshFolder()), "0 of 5 (0–43 %)"));
}

TEST(MonitorPageTest, SaysVerdictsPriceAndWhatWasStopped) {
  runs::Monitor monitor{.name = "<phones>",
                        .planned = 4,
                        .epsilon = 1.2345,
                        .delta = 1e-5,
                        .correction_level = 0.2,
                        .against = "<everybody>",
                        .stopped = true};
  monitor.rows = {
      {.folder = "01",
       .verdict = "same",
       .separation = 0.55,
       .floor = 0.56,
       .correction_rate = 0.052,
       .correction_deviation = 0.011},
      {.folder = "02", .verdict = "refused", .why = "<nobody> is on side b"},
      {.folder = "03",
       .verdict = "differs",
       .words = "inverted <pixels>",
       .separation = 0.95,
       .floor = 0.56,
       .correction_rate = 0.31,
       .correction_deviation = 0.01}};
  const std::string page = MonitorPage(monitor);
  for (const char* part :
       {"3 of 4 inspections done",
        "users who correct at least 20 % of their examples", "given back",
        "ε 1.2345 at δ 1e-5", "5.2 % ± 1.1", "31.0 % ± 1.0",
        "✗ A differs from B", "? skipped", "&lt;nobody&gt;",
        "&lt;everybody&gt;", "inverted &lt;pixels&gt;"}) {
    EXPECT_TRUE(Has(page, part)) << part;
  }
  EXPECT_FALSE(Has(page, "<phones>"));
  EXPECT_EQ(page, MonitorPage(monitor));
  const StepChart chart = CorrectionCurve(monitor);
  ASSERT_EQ(chart.series[0].points.size(), 2u);
  EXPECT_EQ(chart.series[0].points[1].step, 2u);
  EXPECT_EQ(chart.top, 0.5);
  EXPECT_EQ(SeparationCurve(monitor).series[0].points.size(), 2u);
}

TEST(MonitorPageTest, OfTextHasTheShareOfUnknownWordsThatWasAskedFor) {
  runs::InspectionRecord record;
  record.unknown_a = {.edges = {0, 0.1, 0.3}, .counts = {50, 50}};
  record.unknown_b = {.edges = {0, 0.1, 0.3}, .counts = {0, 100}};
  runs::Monitor monitor{.name = "keyboards", .planned = 1};
  monitor.rows = {runs::RowOf("01", record, {})};
  // Middles 0.05 and 0.2.
  EXPECT_EQ(runs::UnknownShareText(monitor.rows[0]), "12.5 → 20.0 %");
  EXPECT_NE(MonitorPage(monitor).find("12.5 → 20.0 %"), std::string::npos);
  monitor.rows = {runs::RowOf("01", {}, {})};
  EXPECT_EQ(MonitorPage(monitor).find("unknown words"), std::string::npos);
}

TEST(MonitorPageTest, OfTextSpeaksNeitherOfImagesNorOfCorrections) {
  const runs::Monitor monitor{.name = "keyboards",
                              .planned = 1,
                              .correction_level = 0.1,
                              .rows = {{.folder = "01",
                                        .verdict = "same",
                                        .separation = 0.5,
                                        .floor = 0.5}}};
  const std::string page = MonitorPage(monitor);
  const std::string read = page.substr(page.find("<body>"));
  EXPECT_FALSE(Has(read, "image"));
  EXPECT_FALSE(Has(read, "sers who correct"));
  EXPECT_TRUE(Has(read, "what the two sides’ models draw"));
}

}  // namespace
}  // namespace sfumato::report

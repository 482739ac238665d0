#include "report/census_page.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error_testing.h"
#include "census/answer/class_answer.h"
#include "report/census_testing.h"
#include "report/html_parts.h"
#include "report/page.h"
#include "report/row_chart.h"

namespace sfumato::report {
namespace {

namespace fs = std::filesystem;

class CensusPageTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = base::Path(testing::TempDir()) /
              (std::string(test->test_suite_name()) + "." + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  Report Make(const runs::CensusRecord& record,
              const ReportOptions& options = {}) {
    runs::WriteCensus(folder_, record);
    return WriteReport(folder_, options);
  }

  base::Path folder_;
};

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

const CensusMade kTurned{
    .groups = {{.users = 600, .damaged = 36, .family = 3}}};
const CensusMade kTwo{
    .groups = {{.users = 900}, {.users = 700, .damaged = 105, .family = 3}},
    .foreign = 0.2};

TEST_F(CensusPageTest, BeginsWithTheAnswerAndWhatToDoNext) {
  const Report report = Make(MakeCensus(kTurned));
  EXPECT_LT(report.html.size(), kMostPageBytes / 4);
  for (const char* part :
       {"Damage was found", "Turned by an angle: about", "What to do next",
        "turned by an angle", "other explanations are not supported",
        "Injected into these data", "simulation only", "A simulation",
        "95 times of 100", "How reference users voted", "default-src 'none'",
        "ε 0.5", "sfumato census", "camera driver"}) {
    EXPECT_TRUE(Has(report.html, part)) << part;
  }
  EXPECT_LT(report.html.find("id=\"answer\""), report.html.find("id=\"how\""));
  EXPECT_LT(report.html.find("id=\"how\""), report.html.find("id=\"privacy\""));
  EXPECT_TRUE(fs::exists(folder_ / "report.json"));
  EXPECT_TRUE(fs::exists(folder_ / "report.md"));
}

TEST_F(CensusPageTest, ShowsNegativeCounts) {
  runs::CensusRecord record = MakeCensus(kTurned);
  record.counts[0][8] = -6;
  record.answer->answers[8].counts[0] = -6;
  EXPECT_TRUE(Has(Make(record).html, "−6"));
}

TEST_F(CensusPageTest, ForAStewardPrivacyComesFirst) {
  const Report report =
      Make(MakeCensus({.simulation = false}), {.for_steward = true});
  EXPECT_LT(report.html.find("id=\"privacy\""),
            report.html.find("id=\"answer\""));
  EXPECT_TRUE(fs::exists(folder_ / "report_steward.html"));
  EXPECT_TRUE(Has(report.html, "What the ledger has of it"));
  EXPECT_TRUE(Has(report.html, "this census released from users’ data") ||
              Has(report.html, "this census released from users&#39; data"));
}

TEST_F(CensusPageTest, OfTwoGroupsNamesThemAndTheirDifference) {
  const Report report = Make(MakeCensus(kTwo));
  for (const char* part : {"The groups differ", "version 1", "version 2",
                           "more in “version 2”", "Two groups were asked"}) {
    EXPECT_TRUE(Has(report.html, part)) << part;
  }
  EXPECT_TRUE(Has(report.summary, "more in version 2")) << report.summary;
}

// 300 users of whom 30 % marked each of three classes, and none a fourth.
runs::CensusRecord MakeClasses(bool two) {
  runs::CensusRecord record = MakeCensus(two ? kTwo : kTurned);
  record.question = "Which classes do users have?";
  record.calibration = census::ClassCells({"cat", "dog", "emu", "fox"}, 1);
  record.counts.assign(two ? 2 : 1, {100, 98, 99, -3, 1, 2});
  if (two) record.counts[1] = {100, 4, 99, 97, 0, 0};
  record.power.clear();
  record.reference = {};
  record.answer = census::AnswerOf(
      {.counts = record.counts, .noise = record.noise}, record.calibration,
      {.design = record.design,
       .groups = two ? std::vector<std::string>{"version 1", "version 2"}
                     : std::vector<std::string>{}});
  return record;
}

TEST_F(CensusPageTest, EverybodysClassesAreCountedAndNotJudged) {
  const runs::CensusRecord record = MakeClasses(false);
  const Report report = Make(record);
  for (const char* part :
       {"Counted, not compared", "class cat", "Which classes do users have?",
        "no more than noise", "−3", "no example with a label"}) {
    EXPECT_TRUE(Has(report.html, part)) << part;
  }
  for (const char* part :
       {"Damage was found", "reference users voted", "corrected for"}) {
    EXPECT_FALSE(Has(report.html, part)) << part;
  }
  EXPECT_TRUE(Has(CensusSummary(record), "class dog")) << CensusSummary(record);
  EXPECT_TRUE(Has(report.markdown, "class dog"));
}

TEST_F(CensusPageTest, ClassesThatGroupsDoNotShareAreNamed) {
  const runs::CensusRecord record = MakeClasses(true);
  const Report report = Make(record);
  EXPECT_TRUE(Has(report.html, "The groups differ"));
  EXPECT_TRUE(Has(report.html, "same classes"));
  EXPECT_TRUE(Has(CensusSummary(record), "class fox")) << CensusSummary(record);
  // Who has a fox now may have marked a dog before: that explains it.
  for (const char* other : {"class dog", "class emu"}) {
    EXPECT_FALSE(Has(CensusSummary(record), other)) << CensusSummary(record);
  }
}

TEST_F(CensusPageTest, OutsideSimulationsNothingOfOneIsShown) {
  runs::CensusRecord record = MakeCensus({.simulation = false});
  record.simulation_only = {{"bug", "the secret"}};
  const Report report = Make(record);
  EXPECT_FALSE(Has(report.html, "the secret"));
  EXPECT_FALSE(Has(report.markdown, "the secret"));
  EXPECT_FALSE(Has(report.html, "simulation only"));
  EXPECT_TRUE(Has(report.html, "No number on this page"));
}

TEST_F(CensusPageTest, WhateverWasGivenIsEscaped) {
  const std::string evil = "</table><img src=x onerror='x'>\"&";
  runs::CensusRecord record = MakeCensus(kTurned);
  record.name = record.question = record.data = record.origin = evil;
  record.version = record.voter_crc32c = evil;
  record.reference.words = record.reference.provenance = evil;
  record.groups[0].words = evil;
  record.remarks = {evil};
  record.simulation_only = {{"bug", evil}};
  record.privacy.against = record.privacy.proof = evil;
  for (census::Cell& cell : record.calibration.cells) cell.words = evil;
  for (census::State& state : record.calibration.states) {
    for (census::Tried& tried : state.tried) tried.values = evil;
  }
  for (census::CellAnswer& one : record.answer->answers) {
    one.words = one.cause = evil;
  }
  record.answer->sentence = record.answer->next = evil;
  record.answer->remarks = {evil};
  const Report report = Make(record);
  const std::string page =
      report.html.substr(0, report.html.find("id=\"data\""));
  EXPECT_FALSE(Has(report.html, "<img"));
  EXPECT_FALSE(Has(page, "onerror='"));
  for (std::size_t at = report.markdown.find('<'); at != std::string::npos;
       at = report.markdown.find('<', at + 1)) {
    EXPECT_EQ(report.markdown[at - 1], '\\');
  }
}

TEST_F(CensusPageTest, TheSameFolderGivesTheSameBytesAndItsDataComeBack) {
  const Report first = Make(MakeCensus(kTurned));
  EXPECT_EQ(MakeReport(folder_).html, first.html);
  EXPECT_TRUE(IsReport(first.html));
  const nlohmann::json data = ExtractData(first.html, "page");
  EXPECT_EQ(data, first.data);
  EXPECT_EQ(data["kind"], "census");
  EXPECT_EQ(data["answer"]["verdict"], "differs");
  EXPECT_EQ(data["census"]["status"], "finished");
}

TEST_F(CensusPageTest, WorksWhileItIsRunning) {
  runs::CensusRecord record = MakeCensus(kTurned);
  record.status = runs::Status::kRunning;
  record.stage = "votes";
  record.counts.clear();
  record.answer.reset();
  const Report report = Make(record);
  EXPECT_TRUE(Has(report.html, "Still running: votes"));
  EXPECT_TRUE(Has(report.html, "95 times of 100"));
  EXPECT_TRUE(report.data["answer"].is_null());
  record.calibration = {};
  record.power.clear();
  record.groups.clear();
  record.privacy = {};
  EXPECT_TRUE(Has(Make(record).html, "Still running"));
}

TEST_F(CensusPageTest, SaysWhatWouldHaveBeenSeenWhereNothingWas) {
  const runs::CensusRecord record = MakeCensus({});
  const Report report = Make(record);
  EXPECT_TRUE(Has(report.html, "As it should be"));
  EXPECT_TRUE(Has(report.html, "would have been"));
  EXPECT_TRUE(Has(CensusSummary(record), "✓ As it should be\n  No damage"))
      << CensusSummary(record);
  EXPECT_TRUE(Has(CensusSummary(record), "Price    would cost ε 0.5"));
}

TEST_F(CensusPageTest, TheTerminalHasAFewLines) {
  const std::string text = CensusSummary(MakeCensus(kTurned));
  EXPECT_TRUE(text.starts_with("✗ Damage was found\n1 turned by an angle"))
      << text;
  EXPECT_TRUE(Has(text, "others not supported")) << text;
  EXPECT_LE(std::ranges::count(text, '\n'), 6);
}

TEST(RowChartTest, BarsReachFromZeroAndWhiskersSpanTheirIntervals) {
  const RowChart chart{.rows = {{.name = "one",
                                 .value = 0.5,
                                 .low = 0.25,
                                 .high = 1,
                                 .text = "50 %",
                                 .strong = true},
                                {.name = "two", .value = -0.25}},
                       .width = 500};
  const Drawing drawing = Draw(chart);
  ASSERT_EQ(drawing.boxes.size(), 2u);
  const Box& up = drawing.boxes[0];
  const Box& down = drawing.boxes[1];
  EXPECT_NEAR(up.width, 2 * down.width, 1e-9);
  EXPECT_NEAR(down.corner.x + down.width, up.corner.x, 1e-9);
  bool whisker = false;
  for (const Line& line : drawing.lines) {
    whisker =
        whisker ||
        (line.width == 1.8 &&
         std::abs(line.points[1].x - line.points[0].x - 1.5 * up.width) < 1e-9);
  }
  EXPECT_TRUE(whisker);
}

}  // namespace
}  // namespace sfumato::report

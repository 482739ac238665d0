#include <gtest/gtest.h>

#include <cmath>

#include "fmt/format.h"
#include "report/at_scale.h"
#include "report/bar_chart.h"
#include "report/html_parts.h"
#include "report/scatter_chart.h"

namespace sfumato::report {
namespace {

TEST(BarChartTest, BarsStandWhereTheirEdgesAreAndAsHighAsTheirCounts) {
  const Drawing drawing =
      Draw(BarChart{.title = "t",
                    .edges = {0, 0.25, 1},
                    .counts = {10, 40},
                    .rules = {{.at = 0.25, .label = "here"}}});
  ASSERT_EQ(drawing.boxes.size(), 2u);
  const Box& narrow = drawing.boxes[0];
  const Box& wide = drawing.boxes[1];
  EXPECT_NEAR(wide.height, 4 * narrow.height, 1e-9);
  EXPECT_NEAR(wide.corner.y + wide.height, narrow.corner.y + narrow.height,
              1e-9)
      << "on one line";
  EXPECT_NEAR((wide.width + 1.5) / (narrow.width + 1.5), 3, 1e-9);
  // The line lies on the edge between them.
  bool found = false;
  for (const Line& line : drawing.lines) {
    if (line.width != 2) continue;
    found = true;
    EXPECT_NEAR(line.points[0].x, wide.corner.x - 0.75, 1e-9);
  }
  EXPECT_TRUE(found);
}

TEST(BarChartTest, NothingIsDrawnBelowZero) {
  const Drawing drawing = Draw(
      BarChart{.edges = {0, 1, 2, 3}, .counts = {-51, 10, -1}, .deviation = 3});
  ASSERT_EQ(drawing.boxes.size(), 3u);
  const double zero = drawing.boxes[1].corner.y + drawing.boxes[1].height;
  EXPECT_GT(drawing.boxes[1].height, 0);
  for (const Box& box : drawing.boxes) {
    EXPECT_NEAR(box.corner.y + box.height, zero, 1e-9);
  }
  EXPECT_EQ(drawing.boxes[0].height, 0);
  for (const Line& line : drawing.lines) {
    for (const Point& spot : line.points) EXPECT_LE(spot.y, zero + 1e-9);
  }
  for (const Text& word : drawing.texts) {
    EXPECT_FALSE(word.text.starts_with("-") || word.text.starts_with("−"))
        << word.text << ": zero is the lowest tick";
  }
}

TEST(ScatterChartTest, KeepsSidesApartByShapeAndDropsWhatIsNotFinite) {
  const Drawing drawing = Draw(ScatterChart{
      .clouds = {{.name = "A",
                  .points = {{0, 0}, {1, 1}, {NAN, 0}},
                  .shape = Shape::kDot},
                 {.name = "B", .points = {{2, 2}}, .shape = Shape::kSquare}}});
  ASSERT_EQ(drawing.marks.size(), 4u) << "two clouds, two in the key";
  EXPECT_EQ(drawing.marks[0].at.size(), 2u);
  EXPECT_EQ(drawing.marks[1].shape, Shape::kSquare);
  const Point a = drawing.marks[0].at[0];
  const Point b = drawing.marks[1].at[0];
  EXPECT_LT(a.x, b.x);
  EXPECT_GT(a.y, b.y) << "y grows upwards";
  EXPECT_NEAR(drawing.marks[0].at[1].x, (a.x + b.x) / 2, 1e-9);
}

// Ink in the middle of a sign and on its rim, as pixels.
TEST(MarksTest, FilledAndHollowShapesDiffer) {
  const auto ink = [](Shape shape, int x, int y) {
    Drawing drawing{.width = 20, .height = 20};
    drawing.marks.push_back(
        {.at = {{10, 10}}, .shape = shape, .size = 12, .ink = {"#000000"}});
    base::Image image = ToImage(drawing, 1);
    return 255 - image.at(x, y, 0);
  };
  for (const Shape filled : {Shape::kDot, Shape::kSquare}) {
    EXPECT_EQ(ink(filled, 10, 10), 255);
  }
  for (const Shape hollow : {Shape::kRing, Shape::kFrame}) {
    EXPECT_EQ(ink(hollow, 10, 10), 0);
    EXPECT_GT(ink(hollow, 4, 10), 60);
  }
  EXPECT_EQ(ink(Shape::kSquare, 5, 5), 255) << "a corner";
  EXPECT_LT(ink(Shape::kDot, 4, 4), 30) << "no corner";
}

TEST(DrawingInsideAPageTest, HasNoStyleOfItsOwn) {
  Drawing drawing{.width = 20, .height = 20, .title = "<t>"};
  drawing.boxes.push_back({.corner = {1, 2}, .width = 3, .height = 4});
  const std::string svg = ToSvg(drawing, /*inside=*/true);
  EXPECT_EQ(svg.find("<style"), std::string::npos);
  EXPECT_EQ(svg.find("xmlns"), std::string::npos);
  EXPECT_NE(svg.find("<title>&lt;t&gt;</title>"), std::string::npos);
  EXPECT_NE(svg.find("<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" "
                     "fill=\"currentColor\"/>"),
            std::string::npos);
  EXPECT_NE(ToSvg(drawing).find("<style"), std::string::npos);
}

// RFC 4648, and the empty message's digest of FIPS 180-4.
TEST(Base64Test, AgreesWithTheStandards) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Sha256Base64(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

// 10 users at z = 0.01 are 1,000 at z = 1. Of 250,000 users and 1,000 rounds
// that is Fig 3a of the paper; 10 times as many cost less, and the same rounds
// for 2,000,000 users at delta 5e-9 are its Fig 8a, 0.160445.
TEST(AtScaleTest, FindsTheCohortAndThePaperOwnPrices) {
  const AtScale scale =
      ProjectToScale({.noise_multiplier = 0.01, .cohort = 10, .rounds = 1000});
  EXPECT_EQ(scale.cohort, 1000);
  ASSERT_EQ(scale.rows.size(), 5u);
  EXPECT_EQ(scale.rows[0].population, 100'000);
  EXPECT_NEAR(scale.rows[0].delta, 1e-7, 1e-15);
  // Between the paper's rows of 1,964,706 (0.163164) and 1,250,000 (0.248767)
  // users lies nothing of ours; 1,000,000 is dearer, 3,000,000 cheaper.
  EXPECT_GT(scale.rows[2].epsilon, 0.248767);
  EXPECT_LT(scale.rows[3].epsilon, 0.160445);
  for (std::size_t i = 1; i < scale.rows.size(); ++i) {
    EXPECT_LT(scale.rows[i].epsilon, scale.rows[i - 1].epsilon);
  }
  const AtScale twice = ProjectToScale(
      {.noise_multiplier = 0.01, .cohort = 10, .rounds = 1000, .models = 2});
  EXPECT_GT(twice.rows[0].epsilon, 1.2 * scale.rows[0].epsilon);
}

TEST(AtScaleTest, LeavesOutWhatCannotBe) {
  EXPECT_EQ(
      ProjectToScale({.noise_multiplier = 0, .cohort = 10, .rounds = 9}).cohort,
      0);
  EXPECT_EQ(ProjectToScale({.noise_multiplier = NAN, .cohort = 10, .rounds = 9})
                .cohort,
            0);
  const AtScale few =
      ProjectToScale({.noise_multiplier = 1e-5, .cohort = 10, .rounds = 10});
  ASSERT_EQ(few.cohort, 1'000'000);
  EXPECT_EQ(few.rows.front().population, 1'000'000)
      << "smaller ones have no such cohort";
}

TEST(HtmlTableTest, AlignsColumnsBeyondTheTenth) {
  HtmlTable table;
  table.rows.emplace_back();
  for (int column = 0; column <= 11; ++column) {
    table.heads.push_back(fmt::format("h{}", column));
    table.rows[0].push_back(fmt::format("c{}", column));
  }
  table.left = {10};
  table.grey = {11};
  const std::string html = ToHtml(table);
  EXPECT_NE(html.find("<td class=\"left\">c10</td>"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"grey\">c11</td>"), std::string::npos);
  EXPECT_NE(html.find("<td>c1</td>"), std::string::npos);
}

}  // namespace
}  // namespace sfumato::report

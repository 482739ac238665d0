#include "report/line_chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sfumato::report {
namespace {

std::vector<std::string> Labels(double low, double high, bool log) {
  std::vector<std::string> labels;
  for (const Tick& tick : Ticks(low, high, log)) labels.push_back(tick.label);
  return labels;
}

using Strings = std::vector<std::string>;

TEST(TicksTest, AreRoundNumbers) {
  EXPECT_EQ(Labels(0, 1000, false),
            (Strings{"0", "200", "400", "600", "800", "1,000"}));
  EXPECT_EQ(Labels(0, 1.03, false), (Strings{"0", "0.5", "1"}));
  EXPECT_EQ(Labels(0, 2.4, false), (Strings{"0", "0.5", "1", "1.5", "2"}));
  EXPECT_EQ(Labels(3, 7, false), (Strings{"3", "4", "5", "6", "7"}));
}

TEST(TicksTest, OfALogarithmArePowersOfTen) {
  EXPECT_EQ(Labels(1e-12, 1e-3, true),
            (Strings{"10^-11", "10^-9", "10^-7", "10^-5", "10^-3"}));
  EXPECT_EQ(Labels(1, 1000, true), (Strings{"1", "2", "5", "10", "20", "50",
                                            "100", "200", "500", "1,000"}));
  EXPECT_EQ(Labels(25000, 2500000, true),
            (Strings{"50,000", "100,000", "200,000", "500,000", "1,000,000",
                     "2,000,000"}));
}

TEST(TicksTest, LieInsideForAnyRange) {
  for (double low = 1e-9; low < 1e9; low *= 7.3) {
    for (double ratio = 1.01; ratio < 1e12; ratio *= 3.7) {
      for (const bool log : {false, true}) {
        const auto ticks = Ticks(low, low * ratio, log);
        EXPECT_LE(ticks.size(), 13u) << low << " " << ratio << " " << log;
        for (const Tick& tick : ticks) {
          EXPECT_GE(tick.value, low * (1 - 1e-6));
          EXPECT_LE(tick.value, low * ratio * (1 + 1e-6));
        }
      }
    }
  }
}

LineChart Example() {
  return {.title = "a <b> & c",
          .subtitle = "below",
          .description = "rises \"fast\"",
          .x_axis = {.label = "rounds", .log = false},
          .y_axis = {.label = "cost", .log = false},
          .x = {1, 2, 3, 4, 5},
          .series = {{.name = "one", .y = {1, 2, 3, 4, 5}, .color = "#112233"},
                     {.name = "two",
                      .y = {2, 3, 4, 5, 5.01},
                      .color = "#445566",
                      .dashed = true}}};
}

std::vector<Line> LinesOf(const Drawing& drawing, const std::string& color) {
  std::vector<Line> lines;
  for (const Line& line : drawing.lines) {
    if (line.ink.color == color) lines.push_back(line);
  }
  return lines;
}

const Text* Find(const Drawing& drawing, const std::string& text) {
  for (const Text& label : drawing.texts) {
    if (label.text == text) return &label;
  }
  return nullptr;
}

TEST(LineChartTest, DrawsEachSeriesWithinThePage) {
  const Drawing drawing = Draw(Example());
  for (const char* color : {"#112233", "#445566"}) {
    const auto lines = LinesOf(drawing, color);
    ASSERT_EQ(lines.size(), 1u);
    ASSERT_EQ(lines[0].points.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_GT(lines[0].points[i].x, 0);
      EXPECT_LT(lines[0].points[i].x, drawing.width);
      EXPECT_GT(lines[0].points[i].y, 0);
      EXPECT_LT(lines[0].points[i].y, drawing.height);
      if (i == 0) continue;
      EXPECT_GT(lines[0].points[i].x, lines[0].points[i - 1].x);
      EXPECT_LT(lines[0].points[i].y, lines[0].points[i - 1].y) << "it rises";
    }
  }
  // A straight line stays one: its middle is the mean of its ends.
  const auto points = LinesOf(drawing, "#112233")[0].points;
  EXPECT_NEAR(points[2].y, (points[0].y + points[4].y) / 2, 1e-9);
}

TEST(LineChartTest, NamesAtTheEndsDoNotTouch) {
  const Drawing drawing = Draw(Example());
  const Text* one = Find(drawing, "one");
  const Text* two = Find(drawing, "two");
  ASSERT_NE(one, nullptr);
  ASSERT_NE(two, nullptr);
  EXPECT_GE(one->at.y - two->at.y, one->size) << "and keep their order";
}

TEST(LineChartTest, WhatIsNotFiniteLeavesAGap) {
  LineChart chart = Example();
  chart.series[0].y[2] = std::numeric_limits<double>::infinity();
  chart.series[1].y = std::vector<double>(5, NAN);
  const Drawing drawing = Draw(chart);
  const auto lines = LinesOf(drawing, "#112233");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].points.size(), 2u);
  EXPECT_EQ(lines[1].points.size(), 2u);
  EXPECT_TRUE(LinesOf(drawing, "#445566").empty());
  EXPECT_EQ(Find(drawing, "two"), nullptr);
  EXPECT_EQ(ToSvg(drawing).find("nan"), std::string::npos);
  EXPECT_EQ(ToSvg(drawing).find("inf"), std::string::npos);
}

TEST(LineChartTest, ALogarithmTurnsRatiosIntoSteps) {
  LineChart chart = Example();
  chart.y_axis.log = true;
  chart.series[0].y = {1, 10, 100, 1000, 10000};
  chart.series[1].y = {0, 10, 100, 1000, 10000};  // 0 is nowhere
  const Drawing drawing = Draw(chart);
  const auto points = LinesOf(drawing, "#112233")[0].points;
  EXPECT_NEAR(points[1].y - points[0].y, points[4].y - points[3].y, 1e-9);
  EXPECT_EQ(LinesOf(drawing, "#445566")[0].points.size(), 4u);
}

TEST(DrawingTest, SvgIsTitledEscapedAndInheritsItsColour) {
  const std::string svg = ToSvg(Draw(Example()));
  for (const char* part :
       {"<title>a &lt;b&gt; &amp; c</title>",
        "<desc>rises &quot;fast&quot;</desc>", "role=\"img\"",
        "stroke=\"currentColor\"", "stroke-dasharray=\"3 6\"", ">rounds</text>",
        ">cost</text>", "viewBox=\"0 0 760 440\""}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_EQ(svg, ToSvg(Draw(Example()))) << "same input, same bytes";
}

TEST(DrawingTest, ExponentsAreRaised) {
  Drawing drawing{.width = 50, .height = 20};
  drawing.texts.push_back({.at = {5, 15}, .text = "10^-8", .size = 10});
  EXPECT_NE(ToSvg(drawing).find(
                "10<tspan dy=\"-4\" font-size=\"7.5\">-8</tspan></text>"),
            std::string::npos);
}

// Share of ink in a rectangle of the picture, 0 is white.
double InkIn(base::Image& image, int left, int top, int right, int bottom) {
  double ink = 0;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) ink += 255 - image.at(x, y, 1);
  }
  return ink / 255 / (right - left) / (bottom - top);
}

TEST(DrawingTest, PixelsAreWhereTheLineIs) {
  Drawing drawing{.width = 40, .height = 20};
  drawing.lines.push_back(
      {.points = {{10, 10}, {30, 10}}, .width = 4, .ink = {"#000000"}});
  base::Image image = ToImage(drawing, 2);
  ASSERT_EQ(image.width, 80);
  ASSERT_EQ(image.height, 40);
  EXPECT_NEAR(InkIn(image, 22, 17, 58, 23), 1, 1e-9);
  EXPECT_NEAR(InkIn(image, 0, 0, 80, 15), 0, 1e-9);
  EXPECT_NEAR(InkIn(image, 0, 25, 80, 40), 0, 1e-9);
  EXPECT_NEAR(InkIn(image, 0, 0, 15, 40), 0, 1e-9);
  EXPECT_NEAR(InkIn(image, 65, 0, 80, 40), 0, 1e-9);
}

TEST(DrawingTest, DashesHaveGapsAndOpacityIsLighter) {
  Drawing drawing{.width = 100, .height = 20};
  drawing.lines.push_back({.points = {{0, 10}, {40, 10}, {100, 10}},
                           .width = 2,
                           .ink = {"#000000"},
                           .dash = 5});
  base::Image dashed = ToImage(drawing, 2);
  // Dashes from 0 to 5, 15 to 20, …, with round ends of radius 1.
  EXPECT_NEAR(InkIn(dashed, 2, 19, 9, 21), 1, 1e-9);
  EXPECT_NEAR(InkIn(dashed, 13, 19, 27, 21), 0, 1e-9);
  EXPECT_NEAR(InkIn(dashed, 31, 19, 39, 21), 1, 1e-9);
  EXPECT_NEAR(InkIn(dashed, 91, 19, 99, 21), 1, 1e-9) << "beyond the corner";
  drawing.lines[0].dash = 0;
  drawing.lines[0].ink.opacity = 0.5;
  base::Image light = ToImage(drawing, 2);
  EXPECT_NEAR(InkIn(light, 10, 19, 190, 21), 0.5, 0.01);
}

TEST(DrawingTest, TextIsDrawnAndAnchored) {
  Drawing drawing{.width = 120, .height = 30};
  drawing.texts.push_back(
      {.at = {60, 20}, .text = "ε 1^2", .anchor = Anchor::kStart});
  base::Image right = ToImage(drawing, 2);
  EXPECT_GT(InkIn(right, 120, 0, 240, 60), 0.005);
  EXPECT_NEAR(InkIn(right, 0, 0, 118, 60), 0, 1e-9);
  drawing.texts[0].anchor = Anchor::kEnd;
  base::Image left = ToImage(drawing, 2);
  EXPECT_GT(InkIn(left, 0, 0, 120, 60), 0.005);
  EXPECT_NEAR(InkIn(left, 122, 0, 240, 60), 0, 1e-9);
}

}  // namespace
}  // namespace sfumato::report

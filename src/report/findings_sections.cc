// Hypotheses, numbers and the map: the evidence.

#include <algorithm>
#include <cmath>
#include <map>

#include "base/progress.h"
#include "fmt/format.h"
#include "report/bar_chart.h"
#include "report/html_parts.h"
#include "report/number_text.h"
#include "report/scatter_chart.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

const char* FloorWords(const std::string& source) {
  if (source == "twins") {
    return "The floor is what two models of the same side show of each other: "
           "each side was trained twice, on two halves that share nobody.";
  }
  if (source == "checkpoints") {
    return "The floor is an approximation: how much a model differs from its "
           "own neighbours in training. Two trainings on two halves "
           "(inspect.twins = 2) would give the true one.";
  }
  return "The floor is what two models of one population would show.";
}

double Shown(double share) {
  return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
}

// A bar from 0 to 1 with its interval, and the floor as a line across.
Drawing ShareBar(const runs::Hypothesis& hypothesis) {
  constexpr double kWidth = 260;
  constexpr double kMiddle = 11;
  const auto x = [](double share) { return 1 + (kWidth - 2) * Shown(share); };
  Drawing drawing{
      .width = kWidth,
      .height = 22,
      .title = fmt::format("Explains {}", ShareText(hypothesis.explained)),
      .description =
          fmt::format("The floor is {:.0f} percent.", 100 * hypothesis.floor)};
  drawing.boxes = {{.corner = {1, kMiddle - 5},
                    .width = kWidth - 2,
                    .height = 10,
                    .ink = {.color = "currentColor", .opacity = 0.1}},
                   {.corner = {1, kMiddle - 5},
                    .width = x(hypothesis.explained.value) - 1,
                    .height = 10,
                    .ink = {.color = "currentColor", .opacity = 0.55}}};
  drawing.lines = {
      {.points = {{x(hypothesis.explained.low), kMiddle},
                  {x(hypothesis.explained.high), kMiddle}},
       .width = 1.6},
      {.points = {{x(hypothesis.floor), 1}, {x(hypothesis.floor), 21}},
       .width = 2,
       .dash = 2}};
  return drawing;
}

std::string One(const Page& page, const runs::Hypothesis& hypothesis,
                int rank) {
  std::string html = fmt::format(
      "<li class=\"hypothesis\"><h3><span class=\"rank\">{}</span> {}</h3>\n",
      rank, Escaped(hypothesis.words));
  html += fmt::format(
      "<div class=\"share\">{}<p class=\"estimate\">explains <strong>{}"
      "</strong> · floor {:.0f} % · at best {:.0f} % of B's images look like "
      "that</p></div>\n",
      ToSvg(ShareBar(hypothesis), /*inside=*/true),
      Escaped(ShareText(hypothesis.explained)), 100 * hypothesis.floor,
      100 * hypothesis.affected);
  const std::string image = page.pictures.Image(
      hypothesis.picture,
      fmt::format("Three rows: images of A; the same after “{}”; images of B",
                  hypothesis.words));
  if (!image.empty()) {
    html += fmt::format(
        "<figure class=\"thumbs\"><figcaption>rows: {}, {} changed, {}"
        "</figcaption>{}</figure>\n",
        SideTag(SideA()), SideTag(SideA()), SideTag(SideB()), image);
  }
  if (!hypothesis.cause.empty()) {
    html += Paragraph("<strong>Where this usually comes from.</strong> " +
                      Escaped(hypothesis.cause));
  }
  return html + "</li>\n";
}

HtmlTable Unsupported(const std::vector<runs::Hypothesis>& hypotheses) {
  HtmlTable table{.heads = {"hypothesis", "explains", "floor"},
                  .rows = {},
                  .style = "estimates"};
  for (const runs::Hypothesis& hypothesis : hypotheses) {
    if (hypothesis.supported) continue;
    table.rows.push_back({Escaped(hypothesis.words),
                          Escaped(ShareText(hypothesis.explained)),
                          fmt::format("{:.0f} %", 100 * hypothesis.floor)});
  }
  return table;
}

std::string MeasureVerdict(runs::Verdict verdict) {
  switch (verdict) {
    case runs::Verdict::kDiffers:
      return Chip("differs", "✗ differs");
    case runs::Verdict::kSame:
      return Chip("same", "✓ within the floor");
    case runs::Verdict::kCannotSay:
      break;
  }
  return Chip("unsure", "? cannot say");
}

HtmlTable Measures(const runs::Contrast& contrast) {
  HtmlTable table{.heads = {"name", "A", "B", "difference", "floor", "verdict"},
                  .rows = {},
                  .style = "estimates sided",
                  .left = "5",
                  .wide = true};
  const auto row = [&](const std::string& words, const std::string& a,
                       const std::string& b, double difference, double floor,
                       const std::string& verdict) {
    table.rows.push_back({Escaped(words), a, b, EstimateText(difference),
                          EstimateText(floor), verdict});
  };
  for (const runs::Measure& measure : contrast.measures) {
    row(measure.words, EstimateText(measure.a), EstimateText(measure.b),
        measure.b - measure.a, measure.floor, MeasureVerdict(measure.verdict));
  }
  return table;
}

// Told apart and distance are of the pair, not of a side.
HtmlTable OfThePair(const runs::Contrast& contrast) {
  return {
      .heads = {"of the pair", "found", "90 % interval", "floor"},
      .rows = {{"told apart: how often a test that learned from one pair of "
                "models names the side of an image of the other pair "
                "rightly (a coin: 0.5)",
                EstimateText(contrast.told_apart.value),
                EstimateText(contrast.told_apart.low) + " – " +
                    EstimateText(contrast.told_apart.high),
                EstimateText(contrast.told_apart_floor)},
               {"distance between the two sides' images (energy distance)",
                EstimateText(contrast.difference), "–",
                EstimateText(contrast.difference_floor)}},
      .style = "estimates",
      .wide = true};
}

// "frechet_distance_a" as people read it.
std::string MetricWords(std::string key) {
  std::ranges::replace(key, '_', ' ');
  if (key.starts_with("frechet")) key = "Fré" + key.substr(3);
  for (const SideLook* look : {&SideA(), &SideB()}) {
    if (key.ends_with(" " + look->style)) {
      key = key.substr(0, key.size() - 2) + ", " + look->name;
    }
  }
  return key;
}

std::string SimulationNumbers(const nlohmann::json& only) {
  if (!only.is_object()) return "";
  HtmlTable table{.heads = {"from the data themselves", "value"},
                  .rows = {},
                  .style = "estimates"};
  for (const auto& [key, value] : only.items()) {
    if (!value.is_number()) continue;
    table.rows.push_back(
        {Escaped(MetricWords(key)), EstimateText(value.get<double>())});
  }
  if (table.rows.empty()) return "";
  return Paragraph(Chip("simulation", "simulation only") +
                   " Computed from the records without noise; of private data "
                   "these numbers would not be here.") +
         ToHtml(table);
}

std::string Histogram(const runs::InspectionRecord& record) {
  if (!record.histogram) return "";
  const runs::HistogramRecord& histogram = *record.histogram;
  BarChart chart{.title =
                     "Users by the accuracy that the classifier has for "
                     "them",
                 .x_label = "accuracy on a user's own examples",
                 .y_label = "users",
                 .edges = histogram.edges,
                 .counts = histogram.counts,
                 .deviation = histogram.deviation};
  if (record.below) {
    chart.rules.push_back(
        {.at = record.below->value,
         .label = "■ B below " + EstimateText(record.below->value),
         .color = SideB().color});
  }
  if (record.above) {
    chart.rules.push_back(
        {.at = record.above->value,
         .label = "● A above " + EstimateText(record.above->value),
         .color = SideA().color});
  }
  HtmlTable table{.heads = {"accuracy", "users"}, .rows = {}, .style = "num"};
  std::size_t largest = 0;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    table.rows.push_back({EstimateText(histogram.edges[i]) + " – " +
                              EstimateText(histogram.edges[i + 1]),
                          EstimateText(std::round(histogram.counts[i]))});
    if (histogram.counts[i] > histogram.counts[largest]) largest = i;
  }
  chart.description =
      fmt::format("{} bars; the largest has {} users, from {} to {}.",
                  histogram.counts.size(),
                  EstimateText(std::round(histogram.counts[largest])),
                  EstimateText(histogram.edges[largest]),
                  EstimateText(histogram.edges[largest + 1]));
  std::string caption =
      "<strong>Users by accuracy.</strong> Each user's device judges its own "
      "examples; only the bars leave. ";
  caption += histogram.source == "released"
                 ? fmt::format(
                       "Every bar carries noise of ± {} (the whisker), so one "
                       "may be below zero.",
                       NumberText(histogram.deviation, 3))
             : histogram.source == "simulation_only"
                 ? Chip("simulation", "simulation only")
                 : "";
  const auto threshold = [&](const SideLook& look, const char* word,
                             const std::optional<runs::Sourced>& at) {
    if (!at) return;
    caption += fmt::format(" {} {} {}.", SideTag(look), word,
                           Escaped(SourcedText(*at)));
  };
  threshold(SideA(), "is above", record.above);
  threshold(SideB(), "is below", record.below);
  return Figure(Draw(chart), caption, table);
}

struct Middle {
  std::size_t count = 0;
  double x = 0, y = 0, xx = 0, yy = 0;

  double Spread() const {
    const double n = static_cast<double>(count);
    return std::sqrt(
        std::max(0.0, xx / n - x / n * x / n + yy / n - y / n * y / n));
  }
};

}  // namespace

std::string HypothesesSection(const Page& page) {
  if (!page.findings.contrast || !page.findings.contrast->compared) return "";
  const runs::Contrast& contrast = *page.findings.contrast;
  std::string list;
  int rank = 0;
  for (const runs::Hypothesis& hypothesis : contrast.hypotheses) {
    if (hypothesis.supported) list += One(page, hypothesis, ++rank);
  }
  std::string html =
      rank == 0 ? Paragraph(
                      "No hypothesis explains more than two models of one "
                      "population would show of each other.",
                      "lead")
                : "<ol class=\"hypotheses\">\n" + list + "</ol>\n";
  const std::size_t others = contrast.hypotheses.size() - rank;
  if (others > 0) {
    html += Folded(
        fmt::format("{} {}not supported", others, rank > 0 ? "others " : ""),
        ToHtml(Unsupported(contrast.hypotheses)));
  }
  html += Paragraph(
      "Each hypothesis is a change that would turn A's images into B's. Its "
      "share is how much of the difference between the two sides goes away "
      "when A's images pass through it, with a 90 % interval. " +
          std::string(FloorWords(contrast.floor_source)) +
          " A hypothesis counts as supported only above that. All of this is "
          "computed from what the models draw and costs no privacy.",
      "method");
  return Section("hypotheses", "Hypotheses", html);
}

std::string NumbersSection(const Page& page) {
  const Findings& findings = page.findings;
  std::string html;
  if (findings.contrast && findings.contrast->compared) {
    if (!findings.contrast->measures.empty()) {
      html += ToHtml(Measures(*findings.contrast));
    }
    html += ToHtml(OfThePair(*findings.contrast));
    html += Paragraph(
        "Estimates from drawn images, most different first. A difference below "
        "its floor is what training twice would show anyway.",
        "method");
    html += SimulationNumbers(findings.contrast->simulation_only);
  }
  html += Histogram(findings.record);
  if (findings.record.correction_rate) {
    html += Paragraph(fmt::format(
        "<strong>Correction rate</strong>, the metric that raised the alarm: "
        "{}.",
        Escaped(SourcedText(*findings.record.correction_rate))));
  }
  return html.empty() ? "" : Section("numbers", "Numbers", html);
}

std::string MapSection(const Page& page) {
  if (!page.findings.contrast || page.findings.contrast->map.empty()) return "";
  std::map<std::string, Cloud> clouds;
  std::map<std::string, Middle> middles;
  for (const runs::MapPoint& point : page.findings.contrast->map) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    const SideLook& look = LookOf(point.model);
    Cloud& cloud = clouds[point.model];
    cloud.name = fmt::format("{} ({})", look.name, point.model);
    cloud.shape = IsSecondTwin(point.model) ? look.hollow : look.shape;
    cloud.color = look.color;
    cloud.points.push_back({point.x, point.y});
    Middle& middle = middles[point.model];
    ++middle.count;
    middle.x += point.x;
    middle.y += point.y;
    middle.xx += point.x * point.x;
    middle.yy += point.y * point.y;
  }
  ScatterChart chart{.title = "Map of drawn images"};
  HtmlTable table{
      .heads = {"model", "images", "middle x", "middle y", "spread"},
      .rows = {},
      .style = "num"};
  for (const auto& [model, cloud] : clouds) {
    chart.clouds.push_back(cloud);
    const Middle& m = middles[model];
    const double n = static_cast<double>(m.count);
    table.rows.push_back({SideTag(LookOf(model)) + " " + Escaped(model),
                          std::to_string(m.count), EstimateText(m.x / n),
                          EstimateText(m.y / n), EstimateText(m.Spread())});
    chart.description +=
        fmt::format("{}{}: {} images around {} and {}.",
                    chart.description.empty() ? "" : " ", cloud.name, m.count,
                    EstimateText(m.x / n), EstimateText(m.y / n));
  }
  return Section(
      "map", "Map",
      Figure(Draw(chart),
             "<strong>Drawn images, near where they are alike.</strong> Each "
             "sign is one image that a model drew, never a user's. Where A and "
             "B lie apart, the models draw different things; a filled and a "
             "hollow sign of one colour are two models of one side, and should "
             "mix.",
             table));
}

}  // namespace sfumato::report

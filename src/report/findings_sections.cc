// Hypotheses, numbers and the map: the evidence.

#include <algorithm>
#include <cmath>
#include <map>

#include "base/percent.h"
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
      "</strong> · floor {} · at best {} of B's {} look like that</p>"
      "</div>\n",
      ToSvg(ShareBar(hypothesis), /*inside=*/true),
      Escaped(ShareText(hypothesis.explained)), base::Percent(hypothesis.floor),
      base::Percent(hypothesis.affected),
      Escaped(ShownWord(hypothesis.affects)));
  html += ExampleWords(hypothesis);
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
                          base::Percent(hypothesis.floor)});
  }
  return table;
}

std::string MeasureVerdict(runs::Verdict verdict) {
  switch (verdict) {
    case runs::Verdict::kDiffers:
      return Chip("differs", "✗ differs");
    case runs::Verdict::kSame:
      return Chip("same", "✓ within floor");
    case runs::Verdict::kCannotSay:
      break;
  }
  return Chip("unsure", "? cannot say");
}

// Why a side's numbers say nothing about its users; empty where they do.
std::string WhyUnusable(const runs::Contrast& contrast, const SideLook& look) {
  for (const runs::Health& health : contrast.health) {
    if (!health.usable && LookOf(health.model).name == look.name) {
      return fmt::format("{} is grey: its model {} {}.", look.name,
                         health.model, HeadOf(health.words));
    }
  }
  return "";
}

HtmlTable MeasureTable(const runs::Contrast& contrast) {
  const bool floor = contrast.floor_source != "none";
  HtmlTable table{.heads = {"name", "A", "B", "difference",
                            floor ? "floor" : "no floor", "verdict"},
                  .rows = {},
                  .style = "estimates sided",
                  .left = {5},
                  .wide = true};
  if (!WhyUnusable(contrast, SideA()).empty()) table.grey.push_back(1);
  if (!WhyUnusable(contrast, SideB()).empty()) table.grey.push_back(2);
  if (!floor) table.grey.push_back(4);
  for (const runs::Measure& measure : contrast.measures) {
    table.rows.push_back({Escaped(measure.words), SideText(measure, measure.a),
                          SideText(measure, measure.b),
                          EstimateText(measure.b - measure.a),
                          floor ? EstimateText(measure.floor) : "–",
                          MeasureVerdict(measure.verdict)});
  }
  return table;
}

// What is grey and why, then what the verdicts mean.
std::string AboutMeasures(const runs::Contrast& contrast) {
  std::string grey;
  for (const SideLook* look : {&SideA(), &SideB()}) {
    const std::string why = WhyUnusable(contrast, *look);
    if (!why.empty()) grey += " " + why;
  }
  if (contrast.floor_source == "none") {
    grey +=
        " There is no floor: no second model of a side was trained, and none "
        "kept earlier rounds.";
  }
  return (grey.empty() ? "" : Paragraph(Escaped(grey.substr(1)))) +
         Paragraph(
             fmt::format(
                 "Estimates from what was drawn, most different first; “–” "
                 "where "
                 "a number is of the pair. <em>Within floor</em>: A and B "
                 "differ no more than two models of the same side do, up "
                 "to sampling error. <em>Differs</em>: by more than {0:g} "
                 "floors. The floor is the larger of the few differences that "
                 "twins show, so one floor is soon passed by chance; {0:g} "
                 "are by about 1 number in 30 where nothing differs. "
                 "<em>Cannot "
                 "say</em>: in between.",
                 contrast.margins.measure),
             "method");
}

// The rule, where it is used.
std::string AboutSupport(const runs::Margins& margins, bool text) {
  if (text) {
    return fmt::format(
        "<em>Supported</em> means large, since twins show only few differences "
        "of one side to compare with: the low end of what it explains exceeds "
        "{:g} times what any hypothesis explains between twins and {:g} times "
        "its own floor, it explains at least {:.0f} % of the difference and "
        "{:.0f} % of what the best one does, and a test separates A from B "
        "across "
        "twins. For what no training does by itself, such as joining words, "
        "{:g} times its own floor and {} of the difference are enough, if each "
        "model of B drew it {:g} times or more, and no test needs to separate "
        "the "
        "sides apart.",
        margins.highest, margins.own, 100 * margins.least_explained,
        100 * margins.least_of_best, margins.lone,
        base::Percent(margins.lone_explained), margins.lone_draws);
  }
  return fmt::format(
      "<em>Supported</em> means large, since twins show only few differences "
      "of one population to compare with: the low end of what it explains "
      "exceeds {:g} times what any hypothesis explains between twins and {:g} "
      "times its own floor, and a test separates A from B across twins (for "
      "changes that no training makes by itself, such as mirroring, {:g} times "
      "its own floor is enough). It also explains at least {:.0f} % of the "
      "difference and {:.0f} % of what the best one does.",
      margins.highest, margins.own, margins.lone, 100 * margins.least_explained,
      100 * margins.least_of_best);
}

// Separation and distance belong to the pair, not to a side.
HtmlTable OfThePair(const runs::Contrast& contrast) {
  return {
      .heads = {"of the pair", "found", "90 % interval", "floor"},
      .rows = {{fmt::format(
                    "separated: how often a test that learned from one pair of "
                    "models names the side of {} of the other pair correctly "
                    "(a coin: 0.5)",
                    contrast.text ? "a sentence or word" : "an image"),
                EstimateText(contrast.separation.value),
                EstimateText(contrast.separation.low) + " – " +
                    EstimateText(contrast.separation.high),
                EstimateText(contrast.separation_floor)},
               {contrast.text
                    ? "how much more of some words B has than A, of all words"
                    : "distance between the two sides' images (energy "
                      "distance)",
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
  const auto row = [&](const std::string& words, const nlohmann::json& value) {
    if (!value.is_number()) return;
    table.rows.push_back({Escaped(words), EstimateText(value.get<double>())});
  };
  for (const auto& [key, value] : only.items()) {
    row(MetricWords(key), value);
    if (!value.is_object()) continue;
    for (const auto& [model, number] : value.items()) {
      row(fmt::format("{} from its side's own images, {}", MetricWords(key),
                      model),
          number);
    }
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
  if (contrast.hypotheses.empty()) return "";  // the answer says why
  std::string list;
  int rank = 0;
  for (const runs::Hypothesis& hypothesis : contrast.hypotheses) {
    if (hypothesis.supported) list += One(page, hypothesis, ++rank);
  }
  std::string html =
      rank == 0 ? Paragraph(
                      "No hypothesis is supported: none explains clearly more "
                      "than it does between two models of one side.",
                      "lead")
                : "<ol class=\"hypotheses\">\n" + list + "</ol>\n";
  const std::size_t others = contrast.hypotheses.size() - rank;
  if (others > 0) {
    html += Folded(fmt::format("{} {}not supported", others,
                               rank == 0     ? ""
                               : others == 1 ? "other "
                                             : "others "),
                   ToHtml(Unsupported(contrast.hypotheses)));
  }
  const bool text = contrast.text.has_value();
  html += Paragraph(
      std::string(
          text ? "Each hypothesis is a trait that a broken step leaves in "
                 "words. What it explains: how many more of B's words than "
                 "of A's carry it, as a share of all that B has more of, with "
                 "a 90 % interval. "
               : "Each hypothesis is a change that would turn A's images into "
                 "B's. Its share is how much of the difference between the two "
                 "sides goes away when A's images pass through it, with a 90 % "
                 "interval. ") +
          FloorWords(contrast.floor_source) + " " +
          AboutSupport(contrast.margins, text) +
          " All of this is computed from what the models draw and costs no "
          "privacy.",
      "method");
  return Section("hypotheses", "Hypotheses", html);
}

std::string NumbersSection(const Page& page) {
  const Findings& findings = page.findings;
  std::string html;
  if (findings.contrast && findings.contrast->compared) {
    if (!findings.contrast->measures.empty()) {
      html += ToHtml(MeasureTable(*findings.contrast)) +
              AboutMeasures(*findings.contrast);
    }
    html += ToHtml(OfThePair(*findings.contrast));
    html += SimulationNumbers(findings.contrast->simulation_only);
  }
  html += Histogram(findings.record);
  if (findings.record.correction_rate) {
    html += Paragraph(fmt::format(
        "<strong>{}.</strong> A survey asked every device; the answer carries "
        "noise.",
        Escaped(CorrectionText(findings.record))));
  }
  const std::string unknown = UnknownText(findings.record);
  if (!unknown.empty()) {
    html += Paragraph(fmt::format(
        "<strong>{}</strong>, on average over users: a survey asked every "
        "device in which range its own share lies, and only the counts of the "
        "ranges were released, with noise.",
        Escaped(unknown)));
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

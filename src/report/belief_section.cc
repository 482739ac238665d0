// Can I believe it? The models' health, their curves, whether the pair is one.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "report/html_parts.h"
#include "report/line_chart.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

// Models by what is wrong with them, so that it is said once.
std::map<std::string, std::vector<std::string>> Collapsed(
    const runs::Contrast& contrast) {
  std::map<std::string, std::vector<std::string>> models;
  for (const runs::Health& health : contrast.health) {
    if (health.collapsed) models[HeadOf(health.words)].push_back(health.model);
  }
  return models;
}

std::string Warnings(const Findings& findings) {
  std::string items;
  for (const std::string& remark : findings.record.remarks) {
    items += "<li>" + Escaped(remark) + "</li>";
  }
  const auto list = [&] {
    return items.empty()
               ? ""
               : "<div class=\"note bad\"><ul>" + items + "</ul></div>\n";
  };
  if (!findings.contrast) return list();
  for (const auto& [words, models] : Collapsed(*findings.contrast)) {
    const bool one = models.size() == 1;
    items += fmt::format(
        "<li><strong>{} {} collapsed:</strong> {}{}. Differences to {} say "
        "more about training than about the users.</li>",
        one ? "Model" : "Models",
        Escaped(fmt::format("{} {}", fmt::join(models, ", "),
                            one ? "has" : "have")),
        one ? "" : "each ", Escaped(words), one ? "it" : "them");
  }
  for (const std::string& warning : findings.contrast->warnings) {
    items += "<li>" + Escaped(warning) + "</li>";
  }
  return list();
}

std::string HealthTable(const runs::Contrast& contrast) {
  if (contrast.health.empty()) return "";
  HtmlTable table{
      .heads = {"model", "diversity", "sharpness", "classifier score", "state"},
      .rows = {},
      .style = "estimates",
      .left = {4},
      .wide = true};
  for (const runs::Health& health : contrast.health) {
    table.rows.push_back(
        {SideTag(LookOf(health.model)) + " " + Escaped(health.model),
         EstimateText(health.diversity), EstimateText(health.sharpness),
         health.classifier_score > 0 ? EstimateText(health.classifier_score)
                                     : "–",
         health.collapsed ? Chip("bad", "collapsed")
                          : Escaped(HeadOf(health.words))});
    table.row_styles.push_back(health.collapsed ? "bad" : "");
  }
  const bool judged = std::ranges::any_of(
      contrast.health,
      [](const runs::Health& health) { return health.classifier_score > 0; });
  if (judged) return ToHtml(table);
  table.grey = {3};
  return ToHtml(table) +
         Paragraph(
             "There is no classifier score: no classifier looked at what was "
             "drawn.",
             "quiet");
}

// ---- Curves.

struct CurveKind {
  const char* key;
  const char* words;
};
// The most telling ones that exist.
constexpr CurveKind kCurves[] = {
    {"batch_spread", "Spread of the images of the last batch"},
    {"generator_loss", "Generator's loss"},
    {"critic_loss", "Critic's loss"},
    {"loss", "Loss on devices"},
    {"test_accuracy", "Accuracy on test users"},
    {"update_norm", "Norm of the released update"},
    {"clip_norm", "Clip norm"},
};
constexpr std::size_t kMostCurves = 4;
constexpr std::size_t kBins = 80;

std::int64_t LastRound(const std::vector<RunFindings>& runs) {
  std::int64_t last = 1;
  for (const RunFindings& run : runs) last = std::max(last, run.rounds_done);
  return last;
}

// Means over bins of rounds, so that a thousand rounds are a readable line.
std::vector<double> Binned(const std::vector<CurvePoint>& points,
                           std::size_t bins, std::int64_t last) {
  std::vector<double> sums(bins), counts(bins);
  for (const CurvePoint& point : points) {
    const auto bin = static_cast<std::size_t>(
        std::clamp<std::int64_t>(point.round - 1, 0, last - 1) *
        static_cast<std::int64_t>(bins) / last);
    sums[bin] += point.value;
    counts[bin] += 1;
  }
  for (std::size_t i = 0; i < bins; ++i) {
    sums[i] = counts[i] > 0 ? sums[i] / counts[i]
                            : std::numeric_limits<double>::quiet_NaN();
  }
  return sums;
}

// A line needs neighbours: what is measured now and then is joined.
void Join(const std::vector<double>& x, std::vector<double>& y) {
  std::size_t before = y.size();
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) continue;
    for (std::size_t k = before + 1; before < i && k < i; ++k) {
      y[k] = y[before] +
             (y[i] - y[before]) * (x[k] - x[before]) / (x[i] - x[before]);
    }
    before = i;
  }
}

// About five rounds of the longest run with the epsilon that was spent by then.
std::vector<Tick> EpsilonTicks(const std::vector<RunFindings>& runs) {
  std::vector<Tick> ticks;
  std::int64_t last = 0;
  for (const RunFindings& run : runs) {
    const auto found = run.curves.find("epsilon");
    if (found == run.curves.end()) continue;
    const std::vector<CurvePoint>& points = found->second;
    if (points.empty() || points.back().round <= last) continue;
    last = points.back().round;
    ticks.clear();
    const std::size_t count = std::min<std::size_t>(5, points.size());
    for (std::size_t i = 1; i <= count; ++i) {
      const CurvePoint& point = points[i * points.size() / count - 1];
      ticks.push_back(
          {static_cast<double>(point.round), BoundText(point.value, 3)});
    }
  }
  return ticks;
}

LineChart ChartOf(const CurveKind& kind, const std::vector<RunFindings>& runs,
                  bool inspection) {
  const std::int64_t last = LastRound(runs);
  const std::size_t bins =
      std::min<std::size_t>(kBins, static_cast<std::size_t>(last));
  LineChart chart{.title = fmt::format("{} by round", kind.words),
                  .x_axis = {.label = "rounds", .log = false},
                  .y_axis = {.label = "", .log = false}};
  for (std::size_t i = 0; i < bins; ++i) {
    chart.x.push_back(static_cast<double>(last) * static_cast<double>(i + 1) /
                      static_cast<double>(bins));
  }
  for (const RunFindings& run : runs) {
    const auto found = run.curves.find(kind.key);
    if (found == run.curves.end()) continue;
    Series series{
        .name = inspection ? LookOf(run.name).sign + " " + run.name : "",
        .y = Binned(found->second, bins, last),
        .color =
            inspection ? LookOf(run.name).color : std::string("currentColor"),
        .dashed = IsSecondTwin(run.name) && inspection};
    Join(chart.x, series.y);
    chart.series.push_back(series);
    chart.description += fmt::format(
        "{}{}: {} at first, {} at last.", chart.description.empty() ? "" : " ",
        run.name, EstimateText(found->second.front().value),
        EstimateText(found->second.back().value));
  }
  chart.top_label = "ε";
  chart.top = EpsilonTicks(runs);
  chart.width = 520;
  chart.height = 300;
  chart.headed = false;
  return chart;
}

HtmlTable TableOf(const LineChart& chart) {
  HtmlTable table{.heads = {"round"}, .rows = {}, .style = "num"};
  for (const Series& series : chart.series) {
    table.heads.push_back(series.name.empty() ? "value" : series.name);
  }
  constexpr std::size_t kRows = 10;
  const std::size_t rows = std::min(kRows, chart.x.size());
  for (std::size_t row = 1; row <= rows; ++row) {
    const std::size_t i = row * chart.x.size() / rows - 1;
    std::vector<std::string> cells = {EstimateText(std::round(chart.x[i]))};
    for (const Series& series : chart.series) {
      cells.push_back(EstimateText(series.y[i]));
    }
    table.rows.push_back(cells);
  }
  return table;
}

std::string Curves(const Findings& findings) {
  std::string html;
  std::size_t drawn = 0;
  for (const CurveKind& kind : kCurves) {
    if (drawn == kMostCurves) break;
    const LineChart chart = ChartOf(kind, findings.runs, findings.inspection);
    if (chart.series.empty()) continue;
    ++drawn;
    html += Figure(
        Draw(chart),
        fmt::format(
            "<strong>{}</strong>{}.{}{}", Escaped(kind.words),
            chart.top.empty()     ? ""
            : findings.inspection ? ", with one model's ε at that round above"
                                  : ", with ε at that round above",
            IsShownAnywhere(kind.key)
                ? ""
                : " " + Chip("simulation", "simulation only"),
            findings.inspection ? " Dashed: the second half of a side." : ""),
        TableOf(chart));
  }
  if (html.empty()) return "";
  return "<h3>Training</h3>\n<div class=\"pair\">\n" + html + "</div>\n";
}

// ---- Is it a matched pair?

std::string MatchedPair(const Findings& findings) {
  if (!findings.inspection || findings.runs.size() < 2) return "";
  const auto unmatched = UnmatchedKeys(findings.runs);
  std::string html = "<h3>Were the models trained alike?</h3>\n";
  if (unmatched.empty()) {
    return html + Paragraph(fmt::format("✓ Yes: the configs of all {} runs are "
                                        "equal except for their side "
                                        "and half.",
                                        findings.runs.size()));
  }
  html += Paragraph(fmt::format(
      "<span class=\"bad\">✗ Not quite: {} {} between the runs besides side "
      "and half, and may be why they differ.</span>",
      unmatched.size(),
      unmatched.size() == 1 ? "setting differs" : "settings differ"));
  HtmlTable table{.heads = {"setting"}, .rows = {}, .wide = true};
  for (const RunFindings& run : findings.runs) {
    table.heads.push_back(run.name);
  }
  for (const ConfigDifference& difference : unmatched) {
    std::vector<std::string> row = {"<code>" + Escaped(difference.key) +
                                    "</code>"};
    for (const std::string& value : difference.values) {
      row.push_back(Escaped(WithoutPlace(value)));
    }
    table.rows.push_back(row);
    table.row_styles.push_back("bad");
  }
  return html + ToHtml(table);
}

// How often simulations found such a bug; they are public, so this may stand on
// every page.
std::string PowerTable(const std::vector<runs::PowerRow>& power) {
  if (power.empty()) return "";
  HtmlTable table{
      .heads = {"bug", "affected", "found"}, .rows = {}, .style = "estimates"};
  for (const runs::PowerRow& row : power) {
    table.rows.push_back({Escaped(row.bug.empty() ? "any" : row.bug),
                          fmt::format("{:g} % of {}", 100 * row.share,
                                      Escaped(ShownWord(row.bug_of))),
                          fmt::format("{} of {}", row.found, row.of)});
    if (!(row.share > 0)) table.rows.back()[0] = "none: false alarms";
  }
  return Paragraph(Chip("simulation", "in simulation") +
                   " How often such an inspection of generated or public "
                   "people finds a bug, by the share of them, or of their "
                   "examples, that has it. An estimate, and not of these "
                   "users.") +
         ToHtml(table);
}

// What a simulation knows besides: {"bug": "invert", "bug_share": 0.5}.
std::string Power(const runs::InspectionRecord& record) {
  std::string html = PowerTable(record.power);
  const nlohmann::json only =
      record.simulation && record.simulation_only.is_object()
          ? record.simulation_only
          : nlohmann::json::object();
  const std::string bug = only.contains("bug") && only["bug"].is_string()
                              ? only["bug"].get<std::string>()
                              : "";
  if (!bug.empty()) {
    html += Paragraph(fmt::format(
        "{} What was really wrong, since it was put there on purpose: "
        "<strong>{}</strong>.",
        Chip("simulation", "simulation only"), Escaped(bug)));
  }
  return html.empty() ? "" : "<h3>What it can find</h3>\n" + html;
}

}  // namespace

std::string BeliefSection(const Page& page) {
  const Findings& findings = page.findings;
  std::string html = Warnings(findings);
  if (findings.contrast && findings.contrast->compared) {
    const bool text = findings.contrast->text.has_value();
    html += text ? TextHealthTable(*findings.contrast)
                 : HealthTable(*findings.contrast);
    if (!text && !findings.contrast->health.empty()) {
      html += Paragraph(
          "Diversity is the mean distance of two drawn images; near 0 the "
          "model draws one image again and again and a contrast with it means "
          "nothing. Estimates, from drawn images.",
          "method");
    }
  }
  html += MatchedPair(findings);
  html += Curves(findings);
  html += Power(findings.record);
  if (html.empty()) {
    html = Paragraph("Nothing was trained yet that could be judged.");
  }
  return Section("belief", "Can I believe it?", html);
}

}  // namespace sfumato::report

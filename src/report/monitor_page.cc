#include "report/monitor_page.h"

#include <algorithm>

#include "base/progress.h"
#include "fmt/format.h"
#include "report/html_parts.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

std::string Sign(const std::string& verdict) {
  return verdict == "differs" ? "✗" : verdict == "same" ? "✓" : "?";
}

std::string Verdict(const runs::MonitorRow& row) {
  const std::string words = row.verdict == "differs" ? "A differs from B"
                            : row.verdict == "same"  ? "nothing above the floor"
                            : row.verdict == "refused" ? "skipped"
                                                       : "cannot say";
  return fmt::format("{} {}", Sign(row.verdict), words);
}

// What the users' votes say.
std::string Votes(const runs::MonitorRow& row) {
  if (row.census_verdict.empty()) return "–";
  if (row.census_verdict == "differs")
    return fmt::format("✗ {}", row.census_words);
  return row.census_verdict == "as_it_should_be" ? "✓ as it should be"
                                                 : "? cannot say";
}

bool WasRun(const runs::MonitorRow& row) { return row.verdict != "refused"; }

std::string Shared(const runs::MonitorRow& row) {
  return row.correction_rate < 0
             ? "–"
             : fmt::format("{:.1f} % ± {:.1f}", 100 * row.correction_rate,
                           100 * row.correction_deviation);
}

// Of text, nobody is asked how often they correct.
bool AskedCorrections(const runs::Monitor& monitor) {
  return std::ranges::any_of(monitor.rows, [](const runs::MonitorRow& row) {
    return row.correction_rate >= 0;
  });
}

HtmlTable Table(const runs::Monitor& monitor) {
  HtmlTable table{.heads = {"inspection", "verdict", "first hypothesis",
                            "separated", "floor"},
                  .rows = {},
                  .style = "estimates",
                  .left = {1, 2},
                  .wide = true};
  const bool voted = std::ranges::any_of(
      monitor.rows,
      [](const runs::MonitorRow& row) { return !row.census_verdict.empty(); });
  if (voted) {
    table.heads.emplace(table.heads.begin() + 1, "census");
    table.left = {1, 2, 3};
  }
  const bool asked = AskedCorrections(monitor);
  if (asked) {
    table.heads.push_back("users who " +
                          runs::CorrectingText(monitor.correction_level));
  }
  const bool text =
      std::ranges::any_of(monitor.rows, [](const runs::MonitorRow& row) {
        return !runs::UnknownShareText(row).empty();
      });
  if (text) table.heads.emplace_back("unknown words, A → B (private survey)");
  for (const runs::MonitorRow& row : monitor.rows) {
    table.rows.push_back(
        {Escaped(row.folder), Escaped(Verdict(row)),
         WasRun(row) ? Escaped(row.words.empty() ? "–" : row.words)
                     : Escaped(row.why),
         WasRun(row) ? fmt::format("{:.2f}", row.separation.value) : "–",
         WasRun(row) ? fmt::format("{:.2f}", row.floor) : "–"});
    if (voted) {
      std::vector<std::string>& cells = table.rows.back();
      cells.insert(cells.begin() + 1, Escaped(Votes(row)));
    }
    if (asked) table.rows.back().push_back(Shared(row));
    if (text) table.rows.back().push_back(runs::UnknownShareText(row));
  }
  return table;
}

std::vector<std::string> Names(const runs::Monitor& monitor) {
  std::vector<std::string> names;
  for (const runs::MonitorRow& row : monitor.rows) {
    names.push_back(Sign(row.verdict) == "✗" ? row.folder + " ✗" : row.folder);
  }
  return names;
}

std::string Lead(const runs::Monitor& monitor) {
  const auto differ = std::count_if(
      monitor.rows.begin(), monitor.rows.end(),
      [](const runs::MonitorRow& row) { return row.verdict == "differs"; });
  std::string html = Paragraph(
      fmt::format("{} of {} done; in <strong>{}</strong> of them "
                  "A differs from B.{}",
                  monitor.rows.size(),
                  base::HumanCount(static_cast<std::uint64_t>(monitor.planned),
                                   "inspection"),
                  differ,
                  monitor.stopped ? " It was stopped there, and what the rest "
                                    "would have cost was given back."
                                  : ""),
      "lead");
  const auto voted = std::count_if(
      monitor.rows.begin(), monitor.rows.end(),
      [](const runs::MonitorRow& row) { return !row.census_verdict.empty(); });
  if (voted == 0) return html;
  const auto named = std::count_if(monitor.rows.begin(), monitor.rows.end(),
                                   [](const runs::MonitorRow& row) {
                                     return row.census_verdict == "differs";
                                   });
  return html + Paragraph(fmt::format("In <strong>{}</strong> of {} censuses "
                                      "the users’ votes name damage.",
                                      named, voted));
}

std::string Price(const runs::Monitor& monitor) {
  return Paragraph(fmt::format(
      "All {} inspections together {} <span class=\"proven\">ε {} at δ "
      "{}</span> (user, add-remove). People may change sides between "
      "two of them, so that each is paid in full.{} It holds against "
      "{}.",
      monitor.planned,
      monitor.simulation ? "would cost, were they not a simulation,"
                         : "cost at most",
      BoundText(monitor.epsilon), SmallText(monitor.delta),
      monitor.repeated ? " " + RepeatedText() : "", Escaped(monitor.against)));
}

}  // namespace

StepChart CorrectionCurve(const runs::Monitor& monitor) {
  const std::string users =
      "sers who " + runs::CorrectingText(monitor.correction_level);
  StepChart chart{.title = "U" + users,
                  .description =
                      "Noisy shares, with one deviation of the "
                      "noise to either side.",
                  .x_label = "inspection",
                  .y_label = "share of users",
                  .steps = Names(monitor),
                  .height = 300};
  StepSeries series{.name = "share of users"};
  double most = 0.05;
  for (std::size_t i = 0; i < monitor.rows.size(); ++i) {
    const runs::MonitorRow& row = monitor.rows[i];
    if (row.correction_rate < 0) continue;
    const double high = row.correction_rate + row.correction_deviation;
    series.points.push_back(
        {.step = i,
         .value = row.correction_rate,
         .low = row.correction_rate - row.correction_deviation,
         .high = high});
    most = std::max(most, high);
  }
  chart.top = most > 0.5 ? 1 : most > 0.2 ? 0.5 : most > 0.1 ? 0.2 : 0.1;
  chart.series.push_back(std::move(series));
  return chart;
}

StepChart SeparationCurve(const runs::Monitor& monitor) {
  StepChart chart{.title = "How separable the two sides are",
                  .description =
                      "With 90 % intervals, and the floor: two "
                      "models of one side. 0.5 is a coin.",
                  .x_label = "inspection",
                  .y_label = "separated",
                  .steps = Names(monitor),
                  .percent = false,
                  .height = 300};
  StepSeries apart{.name = "A from B"};
  StepSeries floor{.name = "floor"};
  for (std::size_t i = 0; i < monitor.rows.size(); ++i) {
    const runs::MonitorRow& row = monitor.rows[i];
    if (!WasRun(row)) continue;
    apart.points.push_back({.step = i,
                            .value = row.separation.value,
                            .low = row.separation.low,
                            .high = row.separation.high});
    floor.points.push_back(
        {.step = i, .value = row.floor, .low = row.floor, .high = row.floor});
  }
  chart.series = {std::move(apart), std::move(floor)};
  return chart;
}

std::string MonitorPage(const runs::Monitor& monitor) {
  std::string body = fmt::format(
      "<header>\n<p class=\"kicker\">Monitor · {}</p>\n<h1>Has anything "
      "changed?</h1>\n{}</header>\n<main>\n",
      Escaped(monitor.name),
      monitor.simulation
          ? "<p class=\"band\" role=\"note\"><strong>A simulation: the noise "
            "came from a seed</strong> and protects nobody.</p>\n"
          : "");
  std::string html = Lead(monitor);
  if (!monitor.rows.empty()) {
    const HtmlTable table = Table(monitor);
    html += ToHtml(table);
    if (AskedCorrections(monitor)) {
      html +=
          Figure(Draw(CorrectionCurve(monitor)),
                 fmt::format("Users who {}, with the deviation of the noise.",
                             runs::CorrectingText(monitor.correction_level)),
                 table);
    }
    html += Figure(Draw(SeparationCurve(monitor)),
                   "How well a test separates what the two sides’ models draw.",
                   table);
  }
  body += Section("found", "What was seen", html);
  body += Section("privacy", "What it costs", Price(monitor));
  return PageAround("Monitor of " + monitor.name, body + "</main>\n");
}

}  // namespace sfumato::report

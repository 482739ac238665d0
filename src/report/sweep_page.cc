#include "report/sweep_page.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/progress.h"
#include "fmt/format.h"
#include "report/html_parts.h"

namespace sfumato::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPictureBytes = 800'000;

std::string Percent(double share) { return fmt::format("{:g} %", 100 * share); }

// On one line of a cell.
std::string Unbroken(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == ' ' ? "\u00A0" : std::string(1, c);
  return out;
}

std::string RateText(std::int64_t hits, std::int64_t of) {
  const runs::SharesInterval interval = runs::WilsonInterval(hits, of);
  return of == 0 ? "none"
                 : fmt::format("{} of {} ({:.0f}–{:.0f} %)", hits, of,
                               100 * interval.low, 100 * interval.high);
}

std::string VerdictWords(const runs::SweepTrial& trial) {
  return trial.verdict == "cannot_say"     ? "cannot say"
         : trial.verdict == runs::kRefused ? "skipped"
                                           : trial.verdict;
}

std::vector<double> SharesOf(const std::vector<runs::SweepRate>& rates) {
  std::set<double> shares;
  for (const runs::SweepRate& rate : rates) shares.insert(rate.share);
  return {shares.begin(), shares.end()};
}

std::vector<std::string> BugsOf(const std::vector<runs::SweepRate>& rates) {
  std::vector<std::string> bugs;
  for (const runs::SweepRate& rate : rates) {
    if (rate.bug.empty()) continue;
    if (bugs.empty() || bugs.back() != rate.bug) bugs.push_back(rate.bug);
  }
  return bugs;
}

StepPoint PointOf(const runs::SweepRate& rate, std::int64_t hits,
                  const std::vector<double>& shares) {
  const runs::SharesInterval interval = runs::WilsonInterval(hits, rate.of);
  return {
      .step = static_cast<std::size_t>(
          std::find(shares.begin(), shares.end(), rate.share) - shares.begin()),
      .value = static_cast<double>(hits) / static_cast<double>(rate.of),
      .low = interval.low,
      .high = interval.high};
}

bool HasCensus(const std::vector<runs::SweepRate>& rates) {
  return std::ranges::any_of(
      rates, [](const runs::SweepRate& rate) { return rate.voted > 0; });
}

HtmlTable RateTable(const std::vector<runs::SweepRate>& rates,
                    const std::string& bug_of) {
  HtmlTable table{
      .heads = {"bug", "share of " + bug_of, "found", "noticed", "skipped"},
      .rows = {},
      .style = "estimates"};
  const bool voted = HasCensus(rates);
  if (voted) table.heads.insert(table.heads.begin() + 2, "named by the census");
  for (const runs::SweepRate& rate : rates) {
    const bool none = rate.bug.empty();
    table.rows.push_back({none ? "none" : Escaped(rate.bug),
                          Percent(rate.share),
                          none ? "–" : RateText(rate.found, rate.of),
                          RateText(rate.noticed, rate.of),
                          fmt::format("{} of {}", rate.refused, rate.of)});
    if (!voted) continue;
    std::vector<std::string>& cells = table.rows.back();
    cells.insert(
        cells.begin() + 2,
        none ? RateText(rate.census_noticed, rate.voted) + ": false alarms"
             : RateText(rate.named, rate.voted));
  }
  return table;
}

std::string Lead(const std::vector<runs::SweepRate>& rates) {
  std::string html;
  for (const runs::SweepRate& rate : rates) {
    if (!rate.bug.empty()) continue;
    html += Paragraph(
        fmt::format(
            "False alarms where nothing was broken: <strong>{}</strong>"
            "{}.",
            RateText(rate.noticed, rate.of),
            rate.refused == 0
                ? ""
                : fmt::format("; {} of them were skipped, and so raised "
                              "none",
                              rate.refused)),
        "lead");
    if (rate.voted > 0) {
      html += Paragraph(fmt::format(
          "False alarms of the census: <strong>{}</strong>. <em>Named by the "
          "census</em>: the bug is among what the users’ votes name.",
          RateText(rate.census_noticed, rate.voted)));
    }
  }
  return html;
}

std::string Method() {
  return Paragraph(
             "<em>Noticed</em>: the verdict is that the two sides differ. "
             "<em>Found</em>: noticed, and the first hypothesis that is "
             "supported is the bug that was put there. An inspection that "
             "was skipped, because too few users were on a side, found "
             "nothing. Whiskers and numbers in brackets are Wilson’s 95 % "
             "intervals.") +
         Paragraph(
             "Every inspection had people, noise and bugs of its own. Where "
             "sides are chosen by how well a model does for users, or by what "
             "they have, they may differ though nothing is broken; a verdict "
             "that says so counts as a false alarm here all the same.",
             "method");
}

std::string Thumb(const base::Path& file, const std::string& alt,
                  const SideLook& side, std::size_t& left) {
  std::error_code none;
  const auto bytes = fs::file_size(file, none);
  if (none || 4 * bytes / 3 > left) return "";
  left -= 4 * bytes / 3;
  return fmt::format(
      "<figure class=\"grid\"><figcaption>{}</figcaption><img alt=\"{}\" "
      "src=\"data:image/png;base64,{}\"></figure>",
      SideTag(side), Escaped(alt), Base64(base::ReadFile(file)));
}

// Below the sweep's folder, whatever the file says.
base::Path Within(const base::Path& folder, const runs::SweepTrial& trial,
                  const std::string& picture) {
  const base::Path inner =
      (base::Path(trial.folder) / picture).lexically_normal();
  if (picture.empty() || inner.is_absolute() || *inner.begin() == "..") {
    return {};
  }
  return folder / inner;
}

// One inspection for each bug and share: the first that was run.
std::string Thumbs(const runs::Sweep& sweep, const base::Path& folder,
                   const std::vector<runs::SweepRate>& rates) {
  std::string html;
  std::size_t left = kMostPictureBytes;
  for (const runs::SweepRate& rate : rates) {
    for (const runs::SweepTrial& trial : sweep.trials) {
      if (trial.bug != rate.bug || trial.share != rate.share ||
          trial.verdict == runs::kRefused) {
        continue;
      }
      const std::string name =
          rate.bug.empty() ? "nothing broken"
                           : fmt::format("{} on {} of the {}", rate.bug,
                                         Percent(rate.share), sweep.bug_of);
      const std::string a =
          Thumb(Within(folder, trial, trial.a), "A, " + name, SideA(), left);
      const std::string b =
          Thumb(Within(folder, trial, trial.b), "B, " + name, SideB(), left);
      if (a.empty() && b.empty()) continue;
      html += fmt::format(
          "<div><h3>{}: {}</h3>\n<div class=\"grids two\">{}{}</div></div>\n",
          Escaped(name),
          Escaped(trial.words.empty() ? VerdictWords(trial) : trial.words), a,
          b);
      break;
    }
  }
  return html.empty()
             ? ""
             : Section("drawn", "What the models drew",
                       Paragraph("One inspection of each share, the "
                                 "first that was run.",
                                 "method") +
                           "<div class=\"pair\">\n" + html + "</div>\n");
}

std::string Trials(const runs::Sweep& sweep) {
  HtmlTable table{
      .heads = {"bug", "share", "seed", "verdict", "first hypothesis", "found",
                "explained", "affected", "separated", "floor", "time"},
      .rows = {},
      .style = "estimates",
      .left = {3, 4},
      .wide = true};
  const bool voted = std::ranges::any_of(
      sweep.trials, [](const runs::SweepTrial& one) { return one.voted(); });
  if (voted) {
    table.heads.insert(table.heads.begin() + 3, "census");
    table.left = {3, 4, 5};
  }
  for (const runs::SweepTrial& trial : sweep.trials) {
    const bool refused = trial.verdict == runs::kRefused;
    const auto number = [&](double value) {
      return refused ? std::string("–") : fmt::format("{:.2f}", value);
    };
    table.rows.push_back(
        {Escaped(trial.bug.empty() ? "none" : trial.bug),
         Unbroken(Percent(trial.share)), fmt::format("{}", trial.seed),
         Escaped(VerdictWords(trial)),
         Escaped(refused ? trial.why : trial.words),
         trial.bug.empty() ? (trial.noticed() ? "false alarm" : "–")
         : trial.found()   ? "yes"
                           : "no",
         trial.key.empty() ? "–" : number(trial.explained),
         trial.key.empty() ? "–" : number(trial.affected),
         number(trial.separation), number(trial.floor),
         Unbroken(Escaped(base::HumanDuration(trial.seconds)))});
    if (!voted) continue;
    std::vector<std::string>& cells = table.rows.back();
    cells.insert(
        cells.begin() + 3,
        Escaped(!trial.voted()                         ? "–"
                : trial.census_verdict == "differs"    ? trial.census_words
                : trial.census_verdict == "cannot_say" ? "cannot say"
                                                       : "as it should be"));
  }
  return Section("inspections", "Every inspection", ToHtml(table));
}

}  // namespace

StepChart SweepCurve(const runs::Sweep& sweep) {
  const std::vector<runs::SweepRate> rates = runs::RatesOf(sweep.trials);
  const std::vector<double> shares = SharesOf(rates);
  StepChart chart{.title = "Bugs found against the share of " + sweep.bug_of +
                           " that have them",
                  .description = "One line a bug, with 95 % intervals.",
                  .x_label = "share of " + sweep.bug_of + " affected",
                  .y_label = "inspections that found the bug"};
  for (const double share : shares) chart.steps.push_back(Percent(share));
  for (const std::string& bug : BugsOf(rates)) {
    StepSeries series{.name = bug};
    for (const runs::SweepRate& rate : rates) {
      if (rate.bug == bug) {
        series.points.push_back(PointOf(rate, rate.found, shares));
      }
    }
    chart.series.push_back(std::move(series));
  }
  for (const runs::SweepRate& rate : rates) {
    if (!rate.bug.empty()) continue;
    chart.series.push_back({.name = "false alarms",
                            .points = {PointOf(rate, rate.noticed, shares)}});
  }
  return chart;
}

std::string SweepPage(const runs::Sweep& sweep, const base::Path& folder) {
  const std::vector<runs::SweepRate> rates = runs::RatesOf(sweep.trials);
  std::string body = fmt::format(
      "<header>\n<p class=\"kicker\">Sweep · {} inspections of {} {}</p>\n"
      "<h1>How often is a bug found?</h1>\n</header>\n<main>\n",
      sweep.trials.size(), Escaped(sweep.name),
      Chip("simulation", "simulation only"));
  const StepChart chart = SweepCurve(sweep);
  std::string found = Lead(rates);
  if (!chart.steps.empty()) {
    found +=
        Figure(Draw(chart),
               fmt::format("Share of inspections that found the bug, by the "
                           "share of {} that have it. False alarms: the share "
                           "that noticed a difference where nothing was "
                           "broken.",
                           sweep.bug_of),
               RateTable(rates, sweep.bug_of));
  }
  body += Section("found", "What was found", found + Method());
  body += Thumbs(sweep, folder, rates) + Trials(sweep) + "</main>\n";
  return PageAround("Sweep of " + sweep.name, body);
}

}  // namespace sfumato::report

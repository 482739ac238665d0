#include "report/page.h"

#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/schema.h"
#include "fmt/format.h"
#include "report/census_page.h"
#include "report/html_parts.h"
#include "report/markdown.h"
#include "report/page_style.h"
#include "report/pictures.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

using nlohmann::json;

constexpr std::string_view kDataBegin =
    "<script type=\"application/json\" id=\"data\">";
constexpr std::string_view kDataEnd = "</script>";

// What stands in the page besides pictures; they get the rest.
constexpr std::size_t kPictureShare = 780'000;

std::string Dumped(const json& data, int indent) {
  return data.dump(indent, ' ', false, json::error_handler_t::replace);
}

json RunsJson(const Findings& findings) {
  json runs = json::array();
  for (const RunFindings& run : findings.runs) {
    json last = json::object();
    for (const auto& [key, points] : run.curves) {
      if (!points.empty()) last[key] = points.back().value;
    }
    runs.push_back({{"name", run.name},
                    {"status", runs::Name(run.record.status)},
                    {"rounds_done", run.rounds_done},
                    {"rounds", run.record.config.rounds},
                    {"config_crc32c", run.record.config_crc32c},
                    {"last", last}});
  }
  return runs;
}

// As `--json` has it.
json CensusJson(const Findings& findings) {
  if (!findings.votes || !findings.votes->answer) return nullptr;
  return runs::AnswerJson(*findings.votes);
}

// Everything here passed ReadFindings, which leaves out what may not be shown.
json DataOf(const Findings& findings, const Pictures& pictures) {
  json rounds = json::array();
  for (const runs::GridStep& step : pictures.steps()) {
    rounds.push_back(step.round);
  }
  json unmatched = json::array();
  if (findings.inspection) {
    for (const ConfigDifference& difference : UnmatchedKeys(findings.runs)) {
      unmatched.push_back(difference.key);
    }
  }
  json contrast;
  if (findings.contrast) {
    contrast = ToJson(*findings.contrast);
    if (!findings.record.simulation) contrast.erase("simulation_only");
  }
  const VerdictText verdict = VerdictOf(findings);
  return {{"schema", kReportSchema},
          {"kind", findings.inspection ? "inspection" : "run"},
          {"folder", findings.folder},
          {"verdict", verdict.words},
          {"statement", StatementText(findings)},
          {"odds", OddsText(findings)},
          {"inspection", ToJson(findings.record)},
          {"census", CensusJson(findings)},
          {"contrast", contrast},
          {"runs", RunsJson(findings)},
          {"unmatched_keys", unmatched},
          {"missing", findings.missing},
          {"page", {{"rounds", rounds}}}};
}

std::string Policy() {
  return fmt::format(
      "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src "
      "'sha256-{}'; base-uri 'none'; form-action 'none'",
      Sha256Base64(kPageStyle), Sha256Base64(kPageScript));
}

std::string Sections(const Page& page, bool for_steward) {
  std::string html;
  if (for_steward) html += PrivacySection(page);
  if (page.findings.votes && page.findings.votes->answer) {
    html += CensusSection(page.findings);
  }
  html += AnswerSection(page) + HypothesesSection(page) + PhrasesSection(page) +
          NumbersSection(page) + MapSection(page) + BeliefSection(page);
  if (!for_steward) html += PrivacySection(page);
  return html + ReproduceSection(page);
}

std::string Html(const Page& page, const json& data, bool for_steward) {
  const std::string sections = Sections(page, for_steward);
  const std::string title = page.findings.record.question.empty()
                                ? page.findings.record.name
                                : page.findings.record.question;
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n";
  html += "<meta charset=\"utf-8\">\n";
  html += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n",
      Policy());
  html +=
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n";
  html += "<title>" + Escaped(title) + " · Sfumato</title>\n<style>";
  html += kPageStyle;
  html += "</style>\n</head>\n<body>\n";
  html += "<div class=\"top\">" + Kicker(page.findings) + Contents(sections) +
          "</div>\n";
  html += Masthead(page) + "<main>\n" + sections + "</main>\n";
  html +=
      "<footer class=\"quiet\">One file, no network: its policy forbids every "
      "request, so opening it tells nobody anything.</footer>\n";
  html += DataBlock(data);
  html += "<script>";
  html += kPageScript;
  html += "</script>\n</body>\n</html>\n";
  return html;
}

// Drawn phrases and words are samples, too, and the answer quotes some; their
// frequencies are not samples.
void LeaveOutText(Findings& findings) {
  for (RunFindings& run : findings.runs) run.writings.clear();
  if (!findings.contrast || !findings.contrast->text) return;
  runs::TextContrast& text = *findings.contrast->text;
  text.phrases_a.clear();
  text.phrases_b.clear();
  text.top_a.clear();
  text.top_b.clear();
  text.changed_words.clear();
  for (runs::Hypothesis& hypothesis : findings.contrast->hypotheses) {
    hypothesis.examples.clear();
  }
  const runs::Contrast& contrast = *findings.contrast;
  if (contrast.verdict == runs::Verdict::kDiffers &&
      !contrast.hypotheses.empty() && contrast.hypotheses.front().supported) {
    findings.contrast->sentence =
        runs::FindingText(contrast.hypotheses.front());
  }
}

Report Draw(const base::Path& folder, const ReportOptions& options) {
  Findings findings = ReadFindings(folder);
  if (!options.samples) LeaveOutText(findings);
  Report report;
  // Few pages need a second try: those with much besides pictures.
  std::size_t most = kPictureShare;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Pictures pictures = Pictures::Read(
        folder, findings, {.samples = options.samples, .most_bytes = most});
    report.data = DataOf(findings, pictures);
    report.html = Html({findings, pictures}, report.data, options.for_steward);
    if (report.html.size() <= kMostPageBytes) break;
    const std::size_t excess = report.html.size() - kMostPageBytes;
    most = most > excess ? most - excess : 0;
  }
  report.markdown = Markdown(findings);
  report.summary = Summary(findings);
  return report;
}

}  // namespace

std::string Contents(std::string_view sections) {
  std::string html = "<nav aria-label=\"Sections\">";
  constexpr std::string_view kBegin = "<section id=\"";
  constexpr std::string_view kHeading = "-h\">";
  for (auto at = sections.find(kBegin); at != std::string_view::npos;
       at = sections.find(kBegin, at + 1)) {
    const auto id = at + kBegin.size();
    const auto heading = sections.find(kHeading, sections.find("<h2", id));
    const auto begin = heading + kHeading.size();
    html += fmt::format(
        "<a href=\"#{}\">{}</a>",
        sections.substr(id, sections.find('"', id) - id),
        sections.substr(begin, sections.find("</h2>", begin) - begin));
  }
  return html + "</nav>\n";
}

// Inside <script> only '<' can do harm.
std::string DataBlock(const json& data) {
  std::string text(kDataBegin);
  for (const char c : Dumped(data, -1)) {
    text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  }
  return text + std::string(kDataEnd) + "\n";
}

Report MakeReport(const base::Path& folder, const ReportOptions& options) {
  if (runs::IsCensus(folder)) return MakeCensusReport(folder, options);
  try {
    return Draw(folder, options);
  } catch (const json::exception& error) {  // in what only simulations have
    throw Corrupt(fmt::format("damaged: {}", error.what()), folder.string(),
                  "the folder was changed by hand");
  }
}

std::string PageName(const ReportOptions& options) {
  return fmt::format("report{}{}.html", options.for_steward ? "_steward" : "",
                     options.samples ? "" : "_no_samples");
}

Report WriteReport(const base::Path& folder, const ReportOptions& options) {
  Report report = MakeReport(folder, options);
  if (!options.for_steward && options.samples) {
    base::WriteFileAtomically(folder / "report.json",
                              Dumped(report.data, 2) + "\n");
    base::WriteFileAtomically(folder / "report.md", report.markdown);
  }
  base::WriteFileAtomically(folder / PageName(options), report.html);
  return report;
}

bool IsReport(std::string_view text) {
  const auto begin = text.find(kDataBegin);
  const auto end = text.find(kDataEnd, begin);
  if (begin != std::string_view::npos && end != std::string_view::npos) {
    const auto from = begin + kDataBegin.size();
    text = text.substr(from, end - from);
  }
  const json data = base::ParseJson(text);
  const json schema = data.is_object() ? data.value("schema", json()) : json();
  return schema == kReportSchema ||
         (schema.is_string() &&
          base::IsOtherVersion(schema.get<std::string>(), kReportSchema));
}

json ExtractData(std::string_view html, const std::string& where) {
  const auto begin = html.find(kDataBegin);
  const auto end = html.find(kDataEnd, begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    throw Corrupt("no report page: it holds no data", where,
                  "make it again with sfumato report");
  }
  const auto from = begin + kDataBegin.size();
  const json data = base::ParseJson(html.substr(from, end - from));
  const json schema = data.is_object() ? data.value("schema", json()) : json();
  if (schema.is_string() &&
      base::IsOtherVersion(schema.get<std::string>(), kReportSchema)) {
    throw Unsupported("the page of another version of the program", where,
                      "use that version, or make it again with sfumato report");
  }
  if (schema != kReportSchema) {
    throw Corrupt("the page's data is damaged", where,
                  "make it again with sfumato report");
  }
  return data;
}

}  // namespace sfumato::report

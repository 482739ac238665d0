// Privacy: the statement, where the budget went, what it would cost at scale.

#include <algorithm>
#include <cmath>

#include "base/progress.h"
#include "fmt/format.h"
#include "report/at_scale.h"
#include "report/html_parts.h"
#include "report/number_text.h"
#include "report/paper_tables.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

constexpr const char* kProof = "#6b5bd2";  // what is proven is drawn in this

std::string Percent(double share) {
  const double percent = 100 * share;
  return percent > 0 && percent < 1 ? fmt::format("{:.2g} %", percent)
                                    : fmt::format("{:.0f} %", percent);
}

std::string Facts(const Findings& findings) {
  const runs::InspectionRecord& record = findings.record;
  const runs::PrivacyRecord& privacy = record.privacy;
  HtmlTable table{
      .heads = {"", ""}, .rows = {}, .style = "facts-table", .left = "1"};
  const auto fact = [&](const char* name, const std::string& text) {
    if (!text.empty()) table.rows.push_back({name, Escaped(text)});
  };
  fact("unit", privacy.unit == "user"      ? "user: all that one user has"
               : privacy.unit == "example" ? "example: one record"
                                           : privacy.unit);
  fact("adjacency",
       privacy.adjacency == "add-remove"
           ? "add-remove: one more or less, so it hides who took part"
       : privacy.adjacency == "replace-one"
           ? "replace-one: one exchanged for another"
           : privacy.adjacency);
  fact("proof", privacy.proof);
  fact("holds against", privacy.against);
  if (findings.inspection) {
    fact("two sides",
         privacy.pays_once
             ? "nobody can be in both, so each user pays for one side's models"
             : "a user may be in both, so each user pays for both sides' "
               "models");
  }
  std::string fixed;
  for (const std::string& what : privacy.taken_as_fixed) {
    fixed += (fixed.empty() ? "" : "; ") + what;
  }
  fact("taken as fixed", fixed.empty()
                             ? ""
                             : fixed +
                                   " (what these tell of users is not "
                                   "counted)");
  fact("classifier", record.model_words.empty()
                         ? ""
                         : fmt::format("{} ({})", record.model_words,
                                       record.model_provenance));
  fact("noise", privacy.seeded ? "from a seed: it protects nobody"
                               : "from the operating system's secure source");
  fact("population", privacy.population);
  fact("ledger head", privacy.ledger_head);
  return ToHtml(table);
}

std::string WhereItWent(const runs::PrivacyRecord& privacy) {
  if (privacy.parts.empty()) return "";
  HtmlTable table{.heads = {"part", "ε by itself", "released by"},
                  .rows = {},
                  .style = "proofs",
                  .left = "2"};
  for (const runs::PriceRecord& part : privacy.parts) {
    table.rows.push_back({Escaped(part.what),
                          "<span class=\"proven\">" +
                              Escaped(BoundText(part.epsilon, 3)) + "</span>",
                          Escaped(part.events)});
  }
  table.rows.push_back(
      {"<strong>together</strong>",
       "<strong class=\"proven\">" + Escaped(BoundText(privacy.epsilon, 3)) +
           "</strong>",
       privacy.pays_once ? "each user pays for one side" : ""});
  return "<h3>Where it went</h3>\n" + ToHtml(table) +
         Paragraph(
             "Bounds, each rounded up. The whole is less than the sum of its "
             "parts: chances add up more slowly than worst cases, and models "
             "of users who share nobody are paid once. What is computed from "
             "released models (drawing, comparing, this page) costs 0.",
             "method");
}

std::string AtScaleTable(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  const AtScale scale = ProjectToScale(
      {.noise_multiplier = privacy.noise_multiplier,
       .cohort = privacy.cohort,
       .rounds = privacy.rounds,
       .models = findings.inspection && !privacy.pays_once ? 2 : 1});
  if (scale.cohort == 0) return "";
  const auto count = [](std::int64_t value) {
    return base::HumanCount(static_cast<std::uint64_t>(value));
  };
  std::string html = "<h3>At scale</h3>\n";
  html += Paragraph(fmt::format(
      "The noise that the models bore here is z = {} on cohorts of {}. With "
      "<strong>{}</strong> users a round, the same noise on their mean is z = "
      "1, and {} rounds of that would cost:",
      Escaped(SmallText(privacy.noise_multiplier)),
      Escaped(NumberText(privacy.cohort, 6)), count(scale.cohort),
      count(privacy.rounds)));
  HtmlTable table{.heads = {"users a model learns from", "δ", "ε, projected"},
                  .rows = {},
                  .style = "proofs",
                  .caption =
                      "Projection: the bound is proven for such a run; "
                      "that a run like this one would look as good "
                      "there is not."};
  for (const ScaleRow& row : scale.rows) {
    table.rows.push_back({count(row.population),
                          Escaped(NumberText(row.delta, 3)),
                          "<span class=\"proven\">" +
                              Escaped(BoundText(row.epsilon, 3)) + "</span>"});
  }
  html += scale.rows.empty()
              ? Paragraph("No population up to 10,000,000 has such cohorts.")
              : ToHtml(table);
  return html +
         Paragraph(fmt::format(
                       "Poisson sampling, add-remove, by privacy loss "
                       "distributions, δ = 0.01 / users. {}; private "
                       "thresholds and counts come on top.",
                       findings.inspection && !privacy.pays_once
                           ? "For both sides together, since a user may be in "
                             "both"
                           : "For the models of one side"),
                   "method");
}

// Only the columns that need no legend beyond the sentence below.
std::string BesideThePaper() {
  const PaperTable& paper = UserLevelTable();
  HtmlTable table{.heads = {},
                  .rows = {},
                  .style = "proofs paper",
                  .caption =
                      "Tables 3 and 13 of Augenstein et al. 2020 "
                      "(and its language model): noise 1, by user",
                  .wide = true};
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < paper.columns.size(); ++i) {
    if (paper.columns[i].key == "strict_theorem_9") continue;
    shown.push_back(i);
    table.heads.push_back(paper.columns[i].head);
  }
  for (const auto& cells : paper.rows) {
    std::vector<std::string> row;
    for (const std::size_t i : shown) {
      const std::string& key = paper.columns[i].key;
      const std::string text = Escaped(cells[i].text);
      row.push_back(key == "strict_pld" || key == "ours"
                        ? "<span class=\"proven\">" + text + "</span>"
                    : key == "printed" || key == "reproduced"
                        ? "<span class=\"claimed\">" + text + "</span>"
                        : text);
    }
    table.rows.push_back(row);
  }
  return Folded("Beside the paper: printed, reproduced, strict, ours",
                ToHtml(table) +
                    Paragraph("<em>printed</em> and <em>reproduced</em> follow "
                              "the paper's recipe and prove nothing; "
                              "<em>strict</em> holds for what ran; "
                              "<em>ours</em> is the same noise with a private "
                              "coin for each user. " +
                                  Escaped(paper.why),
                              "method"));
}

std::string Estimates(const Findings& findings) {
  std::string html = "<h3>Estimates, apart</h3>\n";
  html += Paragraph(
      "Told-apart, explained shares and every number with an interval are "
      "estimates of what the models draw. None of them is a statement about "
      "privacy, and no attack or audit was run for this page.");
  if (!findings.inspection) return "";
  return html;
}

}  // namespace

std::string PrivacyMeter(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  if (!(privacy.granted_epsilon > 0) || findings.unprotected) return "";
  const double before = std::clamp(privacy.used_before, 0.0, 1.0);
  const double after = std::clamp(privacy.used_after, before, 1.0);
  constexpr double kWidth = 640;
  Drawing drawing{
      .width = kWidth,
      .height = 54,
      .title = "Privacy budget",
      .description = fmt::format(
          "Of what was granted, {} was spent before, {} by this inspection, "
          "and {} is left.",
          Percent(before), Percent(after - before), Percent(1 - after))};
  const auto box = [&](double from, double to, double opacity) {
    if (to <= from) return;
    drawing.boxes.push_back({.corner = {kWidth * from, 8},
                             .width = kWidth * (to - from),
                             .height = 18,
                             .ink = {.color = kProof, .opacity = opacity}});
  };
  box(0, before, 0.45);
  box(before, after, 1);
  box(after, 1, 0.14);
  const auto label = [&](double at, Anchor anchor, const std::string& text) {
    drawing.words.push_back(
        {.at = {kWidth * at, 44}, .text = text, .size = 13, .anchor = anchor});
  };
  if (before > 0) label(0, Anchor::kStart, "before " + Percent(before));
  const double middle = std::clamp((before + after) / 2, 0.16, 0.7);
  label(before > 0 ? std::max(middle, 0.3) : 0,
        before > 0 ? Anchor::kMiddle : Anchor::kStart,
        (findings.record.simulation ? "this would take " : "this inspection ") +
            Percent(after - before));
  label(1, Anchor::kEnd, "left " + Percent(1 - after));
  HtmlTable table{.heads = {"of what was granted", "share"},
                  .rows = {{"spent before", Percent(before)},
                           {"this inspection", Percent(after - before)},
                           {"left", Percent(1 - after)}},
                  .style = "num"};
  return Figure(drawing,
                fmt::format("<strong>Privacy budget{}.</strong> {}.",
                            privacy.population.empty()
                                ? ""
                                : " of “" + Escaped(privacy.population) + "”",
                            Escaped(PriceText(findings))),
                table);
}

std::string PrivacySection(const Page& page) {
  const Findings& findings = page.findings;
  std::string html = "<blockquote class=\"statement\">" +
                     Escaped(StatementText(findings)) + "</blockquote>\n";
  html += Paragraph(Escaped(OddsText(findings)) +
                    (findings.record.privacy.used_before > 0
                         ? " This counts this inspection alone; what was spent "
                           "on the same people before comes on top."
                         : ""));
  if (!findings.unprotected) html += Facts(findings);
  html += WhereItWent(findings.record.privacy);
  if (!findings.unprotected) {
    const std::string scale = AtScaleTable(findings);
    html += scale;
    if (!scale.empty()) html += BesideThePaper();
  }
  html += Estimates(findings);
  html += Paragraph(
      "The owner of the ledger is trusted to keep it whole. A chain of hashes "
      "shows a changed entry; the head above shows a cut one.",
      "method");
  return Section("privacy", "Privacy", html);
}

}  // namespace sfumato::report

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

std::string Facts(const Findings& findings) {
  const runs::InspectionRecord& record = findings.record;
  const runs::PrivacyRecord& privacy = record.privacy;
  HtmlTable table{
      .heads = {"", ""}, .rows = {}, .style = "facts-table", .left = {1}};
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
  if (findings.inspection && !findings.census) {
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
                                   " (what these reveal about users is not "
                                   "counted)");
  fact("judged by", record.model_words.empty()
                        ? ""
                        : fmt::format("{} ({})", record.model_words,
                                      record.model_provenance));
  fact("noise", privacy.seeded ? "from a seed: it protects nobody"
                               : "from the operating system's secure source");
  if (!record.simulation) fact("population", privacy.population);
  fact("ledger head", privacy.ledger_head);
  return ToHtml(table);
}

// Rule 9 for those who have to decide: who sees what, and what ε says there.
std::string WhoSeesWhat(const Findings& findings) {
  const runs::InspectionRecord& record = findings.record;
  const std::string held =
      "<span class=\"proven\">" +
      std::string(record.privacy.seeded ? "would hold" : "holds") + "</span>";
  HtmlTable table{.heads = {"who", "sees", "ε"},
                  .rows = {},
                  .style = "proofs",
                  .left = {1, 2}};
  table.rows.push_back(
      {findings.census ? "the server that counts" : "the server that trains",
       findings.census
           ? "every user's vote, counts before the noise"
           : "who is drawn, what their devices send, sums before the noise",
       "does not hold: it has to be trusted"});
  table.rows.push_back({"the modeler",
                        findings.census ? "noisy counts, the voter, this page"
                        : findings.inspection
                            ? "noisy answers, models after every round, what "
                              "they draw, this page"
                            : "models after every round, what they draw or "
                              "say, this page",
                        held});
  table.rows.push_back(
      {"the public, if any of that is handed on", "no more than that", held});
  return "<h3>Against whom it holds</h3>\n" + ToHtml(table);
}

// The population's ledger on this inspection.
std::string LedgerExcerpt(const runs::PrivacyRecord& privacy) {
  if (privacy.entries.empty()) return "";
  HtmlTable table{.heads = {"run", "charged to", "released", "set aside", ""},
                  .rows = {},
                  .style = "proofs",
                  .left = {1, 2, 3, 4},
                  .wide = true};
  for (const runs::LedgerEntry& entry : privacy.entries) {
    const auto some = [](const std::string& text) {
      return text.empty() ? "–" : Escaped(text);
    };
    table.rows.push_back({"<code>" + Escaped(entry.run) + "</code>",
                          "<code>" + Escaped(entry.population) + "</code>",
                          some(entry.released), some(entry.reserved),
                          entry.finished ? "finished" : "open"});
  }
  return "<h3>What the ledger has of it</h3>\n" + ToHtml(table) +
         Paragraph(
             fmt::format(
                 "{}The owner of the ledger is trusted to keep it whole. A "
                 "chain of hashes shows a changed entry; the head shows a cut "
                 "one.",
                 privacy.ledger_head.empty()
                     ? ""
                     : "Head after the last release: <code>" +
                           Escaped(privacy.ledger_head) + "</code>. "),
             "method");
}

std::string WhereItWent(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  if (privacy.parts.empty()) return "";
  // One part is the whole.
  if (findings.census && privacy.parts.size() == 1) return "";
  HtmlTable table{.heads = {"part", "ε by itself", "released by"},
                  .rows = {},
                  .style = "proofs",
                  .left = {2}};
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

// Rounds of all models of a side that one user pays for; 0 where they are not
// known: character models were trained, and nothing says for how long.
std::int64_t RoundsOfASide(const runs::InspectionRecord& record) {
  const bool spelled = std::ranges::any_of(
      record.a.runs,
      [](const std::string& run) { return run.ends_with("_characters"); });
  if (spelled && record.privacy.character_rounds == 0) return 0;
  return record.privacy.rounds + record.privacy.character_rounds;
}

std::string AtScaleTable(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  const AtScale scale = ProjectToScale(
      {.noise_multiplier = privacy.noise_multiplier,
       .cohort = privacy.cohort,
       .rounds = RoundsOfASide(findings.record),
       .models = findings.inspection && !privacy.pays_once ? 2 : 1});
  if (scale.cohort == 0) return "";
  if (findings.contrast && findings.contrast->compared &&
      findings.contrast->verdict == runs::Verdict::kCannotSay) {
    return "<h3>At scale</h3>\n" +
           Paragraph(
               "No projection: with this noise and cohort the models could not "
               "be compared, so there is nothing to project.");
  }
  const auto count = [](std::int64_t value) {
    return base::HumanCount(static_cast<std::uint64_t>(value));
  };
  const std::string rounds =
      privacy.character_rounds > 0
          ? fmt::format("{} rounds of a word model and {} of a character model",
                        count(privacy.rounds), count(privacy.character_rounds))
          : base::HumanCount(static_cast<std::uint64_t>(privacy.rounds),
                             "round");
  std::string html = "<h3>At scale</h3>\n";
  html += Paragraph(fmt::format(
      "The models were trained here with noise z = {} on cohorts of {}. With "
      "<strong>{}</strong> users per round, the same noise on their mean is z "
      "= "
      "1. With that, {} would cost:",
      Escaped(SmallText(privacy.noise_multiplier)),
      Escaped(NumberText(privacy.cohort, 6)), count(scale.cohort), rounds));
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
                       "{} come on top.",
                       findings.inspection && !privacy.pays_once
                           ? "For both sides together, since a user may be in "
                             "both"
                           : "For the models of one side",
                       privacy.character_rounds > 0
                           ? "questions and a private vocabulary"
                           : "thresholds and counts"),
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
  if (findings.census) {
    return html +
           Paragraph(
               "Shares and their intervals are estimates, computed from the "
               "noisy counts. None of them is a statement about privacy, and "
               "no attack or audit was run for this page.");
  }
  html += Paragraph(
      "Separation, explained shares and every number with an interval are "
      "estimates of what the models draw. None of them is a statement about "
      "privacy, and no attack or audit was run for this page.");
  if (!findings.inspection) return "";
  return html;
}

}  // namespace

std::string PrivacyMeter(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  if (!(privacy.granted_epsilon > 0) || findings.unprotected ||
      findings.record.simulation) {
    return "";
  }
  constexpr double kWidth = 640;
  struct Part {
    const char* words;
    double share;
    double opacity;
  };
  const Part parts[] = {{"spent before", privacy.used_before, 0.5},
                        {findings.census ? "this census" : "this inspection",
                         privacy.used_after - privacy.used_before, 1},
                        {"set aside for others", privacy.set_aside, 0.3},
                        {"left", privacy.left, 0.12}};
  Drawing drawing{.width = kWidth, .height = 26, .title = "Privacy budget"};
  HtmlTable table{
      .heads = {"of what was granted", "share"}, .rows = {}, .style = "num"};
  std::string words;
  double at = 0;
  for (const Part& part : parts) {
    const double end = std::clamp(at + std::max(0.0, part.share), at, 1.0);
    if (part.share <= 0 && &part == &parts[2]) continue;
    drawing.boxes.push_back(
        {.corner = {kWidth * at, 4},
         .width = kWidth * (end - at),
         .height = 18,
         .ink = {.color = kProof, .opacity = part.opacity}});
    at = end;
    const std::string share = BudgetShareText(part.share);
    words +=
        fmt::format("{}{} {}", words.empty() ? "" : " · ", part.words, share);
    table.rows.push_back({part.words, share});
  }
  drawing.description = fmt::format("Of what was granted: {}.", words);
  return Figure(
      drawing,
      fmt::format("<strong>Privacy budget{}: ε {} granted.</strong> {}. <span "
                  "class=\"quiet\">Shares as the ledger counts them: not "
                  "ratios of ε, since "
                  "the ε of parts do not add up.{}</span>",
                  privacy.population.empty()
                      ? ""
                      : " of “" + Escaped(privacy.population) + "”",
                  NumberText(privacy.granted_epsilon), words,
                  at < 0.995
                      ? " The ledger spends a plan that was fixed in advance: "
                        "nothing beside the plan fits any more."
                      : ""),
      table);
}

std::string PrivacySection(const Page& page) {
  const Findings& findings = page.findings;
  std::string html = "<blockquote class=\"statement\">" +
                     Escaped(StatementText(findings)) + "</blockquote>\n";
  if (!IsPriced(findings)) return Section("privacy", "Privacy", html);
  html += Paragraph(
      Escaped(OddsText(findings)) +
      (!findings.record.simulation && findings.record.privacy.used_before > 0
           ? fmt::format(" This counts this {} alone; what was spent on the "
                         "same people before comes on top.",
                         findings.census ? "census" : "inspection")
           : std::string()));
  const std::string series = SeriesText(findings);
  if (!series.empty()) html += Paragraph(Escaped(series));
  const std::string judge = JudgeText(findings);
  if (!judge.empty()) html += Paragraph(Escaped(judge));
  if (!findings.unprotected) {
    if (!findings.record.privacy.published) html += WhoSeesWhat(findings);
    html += "<h3>In detail</h3>\n" + Facts(findings);
  }
  html += WhereItWent(findings);
  if (!findings.record.simulation) {
    html += LedgerExcerpt(findings.record.privacy);
  }
  if (!findings.unprotected) {
    const std::string scale = AtScaleTable(findings);
    html += scale;
    if (!scale.empty()) html += BesideThePaper();
  }
  html += Estimates(findings);
  return Section("privacy", "Privacy", html);
}

}  // namespace sfumato::report

#include "report/census_page.h"

#include <algorithm>
#include <cmath>

#include "base/html.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "census/answer/share_text.h"
#include "fmt/format.h"
#include "report/census_figures.h"
#include "report/census_words.h"
#include "report/html_parts.h"
#include "report/markdown_text.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

using census::CellAnswer;
using census::CensusAnswer;
using census::CensusVerdict;
using runs::CensusRecord;

Findings FindingsOf(const CensusRecord& record, const base::Path& folder) {
  Findings findings{.inspection = true, .census = true};
  findings.folder = WithoutPlace(folder.string());
  findings.record.status = record.status;
  findings.record.stage = record.stage;
  findings.record.version = record.version;
  findings.record.name = record.name;
  findings.record.question = record.question;
  findings.record.simulation = record.simulation;
  findings.record.data = WithoutPlace(record.data);
  findings.record.origin = record.origin;
  findings.record.privacy = record.privacy;
  if (!record.answer && record.status == runs::Status::kFinished) {
    findings.missing.push_back("The answer is not there.");
  }
  return findings;
}

VerdictText VerdictFor(const CensusRecord& record, const Findings& findings) {
  return record.answer ? VerdictOf(record) : VerdictOf(findings);
}

std::string NextText(const CensusRecord& record, const Findings& findings) {
  if (record.answer) return record.answer->next;
  switch (record.status) {
    case runs::Status::kInterrupted:
    case runs::Status::kFailed:
      return fmt::format(
          "`sfumato resume {}` continues; what was released is "
          "kept and paid for.",
          findings.folder);
    case runs::Status::kFinished:
      return "";
    default:
      return "Wait for it, and make the page again.";
  }
}

std::string Causes(const CensusAnswer& answer) {
  std::string html;
  for (const CellAnswer& one : runs::Ranked(answer)) {
    if (!one.supported || one.cause.empty()) continue;
    html += fmt::format("<li><strong>{}</strong>: {}</li>\n",
                        Escaped(one.words), Escaped(one.cause));
  }
  return html.empty()
             ? ""
             : "<p>Where this usually comes from:</p>\n<ul>" + html + "</ul>\n";
}

std::string ReferenceText(const runs::ReferenceRecord& reference) {
  std::string text = reference.words;
  if (!reference.provenance.empty()) text += " (" + reference.provenance + ")";
  if (reference.epsilon > 0) {
    text += fmt::format(
        "; the model that drew them cost {}ε {} (δ {}), which is not in the ε "
        "of this census",
        reference.population.empty() ? "" : "'" + reference.population + "' ",
        BoundText(reference.epsilon, 3), SmallText(reference.delta));
  }
  return text;
}

std::string UsersText(const CensusAnswer& answer, std::size_t group) {
  return fmt::format(
      "{}{}", EstimateText(std::round(answer.users[group])),
      answer.users_deviation > 0
          ? fmt::format(" (± {})", NumberText(answer.users_deviation, 2))
          : "");
}

std::string Facts(const CensusRecord& record) {
  std::string html = "<dl class=\"facts\">\n";
  const auto fact = [&](std::string_view name, const std::string& text) {
    if (text.empty()) return;
    html +=
        fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, Escaped(text));
  };
  if (record.answer) {
    std::string users;
    for (std::size_t g = 0; g < record.answer->users.size(); ++g) {
      users += (g == 0 ? "" : " and ") + UsersText(*record.answer, g);
    }
    const bool marks = record.calibration.marks > 1 && record.asked.empty();
    fact(marks ? "Marks that they made, about" : "Users who voted, about",
         users);
  }
  fact("Asked", WithoutPlace(record.data) +
                    (record.origin.empty() ? "" : " (" + record.origin + ")"));
  fact("Compared with references", ReferenceText(record.reference));
  if (!record.part) fact("ε holds against", record.privacy.against);
  return html + "</dl>\n";
}

std::string Sides(const CensusRecord& record) {
  if (!IsTwo(record) || record.groups.size() != 2) return "";
  const auto one = [&](const SideLook& look, std::size_t group) {
    return fmt::format("<span>{} {}</span>", SideTag(look),
                       Escaped(GroupName(record, group)));
  };
  return "<p class=\"ab\">" + one(SideA(), 0) + one(SideB(), 1) + "</p>\n";
}

std::string Truth(const CensusRecord& record) {
  if (!record.simulation || !record.simulation_only.is_object()) return "";
  const auto bug = record.simulation_only.find("bug");
  if (bug == record.simulation_only.end() || !bug->is_string()) return "";
  const std::string& name = bug->get_ref<const std::string&>();
  return Paragraph(
      fmt::format(
          "{} Injected into these data: {}.",
          Chip("simulation", "simulation only"),
          name.empty() ? "nothing" : "<code>" + Escaped(name) + "</code>"),
      "quiet");
}

std::string PriceLine(const CensusRecord& record, const Findings& findings) {
  const runs::PrivacyRecord& privacy = record.privacy;
  if (!IsPriced(findings)) return "";
  std::string html = Escaped(PriceText(findings)) + " ";
  html +=
      privacy.published ? Chip("bad", "not proven") : Chip("proven", "proven");
  return Paragraph(html, "price");
}

std::string VerdictHtml(const VerdictText& verdict,
                        const std::string& sentence) {
  return fmt::format(
      "<p class=\"verdict {}\"><span class=\"sign\" aria-hidden=\"true\">{}"
      "</span> <span><strong>{}.</strong> {}</span></p>\n",
      verdict.style, verdict.sign, Escaped(verdict.words), Escaped(sentence));
}

std::string Header(const CensusRecord& record, const Findings& findings) {
  std::string html = "<header>\n<h1><bdi>" +
                     Escaped(record.question.empty()
                                 ? "Do these users’ data look as they should?"
                                 : record.question) +
                     "</bdi></h1>\n";
  html += VerdictHtml(VerdictFor(record, findings),
                      record.answer ? record.answer->sentence : "");
  html += Sides(record) + PriceLine(record, findings);
  if (record.privacy.published) {
    html +=
        "<p class=\"band\" role=\"note\"><strong>A published mode was "
        "used.</strong> Its ε does not hold for what ran.</p>\n";
  } else if (record.privacy.seeded || record.simulation) {
    html +=
        "<p class=\"band\" role=\"note\"><strong>A simulation: the noise came "
        "from a seed</strong> and protects nobody. ε is what it would cost "
        "with real people and secret noise.</p>\n";
  }
  return html + "</header>\n\n";
}

std::string AnswerPart(const CensusRecord& record, const Findings& findings) {
  std::string html;
  const std::string next = NextText(record, findings);
  if (!next.empty()) {
    html += "<div class=\"note next\"><p><strong>What to do next.</strong> " +
            WithCode(next) + "</p></div>\n";
  }
  html += Truth(record);
  if (record.answer) html += SharesFigure(record) + Causes(*record.answer);
  for (const std::string& sentence : findings.missing) {
    html += Paragraph(Escaped(sentence), "quiet");
  }
  const std::string seen = SeenText(record);
  if (!seen.empty()) html += Paragraph(Escaped(seen));
  html += Facts(record);
  html += PrivacyMeter(findings);
  if (IsPriced(findings)) html += Paragraph(Escaped(OddsText(findings)));
  return Section("answer", record.answer ? "The answer" : "So far", html);
}

std::string Remarks(const CensusRecord& record) {
  std::vector<std::string> all = record.remarks;
  const std::vector<std::string>& more =
      record.answer ? record.answer->remarks : record.calibration.remarks;
  for (const std::string& one : more) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  }
  std::string html;
  for (const std::string& one : all) html += "<li>" + Escaped(one) + "</li>\n";
  return html.empty() ? ""
                      : "<h3>To be read with it</h3>\n<ul>" + html + "</ul>\n";
}

// What the level is the chance of.
std::string FalseAlarmText(const CensusRecord& record) {
  if (!IsOfClasses(record)) {
    return "If nobody has any damage, a census names something";
  }
  return IsTwo(record)
             ? "If both groups have the same classes, a census names "
               "a difference"
             : "If nobody has some of the classes, a census calls one "
               "of these seen";
}

std::string LevelText(const CensusRecord& record) {
  return fmt::format(
      "{} with probability at most {:g}\u00A0%, for the whole question: "
      "computed from the law of the noise ({}){}.",
      FalseAlarmText(record), 100 * record.level,
      record.noise.kind == census::NoiseKind::kLaplace
          ? fmt::format("discrete Laplace of scale {}",
                        NumberText(record.noise.parameter, 4))
      : record.noise.kind == census::NoiseKind::kGaussian
          ? fmt::format("discrete Gaussian of deviation {}",
                        NumberText(record.noise.parameter, 4))
          : std::string("none"),
      record.design == census::Design::kOwnAccuracy
          ? " and from what both groups and both sides of the placebo answered"
      : IsTwo(record)       ? " and from what the other group answered"
      : IsOfClasses(record) ? ""
                            : " and from how healthy reference users voted");
}

std::string HowPart(const CensusRecord& record) {
  std::string html = Paragraph(Escaped(CaseOf(record)));
  if (record.part) {
    html += Paragraph(
        "This census is part of an inspection: ε here is of the vote by "
        "itself; what holds for everything is on the inspection’s page.");
  }
  html += Paragraph(Escaped(LevelText(record)));
  if (record.answer) html += VotesFigure(record);
  html += ConfusionFigure(record);
  html += Remarks(record);
  if (record.answer && !IsOfClasses(record)) {
    html += Paragraph(
        "Shares: the votes are corrected by inverting this table, as in "
        "estimation under label shift. The interval has the noise in it, the "
        "chance of voters, and how little is known of the table from so many "
        "reference users and of how strong the damage is.",
        "method");
  }
  return Section("how", "How the answer is computed", html);
}

std::string ReproducePart(const CensusRecord& record,
                          const Findings& findings) {
  const std::string folder = Escaped(findings.folder);
  std::string html = fmt::format(
      "<pre>{1}"
      "sfumato report {0} --for steward    # privacy first\n"
      "sfumato report {0} --extract        # the page’s numbers as "
      "JSON</pre>\n",
      folder,
      record.part ? ""
                  : fmt::format("sfumato census {}/config.toml      # ask "
                                "again, at a price of its own\n",
                                folder));
  HtmlTable table{
      .heads = {"", ""}, .rows = {}, .style = "facts-table", .left = {1}};
  const auto fact = [&](const char* name, const std::string& text) {
    if (text.empty()) return;
    table.rows.push_back({name, "<code>" + Escaped(text) + "</code>"});
  };
  fact("program", record.version);
  fact("config", record.config_crc32c);
  fact("data", record.data_crc32c);
  fact("references", record.reference.crc32c);
  fact("voter", record.voter_crc32c);
  fact("ledger head", record.privacy.ledger_head);
  html += ToHtml(table);
  html += Paragraph(
      record.simulation
          ? "What was computed from records without noise is marked "
            "<em>simulation only</em>."
          : "No number on this page was computed from records without noise.",
      "method");
  return Section("reproduce", "Reproduce", html);
}

nlohmann::json DataOf(const CensusRecord& record, const Findings& findings) {
  nlohmann::json json = ToJson(record);
  json["data"] = findings.record.data;
  const std::string verdict = VerdictFor(record, findings).words;
  return {{"schema", kReportSchema},
          {"kind", "census"},
          {"folder", findings.folder},
          {"verdict", record.answer
                          ? nlohmann::json(census::Name(record.answer->verdict))
                          : nlohmann::json()},
          {"verdict_words", verdict},
          {"statement", StatementText(findings)},
          {"odds", OddsText(findings)},
          {"answer", record.answer ? AnswerJson(record) : nlohmann::json()},
          {"census", std::move(json)},
          {"missing", findings.missing}};
}

std::string AnswerMarkdown(const CensusAnswer& answer) {
  std::string text =
      "\n| answer | votes | share | 95 % | named |\n|---|---|---|---|---|\n";
  for (const CellAnswer& one : Shown(answer)) {
    std::string votes;
    for (const double count : one.counts) {
      votes += (votes.empty() ? "" : " / ") + CountText(count);
    }
    text += fmt::format("| {} | {} | {} | {} | {} |\n", Plain(one.words), votes,
                        census::ShareText(one.share), IntervalText(one),
                        one.supported ? "yes" : "no");
  }
  if (const std::size_t folded = FoldedOf(answer); folded > 0) {
    text += IsOfClasses(answer)
                ? fmt::format("\n{} other classes.\n", folded)
                : fmt::format("\n{} other explanations are not supported.\n",
                              folded);
  }
  return text;
}

std::string MarkdownOf(const CensusRecord& record, const Findings& findings) {
  const VerdictText verdict = VerdictFor(record, findings);
  std::string text = fmt::format(
      "# {}\n\n{} **{}.** {}\n",
      Plain(record.question.empty() ? record.name : record.question),
      verdict.sign, Plain(verdict.words),
      Plain(record.answer ? record.answer->sentence : ""));
  if (record.answer) text += AnswerMarkdown(*record.answer);
  const std::string next = NextText(record, findings);
  if (!next.empty()) text += "\n**Next.** " + PlainWithCode(next) + "\n";
  const std::string seen = SeenText(record);
  if (!seen.empty()) text += "\n" + Plain(seen) + "\n";
  text += "\n" + Plain(CaseOf(record)) + "\n";
  text += "\n## Privacy\n\n" + Plain(StatementText(findings)) + "\n";
  if (IsPriced(findings)) text += "\n" + Plain(OddsText(findings)) + "\n";
  return text;
}

// What the vote costs by itself, as part of an inspection.
std::string PartPrice(const CensusRecord& record) {
  return fmt::format(
      "By itself this vote {} ε {} at δ {}; what comes below costs more on "
      "top.",
      record.simulation ? "would cost" : "cost at most",
      BoundText(record.privacy.epsilon, 3), SmallText(record.privacy.delta));
}

std::string InColumn(const std::string& words) {
  constexpr std::size_t kWidth = 32;
  const std::size_t width = base::Letters(words);
  return words + std::string(width < kWidth ? kWidth - width : 0, ' ');
}

// Everybody's classes, as many as one can read.
std::string ClassLines(const CensusAnswer& answer) {
  std::string text;
  for (const CellAnswer& one : Shown(answer)) {
    text += fmt::format("  {} {} ({})\n", InColumn(one.words),
                        census::ShareText(one.share), IntervalText(one));
  }
  if (const std::size_t folded = FoldedOf(answer); folded > 0) {
    text += fmt::format("  {} other classes\n", folded);
  }
  return text;
}

// After the verdict: what is named, or what would be seen.
std::string LinesBelowVerdict(const CensusRecord& record) {
  std::string text;
  if (record.answer) {
    const CensusAnswer& answer = *record.answer;
    if (answer.verdict == CensusVerdict::kDiffers) {
      std::size_t listed = 0;
      for (const CellAnswer& one : runs::Ranked(answer)) {
        if (!one.supported) break;
        text += fmt::format(
            "{} {} {} of users{} ({})\n", ++listed, InColumn(one.words),
            census::ShareText(std::abs(one.share)),
            !IsTwo(record)
                ? ""
                : fmt::format(" more in {}",
                              GroupName(record, one.share < 0 ? 0 : 1)),
            one.share < 0 ? census::RangeText(-one.high, -one.low)
                          : IntervalText(one));
      }
      if (const std::size_t folded = FoldedOf(answer);
          folded > 0 && !IsOfClasses(answer)) {
        text += fmt::format("  {} other{} not supported\n", folded,
                            folded == 1 ? "" : "s");
      }
    } else if (answer.verdict == CensusVerdict::kCounted) {
      text += ClassLines(answer);
    } else {
      text += "  " + answer.sentence + "\n";
    }
  }
  if (const std::string seen = SeenText(record);
      !seen.empty() &&
      !(record.answer && record.answer->verdict == CensusVerdict::kHealthy)) {
    text += "  " + seen + "\n";
  }
  return text;
}

}  // namespace

std::string CensusSummary(const CensusRecord& record) {
  const Findings findings = FindingsOf(record, "");
  const VerdictText verdict = VerdictFor(record, findings);
  return fmt::format("{} {}\n{}Price    {}\n", verdict.sign, verdict.words,
                     LinesBelowVerdict(record), PriceText(findings));
}

std::string CensusLines(const CensusRecord& record) {
  const VerdictText verdict = VerdictOf(record);
  return fmt::format("{} Census: {} (ε {} by itself)\n{}", verdict.sign,
                     verdict.words, BoundText(record.privacy.epsilon, 3),
                     LinesBelowVerdict(record));
}

std::string CensusVerdictLine(const CensusRecord& record) {
  return VerdictHtml(VerdictOf(record), record.answer->sentence);
}

std::string CensusSection(const Findings& findings) {
  const CensusRecord& record = *findings.votes;
  const CensusAnswer& answer = *record.answer;
  std::string html = Sides(record);
  html += Paragraph(Escaped(PartPrice(record)) + " " + Chip("proven", "proven"),
                    "price");
  html += Truth(record) + SharesFigure(record) + Causes(answer);
  if (findings.record.earlier) {
    html += Paragraph(
        Escaped(runs::CensusVerifiedText(*findings.record.earlier, answer)));
  }
  // Of healthy users the next step is what stands below.
  if (answer.verdict != CensusVerdict::kHealthy) {
    html += "<div class=\"note next\"><p><strong>What to do next.</strong> " +
            WithCode(answer.next) + "</p></div>\n";
  }
  const std::string seen = SeenText(record);
  if (!seen.empty()) html += Paragraph(Escaped(seen));
  html += Folded(
      "Who was asked, and what to read with it",
      Facts(record) + Paragraph(Escaped(CaseOf(record))) + Remarks(record) +
          Paragraph("How reference users voted, and what each count had to "
                    "reach, is on the census’s own page: "
                    "<code>census/report.html</code> in this folder.",
                    "quiet"));
  return Section("census", "What the users’ votes say", html);
}

std::string CensusMarkdown(const Findings& findings) {
  const CensusRecord& record = *findings.votes;
  const VerdictText verdict = VerdictOf(record);
  std::string text = fmt::format(
      "**Census: {} {}.** {} {}\n", verdict.sign, Plain(verdict.words),
      Plain(record.answer->sentence), Plain(PartPrice(record)));
  text += AnswerMarkdown(*record.answer);
  if (findings.record.earlier) {
    text += "\n" +
            Plain(runs::CensusVerifiedText(*findings.record.earlier,
                                           *record.answer)) +
            "\n";
  }
  return text + "\n";
}

Report MakeCensusReport(const base::Path& folder,
                        const ReportOptions& options) {
  const CensusRecord record = runs::ReadCensus(folder);
  const Findings findings = FindingsOf(record, folder);
  const Pictures pictures = Pictures::Read(folder, findings, {});
  const std::string privacy = PrivacySection({findings, pictures});
  std::string sections;
  if (options.for_steward) sections += privacy;
  sections += AnswerPart(record, findings) + HowPart(record);
  if (!options.for_steward) sections += privacy;
  sections += ReproducePart(record, findings);
  const std::string kicker =
      fmt::format("<p class=\"kicker\">Sfumato · census{}{}</p>\n",
                  record.name.empty() ? "" : " · ", Escaped(record.name));
  Report report;
  report.data = DataOf(record, findings);
  report.html = PageAround(
      record.question.empty() ? record.name : record.question,
      "<div class=\"top\">" + kicker + Contents(sections) + "</div>\n" +
          Header(record, findings) + "<main>\n" + sections + "</main>\n",
      DataBlock(report.data));
  report.markdown = MarkdownOf(record, findings);
  report.summary = CensusSummary(record);
  return report;
}

}  // namespace sfumato::report

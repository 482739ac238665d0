#include "report/census_page.h"

#include <algorithm>
#include <cmath>

#include "base/html.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "census/answer/share_text.h"
#include "fmt/format.h"
#include "report/axis_ticks.h"
#include "report/html_parts.h"
#include "report/markdown_text.h"
#include "report/number_text.h"
#include "report/row_chart.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

using census::CellAnswer;
using census::CensusAnswer;
using census::CensusVerdict;
using runs::CensusRecord;

constexpr std::size_t kMostUnnamed = 3;  // in the chart, if nothing is named

bool IsTwo(const CensusRecord& record) {
  return record.design != census::Design::kEverybody;
}

bool IsFamily(const CellAnswer& one) {
  return one.key != census::kAsItShouldBe && one.key != census::kNoneOfThese &&
         one.key != census::kCannotTell;
}

std::string CountText(double count) {
  return EstimateText(std::round(count * 10) / 10);
}

std::string IntervalText(const CellAnswer& one) {
  return census::RangeText(one.low, one.high);
}

std::string GroupName(const CensusRecord& record, std::size_t group) {
  return group < record.groups.size() && !record.groups[group].words.empty()
             ? record.groups[group].words
         : group == 0 ? "the first group"
                      : "the second group";
}

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

VerdictText VerdictOf(const CensusRecord& record) {
  switch (record.answer->verdict) {
    case CensusVerdict::kDiffers:
      return {"✗", IsTwo(record) ? "The groups differ" : "Damage was found",
              "differs"};
    case CensusVerdict::kHealthy:
      return {"✓", "As it should be", "same"};
    case CensusVerdict::kCannotSay:
      break;
  }
  return {"?", "Cannot say", "unsure"};
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

// What share would be seen, of all families; text, empty where nothing is
// known.
std::string SeenText(const CensusRecord& record) {
  double least = 2;
  double most = 0;
  const auto add = [&](double share) {
    least = std::min(least, share);
    most = std::max(most, share);
  };
  if (record.answer) {
    for (const CellAnswer& one : record.answer->answers) {
      if (IsFamily(one) && one.seen_from > 0) add(one.seen_from);
    }
  } else {
    for (const census::LeastSeen& one : record.power) add(one.share);
  }
  if (!(most > 0)) return "";
  const std::string of =
      IsTwo(record) ? "of “" + GroupName(record, 1) + "”" : "of users";
  if (least > 1) {
    return "With this noise and so few users, no damage would be seen.";
  }
  std::string text = fmt::format(
      "Damage is named 95 times of 100 when {} {} have it",
      most > 1 || census::ShareText(least) == census::ShareText(most)
          ? census::ShareText(least)
          : census::RangeText(least, most),
      of);
  if (most > 1) return text + "; some kinds not on any number of users.";
  return text + (census::ShareText(least) == census::ShareText(most)
                     ? "."
                     : ", depending on its kind.");
}

// Supported answers, then what nobody can fold away; the largest of the others
// where nothing was named.
std::vector<CellAnswer> Shown(const CensusAnswer& answer) {
  std::vector<CellAnswer> shown;
  std::vector<CellAnswer> last;
  std::size_t unnamed = 0;
  const bool named = std::ranges::any_of(
      answer.answers, [](const CellAnswer& one) { return one.supported; });
  for (const CellAnswer& one : runs::Ranked(answer)) {
    if (one.supported) {
      shown.push_back(one);
    } else if (one.key == census::kNoneOfThese ||
               one.key == census::kCannotTell) {
      last.push_back(one);
    } else if (IsFamily(one) && !named && unnamed < kMostUnnamed) {
      shown.push_back(one);
      ++unnamed;
    }
  }
  shown.insert(shown.end(), last.begin(), last.end());
  return shown;
}

std::size_t FoldedOf(const CensusAnswer& answer) {
  const std::vector<CellAnswer> shown = Shown(answer);
  const auto families = [](const std::vector<CellAnswer>& answers) {
    return static_cast<std::size_t>(std::ranges::count_if(answers, IsFamily));
  };
  return families(answer.answers) - families(shown);
}

HtmlTable AnswerTable(const CensusRecord& record) {
  const bool two = IsTwo(record);
  HtmlTable table{.heads = {"answer"}, .rows = {}, .style = "estimates"};
  const auto heads = [&](std::initializer_list<const char*> more) {
    table.heads.insert(table.heads.end(), more.begin(), more.end());
  };
  if (two) {
    heads(
        {"votes A", "votes B", "share A", "share B", "B − A", "95 %", "named"});
  } else {
    heads({"votes", "named from", "share", "95 %", "named"});
  }
  table.wide = two;
  for (const CellAnswer& one : runs::Ranked(*record.answer)) {
    std::vector<std::string> row = {Escaped(one.words)};
    for (const double count : one.counts) row.push_back(CountText(count));
    const bool judged = IsFamily(one) || one.key == census::kNoneOfThese;
    if (two) {
      row.push_back(census::ShareText(one.share_a));
      row.push_back(census::ShareText(one.share_b));
    } else {
      row.push_back(judged ? CountText(one.threshold) : "–");
    }
    row.push_back(census::ShareText(one.share));
    row.push_back(IntervalText(one));
    row.push_back(one.supported ? "<strong>yes</strong>" : judged ? "no" : "–");
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string SharesFigure(const CensusRecord& record) {
  const bool two = IsTwo(record);
  RowChart chart{.title = two ? "Difference of shares" : "Shares of users",
                 .description = "Bars with intervals of 95 %.",
                 .x_label = two ? "share of B less share of A"
                                : "share of users, with its 95 % interval"};
  for (const CellAnswer& one : Shown(*record.answer)) {
    chart.rows.push_back(
        {.name = one.words,
         .value = one.share,
         .low = one.low,
         .high = one.high,
         .text = fmt::format("{} ({})", census::ShareText(one.share),
                             IntervalText(one)),
         .strong = one.supported});
  }
  const std::size_t folded = FoldedOf(*record.answer);
  const std::string others =
      folded == 0
          ? ""
          : fmt::format(
                " {} other explanation{} {} not supported and "
                "{} in the table.",
                folded, folded == 1 ? "" : "s", folded == 1 ? "is" : "are",
                folded == 1 ? "stands" : "stand");
  return Figure(
      Draw(chart),
      fmt::format("<strong>{}</strong>, corrected for how reference users "
                  "voted. Bold: more than noise and wrong votes explain.{}",
                  two ? "How much more of B than of A" : "Who has what",
                  others),
      AnswerTable(record));
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
    fact("Users who voted, about", users);
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

// Votes as they were released, negative ones as well, and what each would have
// had to reach.
std::string VotesFigure(const CensusRecord& record) {
  const bool two = IsTwo(record);
  RowChart chart{.title = two ? "Differences of votes" : "Votes",
                 .description = "Noisy counts, with what each had to reach.",
                 .x_label = two ? "votes of B less those of A (as many users)"
                                : "votes, with their noise",
                 .percent = false};
  const CensusAnswer& answer = *record.answer;
  HtmlTable table{.heads = {"answer", two ? "B less A" : "votes", "named from"},
                  .rows = {},
                  .style = "estimates"};
  for (const CellAnswer& one : answer.answers) {
    if (!IsFamily(one) && one.key != census::kNoneOfThese) continue;
    const double ratio =
        two && answer.users[0] > 0 ? answer.users[1] / answer.users[0] : 1;
    const double value =
        two ? one.counts[1] - ratio * one.counts[0] : one.counts[0];
    RowValue row{.name = one.words,
                 .value = value,
                 .low = value,
                 .high = value,
                 .text = CountText(value),
                 .strong = one.supported};
    if (one.threshold != 0) row.mark = one.threshold;
    table.rows.push_back({Escaped(one.words), CountText(value),
                          one.threshold != 0 ? CountText(one.threshold) : "–"});
    chart.rows.push_back(std::move(row));
  }
  if (chart.rows.empty()) return "";
  const std::string noise =
      fmt::format("± {}", NumberText(census::DeviationOf(record.noise), 2));
  return Figure(
      Draw(chart),
      fmt::format("<strong>{}</strong>, as released: each carries noise of {}, "
                  "so some are below 0. The broken line is what it had to "
                  "reach to be named{}.",
                  two ? "Votes of B less votes of A" : "Votes", noise,
                  two ? "; to the left, A has more" : ""),
      table);
}

// Reference users by what was done to their data (rows) and how they voted.
Drawing ConfusionMap(const census::Calibration& calibration) {
  constexpr double kCell = 19;
  constexpr double kLeft = 270;
  constexpr double kHead = 22;
  const std::size_t columns = calibration.cells.size();
  Drawing drawing{
      .width = 760,
      .height =
          kHead + kCell * static_cast<double>(calibration.states.size()) + 6,
      .title = "How reference users voted",
      .description =
          "Rows: what was done to their data. Columns: the answers "
          "in the same order, then none of these and cannot tell."};
  const double cell =
      std::min(kCell, (drawing.width - kLeft) / static_cast<double>(columns));
  const auto x = [&](std::size_t a) {
    return kLeft + cell * static_cast<double>(a);
  };
  for (std::size_t a = 0; a < columns; ++a) {
    drawing.texts.push_back({.at = {x(a) + cell / 2, kHead - 7},
                             .text = a + 2 == columns   ? "?"
                                     : a + 1 == columns ? "–"
                                                        : fmt::format("{}", a),
                             .size = 10.5,
                             .anchor = Anchor::kMiddle,
                             .ink = kQuiet});
  }
  for (std::size_t s = 0; s < calibration.states.size(); ++s) {
    const census::State& state = calibration.states[s];
    const std::size_t own = calibration.CellOf(state.key);
    const double y = kHead + kCell * static_cast<double>(s);
    std::string words = calibration.cells[own].words;
    if (base::Letters(words) > 36) words = words.substr(0, words.find(':'));
    drawing.texts.push_back({.at = {kLeft - 9, y + 13.5},
                             .text = fmt::format("{}  {}", words, own),
                             .size = kSmall,
                             .anchor = Anchor::kEnd});
    double users = 0;
    std::vector<double> votes(columns, 0);
    for (const census::Tried& tried : state.tried) {
      users += static_cast<double>(tried.users);
      for (std::size_t a = 0; a < columns; ++a) {
        votes[a] += static_cast<double>(tried.votes[a]);
      }
    }
    for (std::size_t a = 0; a < columns; ++a) {
      const double rate = users > 0 ? votes[a] / users : 0;
      // Few votes are to be seen beside many.
      drawing.boxes.push_back(
          {.corner = {x(a) + 0.75, y + 0.75},
           .width = cell - 1.5,
           .height = kCell - 1.5,
           .ink = {
               .color = a == own ? "currentColor" : "#d9622b",
               .opacity = votes[a] > 0 ? 0.2 + 0.7 * std::sqrt(rate) : 0.04}});
    }
  }
  return drawing;
}

HtmlTable ConfusionTable(const census::Calibration& calibration) {
  HtmlTable table{.heads = {"done to their data", "strength", "users",
                            "voted so", "voted otherwise"},
                  .rows = {},
                  .style = "estimates",
                  .left = {1, 4},
                  .wide = true};
  for (const census::State& state : calibration.states) {
    const std::size_t own = calibration.CellOf(state.key);
    for (const census::Tried& tried : state.tried) {
      std::string others;
      for (std::size_t a = 0; a < tried.votes.size(); ++a) {
        if (a == own || tried.votes[a] == 0) continue;
        others +=
            fmt::format("{}{} {}", others.empty() ? "" : ", ", tried.votes[a],
                        Escaped(calibration.cells[a].words));
      }
      table.rows.push_back({Escaped(calibration.cells[own].words),
                            tried.values.empty() ? "–" : Escaped(tried.values),
                            fmt::format("{}", tried.users),
                            fmt::format("{}", tried.votes[own]),
                            others.empty() ? "–" : others});
    }
  }
  return table;
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

std::string HowPart(const CensusRecord& record) {
  std::string html = Paragraph(Escaped(census::CaseText(record.design)));
  if (record.part) {
    html += Paragraph(
        "This census is part of an inspection: ε here is of the vote by "
        "itself; what holds for everything is on the inspection’s page.");
  }
  html += Paragraph(Escaped(fmt::format(
      "If nobody has any damage, a census names something with probability at "
      "most {:g}\u00A0%, for the whole question: computed from the law of the "
      "noise "
      "({}) and {}.",
      100 * record.level,
      record.noise.kind == census::NoiseKind::kLaplace
          ? fmt::format("discrete Laplace of scale {}",
                        NumberText(record.noise.parameter, 4))
      : record.noise.kind == census::NoiseKind::kGaussian
          ? fmt::format("discrete Gaussian of deviation {}",
                        NumberText(record.noise.parameter, 4))
          : std::string("none"),
      IsTwo(record) ? "from what the other group answered"
                    : "from how healthy reference users voted")));
  if (record.answer) html += VotesFigure(record);
  if (!record.calibration.states.empty()) {
    html += Figure(
        ConfusionMap(record.calibration),
        "<strong>How reference users voted</strong>: rows are what was done to "
        "their data, columns their votes; stronger is more. On the diagonal "
        "the "
        "vote was right; “?” is none of these, “–” cannot tell.",
        ConfusionTable(record.calibration));
  }
  html += Remarks(record);
  if (record.answer) {
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
          {"verdict", verdict},
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
    text += fmt::format("\n{} other explanations are not supported.\n", folded);
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
  text += "\n" + Plain(census::CaseText(record.design)) + "\n";
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

// After the verdict: what is named, or what would be seen.
std::string LinesBelowVerdict(const CensusRecord& record) {
  std::string text;
  if (record.answer) {
    const CensusAnswer& answer = *record.answer;
    if (answer.verdict == CensusVerdict::kDiffers) {
      std::size_t listed = 0;
      for (const CellAnswer& one : runs::Ranked(answer)) {
        if (!one.supported) break;
        const std::size_t width = base::Letters(one.words);
        text += fmt::format(
            "{} {}{} {} of users{} ({})\n", ++listed, one.words,
            std::string(width < 32 ? 32 - width : 0, ' '),
            census::ShareText(std::abs(one.share)),
            !IsTwo(record)
                ? ""
                : fmt::format(" more in {}",
                              GroupName(record, one.share < 0 ? 0 : 1)),
            one.share < 0 ? census::RangeText(-one.high, -one.low)
                          : IntervalText(one));
      }
      if (const std::size_t folded = FoldedOf(answer); folded > 0) {
        text += fmt::format("  {} other{} not supported\n", folded,
                            folded == 1 ? "" : "s");
      }
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
      Facts(record) + Paragraph(Escaped(census::CaseText(record.design))) +
          Remarks(record) +
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

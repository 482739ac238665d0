// The masthead and the answer: what one sees first.

#include <algorithm>

#include "dp/accounting/accountant.h"
#include "fmt/format.h"
#include "report/census_page.h"
#include "report/html_parts.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

std::string Band(std::string_view html) {
  return fmt::format("<p class=\"band\" role=\"note\">{}</p>\n", html);
}

// In red, above everything: what must not be overlooked.
std::string Bands(const Page& page) {
  const Findings& findings = page.findings;
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  std::string html;
  if (findings.unprotected) {
    html += Band(
        "<strong>Trained without noise.</strong> Nothing protects the people "
        "whose data were used.");
  } else if (privacy.published) {
    html += Band(
        "<strong>A published mode was used.</strong> It repeats what a paper "
        "did; its ε does not hold for what ran.");
  } else if (privacy.seeded ||
             (findings.record.simulation && !IsPriced(findings))) {
    html += Band(
        "<strong>A simulation: the noise came from a seed</strong> and "
        "protects nobody. ε is what it would cost with real people and secret "
        "noise.");
  }
  if (!page.pictures.examples().empty()) {
    html += Band(fmt::format(
        "<strong>This page shows real examples</strong>, in red frames below "
        "the grids. The data is {}; private data is never shown.",
        Escaped(findings.record.origin.empty() ? "declared so"
                                               : findings.record.origin)));
  }
  return html;
}

std::string SideLine(const SideLook& look, const runs::SideRecord& side) {
  return fmt::format(
      "<div class=\"who {}\"><p>{}</p><p>{}</p><p class=\"quiet\">{}{}</p>"
      "</div>\n",
      look.style, SideTag(look), Escaped(side.words),
      side.rule.empty() ? ""
                        : fmt::format("<code>{}</code> · ", Escaped(side.rule)),
      fmt::format("users: {}", Escaped(SourcedText(side.users))));
}

// Who A and B are, in a line each.
std::string Who(const runs::InspectionRecord& record) {
  const auto one = [](const SideLook& look, const runs::SideRecord& side) {
    return fmt::format("<span>{} {}</span>", SideTag(look),
                       Escaped(side.words));
  };
  return "<p class=\"ab\">" + one(SideA(), record.a) + one(SideB(), record.b) +
         "</p>\n";
}

std::string Price(const Findings& findings) {
  if (!IsPriced(findings)) return Escaped(PriceText(findings));
  const bool proven =
      !findings.unprotected && !findings.record.privacy.published;
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  const bool empty =
      proven && dp::GuessedRight(privacy.epsilon, privacy.delta) > 0.999;
  return fmt::format(
      "{} {}{}{}", Escaped(PriceText(findings)),
      proven ? Chip("proven", "proven") : Chip("bad", "not proven"),
      empty ? ", and so large that it excludes nothing" : "",
      findings.votes && findings.votes->answer
          ? fmt::format("; the census by itself ε {}",
                        BoundText(findings.votes->privacy.epsilon, 3))
          : "");
}

std::string Sides(const runs::InspectionRecord& record) {
  return "<div class=\"sides\">\n" + SideLine(SideA(), record.a) +
         SideLine(SideB(), record.b) + "</div>\n";
}

std::string Facts(const Findings& findings) {
  const runs::InspectionRecord& record = findings.record;
  const auto fact = [](std::string_view name, std::string_view html) {
    return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html);
  };
  std::string html = "<dl class=\"facts\">\n";
  const bool proven = !findings.unprotected && !record.privacy.published;
  if (proven && !record.privacy.against.empty()) {
    html += fact("ε holds against", Escaped(record.privacy.against));
  }
  if (!record.data.empty()) {
    html += fact(
        "Data",
        Escaped(record.data +
                (record.origin.empty() ? "" : " (" + record.origin + ")")));
  }
  if (!record.criterion.empty()) {
    html += fact("Chosen by", Escaped(record.criterion));
  }
  return html.ends_with("</div>\n") ? html + "</dl>\n" : "";
}

std::string Question(const Findings& findings) {
  const runs::InspectionRecord& record = findings.record;
  if (!findings.inspection) return record.name;
  return record.question.empty() ? "What is different about these users?"
                                 : record.question;
}

std::string VerdictLine(const Findings& findings, std::string_view whose) {
  const VerdictText verdict = VerdictOf(findings);
  const std::string sentence =
      findings.contrast ? findings.contrast->sentence : "";
  return fmt::format(
      "<p class=\"verdict {}\"><span class=\"sign\" aria-hidden=\"true\">{}"
      "</span> <span><strong>{}{}.</strong> {}</span></p>\n",
      verdict.style, verdict.sign, whose, Escaped(verdict.words),
      Escaped(sentence));
}

// One column of grids: all steps lie there, one is seen.
std::string GridColumn(const Page& page, std::string runs::GridStep::* file,
                       std::string_view id, std::string_view title,
                       std::string_view alt) {
  const auto& steps = page.pictures.steps();
  std::string images;
  bool any = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string attributes = fmt::format(
        "data-step=\"{}\"{}", i, i + 1 == steps.size() ? "" : " hidden");
    const std::string image = page.pictures.Image(
        steps[i].*file, fmt::format("{}, after round {}", alt, steps[i].round),
        attributes);
    any = any || !image.empty();
    images += image.empty()
                  ? fmt::format("<span class=\"hole\" {}>no picture</span>",
                                attributes)
                  : image;
  }
  if (!any) return "";
  return fmt::format(
      "<figure class=\"grid\" id=\"grid-{}\"><figcaption>{}</figcaption>"
      "<div class=\"stack\">{}</div></figure>\n",
      id, title, images);
}

std::string Slider(const std::vector<runs::GridStep>& steps, bool flips) {
  std::string html = "<div class=\"controls\" hidden>\n";
  if (steps.size() > 1) {
    html += fmt::format(
        "<label for=\"step\">Rounds of training</label> <input id=\"step\" "
        "type=\"range\" min=\"0\" max=\"{0}\" value=\"{0}\" step=\"1\" "
        "aria-describedby=\"keys\">",
        steps.size() - 1);
  }
  html += " <output id=\"round\" for=\"step\"></output>\n";
  if (flips) {
    html +=
        "<button type=\"button\" id=\"flip\" aria-pressed=\"false\">Flip "
        "<kbd>f</kbd></button>\n";
  }
  html += "<span id=\"keys\" class=\"quiet\">";
  if (steps.size() > 1) html += "<kbd>←</kbd> <kbd>→</kbd> through the rounds";
  if (flips) {
    html += fmt::format("{}<kbd>f</kbd> lays the third grid over B",
                        steps.size() > 1 ? " · " : "");
  }
  return html + "</span></div>\n";
}

std::string Winner(const Findings& findings) {
  if (!findings.contrast) return "";
  for (const runs::Hypothesis& hypothesis : findings.contrast->hypotheses) {
    if (hypothesis.supported) return hypothesis.words;
  }
  return "";
}

std::string Grids(const Page& page) {
  const auto& steps = page.pictures.steps();
  if (steps.empty()) {
    return page.pictures.note().empty()
               ? ""
               : Paragraph(Escaped(page.pictures.note()), "quiet");
  }
  std::string html;
  if (!page.findings.inspection) {
    html = GridColumn(page, &runs::GridStep::a, "a", "What the model draws",
                      "Images drawn by the model");
    return "<div class=\"grids one\">\n" + html + "</div>\n" +
           Slider(steps, false);
  }
  const std::string winner = Winner(page.findings);
  const std::string third = GridColumn(
      page, &runs::GridStep::transformed, "t",
      fmt::format("{} <span class=\"quiet\">after “{}”</span>",
                  SideTag(SideA()),
                  Escaped(winner.empty() ? "no change" : winner)),
      "Images drawn by model A, changed as the first hypothesis says");
  html = GridColumn(page, &runs::GridStep::a, "a",
                    SideTag(SideA()) +
                        " <span class=\"quiet\">drawn by its model</span>",
                    "Images drawn by model A") +
         GridColumn(page, &runs::GridStep::b, "b",
                    SideTag(SideB()) +
                        " <span class=\"quiet\">drawn by its model</span>",
                    "Images drawn by model B") +
         third;
  html = fmt::format("<div class=\"grids{}\">\n{}</div>\n",
                     third.empty() ? " two" : "", html) +
         Slider(steps, !third.empty());
  std::string below =
      "Nobody's images: generative models drew them after training under the "
      "privacy bound below. Drawing costs no privacy.";
  if (!third.empty()) {
    below +=
        " Where the third grid looks like B, the first hypothesis explains the "
        "difference.";
  }
  if (!page.pictures.note().empty()) below += " " + page.pictures.note();
  return html + Paragraph(Escaped(below), "quiet");
}

std::string Examples(const Page& page) {
  std::string html;
  for (const auto& [words, name] : page.pictures.examples()) {
    const std::string image = page.pictures.Image(name, words);
    if (image.empty()) continue;
    html += fmt::format(
        "<figure class=\"grid real\"><figcaption>{} {}</figcaption>{}"
        "</figure>\n",
        Chip("bad", "real examples"), Escaped(words), image);
  }
  return html.empty() ? "" : "<div class=\"grids two\">\n" + html + "</div>\n";
}

std::string Missing(const Page& page) {
  std::string html;
  for (const std::string& sentence : page.findings.missing) {
    html += "<li>" + Escaped(sentence) + "</li>";
  }
  for (const std::string& name : page.pictures.missing()) {
    html +=
        "<li>The picture <code>" + Escaped(name) + "</code> is missing.</li>";
  }
  return html.empty() ? ""
                      : "<div class=\"note\"><p><strong>What is not here "
                        "yet</strong></p><ul>" +
                            html + "</ul></div>\n";
}

std::string EarlierText(const runs::Earlier& earlier,
                        const runs::Contrast& contrast) {
  return fmt::format(
      "Compared with <code>{}</code>: its verdict was <em>{}</em>{}. {}",
      Escaped(earlier.folder), Escaped(earlier.verdict),
      earlier.hypothesis.empty()
          ? ""
          : fmt::format(", “{}” explained {:.0f} % of the difference",
                        Escaped(earlier.hypothesis), 100 * earlier.explained),
      Escaped(runs::VerifiedText(earlier, contrast)));
}

}  // namespace

std::string Kicker(const Findings& findings) {
  const std::string name = findings.inspection ? findings.record.name : "";
  return fmt::format("<p class=\"kicker\">Sfumato · {}{}{}</p>\n",
                     findings.inspection ? "inspection" : "training",
                     name.empty() ? "" : " · ", Escaped(name));
}

// All of it, down to the grids, is to fit a screen of 1280 by 800.
std::string Masthead(const Page& page) {
  const Findings& findings = page.findings;
  std::string html = "<header>\n";
  html += "<h1><bdi>" + Escaped(Question(findings)) + "</bdi></h1>\n";
  const bool voted = findings.votes && findings.votes->answer;
  if (voted) html += CensusVerdictLine(*findings.votes);
  html += VerdictLine(findings, voted ? "Generators: " : "");
  if (findings.inspection) html += Who(findings.record);
  html += Paragraph(Price(findings), "price");
  return html + Bands(page) + "</header>\n\n";
}

std::string AnswerSection(const Page& page) {
  const Findings& findings = page.findings;
  const bool text = findings.contrast && findings.contrast->text;
  std::string html = (text ? TextEvidence(page) : Grids(page)) + Missing(page);
  if (findings.contrast) {
    html += Paragraph(
        Escaped(findings.contrast->reason.empty() ? findings.contrast->sentence
                                                  : findings.contrast->reason),
        "lead");
    if (!findings.contrast->warnings.empty()) {
      html += Paragraph("Read this with <a href=\"#belief\">its warnings</a>.",
                        "quiet");
    }
  }
  if (findings.record.earlier && findings.contrast) {
    html +=
        Paragraph(EarlierText(*findings.record.earlier, *findings.contrast));
  }
  html += "<div class=\"note next\"><p><strong>What to do next.</strong> " +
          WithCode(NextStep(findings)) + "</p></div>\n";
  html += Examples(page);
  if (findings.inspection) html += Sides(findings.record);
  html += Facts(findings);
  html += PrivacyMeter(findings);
  html += Paragraph(Escaped(OddsText(findings)));
  const std::string series = SeriesText(findings);
  if (!series.empty()) html += Paragraph(Escaped(series));
  return Section("answer",
                 !findings.inspection ? "The model"
                 : findings.contrast && findings.votes
                     ? "What the generators add"
                 : findings.contrast ? "The answer"
                                     : "So far",
                 html);
}

}  // namespace sfumato::report

#include "report/markdown.h"

#include <algorithm>
#include <string_view>

#include "base/percent.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "report/census_page.h"
#include "report/markdown_text.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

constexpr std::size_t kMostListed = 3;
constexpr std::size_t kMostWords = 20;  // in a table
constexpr std::size_t kMostNamed = 6;   // in a line

std::string Row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

std::string Head(const std::vector<std::string>& cells) {
  std::string line = Row(cells) + "|";
  for (std::size_t i = 0; i < cells.size(); ++i) line += "---|";
  return line + "\n";
}

// "3 others", "1 hypothesis".
std::string OthersText(std::size_t count, bool all) {
  if (count == 1) return all ? "1 hypothesis" : "1 other";
  return fmt::format("{} {}", count, all ? "hypotheses" : "others");
}

// Nothing where none was tried: the verdict says why.
std::string Hypotheses(const runs::Contrast& contrast) {
  if (contrast.hypotheses.empty()) return "";
  std::string rows;
  std::size_t others = 0;
  for (const runs::Hypothesis& hypothesis : contrast.hypotheses) {
    if (!hypothesis.supported) {
      ++others;
      continue;
    }
    rows += Row({Plain(hypothesis.words), ShareText(hypothesis.explained),
                 base::Percent(hypothesis.floor)});
  }
  std::string text = "\n## Hypotheses\n";
  if (!rows.empty()) {
    text += "\n" + Head({"hypothesis", "explains", "floor"}) + rows;
  }
  if (others > 0) {
    text += fmt::format("\n{} {} not supported.\n",
                        OthersText(others, rows.empty()),
                        others == 1 ? "is" : "are");
  }
  return text;
}

// A drawn word as code: nothing in it means anything.
std::string Code(const std::string& word) {
  std::string shown = ShownWord(word);
  std::ranges::replace(shown, '`', '\'');
  std::ranges::replace(shown, '|', '/');
  return "`" + shown + "`";
}

std::string Text(const runs::TextContrast& text) {
  std::string out;
  if (!text.unknown_by_position.empty()) {
    out +=
        "\n## Unknown words by position in the sentence, of all words there "
        "(estimates)\n\n" +
        Head({"position", "A, %", "B, %", "floor, points"});
    for (const runs::UnknownAt& at : text.unknown_by_position) {
      out += Row({std::to_string(at.position), EstimateText(100 * at.a),
                  EstimateText(100 * at.b), EstimateText(100 * at.floor)});
    }
    out += Row({"all", EstimateText(100 * text.unknown_a),
                EstimateText(100 * text.unknown_b),
                EstimateText(100 * text.unknown_floor)});
  }
  const std::size_t rows = std::max(text.top_a.size(), text.top_b.size());
  if (rows == 0) return out;
  out += "\n## Likeliest unknown words (probability, 10⁻³)\n\n" +
         Head({"A", "", "B", ""});
  const auto cells = [](const std::vector<runs::LikelyWord>& words,
                        std::size_t i, std::vector<std::string>& row) {
    if (i >= words.size()) {
      row.insert(row.end(), 2, "");
      return;
    }
    row.push_back((words[i].marked ? "▸ " : "") + Code(words[i].word));
    row.push_back(fmt::format("{:.2f}", 1000 * words[i].probability));
  };
  for (std::size_t i = 0; i < std::min(rows, kMostWords); ++i) {
    std::vector<std::string> row;
    cells(text.top_a, i, row);
    cells(text.top_b, i, row);
    out += Row(row);
  }
  return out;
}

std::string Words(runs::Verdict verdict) {
  if (verdict == runs::Verdict::kCannotSay) return "cannot say";
  return std::string(runs::Name(verdict));
}

std::string Numbers(const runs::Contrast& contrast) {
  std::string text = "\n## Numbers (estimates)\n\n" +
                     Head({"name", "A", "B", "difference", "floor", "verdict"});
  for (const runs::Measure& measure : contrast.measures) {
    text +=
        Row({Plain(measure.words), SideText(measure, measure.a),
             SideText(measure, measure.b), EstimateText(measure.b - measure.a),
             EstimateText(measure.floor), Words(measure.verdict)});
  }
  return text + fmt::format("\nSeparated: {} ({} – {}), floor {}.\n",
                            EstimateText(contrast.separation.value),
                            EstimateText(contrast.separation.low),
                            EstimateText(contrast.separation.high),
                            EstimateText(contrast.separation_floor));
}

std::string Privacy(const Findings& findings) {
  std::string text = "\n## Privacy\n\n> " + Plain(StatementText(findings)) +
                     "\n\n" + Plain(OddsText(findings)) + "\n";
  const std::string judge = JudgeText(findings);
  if (!judge.empty()) text += "\n" + Plain(judge) + "\n";
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  if (privacy.parts.empty()) return text;
  text += "\n" + Head({"part", "ε by itself (proven)"});
  for (const runs::PriceRecord& part : privacy.parts) {
    text += Row({Plain(part.what), BoundText(part.epsilon, 3)});
  }
  return text + Row({"together", BoundText(privacy.epsilon, 3)});
}

// The first words of side B's table, on one line of a terminal.
std::string LikelyLine(const runs::Contrast& contrast) {
  if (!contrast.text || contrast.text->top_b.empty()) return "";
  std::string words;
  const std::vector<runs::LikelyWord>& top = contrast.text->top_b;
  for (std::size_t i = 0; i < std::min(kMostNamed, top.size()); ++i) {
    words += (i > 0 ? " · " : "") + ShownWord(top[i].word);
  }
  return "  unknown words of B: " + words + "\n";
}

}  // namespace

std::string Markdown(const Findings& findings) {
  const runs::InspectionRecord& record = findings.record;
  const VerdictText verdict = VerdictOf(findings);
  const bool voted = findings.votes && findings.votes->answer;
  std::string text = fmt::format(
      "# {}\n\n{}**{}{} {}.** {}\n\n",
      Plain(record.question.empty() ? record.name : record.question),
      voted ? CensusMarkdown(findings) : "", voted ? "Generators: " : "",
      verdict.sign, Plain(verdict.words),
      findings.contrast
          ? Plain(findings.contrast->sentence + " " + findings.contrast->reason)
          : "");
  if (findings.inspection) {
    text += fmt::format("- A: {}\n- B: {}\n", Plain(record.a.words),
                        Plain(record.b.words));
  }
  text += "- Privacy: " + Plain(PriceText(findings)) + "\n";
  if (record.privacy.seeded) {
    text +=
        "- **A simulation: the noise came from a seed and protects "
        "nobody.**\n";
  }
  const std::string series = SeriesText(findings);
  if (!series.empty()) text += "- " + Plain(series) + "\n";
  const std::string correction = CorrectionText(record);
  if (!correction.empty()) text += "- " + Plain(correction) + ".\n";
  const std::string unknown = UnknownText(record);
  if (!unknown.empty()) text += "- " + Plain(unknown) + " (private survey).\n";
  for (const std::string& given : record.privacy.taken_as_fixed) {
    text += "- Not in ε: " + Plain(given) + ".\n";
  }
  for (const std::string& remark : record.remarks) {
    text += "- But: " + Plain(remark) + ".\n";
  }
  for (const std::string& sentence : findings.missing) {
    text += "- Not here: " + Plain(sentence) + "\n";
  }
  if (findings.contrast && findings.contrast->compared) {
    if (findings.contrast->text) text += Text(*findings.contrast->text);
    text += Hypotheses(*findings.contrast) + Numbers(*findings.contrast);
  }
  if (record.earlier && findings.contrast) {
    text += fmt::format(
        "\nCompared with {}: {}\n", Plain(record.earlier->folder),
        Plain(runs::VerifiedText(*record.earlier, *findings.contrast)));
  }
  text += Privacy(findings);
  return text + "\n## Next\n\n" + PlainWithCode(NextStep(findings)) + "\n";
}

std::string Summary(const Findings& findings) {
  const VerdictText verdict = VerdictOf(findings);
  const bool voted = findings.votes && findings.votes->answer;
  std::string text = voted ? CensusLines(*findings.votes) : "";
  text += fmt::format("{} {}{}", verdict.sign, voted ? "Generators: " : "",
                      verdict.words);
  if (findings.contrast && !findings.contrast->compared) {
    text += "\n" + findings.contrast->reason + "\n";
  } else if (findings.contrast) {
    const runs::Contrast& contrast = *findings.contrast;
    // Between models that are unfit it says nothing.
    if (contrast.verdict == runs::Verdict::kCannotSay) {
      text += "\n" + contrast.reason + "\n";
    } else {
      const bool alike = contrast.verdict == runs::Verdict::kDiffers &&
                         contrast.separation.value <= contrast.separation_floor;
      text += fmt::format("        separated {} (floor {}{})\n",
                          EstimateText(contrast.separation.value),
                          EstimateText(contrast.separation_floor),
                          alike ? ": in all else alike" : "");
    }
    std::size_t listed = 0;
    for (const runs::Hypothesis& hypothesis : contrast.hypotheses) {
      if (!hypothesis.supported || listed == kMostListed) break;
      const std::size_t width = base::Letters(hypothesis.words);
      text += fmt::format("{} {}{} explains {}\n", ++listed, hypothesis.words,
                          std::string(width < 24 ? 24 - width : 0, ' '),
                          ShareText(hypothesis.explained));
    }
    text += LikelyLine(contrast);
    const auto others = static_cast<std::size_t>(std::ranges::count(
        contrast.hypotheses, false, &runs::Hypothesis::supported));
    if (others > 0) {
      text +=
          fmt::format("  {} not supported\n", OthersText(others, listed == 0));
    }
  } else {
    text += "\n";
  }
  for (const std::string& sentence : findings.missing) {
    text += "  " + sentence + "\n";
  }
  return text + "Price    " + PriceText(findings) + "\n";
}

}  // namespace sfumato::report

// What language models drew: unknown words by position, the likely ones, sample
// phrases. All of it is untrusted.

#include <algorithm>
#include <cmath>

#include "base/printable.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "report/html_parts.h"
#include "report/number_text.h"
#include "report/pair_chart.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

constexpr std::size_t kMostWords = 20;
constexpr std::size_t kMostPhrases = 12;
constexpr std::size_t kMostTokens = 20;
constexpr std::size_t kMostPositions = 12;

// A word in a box, so that a space inside is seen as one.
std::string Word(const std::string& word, bool marked = false) {
  return fmt::format("<span class=\"word{}\">{}<bdi>{}</bdi></span>",
                     marked ? " marked" : "",
                     marked ? "<span aria-label=\"marked\">▸</span> " : "",
                     Escaped(ShownWord(word)));
}

std::string PercentText(double share) {
  return EstimateText(100 * share) + " %";
}

std::string CountText(std::int64_t count) {
  return base::HumanCount(
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, count)));
}

std::string Positions(const runs::TextContrast& text) {
  if (text.unknown_by_position.empty()) return "";
  PairChart chart{
      .title = "Unknown words by position in the sentence",
      .description = fmt::format(
          "Of all words, {} are unknown in A and {} in B; twins differ by {} "
          "points.",
          PercentText(text.unknown_a), PercentText(text.unknown_b),
          EstimateText(100 * text.unknown_floor)),
      .x_label = "position of the word in the sentence",
      .y_label = "unknown, % of drawn words at that position"};
  HtmlTable table{.heads = {"position", "A", "B", "floor, points", "verdict"},
                  .rows = {},
                  .style = "estimates sided",
                  .left = {4}};
  for (const runs::UnknownAt& at : text.unknown_by_position) {
    if (chart.groups.size() == kMostPositions) break;
    chart.groups.push_back(
        {std::to_string(at.position), 100 * at.a, 100 * at.b, 100 * at.floor});
    table.rows.push_back({std::to_string(at.position), PercentText(at.a),
                          PercentText(at.b), EstimateText(100 * at.floor),
                          at.differs ? Chip("differs", "✗ differs") : ""});
  }
  table.rows.push_back({"all", PercentText(text.unknown_a),
                        PercentText(text.unknown_b),
                        EstimateText(100 * text.unknown_floor), ""});
  return Figure(
      Draw(chart),
      fmt::format("<strong>Where the unknown words are.</strong> Of the words "
                  "that models drew at a position in the sentence, the share "
                  "that is outside the vocabulary; of all words {} {}, {} {}. "
                  "The whisker on B's bar is A's value with the floor (what "
                  "two models of one side differ by) to either side.",
                  SideTag(SideA()), PercentText(text.unknown_a),
                  SideTag(SideB()), PercentText(text.unknown_b)),
      table);
}

std::string TopColumn(const std::string& head,
                      const std::vector<runs::LikelyWord>& words) {
  HtmlTable table{
      .heads = {"word", "probability, 10⁻³"}, .rows = {}, .style = "words"};
  for (const runs::LikelyWord& word : words) {
    if (table.rows.size() == kMostWords) break;
    table.rows.push_back({Word(word.word, word.marked),
                          std::isfinite(word.probability)
                              ? fmt::format("{:.2f}", 1000 * word.probability)
                              : "–"});
  }
  return fmt::format("<div><p class=\"head\">{}</p>{}</div>\n", head,
                     ToHtml(table));
}

std::string TopWords(const runs::TextContrast& text) {
  if (text.top_a.empty() && text.top_b.empty()) return "";
  const bool marked = std::ranges::any_of(
      text.top_b, [](const runs::LikelyWord& word) { return word.marked; });
  return Paragraph(
             std::string("<strong>What the unknown words look like.</strong> "
                         "The words outside the vocabulary that each side's "
                         "character models together hold most likely, with the "
                         "probability of the whole word among such words; ") +
             (text.top_exact
                  ? "not a sample, but exactly the likeliest of all."
                  : "as far as they were searched: others may be likelier.") +
             (marked ? " <span class=\"word marked\">▸</span> marks what the "
                       "first hypothesis says."
                     : "")) +
         "<div class=\"columns\">\n" + TopColumn(SideTag(SideA()), text.top_a) +
         TopColumn(SideTag(SideB()), text.top_b) + "</div>\n";
}

std::string PhraseHtml(const runs::Phrase& phrase) {
  std::string html;
  for (std::size_t i = 0; i < std::min(kMostTokens, phrase.size()); ++i) {
    if (i > 0) html += " ";
    html += phrase[i].empty()
                ? "<span class=\"unknown\" title=\"a word outside the "
                  "vocabulary\">UNK</span>"
                : "<bdi>" + Escaped(ShownWord(phrase[i])) + "</bdi>";
  }
  return "<li>" + html + "</li>\n";
}

std::string PhraseColumn(const std::string& head,
                         const std::vector<runs::Phrase>& phrases) {
  std::string html;
  for (std::size_t i = 0; i < std::min(kMostPhrases, phrases.size()); ++i) {
    html += PhraseHtml(phrases[i]);
  }
  return fmt::format("<div><p class=\"head\">{}</p><ul>{}</ul></div>\n", head,
                     html);
}

// What one model wrote first and last: sentences, or the unknown words that it
// holds likeliest.
std::string WritingsSection(const std::vector<runs::TextSamples>& writings) {
  std::string columns;
  for (const runs::TextSamples& wrote : writings) {
    const std::string head = fmt::format("after {} {}", CountText(wrote.round),
                                         wrote.round == 1 ? "round" : "rounds");
    std::vector<runs::LikelyWord> top;
    for (const runs::RankedWord& word : wrote.top) {
      top.push_back(
          {.word = word.word, .probability = std::exp(word.log_probability)});
    }
    columns += top.empty() ? PhraseColumn(head, wrote.sentences)
                           : TopColumn(head, top);
  }
  return Section(
      "phrases", "What the model writes",
      Paragraph(writings.back().top.empty()
                    ? "<span class=\"unknown\">UNK</span> stands for a word "
                      "outside the vocabulary. The first sentences that were "
                      "drawn, not chosen ones."
                    : "The words outside the vocabulary that it holds most "
                      "likely, with the probability of the whole word.") +
          "<div class=\"columns phrases\">\n" + columns + "</div>\n");
}

std::string ChangedWords(const runs::TextContrast& text) {
  if (text.changed_words.empty()) return "";
  HtmlTable table{.heads = {"word", "A, % of all words", "B, % of all words",
                            "in the vocabulary"},
                  .rows = {},
                  .style = "estimates sided words",
                  .left = {3}};
  for (const runs::ChangedWord& word : text.changed_words) {
    if (table.rows.size() == kMostWords) break;
    table.rows.push_back({Word(word.word), EstimateText(100 * word.a),
                          EstimateText(100 * word.b),
                          word.known ? "yes" : "no"});
  }
  return Folded("Words whose share differs most, beyond what twins differ by",
                ToHtml(table));
}

}  // namespace

std::string ShownWord(const std::string& word) {
  return base::Printable(word, {.most = 40});
}

std::string TextEvidence(const Page& page) {
  const Findings& findings = page.findings;
  if (!findings.contrast || !findings.contrast->text) return "";
  const runs::TextContrast& text = *findings.contrast->text;
  const std::string& note = page.pictures.note();
  return Positions(text) + TopWords(text) +
         (note.empty() ? "" : Paragraph(Escaped(note), "quiet"));
}

std::string PhrasesSection(const Page& page) {
  const Findings& findings = page.findings;
  if (!findings.inspection && !findings.runs.front().writings.empty()) {
    return WritingsSection(findings.runs.front().writings);
  }
  if (!findings.contrast || !findings.contrast->text) return "";
  const runs::TextContrast& text = *findings.contrast->text;
  if (text.phrases_a.empty() && text.phrases_b.empty()) return "";
  return Section(
      "phrases", "Phrases",
      Paragraph("<span class=\"unknown\">UNK</span> stands for a word outside "
                "the vocabulary. The first sentences that were drawn, not "
                "chosen ones.") +
          "<div class=\"columns phrases\">\n" +
          PhraseColumn(SideTag(SideA()), text.phrases_a) +
          PhraseColumn(SideTag(SideB()), text.phrases_b) + "</div>\n" +
          ChangedWords(text) +
          Paragraph("A language model wrote these sentences after "
                    "training under the privacy bound below. Drawing costs no "
                    "privacy.",
                    "quiet"));
}

std::string ExampleWords(const runs::Hypothesis& hypothesis) {
  if (hypothesis.examples.empty()) return "";
  std::string html;
  for (const std::string& word : hypothesis.examples) {
    html += " " + Word(word);
  }
  return Paragraph("Such as" + html);
}

std::string TextHealthTable(const runs::Contrast& contrast) {
  HtmlTable table{.heads = {"model", "sentences drawn", "distinct",
                            "unknown words drawn", "readable", "state"},
                  .rows = {},
                  .style = "estimates",
                  .left = {5},
                  .wide = true};
  for (const runs::TextModel& model : contrast.text->models) {
    const auto health =
        std::ranges::find(contrast.health, model.model, &runs::Health::model);
    const bool ill = health != contrast.health.end() && !health->usable;
    table.rows.push_back(
        {SideTag(LookOf(model.model)) + " " + Escaped(ShownWord(model.model)),
         CountText(model.sentences), PercentText(model.distinct_sentences),
         CountText(model.words), PercentText(model.readable_words),
         health == contrast.health.end() ? ""
                                         : Escaped(HeadOf(health->words))});
    table.row_styles.push_back(ill ? "bad" : "");
  }
  return ToHtml(table) +
         Paragraph(
             "Models of words draw sentences, models of characters spell "
             "unknown words. Distinct: the share of "
             "drawn sentences that are not repeats. Readable: the share of "
             "drawn unknown words that are text at all. A model that draws one "
             "thing over and over, or garbage, cannot be compared. Estimates, "
             "from what was drawn.",
             "method");
}

}  // namespace sfumato::report

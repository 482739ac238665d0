// `sfumato demo text`: a keyboard's tokeniser broke on some phones; what it
// makes of words, nobody may read. In a few minutes on two cores.

#include <algorithm>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/inspection_demo.h"
#include "base/file.h"
#include "base/printable.h"
#include "fmt/format.h"
#include "runs/contrast.h"

namespace sfumato::app {
namespace {

constexpr const char* kConfig = R"(
name = "demo_text"
preset = "word_lm_quick"
rounds = 60
[data]
generate = "forum"
users = 400
bug = "join"
bug_share = 0.2
[select]
by = "before_after"
[census]
reference = "forum"
effort = 0.25
[survey]
histogram_noise = 4
[inspect]
question = "Since last night's update more of people's words are unknown to the keyboard. Which ones?"
samples = 5000
character_rounds = 100
)";

constexpr const char* kStory =
    "A keyboard guesses the next word on people's phones. Since last night's\n"
    "update more of what they type is unknown to it, and nobody may read what\n"
    "they typed.\n"
    "So first a census: every phone compares its own words with other "
    "people's and\n"
    "casts one vote on what was done to them, for an ε below 1. Then language\n"
    "models are trained of the sentences and of the unknown words, before the\n"
    "update (A) and now (B): what they write shows what no list of answers "
    "has, "
    "and\n"
    "on so few people their ε protects nobody. (400 generated people, so that "
    "you\n"
    "may check.)";

constexpr std::size_t kRows = 12;

std::string Cell(const std::vector<runs::LikelyWord>& words, std::size_t i) {
  if (i >= words.size()) return "";
  return fmt::format("{}{:<20} {:5.2f}", words[i].marked ? "▸ " : "  ",
                     base::Printable(words[i].word, {.most = 18}),
                     1000 * words[i].probability);
}

// The first paper's Table 2.
std::string TopWords(const base::Path&, const runs::Contrast& contrast) {
  if (!contrast.text) return "";
  const runs::TextContrast& text = *contrast.text;
  std::string lines = fmt::format(
      "Likeliest unknown words, chances in thousandths (▸ explained)\n  {:<29} "
      "  {}\n",
      "A, before", "B, now");
  const std::size_t rows =
      std::min(kRows, std::max(text.top_a.size(), text.top_b.size()));
  for (std::size_t i = 0; i < rows; ++i) {
    lines +=
        fmt::format("{:<30} {}\n", Cell(text.top_a, i), Cell(text.top_b, i));
  }
  return lines;
}

const Registration kDemo(InspectionDemo(
    {.path = "demo text",
     .summary = "Find what an update broke in text that nobody may read: a "
                "whole inspection on generated people, in a few minutes.",
     .example = "sfumato demo text --out first_read",
     .folder = "demo_text",
     .story = kStory,
     .config = kConfig,
     .show = TopWords}));

}  // namespace
}  // namespace sfumato::app

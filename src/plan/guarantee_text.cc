#include "plan/guarantee_text.h"

#include <algorithm>
#include <cmath>

#include "base/progress.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "report/number_text.h"

namespace sfumato::plan {
namespace {

using nlohmann::json;

constexpr int kDigits = 5;
constexpr std::size_t kColumns = 80;

const char* AdjacencyMeaning(const dp::Guarantee& guarantee) {
  const bool user = guarantee.unit == dp::Unit::kUser;
  if (guarantee.adjacency == dp::Adjacency::kAddRemove) {
    return user ? "one user more or less" : "one example more or less";
  }
  return user ? "one user's data exchanged" : "one example exchanged";
}

std::string HoldsAgainst(const dp::Guarantee& guarantee) {
  if (guarantee.accountant == dp::Accountant::kPublished) return "nobody";
  const bool hidden = guarantee.sampling.find("poisson") != std::string::npos ||
                      guarantee.sampling.find("fixed") != std::string::npos;
  return dp::HoldsAgainst(
      {.secret_draw = hidden,
       .planned = guarantee.accountant == dp::Accountant::kPld});
}

}  // namespace

std::string EpsilonText(const dp::Guarantee& guarantee) {
  return guarantee.accountant == dp::Accountant::kPublished
             ? report::NumberText(guarantee.epsilon, kDigits)
             : report::BoundText(guarantee.epsilon, kDigits);
}

std::string MeansLine(double guessed_right, dp::Adjacency adjacency) {
  const double right = std::ceil(100 * guessed_right - 1e-9);
  return fmt::format("Means    a guess {}, from even odds, is right {}\n",
                     adjacency == dp::Adjacency::kAddRemove
                         ? "whether somebody took part"
                         : "which of two versions of somebody's data was used",
                     right < 100 ? fmt::format("at most {} times in 100", right)
                                 : "perhaps always: this excludes nothing");
}

std::string OddsSentence(const Spent& spent) {
  if (spent.guarantee.accountant == dp::Accountant::kPublished) {
    return "No odds follow from it.";
  }
  const bool user = spent.guarantee.unit == dp::Unit::kUser;
  const char* question =
      spent.guarantee.adjacency == dp::Adjacency::kReplaceOne
          ? (user ? "which of two versions of your data was used"
                  : "which of two versions of an example was used")
          : (user ? "whether you took part" : "whether one example was there");
  return fmt::format(
      "Someone who guesses {}, from even odds and knowing everything else, is "
      "right {}.",
      question,
      report::Times(std::isnan(spent.guessed_right) ? 1 : spent.guessed_right));
}

std::string Wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (begin > 0 && column + 1 + base::Letters(word) > kColumns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (begin > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += base::Letters(word);
    begin = end + 1;
  }
  return out;
}

std::string LinesBelow(const std::string& text) {
  constexpr std::size_t kIndent = 9;
  return std::string(kIndent, ' ') + Wrapped(text, kIndent) + "\n";
}

std::string HoldsAgainstLine(const std::string& against) {
  return LinesBelow("holds against " + against);
}

std::string FactsText(const std::vector<Fact>& facts) {
  constexpr std::size_t kIndent = 12;
  std::string text;
  for (const auto& [name, value] : facts) {
    text += fmt::format("{:<{}}{}\n", name, kIndent, Wrapped(value, kIndent));
  }
  return text;
}

std::string SamplingText(const dp::Event& event) {
  const char* unit = event.unit == dp::Unit::kUser ? "users" : "examples";
  if (const auto* fixed = std::get_if<dp::FixedSize>(&event.sampling)) {
    return fmt::format("fixed: {} of {} {}", base::HumanCount(fixed->cohort),
                       base::HumanCount(fixed->population), unit);
  }
  if (std::holds_alternative<dp::All>(event.sampling)) {
    return "all: everyone takes part";
  }
  return fmt::format("{}: each of the {} with chance {}",
                     dp::Name(event.sampling), unit,
                     report::SmallText(dp::Rate(event.sampling)));
}

std::string GuaranteeText(const Spent& spent, std::vector<Fact> facts) {
  const dp::Guarantee& guarantee = spent.guarantee;
  facts.push_back(
      {"adjacency", fmt::format("{}: {}", dp::Name(guarantee.adjacency),
                                AdjacencyMeaning(guarantee))});
  facts.push_back({"unit", guarantee.unit == dp::Unit::kUser
                               ? "user: all that one user has"
                               : "example: one record"});
  facts.push_back({"against", HoldsAgainst(guarantee)});
  facts.push_back({"accountant", std::string(dp::Name(guarantee.accountant))});
  facts.push_back({"proof", guarantee.proof});
  for (const std::string& warning : guarantee.warnings) {
    facts.push_back({"warning", warning});
  }
  return fmt::format("{}\n{}\n\n{}", Wrapped(dp::Meaning(guarantee)),
                     Wrapped(OddsSentence(spent)), FactsText(facts));
}

json GuaranteeJson(const Spent& spent) {
  const dp::Guarantee& guarantee = spent.guarantee;
  return {{"epsilon", report::Finite(guarantee.epsilon)},
          {"delta", guarantee.delta},
          {"accountant", dp::Name(guarantee.accountant)},
          {"adjacency", dp::Name(guarantee.adjacency)},
          {"unit", dp::Name(guarantee.unit)},
          {"sampling", guarantee.sampling},
          {"proof", guarantee.proof},
          {"warnings", guarantee.warnings},
          {"holds_against", HoldsAgainst(guarantee)},
          {"guessed_right", report::Finite(spent.guessed_right)},
          {"meaning", dp::Meaning(guarantee)}};
}

}  // namespace sfumato::plan

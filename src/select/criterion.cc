#include "select/criterion.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "base/suggest.h"
#include "census/answer/calibration.h"
#include "fmt/format.h"

namespace sfumato::select {
namespace {

// Public: the same everywhere and for ever.
constexpr std::uint64_t kHalfKey = 0x5f0a47ab1e5e1ec7;

const data::Column& ColumnNamed(const std::string& name,
                                const data::DatasetInfo& info) {
  std::vector<std::string> known;
  for (const data::Column& column : info.columns) {
    if (column.name == name) return column;
    known.push_back(column.name);
  }
  throw BadInput(name.empty()
                     ? "no column is named"
                     : fmt::format("the data have no column '{}'", name),
                 "select.column",
                 known.empty() ? "these data have no columns"
                               : base::DidYouMean(name, known));
}

// Sentences are judged by a model of words, everything else by a classifier.
void CheckKind(const Criterion& criterion, const data::DatasetInfo& info) {
  const bool text = info.kind == data::Kind::kText;
  if (!config::NeedsModel(criterion.by) ||
      config::NeedsWordModel(criterion.by) == text)
    return;
  throw Unsupported(
      fmt::format("{}, and sides by {}", data::Name(info.kind),
                  config::Word(criterion.by)),
      "select.by",
      text ? "give before_after (two states of the pipeline), perplexity, "
             "likelihood, class or column"
           : "perplexity and likelihood are of text; give accuracy, examples, "
             "unlike_public, class or column");
}

void CheckValue(const std::string& value, const char* what,
                const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  throw BadInput(value.empty()
                     ? fmt::format("no {} is named", what)
                     : fmt::format("the data have no {} '{}'", what, value),
                 "select.value", base::DidYouMean(value, known));
}

std::string ExamplesOf(const Criterion& c, const std::string& which) {
  return c.least_examples > 1
             ? fmt::format("{}, of users with at least {} of them", which,
                           c.least_examples)
             : which;
}

// Side a is above its threshold, but below it where little is good.
bool IsAbove(const Criterion& c) {
  return (c.side == Side::kA) != config::NeedsWordModel(c.by);
}
double OwnThreshold(const Criterion& c) {
  return IsAbove(c) ? c.above : c.below;
}
std::string ThresholdRule(const char* what, const Criterion& c) {
  return fmt::format("{} {} {:.4g}", what, IsAbove(c) ? ">" : "<",
                     OwnThreshold(c));
}
std::string ThresholdWords(const Criterion& c) {
  return fmt::format("{} {:.4g}", IsAbove(c) ? "above" : "below",
                     OwnThreshold(c));
}

std::string VoteOf(const Criterion& c) {
  return c.side == Side::kA ? census::kAsItShouldBe : c.answer;
}

std::string SideWords(const Criterion& c) {
  const bool a = c.side == Side::kA;
  switch (c.by) {
    case By::kEveryone:
      return "all users";
    case By::kAccuracy:
      return fmt::format(
          "users for whom the classifier is right for {} {:.4g} of the "
          "examples",
          a ? "more than" : "less than", OwnThreshold(c));
    case By::kExamples:
      return ExamplesOf(c, fmt::format("examples that the classifier judges {}",
                                       a ? "right" : "wrong"));
    case By::kClass:
      return fmt::format("examples {} class {}", a ? "outside" : "of", c.value);
    case By::kColumn:
      return fmt::format("examples whose {} {} {}", c.column,
                         a ? "is not" : "is", c.value);
    case By::kUnlikePublic:
      return ExamplesOf(
          c, "examples that the discriminator takes for public with a chance " +
                 ThresholdWords(c));
    case By::kPerplexity:
      return fmt::format(
          "users for whom the word model does {}, with a perplexity {}",
          a ? "well" : "badly", ThresholdWords(c));
    case By::kLikelihood:
      return ExamplesOf(
          c, fmt::format(
                 "sentences that the word model holds {}, with a perplexity {}",
                 a ? "likely" : "unlikely", ThresholdWords(c)));
    case By::kBeforeAfter:
      return a ? "all users, as they were before" : "the same users now";
    case By::kVote:
      return fmt::format("users who vote {}", VoteOf(c));
  }
  return "";
}

}  // namespace

bool Criterion::needs_labels() const {
  return by == By::kAccuracy || by == By::kExamples || by == By::kClass;
}

bool Criterion::Holds(double measured) const {
  return IsAbove(*this) ? measured > above : measured < below;
}

Criterion CriterionOf(const config::SelectConfig& config) {
  Criterion criterion{.by = config.by,
                      .side = config.side,
                      .half = config.half,
                      .above = config.above.value_or(1),
                      .below = config.below.value_or(0),
                      .least_examples = config.least_examples,
                      .column = config.column,
                      .value = config.value,
                      .answer = config.answer};
  if (config.half < 0 || config.half > 2) {
    throw BadInput(fmt::format("half {}", config.half), "select.half",
                   "give 1, 2, or 0 for all");
  }
  config::CheckThresholds(config);
  return criterion;
}

Criterion WithThresholds(Criterion criterion, double above, double below) {
  criterion.above = above;
  criterion.below = std::min(below, above);
  return criterion;
}

void CheckCriterion(const Criterion& criterion, const data::DatasetInfo& info) {
  data::CheckDeclared(info, "data.path");  // errors below list what there is
  CheckKind(criterion, info);
  if (criterion.needs_labels() && info.classes.empty()) {
    throw data::NoLabels(info, "select.by");
  }
  if (criterion.by == By::kClass) {
    CheckValue(criterion.value, "class", info.classes);
  }
  if (criterion.by == By::kVote &&
      (criterion.answer.empty() || criterion.answer == census::kAsItShouldBe)) {
    throw BadInput(criterion.answer.empty()
                       ? "no answer is named"
                       : "the answer of side a, as that of side b",
                   "select.answer",
                   "name another answer of the census by its key, such as "
                   "none_of_these");
  }
  if (criterion.by == By::kColumn) {
    CheckValue(criterion.value,
               fmt::format("{} named", criterion.column).c_str(),
               ColumnNamed(criterion.column, info).values);
  }
}

std::int64_t HalfOf(std::string_view user_id) {
  base::Rng rng(kHalfKey, {base::Key("half"), base::Key(user_id)});
  return 1 + static_cast<std::int64_t>(rng() & 1);
}

std::string Words(const Criterion& criterion) {
  return criterion.half == 0
             ? SideWords(criterion)
             : fmt::format("{}; half {} of the users", SideWords(criterion),
                           criterion.half);
}

std::string Rule(const Criterion& c) {
  const bool a = c.side == Side::kA;
  switch (c.by) {
    case By::kEveryone:
      return "everyone";
    case By::kAccuracy:
      return ThresholdRule("accuracy", c);
    case By::kExamples:
      return fmt::format("judged {}, {} or more", a ? "right" : "wrong",
                         c.least_examples);
    case By::kClass:
      return fmt::format("class {} {}", a ? "≠" : "=", c.value);
    case By::kColumn:
      return fmt::format("{} {} {}", c.column, a ? "≠" : "=", c.value);
    case By::kUnlikePublic:
      return fmt::format("{}, {} or more",
                         ThresholdRule("chance of being public", c),
                         c.least_examples);
    case By::kPerplexity:
      return ThresholdRule("perplexity", c);
    case By::kLikelihood:
      return fmt::format("{}, {} or more",
                         ThresholdRule("perplexity of the sentence", c),
                         c.least_examples);
    case By::kBeforeAfter:
      return a ? "before" : "now";
    case By::kVote:
      return fmt::format("vote = {}", VoteOf(c));
  }
  return "";
}

}  // namespace sfumato::select

// The forum's grammar: how sentences open, how they go on, and the phrases they
// are made of.
//
//   open 60: how do              a weight, the first words
//     I <vp> [<where>|]?         ways to go on
//   rule vp                      a phrase, by name
//     3: {action} <np> {manner}  a weight (1 if left out), an expansion
//
// In an expansion `<vp>` stands for a phrase, `[a|b|]` for one of several,
// `{thing.s}` for a word (class and form, see forum_lexicon.h), `{call}` for an
// invented name (see forum_names.h) and `{do not/don't}` for what people with
// and without patience type. What stands without a space before it is glued to
// what precedes. "a" becomes "an" where it should.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "data/generate/forum_lexicon.h"
#include "data/generate/forum_names.h"

namespace sfumato::data {

std::string_view ForumOpenings();
std::string_view ForumPhrases();

struct Part {
  enum class Kind { kText, kArticle, kEither, kWord, kName, kRule };
  Kind kind = Kind::kText;
  bool glued = false;
  std::string text = {};   // kText; kEither: the long form
  std::string brief = {};  // kEither: the short form
  WordClass word_class = {};
  WordForm form = kBase;
  NameKind name = {};
  std::size_t rule = 0;
};

using Expansion = std::vector<Part>;

struct Rule {
  std::vector<Expansion> expansions;
  base::Choice choice;  // among them
};

struct Opening {
  double weight;
  std::size_t rule;  // whole sentences
};

class ForumGrammar {
 public:
  static const ForumGrammar& Get();  // read once, on first use

  // Throws BadInput, with the line, when `text` is not such a grammar or names
  // what does not exist.
  explicit ForumGrammar(std::string_view text);

  const std::vector<Opening>& openings() const { return openings_; }
  const Rule& rule(std::size_t index) const { return rules_[index]; }

 private:
  std::vector<Opening> openings_;
  std::vector<Rule> rules_;
};

}  // namespace sfumato::data

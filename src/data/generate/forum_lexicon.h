// The forum's vocabulary: topics, each with words of several classes in all
// their forms.
//
//   const ForumLexicon& lexicon = ForumLexicon::Get();
//   const WordList* tools = lexicon.topics()[3].list(WordClass::kTool);
//   const std::string& tool = tools->words[tools->by_rank(rng)].forms[kBase];
//
// Topic 0 is everyday talk. Every class has a list there, or in each of the
// other topics, or in both.

#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace sfumato::data {

enum class WordClass {
  // Nouns.
  kThing,
  kProblem,
  kPerson,
  kPlace,
  kDoc,
  kUnit,
  kWay,
  // Verbs: what is done to a thing, and how a thing fails by itself.
  kAction,
  kFailure,
  // Words and phrases that never change.
  kTrait,
  kStuff,
  kTool,
  kField,
  kCode,
  kExtension,
  kName,
  kSpan,
  kAdverb,
  kManner,
  kFeeling,
  kQuality,
  kValue,
  kGroup,
  kPurpose,
  kLike,
  kGreet,
  kSo,
  kBye,
  kPlea,
  kCount
};
inline constexpr std::size_t kWordClasses =
    static_cast<std::size_t>(WordClass::kCount);

// Indices of a word's forms; nouns have the first two, other words the first.
enum WordForm {
  kBase = 0,
  kWithS = 1,  // plural of a noun, third person of a verb
  kPluralVerb,
  kGerund,
  kPast,
  kParticiple,
  kAble,
  kAgent,
  kUndone,
  kWordForms
};

// The class that the texts call `name` ("thing"), the form they call `suffix`
// ("s", "ing"; "" is the base); none when there is no such.
std::optional<WordClass> WordClassFromName(std::string_view name);
std::optional<WordForm> WordFormFromName(std::string_view suffix);

struct Word {
  std::vector<std::string> forms;  // a form that does not exist is empty
  std::vector<std::string> brief;  // the forms of the abbreviation, or none
};

struct WordList {
  explicit WordList(std::vector<Word> words_by_rank);
  std::vector<Word> words;
  base::Choice by_rank;  // Zipf-Mandelbrot: 1 / (rank + 2.7)
};

struct Topic {
  std::string name;
  std::array<std::unique_ptr<const WordList>, kWordClasses> lists;

  const WordList* list(WordClass word_class) const {  // null: none
    return lists[static_cast<std::size_t>(word_class)].get();
  }
};

class ForumLexicon {
 public:
  static const ForumLexicon& Get();  // read once, on first use
  const std::vector<Topic>& topics() const { return topics_; }

 private:
  ForumLexicon();
  // Throws BadInput when `text` is not as forum_words.h says.
  void Read(std::string_view text);
  std::vector<Topic> topics_;
};

}  // namespace sfumato::data

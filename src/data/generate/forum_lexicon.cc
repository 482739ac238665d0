#include "data/generate/forum_lexicon.h"

#include <algorithm>

#include "base/error.h"
#include "data/generate/english.h"
#include "data/generate/forum_words.h"

namespace sfumato::data {
namespace {

constexpr std::array<std::string_view, kWordClasses> kClassNames = {
    "thing",  "problem", "person",  "place", "doc",   "unit",
    "way",    "action",  "failure", "trait", "stuff", "tool",
    "field",  "code",    "ext",     "name",  "span",  "adverb",
    "manner", "feeling", "quality", "value", "group", "purpose",
    "like",   "greet",   "so",      "bye",   "plea"};

constexpr std::array<std::string_view, kWordForms> kFormNames = {
    "", "s", "pl", "ing", "ed", "en", "able", "er", "un"};

bool IsNoun(WordClass c) { return c <= WordClass::kWay; }
bool IsVerb(WordClass c) {
  return c == WordClass::kAction || c == WordClass::kFailure;
}

// The part of `text` before `mark`, which is taken off together with the mark.
std::string_view Take(std::string_view& text, std::string_view mark) {
  const std::size_t at = std::min(text.find(mark), text.size());
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(std::min(at + mark.size(), text.size()));
  return head;
}

std::vector<std::string> NounForms(std::string_view entry) {
  const std::string one(Take(entry, ":"));
  return {one, entry.empty() ? Plural(one) : std::string(entry)};
}

Word Noun(std::string_view entry) {
  Word word;
  word.forms = NounForms(Take(entry, "/"));
  if (!entry.empty()) word.brief = NounForms(entry);
  return word;
}

Word Verb(std::string_view entry) {
  const VerbForms verb = Inflect(entry);
  return {
      .forms = {verb.base, verb.third_person, verb.plural, verb.gerund,
                verb.past, verb.participle, verb.able, verb.agent, verb.undone},
      .brief = {}};
}

Word MakeWord(WordClass word_class, std::string_view entry) {
  if (IsNoun(word_class)) return Noun(entry);
  if (IsVerb(word_class)) return Verb(entry);
  return {.forms = {std::string(entry)}, .brief = {}};
}

// Entries stand between commas; code, which may contain commas, between
// backquotes.
std::vector<Word> ReadWords(WordClass word_class, std::string_view line) {
  std::vector<Word> words;
  const bool quoted = word_class == WordClass::kCode;
  if (quoted) Take(line, "`");
  while (!line.empty()) {
    words.push_back(MakeWord(word_class, Take(line, quoted ? "`" : ", ")));
    if (quoted) Take(line, "`");
  }
  return words;
}

std::vector<double> ZipfWeights(std::size_t n) {
  std::vector<double> weights(n);
  for (std::size_t rank = 0; rank < n; ++rank) {
    weights[rank] = 1.0 / (static_cast<double>(rank) + 2.7);
  }
  return weights;
}

template <typename Enum, std::size_t n>
std::optional<Enum> Find(const std::array<std::string_view, n>& names,
                         std::string_view name) {
  for (std::size_t i = 0; i < n; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::optional<WordClass> WordClassFromName(std::string_view name) {
  return Find<WordClass>(kClassNames, name);
}

std::optional<WordForm> WordFormFromName(std::string_view suffix) {
  return Find<WordForm>(kFormNames, suffix);
}

WordList::WordList(std::vector<Word> words_by_rank)
    : words(std::move(words_by_rank)), by_rank(ZipfWeights(words.size())) {}

ForumLexicon::ForumLexicon() {
  Read(ForumGeneralWords());
  Read(ForumTopicWords());
}

const ForumLexicon& ForumLexicon::Get() {
  static const ForumLexicon lexicon;
  return lexicon;
}

void ForumLexicon::Read(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = Take(text, "\n");
    if (line.empty()) continue;
    if (line.starts_with("topic ")) {
      topics_.emplace_back().name = line.substr(6);
      continue;
    }
    const auto word_class = WordClassFromName(Take(line, ": "));
    if (!word_class || topics_.empty() || line.empty()) {
      throw BadInput("not a topic, nor a class with words", "forum words");
    }
    topics_.back().lists[static_cast<std::size_t>(*word_class)] =
        std::make_unique<WordList>(ReadWords(*word_class, line));
  }
}

}  // namespace sfumato::data

#include "eval/text_traits.h"

#include <gtest/gtest.h>

#include "data/text.h"
#include "data/transform/text_bugs.h"

namespace sfumato::eval {
namespace {

const WordSet& Known() {
  static const WordSet words = {
      "i", "have", "am",    "this", "is",  "the",     "don't", "&", ";",
      "#", "lt",   "works", "file", "and", "problem", "café",  "a", "12"};
  return words;
}

TraitSet Of(const char* word) { return TextTraits(Known()).OfWord(word); }

TEST(TextTraitsTest, AJoinedWordIsTwoWordsOneOfThemKnown) {
  EXPECT_EQ(Of("i have"), Bit(TextTrait::kJoined));
  EXPECT_EQ(Of("i hvae"), Bit(TextTrait::kJoined)) << "one is misspelled";
  EXPECT_EQ(Of("ich hvae"), 0u) << "none is known";
  EXPECT_EQ(Of("i "), 0u);
  EXPECT_EQ(Of("i have the"), 0u);
  EXPECT_EQ(Of("ihave"), 0u);
}

TEST(TextTraitsTest, AWordWithACapitalIsNotFolded) {
  EXPECT_EQ(Of("This"), Bit(TextTrait::kCase));
  EXPECT_EQ(Of("É"), Bit(TextTrait::kCase));
  // Where the vocabulary has capitals itself, only its own words count.
  const WordSet mixed = {"Berlin", "Paris", "this", "the"};
  EXPECT_EQ(TextTraits(mixed).OfWord("Rome"), 0u);
  EXPECT_EQ(TextTraits(mixed).OfWord("This"), Bit(TextTrait::kCase));
}

TEST(TextTraitsTest, ACutWordLacksOneLetterOfAKnownOne) {
  EXPECT_EQ(Of("proble"), Bit(TextTrait::kCut));
  EXPECT_EQ(Of("caf"), Bit(TextTrait::kCut)) << "a letter of two bytes";
  EXPECT_EQ(Of("problem"), 0u) << "known itself";
  EXPECT_EQ(Of("probl"), 0u);
}

TEST(TextTraitsTest, EntitiesAreSeenAmongTheirNeighbours) {
  const TextTraits traits(Known());
  const TraitSet entity = Bit(TextTrait::kEntities);
  EXPECT_EQ(traits.OfSentence({"a", "&", "lt", ";", "file"}),
            (std::vector<TraitSet>{0, entity, entity, entity, 0}));
  EXPECT_EQ(traits.OfSentence({"&", "#", "12", ";"}),
            (std::vector<TraitSet>(4, entity)));
  // What is unknown is judged by its spelling.
  EXPECT_EQ(traits.OfSentence({"&", "", ";"}),
            (std::vector<TraitSet>{entity, 0, entity}));
  EXPECT_EQ(traits.OfSentence({"&", "file", ";"}),
            (std::vector<TraitSet>(3, 0)));
  EXPECT_EQ(Of("quot"), entity);
  EXPECT_EQ(Of("lt"), 0u) << "alone it is a word";
}

TEST(TextTraitsTest, MojibakeIsSeenWholeAndTakenApart) {
  EXPECT_EQ(Of("cafÃ©") & Bit(TextTrait::kEncoding), Bit(TextTrait::kEncoding));
  EXPECT_EQ(Of("cafã©"), Bit(TextTrait::kEncoding)) << "folded";
  EXPECT_EQ(Of("donâ"), Bit(TextTrait::kEncoding));
  EXPECT_EQ(Of("€"), Bit(TextTrait::kEncoding));
  EXPECT_EQ(Of("\xEF\xBF\xBD"), Bit(TextTrait::kEncoding));
  EXPECT_EQ(Of("naïve"), 0u) << "a letter, no mojibake";
}

TEST(TextTraitsTest, OtherScriptsAndTheirSmallWordsAreAnotherLanguage) {
  EXPECT_EQ(Of("что"), Bit(TextTrait::kLanguage));
  EXPECT_EQ(Of("nicht"), Bit(TextTrait::kLanguage));
  EXPECT_EQ(Of("regex"), 0u);
  // An accent is foreign unless the vocabulary has some.
  EXPECT_EQ(Of("père"), 0u);
  const WordSet plain = {"i", "have"};
  EXPECT_EQ(TextTraits(plain).OfWord("père"), Bit(TextTrait::kLanguage));
  const WordSet russian = {"что", "это", "как"};
  EXPECT_EQ(TextTraits(russian).OfWord("где"), 0u);
}

TEST(TextTraitsTest, NumbersAndIdentifiersHaveTheirMarks) {
  for (const char* word : {"0x80070402", "row_count", "a@b.org", "map.tex"}) {
    EXPECT_EQ(Of(word), Bit(TextTrait::kNumbers)) << word;
  }
  EXPECT_EQ(Of("e-mail"), 0u);
  EXPECT_EQ(Of("."), 0u);
}

TEST(TextTraitsTest, BytesThatAreNoTextHaveNone) {
  EXPECT_EQ(Of("\xFFi 1"), 0u);
}

// What the bugs really leave: every one in the sentence is seen as itself.
TEST(TextTraitsTest, EveryBugLeavesItsTrait) {
  const struct {
    const char* bug;
    TextTrait trait;
  } cases[] = {{"join", TextTrait::kJoined},
               {"case", TextTrait::kCase},
               {"cut", TextTrait::kCut},
               {"entities", TextTrait::kEntities},
               {"encoding", TextTrait::kEncoding}};
  const TextTraits traits(Known());
  for (const auto& [name, trait] : cases) {
    for (const data::TextBug& bug : data::TextBugs()) {
      if (bug.info.name != name) continue;
      const std::string broken =
          bug.apply("This is the “problem” & I don’t have a <file>.",
                    data::TextForm::kRaw);
      std::vector<std::string> words;
      for (const std::string_view token : data::SplitTokens(broken)) {
        std::string word(token);
        const auto gap = word.find("\u00A0");
        if (gap != std::string::npos) word.replace(gap, 2, " ");
        words.push_back(word);
      }
      TraitSet all = 0;
      for (const TraitSet set : traits.OfSentence(words)) all |= set;
      EXPECT_NE(all & Bit(trait), 0u) << name << ": " << broken;
    }
  }
}

}  // namespace
}  // namespace sfumato::eval

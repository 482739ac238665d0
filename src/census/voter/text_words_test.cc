#include "census/voter/text_words.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfumato::census {
namespace {

// Two people who write the same words, and one who has a word alone.
TextPeople People() {
  const std::vector<std::string> both = {
      "the kettle is hot , don't touch it .",
      "hello there , this garden looks green today .",
      "i am brewing beer with my sister ."};
  std::vector<std::string> third = {"the zymurgist is here ."};
  return {both, both, third};
}

const TextWords& Words() {
  static const TextWords words(People());
  return words;
}

struct Case {
  std::string_view word;
  Symptom symptom;
};

TEST(TextWordsTest, KnowsWhatTwoPeopleWrite) {
  for (const std::string_view word : {"kettle", "don't", "the", ".", "i"}) {
    EXPECT_GE(Words().Explain(word, {}).id, 0) << word;
    EXPECT_EQ(Words().Explain(word, {}).symptoms, 0u) << word;
  }
  EXPECT_LT(Words().Explain("zymurgist", {}).id, 0);
}

TEST(TextWordsTest, FindsWhatMadeAWordUnknown) {
  const std::vector<Case> cases = {
      {"the\u00A0kettle", Symptom::kGap}, {"Kettle", Symptom::kCapital},
      {"cafÃ©", Symptom::kEncoding},      {"кеттле", Symptom::kScript},
      {"kеttlе", Symptom::kLook},         {"nicht", Symptom::kForeign},
      {"x1234", Symptom::kNumber},        {"kettl", Symptom::kCut},
      {"ketttle", Symptom::kDoubled},     {"kkeettttllee", Symptom::kDoubled},
      {"kttle", Symptom::kDropped},       {"kettel", Symptom::kSwapped},
      {"elttek", Symptom::kReversed},     {"hellothere", Symptom::kRun},
      {"dont", Symptom::kMark},           {"kettlez", Symptom::kEnding},
      {"zymurgist", Symptom::kNothing}};
  for (const auto& [word, symptom] : cases) {
    EXPECT_TRUE(Words().Explain(word, {}).symptoms & Bit(symptom))
        << word << ", which is not " << static_cast<int>(symptom);
  }
}

TEST(TextWordsTest, FindsTwoThingsThatHappenedToOneWord) {
  // "kettle" without its last letter, backwards.
  const std::uint32_t set = Words().Explain("lttek", {}).symptoms;
  EXPECT_TRUE(set & Bit(Symptom::kReversed));
  EXPECT_TRUE(set & Bit(Symptom::kCut));
}

TEST(TextWordsTest, APersonsOwnWordsNeedTwoOthers) {
  // Each of the first two shares "kettle" with one person alone.
  const Hidden hidden = Words().Without(People()[0]);
  EXPECT_LT(Words().Explain("kettle", hidden).id, 0);
  EXPECT_GE(Words().Explain("the", hidden).id, 0);  // the third says it too
}

TEST(TextWordsTest, WordsThatFollowOneAnotherFit) {
  const auto id = [](std::string_view word) {
    return Words().Explain(word, {}).id;
  };
  EXPECT_GT(Words().Fits(id("kettle"), id("is")), 0);
  EXPECT_LT(Words().Fits(id("."), id(".")), 0);
  EXPECT_EQ(Words().Fits(-1, id("is")), 0);
}

TEST(TextWordsTest, NoTokenIsTooStrange) {
  std::string enormous(100'000, 'a');
  for (const std::string& token :
       {std::string("\xFF\xFE"), std::string("\xC3"), std::string("\0a", 2),
        std::string("\u00A0"), std::string("\u00A0\u00A0"), enormous}) {
    EXPECT_LT(Words().Explain(token, {}).id, 0);
  }
}

TEST(TextWordsTest, NoWordsAtAllExplainNothing) {
  const TextWords none{TextPeople{}};
  EXPECT_LT(none.Explain("kettle", {}).id, 0);
  EXPECT_EQ(none.Fits(0, TextWords::kEdge), 0);
}

}  // namespace
}  // namespace sfumato::census

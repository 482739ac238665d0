#include "data/generate/forum_grammar.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace sfumato::data {
namespace {

TEST(ForumGrammarTest, ReadsEveryKindOfPart) {
  const ForumGrammar grammar(
      "open 7: I have\n"
      "  3: a <np>, {do not/don't} [{call}|].\n"
      "rule np\n"
      "  {thing.s}\n");
  ASSERT_EQ(grammar.openings().size(), 1u);
  EXPECT_EQ(grammar.openings()[0].weight, 7);

  const Expansion& sentence =
      grammar.rule(grammar.openings()[0].rule).expansions.at(0);
  ASSERT_EQ(sentence.size(), 8u);  // I have a np , either choice .
  EXPECT_EQ(sentence[0].text, "I");
  EXPECT_EQ(sentence[2].kind, Part::Kind::kArticle);
  EXPECT_EQ(sentence[4].text, ",");
  EXPECT_TRUE(sentence[4].glued);
  EXPECT_EQ(sentence[5].text, "do not");
  EXPECT_EQ(sentence[5].brief, "don't");
  EXPECT_FALSE(sentence[5].glued);
  EXPECT_TRUE(sentence[7].glued);

  const Rule& choice = grammar.rule(sentence[6].rule);
  ASSERT_EQ(choice.expansions.size(), 2u);
  EXPECT_EQ(choice.expansions[0].at(0).name, NameKind::kCall);
  EXPECT_TRUE(choice.expansions[1].empty());

  const Part& thing = grammar.rule(sentence[3].rule).expansions.at(0).at(0);
  EXPECT_EQ(thing.word_class, WordClass::kThing);
  EXPECT_EQ(thing.form, kWithS);
}

TEST(ForumGrammarTest, ChoicesNest) {
  const ForumGrammar grammar("open 1: x\n  [a [b|c]|d]\n");
  const Expansion& sentence =
      grammar.rule(grammar.openings()[0].rule).expansions.at(0);
  const Rule& outer = grammar.rule(sentence.at(1).rule);
  ASSERT_EQ(outer.expansions.size(), 2u);
  EXPECT_EQ(grammar.rule(outer.expansions[0].at(1).rule).expansions.size(), 2u);
}

TEST(ForumGrammarTest, RefusesWhatIsNoGrammar) {
  for (const char* text :
       {"open 1: x\n  <missing>\n", "open 1: x\n  {nothing}\n",
        "open 1: x\n  {thing.wrong}\n", "open 1: x\n  [a|b\n", "stray\n",
        "  no rule yet\n", "rule empty\n"}) {
    EXPECT_THROW(ForumGrammar{text}, Error) << text;
  }
}

}  // namespace
}  // namespace sfumato::data

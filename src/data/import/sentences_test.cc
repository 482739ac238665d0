#include "data/import/sentences.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {
namespace {

using Sentences = std::vector<std::string_view>;

struct Case {
  const char* name;
  std::string_view text;
  Sentences expected;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class SentencesTest : public testing::TestWithParam<Case> {};

TEST_P(SentencesTest, SplitsAsAReaderWould) {
  EXPECT_EQ(SplitSentences(GetParam().text), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Table, SentencesTest,
    testing::ValuesIn(std::vector<Case>{
        {"Empty", "", {}},
        {"WhiteSpaceOnly", " \t\r\n \n", {}},
        {"NoStop", "how can i do that", {"how can i do that"}},
        {"ThreeStops",
         "It runs. It stops! Does it?",
         {"It runs.", "It stops!", "Does it?"}},
        {"SmallLetters", "it fails. it works", {"it fails.", "it works"}},
        {"LineBreaks", "one\ntwo\r\n\nthree", {"one", "two", "three"}},
        {"SpacesAround", "  a b.   c d.  ", {"a b.", "c d."}},
        {"RunOfStops", "Really?! Yes!!! Ok", {"Really?!", "Yes!!!", "Ok"}},
        {"ForExample",
         "Use a tool, e.g. sed, i.e. this. Done.",
         {"Use a tool, e.g. sed, i.e. this.", "Done."}},
        {"ForExampleInBrackets", "A (e.g. B) is C.", {"A (e.g. B) is C."}},
        {"EtcGoesOn", "cats, dogs, etc. are ok.", {"cats, dogs, etc. are ok."}},
        {"EtcEnds", "cats, etc. Then dogs.", {"cats, etc.", "Then dogs."}},
        {"Titles",
         "Mr. Smith met Dr. Who. They left.",
         {"Mr. Smith met Dr. Who.", "They left."}},
        {"Versus", "Emacs vs. Vim is old.", {"Emacs vs. Vim is old."}},
        {"Initial", "Ask J. R. Smith. Soon.", {"Ask J. R. Smith.", "Soon."}},
        {"Country", "The U.S. Army is big.", {"The U.S. Army is big."}},
        {"IAsAWord", "So do I. He too.", {"So do I.", "He too."}},
        {"Decimal", "It is 3.14. Or 2.", {"It is 3.14.", "Or 2."}},
        {"Version",
         "On 3.10.2 it fails. On 4.0 too.",
         {"On 3.10.2 it fails.", "On 4.0 too."}},
        {"FileName",
         "See main.cc and a.out. Ok",
         {"See main.cc and a.out.", "Ok"}},
        {"LeadingDot", "Edit .bashrc now. Go.", {"Edit .bashrc now.", "Go."}},
        {"Address",
         "Go to http://a.b/c?d=e. Now.",
         {"Go to http://a.b/c?d=e.", "Now."}},
        {"EllipsisGoesOn", "I tried... but no.", {"I tried... but no."}},
        {"EllipsisEnds", "I tried... Then not.", {"I tried...", "Then not."}},
        {"EllipsisSign", "I tried… but no… No.", {"I tried… but no…", "No."}},
        {"QuoteCloses",
         "He said \"no.\" Then left.",
         {"He said \"no.\"", "Then left."}},
        {"QuoteGoesOn", "\"Why?\" he said.", {"\"Why?\" he said."}},
        {"CurlyQuote", "“No.” He left.", {"“No.”", "He left."}},
        {"BracketCloses", "(It is.) Next.", {"(It is.)", "Next."}},
        {"NextOpensWithQuote",
         "Yes. \"No,\" he said.",
         {"Yes.", "\"No,\" he said."}},
        {"ListNumber",
         "1. Open it. 2. Close it.",
         {"1. Open it.", "2. Close it."}},
        {"NumberEnds", "There are 12. Count.", {"There are 12.", "Count."}},
        {"NumberedWord", "See fig. 3 now.", {"See fig. 3 now."}},
        {"NoIsAWord", "He said no. Then left.", {"He said no.", "Then left."}},
        {"Milliseconds",
         "It took 5 ms. it was ok.",
         {"It took 5 ms.", "it was ok."}},
        {"LoneStops", ". . .", {".", ".", "."}},
        {"NotUtf8", "a\xff. B\xfe.", {"a\xff.", "B\xfe."}},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST(SplitSentencesTest, AreViewsIntoTheText) {
  const std::string text = "One. Two.";
  const Sentences sentences = SplitSentences(text);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[1].data(), text.data() + 5);
}

TEST(SplitLinesTest, TrimsAndLeavesEmptyLinesOut) {
  EXPECT_EQ(SplitLines(" a b \r\n\n\tc\n "), (Sentences{"a b", "c"}));
}

}  // namespace
}  // namespace sfumato::data

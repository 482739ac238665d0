#include "data/transform/text_bugs.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {
namespace {

std::string Break(std::string_view name, std::string_view sentence,
                  TextForm form) {
  for (const TextBug& bug : TextBugs()) {
    if (bug.info.name == name) return bug.apply(sentence, form);
  }
  ADD_FAILURE() << "no bug " << name;
  return {};
}

struct Case {
  std::string_view sentence;
  std::string_view tokens;
};

void ExpectTokens(std::string_view bug, TextForm form,
                  const std::vector<Case>& cases) {
  for (const auto& [sentence, tokens] : cases) {
    EXPECT_EQ(Break(bug, sentence, form), tokens) << bug << " of: " << sentence;
  }
}

TEST(TextBugsTest, JoinPutsASpaceIntoTheFirstToken) {
  ExpectTokens("join", TextForm::kRaw,
               {{"How can I?", "how\u00A0can i ?"},
                {"Help!", "help\u00A0!"},
                {"Help", "help"},
                {"", ""}});
  ExpectTokens("join", TextForm::kTokens,
               {{"how can i ?", "how\u00A0can i ?"}, {"help", "help"}});
}

TEST(TextBugsTest, CaseKeepsTheCapitalsThatWereTyped) {
  ExpectTokens("case", TextForm::kRaw,
               {{"How can I use NumPy, \u00C9ric?",
                 "How can I use NumPy , \u00C9ric ?"}});
}

TEST(TextBugsTest, CasePutsCapitalsWhereTokensSurelyHadThem) {
  ExpectTokens("case", TextForm::kTokens,
               {{"how can i , if i'm in", "How can I , if I'm in"},
                {"\u00E9ric said", "\u00C9ric said"},
                {"\" where is it", "\" Where is it"},
                {"3 times i tried it", "3 Times I tried it"},
                {"", ""}});
}

TEST(TextBugsTest, CutTakesTheLastLetterOfEveryWord) {
  ExpectTokens(
      "cut", TextForm::kRaw,
      {{"How can I use caf\u00E9 C++ 3.5?", "ho ca i us caf c++ 3.5 ?"},
       {"don't", "don'"}});
  ExpectTokens("cut", TextForm::kTokens,
               {{"how can i ?", "ho ca i ?"}, {"", ""}});
}

TEST(TextBugsTest, EntitiesAreTakenApartByTheTokeniser) {
  ExpectTokens("entities", TextForm::kRaw,
               {{"R & D", "r & amp ; d"},
                {"a<b>c", "a & lt ; b & gt ; c"},
                {"\"Don't\"", "& quot ; don & # 39 ; t & quot ;"},
                {"plain", "plain"}});
}

TEST(TextBugsTest, EntitiesOfTokensAreTakenApartTheSameWay) {
  ExpectTokens("entities", TextForm::kTokens,
               {{"r & d", "r & amp ; d"},
                {"\" don't \"", "& quot ; don & # 39 ; t & quot ;"},
                {"odd:token stays", "odd:token stays"}});
}

TEST(TextBugsTest, EncodingReadsUtf8AsWindows1252) {
  // é is C3 A9: Ã ©. The euro sign is E2 82 AC: â ‚ ¬. à is C3 A0: Ã and a
  // no-break space.
  EXPECT_EQ(Mojibake("caf\u00E9"), "caf\u00C3\u00A9");
  EXPECT_EQ(Mojibake("\u20AC"), "\u00E2\u201A\u00AC");
  EXPECT_EQ(Mojibake("\u00E0"), "\u00C3\u00A0");
  // Ý is C3 9D, and 9D is open in Windows-1252.
  EXPECT_EQ(Mojibake("\u00DD"), "\u00C3\u009D");
  ExpectTokens("encoding", TextForm::kRaw,
               {{"Caf\u00E9 na\u00EFve", "caf\u00E3 \u00A9 na\u00E3 \u00AF ve"},
                {"don\u2019t", "don\u00E2 \u20AC \u2122 t"},
                {"plain", "plain"}});
}

TEST(TextBugsTest, EncodingOfTokensIsTheSame) {
  ExpectTokens("encoding", TextForm::kTokens,
               {{"caf\u00E9 odd:token", "caf\u00E3 \u00A9 odd:token"},
                {"Caf\u00E9", "Caf\u00C3 \u00A9"}});
}

}  // namespace
}  // namespace sfumato::data

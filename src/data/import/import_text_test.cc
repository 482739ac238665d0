#include "data/import/import_text.h"

#include <gtest/gtest.h>

#include <ostream>

#include "data/import/import_files.h"
#include "data/import/import_testing.h"
#include "data/text.h"
#include "data/vocabulary.h"

namespace sfumato::data {
namespace {

using Texts = std::vector<std::pair<std::string, std::vector<std::string>>>;

// Every user with all sentences.
Texts ReadSet(const base::Path& folder) {
  const FederatedDataset set(folder);
  set.Verify();
  Texts texts;
  for (std::size_t u = 0; u < set.users(); ++u) {
    const User user = set.user(u);
    auto& [id, sentences] = texts.emplace_back();
    id = user.id();
    for (std::size_t i = 0; i < user.size(); ++i) {
      sentences.emplace_back(user[i].text);
    }
  }
  return texts;
}

TEST(TextImportTest, ReadsAFilePerUserLineByLine) {
  const TestFolder folder;
  folder.Write("in/bob.txt", "hi there. how are you\r\n\n  fine \n");
  folder.Write("in/Alice.txt.gz", Gzip("\xef\xbb\xbfyes"));
  folder.Write("in/carol.txt", " \n");
  folder.Write("in/notes.md", "not read");
  const DatasetSummary summary = ImportText(folder.Request());
  EXPECT_EQ(summary.users, 2u);
  EXPECT_EQ(summary.examples, 3u);
  EXPECT_EQ(summary.skipped, (Skipped{{"user without examples", 1}}));
  EXPECT_EQ(
      ReadSet(folder / "out"),
      (Texts{{"Alice", {"yes"}}, {"bob", {"hi there. how are you", "fine"}}}));
}

TEST(TextImportTest, RecordsWhatWasSkipped) {
  const TestFolder folder;
  folder.Write("in/a.csv", "user,text\nann,hi\nann,\nbob,\n,lost\n");
  const DatasetSummary summary = ImportText(folder.Request());
  const Skipped expected = {{"record without text", 2},
                            {"text without user", 1},
                            {"user without examples", 1}};
  EXPECT_EQ(summary.skipped, expected);
  EXPECT_EQ(FederatedDataset(folder / "out").info().provenance[0]["skipped"],
            nlohmann::json(expected));
}

TEST(TextImportTest, DoesNotListUsersInTheDescription) {
  const TestFolder folder;
  folder.Write("in/bob.txt", "hi");
  ImportText(folder.Request());
  const std::string description = base::ReadFile(folder / "out/dataset.json");
  EXPECT_EQ(description.find("bob"), description.npos);
}

TEST(TextImportTest, JoinsLinesIntoSentences) {
  const TestFolder folder;
  folder.Write("in/bob.txt", "hi there. how\nare you?\n\na title\n\nfine\n");
  ImportText(folder.Request(), {.cut = TextCut::kSentences});
  EXPECT_EQ(ReadSet(folder / "out"),
            (Texts{{"bob", {"hi there.", "how are you?", "a title", "fine"}}}));
}

TEST(TextImportTest, KeepsRecordsWholeWhenAsked) {
  const TestFolder folder;
  folder.Write("in/bob.txt", "one. two\n\nthree\n");
  ImportText(folder.Request(), {.cut = TextCut::kWhole});
  EXPECT_EQ(ReadSet(folder / "out"), (Texts{{"bob", {"one. two\n\nthree"}}}));
}

TEST(TextImportTest, KeepsTheWordsOfAnotherPipeline) {
  const TestFolder folder;
  folder.Write("in/bob.txt", "i\u00A0have \t a QUESTION ,\r\n\nI have\n");
  ImportText(folder.Request(), {.tokens = true});
  EXPECT_EQ(ReadSet(folder / "out"),
            (Texts{{"bob", {"i\u00A0have a QUESTION ,", "I have"}}}));

  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().text_form, TextForm::kTokens);
  const std::string tokens =
      TokensOf(set.user(0)[0].text, set.info().text_form);
  const Vocabulary vocabulary({"i", "have", "a", "question", ","});
  std::vector<std::int64_t> ids;
  for (const std::string_view token : SplitTokens(tokens)) {
    ids.push_back(vocabulary.IdOf(token));
  }
  constexpr std::int64_t kUnknown = Vocabulary::kUnknown;
  EXPECT_EQ(ids, (std::vector<std::int64_t>{kUnknown, vocabulary.IdOf("a"),
                                            kUnknown, vocabulary.IdOf(",")}));
}

TEST(TextImportTest, KeepsRawTextAsItWasTyped) {
  const TestFolder folder;
  folder.Write("in/bob.txt", "i\u00A0have  a\tQUESTION\n");
  ImportText(folder.Request());
  EXPECT_EQ(ReadSet(folder / "out"),
            (Texts{{"bob", {"i\u00A0have  a\tQUESTION"}}}));
  EXPECT_EQ(FederatedDataset(folder / "out").info().text_form, TextForm::kRaw);
}

TEST(TextImportTest, MakesARecordOfWordsOneSentence) {
  const TestFolder folder;
  folder.Write("in/a.jsonl",
               "{\"user\": \"bob\", \"text\": \" one\\ntwo \"}\n");
  ImportText(folder.Request(), {.cut = TextCut::kWhole, .tokens = true});
  EXPECT_EQ(ReadSet(folder / "out"), (Texts{{"bob", {"one two"}}}));
}

TEST(TextImportTest, DoesNotCutTheWordsOfAnotherPipelineIntoSentences) {
  const TestFolder folder;
  folder.Write("in/bob.txt", "hi . yes .");
  ExpectContains(ErrorOf([&] {
                   ImportText(folder.Request(),
                              {.cut = TextCut::kSentences, .tokens = true});
                 }),
                 "words of another pipeline are not cut into sentences");
  EXPECT_FALSE(folder.HasLeftovers());
}

TEST(TextImportTest, ReadsCsvWhoseOtherColumnsAreNotUtf8) {
  const TestFolder folder;
  folder.Write("in/a.csv", "user,city,text\nann,K\xf6ln,hi\n");
  ImportText(folder.Request());
  EXPECT_EQ(ReadSet(folder / "out"), (Texts{{"ann", {"hi"}}}));
}

TEST(TextImportTest, GroupsInterleavedUsersOfJsonl) {
  const TestFolder folder;
  folder.Write("in/posts.jsonl",
               "{\"author\": \"b\", \"body\": \"one\", \"id\": 1}\n"
               "{\"author\": 7, \"body\": \"two\\nlines\"}\n\n"
               "{\"author\": null, \"body\": \"lost\"}\n"
               "{\"author\": \"b\", \"body\": \"d\\u00e9j\\u00e0\"}\n"
               "{\"author\": \"b\", \"body\": \"\"}");
  const DatasetSummary summary = ImportText(
      folder.Request(), {.fields = {.user = "author", .text = "body"}});
  EXPECT_EQ(summary.skipped.at("text without user"), 1u);
  EXPECT_EQ(summary.skipped.at("record without text"), 1u);
  EXPECT_EQ(ReadSet(folder / "out"),
            (Texts{{"b", {"one", "déjà"}}, {"7", {"two", "lines"}}}));
}

TEST(TextImportTest, ReadsCsvAndTsv) {
  const TestFolder folder;
  folder.Write("in/a.csv",
               "id,user,text\n1,ann,\"well, \"\"yes\"\"\"\n2,bob,no\n");
  folder.Write("in/b.tsv", "text\tuser\nmaybe, later\tann\n");
  ImportText(folder.Request());
  EXPECT_EQ(
      ReadSet(folder / "out"),
      (Texts{{"ann", {"well, \"yes\"", "maybe, later"}}, {"bob", {"no"}}}));
}

TEST(TextImportTest, ReadsAPlayBySpeakers) {
  const TestFolder folder;
  folder.Write("in/play.txt",
               "First Citizen:\nBefore we go, hear\nme speak.\n\n"
               "All:\nSpeak, speak.\n\n"
               "First Citizen:\nYou are resolved:\nall?\n\nAll of you?");
  ImportText(folder.Request(), {.form = TextSource::kSpeakers});
  EXPECT_EQ(ReadSet(folder / "out"),
            (Texts{{"First Citizen",
                    {"Before we go, hear", "me speak.",
                     "You are resolved:", "all?", "All of you?"}},
                   {"All", {"Speak, speak."}}}));
}

TEST(TextImportTest, CutsSpeechesIntoSentencesAcrossLines) {
  const TestFolder folder;
  folder.Write("in/play.txt", "All:\nSpeak. Before we\ngo.\n");
  ImportText(folder.Request(),
             {.form = TextSource::kSpeakers, .cut = TextCut::kSentences});
  EXPECT_EQ(ReadSet(folder / "out"),
            (Texts{{"All", {"Speak.", "Before we go."}}}));
}

struct BadCase {
  const char* name;
  std::string file;
  std::string content;
  std::string error;  // part of it
  TextSource form = TextSource::kAuto;
};
void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

class BadTextImportTest : public testing::TestWithParam<BadCase> {};

TEST_P(BadTextImportTest, IsRefusedAndLeavesNothing) {
  const TestFolder folder;
  folder.Write("in/" + GetParam().file, GetParam().content);
  const std::string error =
      ErrorOf([&] { ImportText(folder.Request(), {.form = GetParam().form}); });
  ExpectContains(error, GetParam().error);
  EXPECT_FALSE(folder.HasLeftovers());
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadTextImportTest,
    testing::ValuesIn(std::vector<BadCase>{
        {"NoText", "a.txt", "\n", "there is no example in it"},
        {"NothingKnown", "a.pdf", "x",
         "the folder has no file whose name ends in"},
        {"NotUtf8", "a.txt", "ab\xffz", "the text is not UTF-8 (byte 2) | "},
        {"NotUtf8InLine2", "a.txt", "ab\nc\xe9z\n", "a.txt:2"},
        {"JsonNotUtf8", "a.jsonl",
         "{\"user\": \"a\", \"text\": \"\"}\n{\"user\": \"caf\xe9\"}\n",
         "the text is not UTF-8 (byte 13) | "},
        {"JsonNotUtf8InLine2", "a.jsonl",
         "{\"user\": \"a\", \"text\": \"\"}\n{\"user\": \"caf\xe9\"}\n",
         "a.jsonl:2"},
        {"NotJson", "a.jsonl", "{\"user\": \"a\", \"text\": \"\"}\nuser\n",
         "not a JSON object | "},
        {"JsonArray", "a.jsonl", "[1]\n", "a.jsonl:1"},
        {"CutLastLine", "a.jsonl",
         "{\"user\": \"a\", \"text\": \"b\"}\n{\"user\": \"a\", \"te",
         "a.jsonl:2"},
        {"JsonNoUser", "a.jsonl", "{\"usr\": \"a\", \"text\": \"\"}\n",
         "there is no field 'user' | "},
        {"JsonNoText", "a.jsonl", "{\"user\": \"a\"}\n",
         "there is no field 'text' | "},
        {"JsonTextIsNumber", "a.jsonl", "{\"user\": \"a\", \"text\": 3}\n",
         "'text' is of type number where a string was expected"},
        {"JsonUserIsObject", "a.jsonl", "{\"user\": {}, \"text\": \"\"}\n",
         "'user' is of type object where a string was expected"},
        {"CsvEmpty", "a.csv", "", "the file is empty | "},
        {"CsvNoColumn", "a.csv", "user,body\na,b\n",
         "there is no field 'text' | "},
        {"CsvRagged", "a.csv", "user,text\na,b,c\n",
         "fields: 3, where line 1 has 2 | "},
        {"CsvNotUtf8", "a.csv", "user,text\na,\xff\n", "a.csv:2"},
        {"SpeechNotUtf8", "a.txt", "All:\nspeak\nof caf\xe9s\n", "a.txt:3",
         TextSource::kSpeakers},
        {"NoSpeaker", "a.txt", "\nBefore we go\n",
         "expected a speaker's name and a colon | ", TextSource::kSpeakers},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST(TextImportTest, RefusesToMixForms) {
  const TestFolder folder;
  folder.Write("in/a.txt", "x");
  folder.Write("in/b.csv", "user,text\na,b\n");
  ExpectContains(ErrorOf([&] { ImportText(folder.Request()); }),
                 "a.txt and b.csv are of different forms");
}

TEST(TextImportTest, AsksForTheFormOfAnUnknownEnding) {
  const TestFolder folder;
  ImportRequest request = folder.Request();
  request.inputs = {folder.Write("in/a.log", "x")};
  ExpectContains(ErrorOf([&] { ImportText(request); }),
                 "the ending does not say of what form the file is");
  ImportText(request, {.form = TextSource::kFiles});
  EXPECT_EQ(ReadSet(folder / "out"), (Texts{{"a", {"x"}}}));
}

}  // namespace
}  // namespace sfumato::data

#include "data/import/import_stackexchange.h"

#include <string>
#include <vector>

#include "data/import/import_testing.h"
#include "data/import/stackexchange_xml.h"
#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

#if SFUMATO_HAS_EXPAT

// As Stack Exchange writes them, byte order mark included.
std::string Posts(const std::string& rows) {
  return "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<posts>\n" +
         rows + "</posts>\n";
}
std::string Comments(const std::string& rows) {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<comments>\n" + rows +
         "</comments>";
}

const char kQuestionRow[] =
    "  <row Id=\"1\" PostTypeId=\"1\" CreationDate=\"2016-01-12T19:24:29.457\" "
    "Score=\"2\" Body=\"&lt;p&gt;I have a bug. Caf&amp;eacute; &amp;amp; "
    "&lt;code&gt;f()&lt;/code&gt; fail!&lt;/p&gt;&#xA;&lt;pre&gt;&lt;code&gt;"
    "int secret;&lt;/code&gt;&lt;/pre&gt;\" OwnerUserId=\"30\" "
    "Title=\"Why does &quot;f&quot; fail?\" Tags=\"&lt;c++&gt;\" />\n";

using Lines = std::vector<std::string>;

// "user source: sentence", in the order written.
Lines Written(const base::Path& folder) {
  const FederatedDataset set(folder);
  set.Verify();
  Lines lines;
  for (std::size_t u = 0; u < set.users(); ++u) {
    const User user = set.user(u);
    for (std::size_t i = 0; i < user.size(); ++i) {
      lines.push_back(std::string(user.id()) + " " +
                      set.info().columns[0].values[user[i].columns[0]] + ": " +
                      std::string(user[i].text));
    }
  }
  return lines;
}

TEST(StackExchangeImportTest, NamesTheLinkThatLeadsNowhere) {
  const TestFolder folder;
  for (const char* to : {"Posts.xml", "gone.xml"}) {
    std::filesystem::remove(folder / "in/Posts.xml");
    std::filesystem::create_symlink(to, folder / "in/Posts.xml");
    const std::string error =
        ErrorOf([&] { ImportStackExchange(folder.Request()); });
    ExpectContains(error, "bad_input: cannot be read");
    ExpectContains(error, "Posts.xml");
  }
}

TEST(StackExchangeImportTest, NamesThePipeItCannotFollow) {
  const TestFolder folder;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string dump = Posts(kQuestionRow);
  ASSERT_EQ(write(ends[1], dump.data(), dump.size()),
            static_cast<ssize_t>(dump.size()));
  close(ends[1]);
  ImportRequest request = folder.Request();
  request.inputs = {"/proc/self/fd/" + std::to_string(ends[0])};
  ExpectContains(ErrorOf([&] { ImportStackExchange(request); }),
                 "bad_input: cannot be read");
  close(ends[0]);
}

TEST(StackExchangeImportTest, ReadsPostsAndComments) {
  const TestFolder folder;
  folder.Write(
      "beer/Posts.xml",
      Posts(
          std::string(kQuestionRow) +
          "<row Id=\"2\" PostTypeId=\"2\" Body=\"&lt;p&gt;Try that.&lt;/p&gt;"
          "\" OwnerUserId=\"4\" ParentId=\"1\" />\n"
          "<row Id=\"3\" PostTypeId=\"1\" Body=\"lost\" Title=\"Not mine\"/>"
          "<row Id=\"4\" PostTypeId=\"2\" Body=\"a bot\" OwnerUserId=\"-1\"/>"
          "<row Id=\"5\" PostTypeId=\"4\" Body=\"a tag\" OwnerUserId=\"4\"/>"
          "<row Id=\"6\" PostTypeId=\"2\" Body=\"Yes.\" OwnerUserId=\"4\"/>"));
  folder.Write("beer/Comments.xml",
               Comments("<row Id=\"1\" PostId=\"1\" Text=\"See [the docs]"
                        "(http://x.org). It is *there*.\" UserId=\"4\" />"
                        "<row Id=\"2\" Text=\"gone now\" "
                        "UserDisplayName=\"user9\"/>"));
  const DatasetSummary summary = ImportStackExchange(folder.Request({"beer"}));
  EXPECT_EQ(
      Written(folder / "out"),
      (Lines{"4 comment: See the docs.", "4 comment: It is there.",
             "4 answer: Try that.", "30 title: Why does \"f\" fail?",
             "30 question: I have a bug.", "30 question: Café & f() fail!"}));
  EXPECT_EQ(summary.users, 2u);
  EXPECT_EQ(summary.examples, 6u);
  EXPECT_EQ(summary.skipped,
            (std::map<std::string, std::uint64_t>{
                {"row without author", 2},
                {"row by the site's own account", 1},
                {"post that is neither question nor answer", 1},
                {"sentence of fewer than 2 words", 1}}));
}

TEST(StackExchangeImportTest, NamesTheSiteWhenThereAreSeveral) {
  const TestFolder folder;
  for (const char* site : {"ai", "beer"}) {
    folder.Write(base::Path("in") / site / "Posts.xml", Posts(kQuestionRow));
    folder.Write(base::Path("in") / site / "Users.xml", "not read");
  }
  // The same file again, by name, is read once.
  ImportStackExchange(folder.Request({"in", "in/ai/Posts.xml"}));
  const FederatedDataset set(folder / "out");
  ASSERT_EQ(set.users(), 2u);
  EXPECT_EQ(set.user(0).id(), "ai/30");
  EXPECT_EQ(set.user(1).id(), "beer/30");
  EXPECT_EQ(set.user_size(0), 3u);
}

TEST(StackExchangeImportTest, SkipsSentencesByLength) {
  const TestFolder folder;
  folder.Write("in/Comments.xml",
               Comments("<row Text=\"One. Two words. Now three words. Here "
                        "are four words.\" UserId=\"1\"/>"));
  const DatasetSummary summary =
      ImportStackExchange(folder.Request(), {.min_words = 2, .max_words = 3});
  EXPECT_EQ(Written(folder / "out"),
            (Lines{"1 comment: Two words.", "1 comment: Now three words."}));
  EXPECT_EQ(summary.skipped, (std::map<std::string, std::uint64_t>{
                                 {"sentence of fewer than 2 words", 1},
                                 {"sentence of more than 3 words", 1}}));
}

TEST(StackExchangeImportTest, RefusesWhatIsWrongAndLeavesNothing) {
  const std::string head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
  const std::string bomb =
      head + "<!DOCTYPE posts [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n" +
      "<posts><row Body=\"&b;\" OwnerUserId=\"1\"/></posts>";
  struct Case {
    const char* name;
    std::string content;
    std::vector<const char*> says;
  };
  const Case cases[] = {
      {"empty", "", {"malformed XML", "Posts.xml:1"}},
      {"no XML", "hello", {"malformed XML", "Posts.xml:1"}},
      {"cut",
       Posts(kQuestionRow).substr(0, 300),
       {"malformed XML", "Posts.xml:3"}},
      {"not closed",
       head + "<posts>\n" + kQuestionRow,
       {"malformed XML", "Posts.xml:4"}},
      {"a wrong tag",
       head + "<posts>\n<row></rwo></posts>",
       {"malformed XML", "Posts.xml:3"}},
      {"an unknown entity",
       Posts("<row Body=\"&nbsp;\" OwnerUserId=\"1\" PostTypeId=\"1\"/>"),
       {"malformed XML", "Posts.xml:3"}},
      {"not UTF-8",
       Posts("<row Body=\"\xff\" OwnerUserId=\"1\"/>"),
       {"malformed XML", "Posts.xml:3"}},
      {"another file",
       head + "<users>\n<row Id=\"1\"/></users>",
       {"neither <posts> nor <comments>", "Posts.xml:2"}},
      {"something that is no row",
       Posts("<line/>"),
       {"where <row> was expected", "Posts.xml:3"}},
      {"a row in a row", Posts("<row><row/></row>"), {"<row>", "Posts.xml:3"}},
      {"a document type", bomb, {"document type", "Posts.xml:2"}},
      {"a user that is no number",
       Posts("<row OwnerUserId=\"ann\" PostTypeId=\"1\" Body=\"x y\"/>"),
       {"OwnerUserId is not a number", "Posts.xml:3"}},
      {"a user too large",
       Posts("<row OwnerUserId=\"99999999999999999999\" PostTypeId=\"1\"/>"),
       {"OwnerUserId", "Posts.xml:3"}},
      {"a type that is no number",
       Posts("<row OwnerUserId=\"1\" PostTypeId=\"question\"/>"),
       {"PostTypeId", "Posts.xml:3"}},
      {"no author",
       Posts("<row Body=\"a b\" PostTypeId=\"1\"/>"),
       {"no sentence by a known author"}},
      {"a row without end",
       "<posts><row Body=\"" + std::string(17 << 20, 'x') + "\"/></posts>",
       {"a row of more than"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const TestFolder folder;
    folder.Write("in/Posts.xml", c.content);
    const std::string error =
        ErrorOf([&] { ImportStackExchange(folder.Request()); });
    ExpectContains(error, "bad_input: ");
    for (const char* part : c.says) ExpectContains(error, part);
    EXPECT_FALSE(folder.HasLeftovers());
  }
}

TEST(StackExchangeImportTest, RefusesInputsItCannotUse) {
  const TestFolder folder;
  const auto error = [&](const std::vector<base::Path>& inputs) {
    return ErrorOf([&] { ImportStackExchange(folder.Request(inputs)); });
  };
  std::filesystem::create_directory(folder / "empty");
  folder.Write("a/beer/Posts.xml", Posts(kQuestionRow));
  folder.Write("b/beer/Posts.xml", Posts(kQuestionRow));
  ExpectContains(error({}), "bad_input: nothing to import");
  ExpectContains(error({"missing"}), "bad_input: no such file");
  ExpectContains(error({"empty"}), "bad_input: no Posts.xml or Comments.xml");
  ExpectContains(error({"a", "b"}), "bad_input: two folders are called 'beer'");
}

TEST(DumpParserTest, ReadsAnyPieces) {
  const std::string dump = Posts(kQuestionRow);
  for (const std::size_t size : {1u, 7u, 100000u}) {
    std::vector<DumpRow> rows;
    DumpParser parser("x", [&](const DumpRow& row) { rows.push_back(row); });
    for (std::size_t at = 0; at < dump.size(); at += size) {
      parser.Feed(std::string_view(dump).substr(at, size));
    }
    parser.Finish();
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].user, 30);
    EXPECT_EQ(rows[0].title, "Why does \"f\" fail?");
    EXPECT_FALSE(rows[0].comment);
  }
}

TEST(DumpParserTest, LetsTheReaderStopIt) {
  DumpParser parser("x", [](const DumpRow&) { throw Unavailable("full"); });
  ExpectContains(ErrorOf([&] { parser.Feed(Posts(kQuestionRow)); }),
                 "unavailable: full");
}

#else

TEST(StackExchangeImportTest, IsNamedWhenMissing) {
  const TestFolder folder;
  folder.Write("in/Posts.xml", "<posts/>");
  const std::string error =
      ErrorOf([&] { ImportStackExchange(folder.Request()); });
  ExpectContains(error, "unsupported: ");
  ExpectContains(error, "expat");
}

#endif

}  // namespace
}  // namespace sfumato::data

#include "data/import/csv.h"

#include <gtest/gtest.h>

#include <ostream>

#include "data/import/import_testing.h"

namespace sfumato::data {
namespace {

using Records = std::vector<std::vector<std::string>>;

Records ReadAll(std::string_view text, char delimiter = 0) {
  CsvReader csv(text, "f.csv", delimiter);
  Records records;
  while (csv.Next()) {
    auto& record = records.emplace_back();
    for (const std::string_view field : csv.fields()) {
      record.emplace_back(field);
    }
  }
  return records;
}

struct Case {
  const char* name;
  std::string text;
  Records expected;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class CsvTest : public testing::TestWithParam<Case> {};

TEST_P(CsvTest, ReadsRecords) {
  EXPECT_EQ(ReadAll(GetParam().text), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Table, CsvTest,
    testing::ValuesIn(std::vector<Case>{
        {"Empty", "", {}},
        {"OnlyLineEnds", "\n\r\n\n", {}},
        {"Plain", "a,b\nc,d\n", {{"a", "b"}, {"c", "d"}}},
        {"NoLastLineEnd", "a,b\nc,d", {{"a", "b"}, {"c", "d"}}},
        {"CrLf", "a,b\r\nc,d\r\n", {{"a", "b"}, {"c", "d"}}},
        {"Cr", "a,b\rc,d\r", {{"a", "b"}, {"c", "d"}}},
        {"EmptyFields", ",a,\n,,\n", {{"", "a", ""}, {"", "", ""}}},
        {"EmptyLines", "a,b\n\n\nc,d\n\n", {{"a", "b"}, {"c", "d"}}},
        {"Quotes", "\"a\",\"\"\n", {{"a", ""}}},
        {"QuotedDelimiter", "\"a,b\",c\n", {{"a,b", "c"}}},
        {"QuotedLineBreak", "\"a\nb\r\nc\",d\n", {{"a\nb\r\nc", "d"}}},
        {"DoubledQuotes",
         "\"say \"\"hi\"\"\",\"\"\"\"\n",
         {{"say \"hi\"", "\""}}},
        {"BareQuote", "5\" disk,b\n", {{"5\" disk", "b"}}},
        {"ByteOrderMark", "\xef\xbb\xbfuser,text\n", {{"user", "text"}}},
        {"QuotedAfterMark", "\xef\xbb\xbf\"a,b\",c\n", {{"a,b", "c"}}},
        {"Semicolons", "a;b,c;d\n", {{"a", "b,c", "d"}}},
        {"Tabs", "a\tb c\td\n", {{"a", "b c", "d"}}},
        {"Blanks",
         "  1.5  2 3 \n4 5 6\n",
         {{"1.5", "2", "3"}, {"4", "5", "6"}}},
        {"SingleColumn", "a\nb\n", {{"a"}, {"b"}}},
        {"QuotedDelimitersDoNotVote",
         "\"a;b;c;d\",e,f\n",
         {{"a;b;c;d", "e", "f"}}},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST(CsvReaderTest, KeepsBlankFieldsOfTsvWhenTold) {
  EXPECT_EQ(ReadAll("a b\t\tc\n", '\t'), (Records{{"a b", "", "c"}}));
}

TEST(CsvReaderTest, TakesRunsOfSpacesAndTabsForOneBlank) {
  EXPECT_EQ(ReadAll(" a \t b\t\n \n\"c d\"\te", ' '),
            (Records{{"a", "b"}, {"c d", "e"}}));
}

TEST(CsvReaderTest, CountsLinesThroughQuotedLineBreaks) {
  CsvReader csv("a,b\n\"x\ny\",1\n\nz,2\n", "f.csv");
  std::vector<std::size_t> lines;
  while (csv.Next()) lines.push_back(csv.line());
  EXPECT_EQ(lines, (std::vector<std::size_t>{1, 2, 5}));
  EXPECT_EQ(csv.Where(), "f.csv:5");
}

TEST(CsvReaderTest, CountsCrLfAsOneLine) {
  CsvReader csv("a,b\r\n\r\nc,d\r\n", "f.csv");
  csv.Next();
  csv.Next();
  EXPECT_EQ(csv.line(), 3u);
}

struct BadCase {
  const char* name;
  std::string text;
  std::string error;
};
void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

class BadCsvTest : public testing::TestWithParam<BadCase> {};

TEST_P(BadCsvTest, IsRefusedWithFileAndLine) {
  EXPECT_EQ(ErrorOf([&] { ReadAll(GetParam().text); }), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadCsvTest,
    testing::ValuesIn(std::vector<BadCase>{
        {"TooFew", "a,b,c\nd,e\n",
         "bad_input: fields: 2, where line 1 has 3 | f.csv:2 | "
         "fix or remove the line"},
        {"TooMany", "\na,b\n1,2\n1,2,3\n",
         "bad_input: fields: 3, where line 2 has 2 | f.csv:4 | "
         "fix or remove the line"},
        {"OpenQuote", "a,b\nc,\"d\ne\n",
         "bad_input: a quoted field is not closed | f.csv:2 | "
         "close it with \", or write a quote inside quotes twice"},
        {"TextAfterQuote", "a,b\n\"c\"d,e\n",
         "bad_input: something follows a closing quote | f.csv:2 | "
         "write a quote inside quotes twice"},
    }),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace sfumato::data

#include "data/import/import_table.h"

#include <gtest/gtest.h>

#include <ostream>

#include "data/import/import_testing.h"

namespace sfumato::data {
namespace {

// One row: user, label, then the features or pixels.
struct Row {
  std::string user;
  int label;
  std::vector<float> values;
  bool operator==(const Row&) const = default;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.user << " " << row.label << testing::PrintToString(row.values);
}

std::vector<Row> ReadSet(const FederatedDataset& set) {
  set.Verify();
  std::vector<Row> rows;
  for (std::size_t u = 0; u < set.users(); ++u) {
    const User user = set.user(u);
    for (std::size_t i = 0; i < user.size(); ++i) {
      const Example e = user[i];
      Row& row = rows.emplace_back(Row{std::string(user.id()),
                                       e.label,
                                       {e.features.begin(), e.features.end()}});
      row.values.insert(row.values.end(), e.pixels.begin(), e.pixels.end());
    }
  }
  return rows;
}

using Names = std::vector<std::string>;

struct Case {
  const char* name;
  std::string csv;
  TableOptions options;
  std::vector<Row> rows;
  Names classes;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class TableImportTest : public testing::TestWithParam<Case> {};

TEST_P(TableImportTest, ReadsCsv) {
  const TestFolder folder;
  folder.Write("in/a.csv", GetParam().csv);
  ImportTable(folder.Request(), GetParam().options);
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(ReadSet(set), GetParam().rows);
  EXPECT_EQ(set.info().classes, GetParam().classes);
  EXPECT_EQ(set.info().grouped, !GetParam().options.user_column.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Table, TableImportTest,
    testing::ValuesIn(std::vector<Case>{
        {"FirstColumnIsTheLabel",
         "2,0.5,-1\n0,1e1,+3\n",
         {},
         {{"pool", 2, {0.5, -1}}, {"pool", 0, {10, 3}}},
         {"0", "1", "2"}},
        {"LabelByDefaultName",
         "a,b,Label\n1,2,1\n3,4,0\n",
         {},
         {{"pool", 1, {1, 2}}, {"pool", 0, {3, 4}}},
         {"0", "1"}},
        {"LabelByName",
         "a,kind,b\n1,cat,2\n3,ant,4\n",
         {.label_column = "kind"},
         {{"pool", 1, {1, 2}}, {"pool", 0, {3, 4}}},
         {"ant", "cat"}},
        {"LabelByNumberFromTheEnd",
         "5.1 3.5 setosa\n4.9 3 virginica\n",
         {.label_column = "-1"},
         {{"pool", 0, {5.1f, 3.5}}, {"pool", 1, {4.9f, 3}}},
         {"setosa", "virginica"}},
        {"NoLabel",
         "1;2\n3;4\n",
         {.label_column = "none"},
         {{"pool", -1, {1, 2}}, {"pool", -1, {3, 4}}},
         {}},
        {"MissingLabel",
         "label,a\n,1\n1,2\n",
         {},
         {{"pool", -1, {1}}, {"pool", 1, {2}}},
         {"0", "1"}},
        {"WholeLabelsInAnySpelling",
         "1.0000,5\n1,6\n",
         {},
         {{"pool", 1, {5}}, {"pool", 1, {6}}},
         {"0", "1"}},
        {"NegativeLabelsAreNames",
         "1,5\n-1,6\n10,7\n",
         {},
         {{"pool", 1, {5}}, {"pool", 0, {6}}, {"pool", 2, {7}}},
         {"-1", "1", "10"}},
        {"UsersInTheOrderOfTheirFirstRow",
         "who,y,a\nzoe,0,1\nann,1,2\nzoe,1,3\n",
         {.user_column = "who"},
         {{"zoe", 0, {1}}, {"zoe", 1, {3}}, {"ann", 1, {2}}},
         {"0", "1"}},
        {"NumbersAsColumnNames",
         "label,0,1\n1,5,6\n",
         {},
         {{"pool", 1, {5, 6}}},
         {"0", "1"}},
        {"HeaderWhenTold",
         "7,8,9\n1,5,6\n",
         {.header = CsvHeader::kPresent},
         {{"pool", 1, {5, 6}}},
         {"0", "1"}},
        {"QuotedNumbers",
         "\"1\",\" 5 \"\r\n\"0\",\"6\"\r\n",
         {},
         {{"pool", 1, {5}}, {"pool", 0, {6}}},
         {"0", "1"}},
        // (v + 1) / 2 * 255, rounded: 0, 127.5 up, 255, 63.75.
        {"Images",
         "6,-1,0,1,-0.5\n",
         {.image = {.height = 2, .width = 2}, .low = -1, .high = 1},
         {{"pool", 6, {0, 128, 255, 64}}},
         {"0", "1", "2", "3", "4", "5", "6"}},
        {"ImagesWithWhiteBackground",
         "0,255,0\n",
         {.image = {.height = 1, .width = 2}, .low = 255, .high = 0},
         {{"pool", 0, {0, 255}}},
         {"0"}},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST(CsvTableTest, SplitsByTheNamesOfTheFiles) {
  const TestFolder folder;
  folder.Write("in/zip.test.csv.gz", Gzip("1,7\n"));
  folder.Write("in/zip.train.csv", "0,5\n1,6\n");
  ImportTable(folder.Request());
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().columns[0].values, (Names{"train", "test"}));
  EXPECT_EQ(set.user(0)[0].features[0], 5);
  EXPECT_EQ(set.user(0)[0].columns[0], 0);
  EXPECT_EQ(set.user(0)[2].features[0], 7);
  EXPECT_EQ(set.user(0)[2].columns[0], 1);
}

struct BadCase {
  const char* name;
  std::string csv;
  std::string error;  // part of it
  TableOptions options = {};
};
void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

class BadTableImportTest : public testing::TestWithParam<BadCase> {};

TEST_P(BadTableImportTest, IsRefusedAndLeavesNothing) {
  const TestFolder folder;
  folder.Write("in/a.csv", GetParam().csv);
  const std::string error =
      ErrorOf([&] { ImportTable(folder.Request(), GetParam().options); });
  ExpectContains(error, GetParam().error);
  EXPECT_FALSE(folder.HasLeftovers());
}

std::string ManyLabels() {
  std::string csv;
  for (int i = 0; i <= 10000; ++i) csv += std::to_string(i) + ".5,1\n";
  return csv;
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadTableImportTest,
    testing::ValuesIn(std::vector<BadCase>{
        {"Empty", "", "the file is empty | "},
        {"HeaderOnly", "label,a\n", "there is no example in it"},
        {"Ragged", "1,2,3\n1,2\n", "fields: 2, where line 1 has 3 | "},
        {"NotANumber", "1,2\n1,two\n",
         "the value in column 1 is not a number | "},
        {"NotANumberLine", "1,2\n1,two\n", "a.csv:2"},
        {"NoValue", "1,2,3\n1,,3\n",
         "the value in column 1 is not a number | "},
        {"NaN", "label,a\n1,nan\n", "the value in column 1 is not a finite"},
        {"Infinity", "label,a\n1,-inf\n",
         "the value in column 1 is not a finite"},
        {"TooLargeForFloat", "label,a\n1,1e39\n",
         "the value in column 1 is not a finite"},
        {"NoFeature", "1\n2\n", "there is no feature beside the label"},
        {"NoSuchColumn",
         "label,a\n1,2\n",
         "there is no column 'lable' | ",
         {.label_column = "lable"}},
        {"NumberTooLarge",
         "1,2\n",
         "there is no column '2' | ",
         {.label_column = "2"}},
        {"NumberTooSmall",
         "1,2\n",
         "there is no column '-3' | ",
         {.label_column = "-3"}},
        {"NoSuchUserColumn",
         "label,a\n1,2\n",
         "there is no column 'who' | ",
         {.user_column = "who"}},
        {"LabelIsUser",
         "a,b\n1,2\n",
         "column 0 cannot be both label and user",
         {.user_column = "a"}},
        {"NoUser",
         "label,who,a\n1,,2\n",
         "the row names no user | ",
         {.user_column = "who"}},
        {"UserNotUtf8",
         "label,who,a\n1,\xff,2\n",
         "the text is not UTF-8",
         {.user_column = "who"}},
        {"TooManyLabels", ManyLabels(), "10001 different labels"},
        {"ImageOfOtherSize",
         "1,2,3\n",
         "2 features where 4 were expected | ",
         {.image = {.height = 2, .width = 2}}},
        {"PixelOutside",
         "1,256\n",
         "the value in column 1 is outside the image's range",
         {.image = {.height = 1, .width = 1}}},
        {"ImageWithoutWidth",
         "1,2\n",
         "images of 2 x 0 pixels",
         {.image = {.height = 2}}},
        {"ImageWithoutRange",
         "1,2\n",
         "the values of background and full light are the same",
         {.image = {.height = 1, .width = 1}, .low = 1, .high = 1}},
    }),
    [](const auto& test) { return std::string(test.param.name); });

// numpy.save's file of one-byte numbers.
std::string NpyBytes(const std::string& shape, const std::string& data) {
  const std::string header =
      "{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\x00", 8) +
         static_cast<char>(header.size()) + '\0' + header + data;
}

TEST(NpyTableTest, JoinsFeaturesAndLabels) {
  const TestFolder folder;
  folder.Write("in/X.npy", NpyBytes("(2, 3)", "\x01\x02\x03\x04\x05\x06"));
  folder.Write("in/y.npy", NpyBytes("(2,)", std::string("\x01\x00", 2)));
  ImportTable(folder.Request());
  EXPECT_EQ(ReadSet(FederatedDataset(folder / "out")),
            (std::vector<Row>{{"pool", 1, {1, 2, 3}}, {"pool", 0, {4, 5, 6}}}));
}

TEST(NpyTableTest, MakesImagesOfThreeDimensions) {
  const TestFolder folder;
  folder.Write("in/train_images.npy", NpyBytes("(1, 1, 2)", "\x01\xff"));
  folder.Write("in/train_labels.npy", NpyBytes("(1,)", "\x03"));
  folder.Write("in/test_images.npy", NpyBytes("(1, 1, 2)", "\x02\x03"));
  folder.Write("in/test_labels.npy", NpyBytes("(1,)", "\x02"));
  ImportTable(folder.Request(), {.image = {.height = 1, .width = 2}});
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(ReadSet(set),
            (std::vector<Row>{{"pool", 3, {1, 255}}, {"pool", 2, {2, 3}}}));
  EXPECT_EQ(set.user(0)[0].columns[0], 0);
  EXPECT_EQ(set.user(0)[1].columns[0], 1);
}

TEST(NpyTableTest, DoesWithoutLabels) {
  const TestFolder folder;
  folder.Write("in/X.npy", NpyBytes("(1, 1)", "\x07"));
  ImportTable(folder.Request());
  EXPECT_EQ(ReadSet(FederatedDataset(folder / "out")),
            (std::vector<Row>{{"pool", -1, {7}}}));
}

TEST(NpyTableTest, RefusesWhatDoesNotBelongTogether) {
  const struct {
    const char* name;
    std::vector<std::pair<std::string, std::string>> files;
    std::string error;  // part of it
    TableOptions options = {};
  } cases[] = {
      {"labels of other length",
       {{"X.npy", NpyBytes("(2, 1)", "ab")}, {"y.npy", NpyBytes("(1,)", "a")}},
       "expected labels of shape (2,)"},
      {"labels alone",
       {{"y.npy", NpyBytes("(1,)", "a")}},
       "labels without a file of features"},
      {"one dimension",
       {{"X.npy", NpyBytes("(2,)", "ab")}},
       "expected features of shape (rows, values)"},
      {"no rows", {{"X.npy", NpyBytes("(0, 2)", "")}}, "expected features"},
      {"two features",
       {{"A.npy", NpyBytes("(1, 1)", "a")}, {"B.npy", NpyBytes("(1, 1)", "a")}},
       "A.npy and B.npy both hold features"},
      {"mixed with CSV",
       {{"X.npy", NpyBytes("(1, 1)", "a")}, {"b.csv", "1,2\n"}},
       "CSV and NPY files cannot be mixed"},
      {"user column",
       {{"X.npy", NpyBytes("(1, 1)", "a")}},
       "NPY files have no user column",
       {.user_column = "0"}},
      // A quiet NaN as the only element.
      {"not finite",
       {{"X.npy",
         [] {
           std::string file =
               NpyBytes("(1, 1)", std::string("\x00\x00\xc0\x7f", 4));
           return file.replace(file.find("|u1"), 3, "<f4");
         }()}},
       "is not a finite number | "},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const TestFolder folder;
    for (const auto& [name, content] : c.files) {
      folder.Write("in/" + name, content);
    }
    const std::string error =
        ErrorOf([&] { ImportTable(folder.Request(), c.options); });
    ExpectContains(error, c.error);
    EXPECT_FALSE(folder.HasLeftovers());
  }
}

std::string DescriptionOf(const base::Path& folder) {
  nlohmann::json json =
      nlohmann::json::parse(base::ReadFile(folder / "dataset.json"));
  for (const char* random : {"id", "edition", "crc32c"}) json.erase(random);
  return json.dump();
}

// Two neighbours: with and without the one person who has a rare label.
TEST(PrivateTableTest, OnePersonDoesNotShowInWhatAModelIsMadeFor) {
  const std::string others = "who,what,x\nann,flu,1\nbob,cold,2\n";
  const std::optional<Names> kinds[] = {std::nullopt, Names{"cold", "flu"}};
  for (const std::optional<Names>& classes : kinds) {
    std::vector<std::string> descriptions;
    for (const char* person : {"", "cem,leprosy,3\n"}) {
      const TestFolder folder;
      folder.Write("in/a.csv", others + person);
      const DatasetSummary summary =
          ImportTable(folder.Private(classes),
                      {.label_column = "what", .user_column = "who"});
      EXPECT_EQ(summary.labels_dropped, !classes);
      EXPECT_TRUE(summary.first_users.empty());
      EXPECT_TRUE(summary.skipped.empty());
      descriptions.push_back(DescriptionOf(folder / "out"));
      const FederatedDataset set(folder / "out");
      EXPECT_EQ(set.info().classes, classes.value_or(Names{}));
      EXPECT_TRUE(set.info().declared);
      EXPECT_EQ(set.user(0)[0].label, classes ? 1 : -1);
      if (*person != 0) {
        EXPECT_EQ(set.user(2)[0].label, -1);
      }
    }
    EXPECT_EQ(descriptions[0], descriptions[1]);
  }
}

TEST(PublicTableTest, CollectsItsClassesAndShowsItsFirstUsers) {
  const TestFolder folder;
  folder.Write("in/a.csv", "who,what,x\nann,flu,1\nbob,cold,2\n");
  const TableOptions options{.label_column = "what", .user_column = "who"};
  ImportRequest request = folder.Request();
  DatasetSummary summary = ImportTable(request, options);
  EXPECT_EQ(FederatedDataset(folder / "out").info().classes,
            (Names{"cold", "flu"}));
  EXPECT_FALSE(FederatedDataset(folder / "out").info().declared);
  EXPECT_EQ(summary.first_users, (Names{"ann", "bob"}));
  request.out = folder / "declared";
  request.classes = Names{"flu"};
  summary = ImportTable(request, options);
  EXPECT_EQ(
      summary.skipped,
      (std::map<std::string, std::uint64_t>{{"label outside --classes", 1}}));
  EXPECT_EQ(FederatedDataset(folder / "declared").info().classes, Names{"flu"});
}

TEST(PrivateTableTest, ErrorsNameNoFieldAndNoValue) {
  const struct {
    const char* csv;
    TableOptions options;
  } cases[] = {
      {"secret,other\n1,2\n", {.label_column = "secre"}},
      {"secret,other\n1,2\n", {.user_column = "secre"}},
      {"y,x\n1,secret\n", {}},
      {"y,x\n1,7777e99\n", {}},
      {"y,x\n1,\"sec\"ret\n", {}},
      {"y,x,u\n1,2,\xff\n", {.user_column = "u"}},
  };
  for (const auto& c : cases) {
    const TestFolder folder;
    folder.Write("in/a.csv", c.csv);
    const std::string error =
        ErrorOf([&] { ImportTable(folder.Private(), c.options); });
    ExpectContains(error, "bad_input");
    ExpectContains(error, "a.csv:");
    for (const char* content : {"secret", "other", "7777", "ret", "0xff"}) {
      EXPECT_EQ(error.find(content), error.npos) << error;
    }
  }
}

TEST(ClassesTest, AreNamesEachOnce) {
  const TestFolder folder;
  folder.Write("in/a.csv", "1,2\n");
  for (const Names& classes :
       {Names{}, Names{""}, Names{"a", "b", "a"}, Names{"\xff"}}) {
    const std::string error =
        ErrorOf([&] { ImportTable(folder.Private(classes)); });
    ExpectContains(error, "--classes");
    EXPECT_FALSE(folder.HasLeftovers());
  }
}

}  // namespace
}  // namespace sfumato::data

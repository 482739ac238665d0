#include "data/import/import_leaf.h"

#include <gtest/gtest.h>

#include <ostream>

#include "data/import/import_testing.h"
#include "data/import/leaf.h"

namespace sfumato::data {
namespace {

// One file with one user, "u", of n examples.
std::string OneUser(const std::string& n, const std::string& x,
                    const std::string& y) {
  return R"({"users": ["u"], "num_samples": [)" + n +
         R"(], "user_data": {"u": {"x": )" + x + R"(, "y": )" + y + "}}}";
}

// An array of 784 numbers: `first`, then ones.
std::string Row784(const std::string& first) {
  std::string row = "[" + first;
  for (int i = 1; i < 784; ++i) row += ", 1.0";
  return row + "]";
}

TEST(LeafImportTest, MakesInvertedImagesOf784Numbers) {
  const TestFolder folder;
  folder.Write(
      "in/all_data_0.json",
      OneUser("2", "[" + Row784("0.0") + "," + Row784("0.6") + "]", "[3, 61]"));
  const DatasetSummary summary = ImportLeaf(folder.Request());
  EXPECT_EQ(summary.users, 1u);
  EXPECT_EQ(summary.examples, 2u);
  const FederatedDataset set(folder / "out");
  set.Verify();
  EXPECT_TRUE(set.info().grouped);
  EXPECT_EQ(set.info().image, (ImageShape{28, 28, 1}));
  EXPECT_EQ(set.info().provenance[0]["inverted"], true);
  ASSERT_EQ(set.info().classes.size(), 62u);
  EXPECT_EQ(set.info().classes[10], "A");
  EXPECT_EQ(set.info().classes[61], "z");
  const User user = set.user(0);
  EXPECT_EQ(user.id(), "u");
  EXPECT_EQ(user[0].label, 3);
  EXPECT_EQ(user[0].pixels[0], 255);
  EXPECT_EQ(user[0].pixels[1], 0);
  EXPECT_EQ(user[1].pixels[0], 102);  // 0.4 of 255
}

TEST(LeafImportTest, KeepsLightAsItIsWhenToldNotToInvert) {
  const TestFolder folder;
  folder.Write("in/a.json", OneUser("1", "[" + Row784("0.2") + "]", "[7]"));
  ImportLeaf(folder.Request(), {.invert = false});
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.user(0)[0].pixels[0], 51);  // 0.2 of 255
  EXPECT_EQ(set.user(0)[0].pixels[1], 255);
  EXPECT_EQ(set.info().provenance[0]["inverted"], false);
  EXPECT_EQ(set.info().classes.size(), 8u);
}

// Names of the classes of images with these labels, as JSON spells them.
std::vector<std::string> ClassesOf(const std::vector<std::string>& labels) {
  const TestFolder folder;
  std::string x, y;
  for (const std::string& label : labels) {
    x += (x.empty() ? "[" : ", ") + Row784("0");
    y += (y.empty() ? "[" : ", ") + label;
  }
  folder.Write("in/a.json",
               OneUser(std::to_string(labels.size()), x + "]", y + "]"));
  ImportLeaf(folder.Request());
  return FederatedDataset(folder / "out").info().classes;
}

TEST(LeafImportTest, NamesCharactersOnlyWhenEveryLabelIsANumberUpTo61) {
  using Names = std::vector<std::string>;
  Names words, spelled;
  for (char c = 'a'; c < 'm'; ++c) {
    words.push_back(std::string("class ") + c);
    spelled.push_back("\"" + words.back() + "\"");
  }
  EXPECT_EQ(ClassesOf(spelled), words);
  EXPECT_EQ(ClassesOf({"0", "\"11\""})[11], "11");
  EXPECT_EQ(ClassesOf({"0", "62"})[11], "11");
  EXPECT_EQ(ClassesOf({"-1", "11"}), (Names{"-1", "11"}));
  EXPECT_EQ(ClassesOf({"0", "3"}), (Names{"0", "1", "2", "3"}));
  EXPECT_EQ(ClassesOf({"0", "11"})[11], "B");
}

TEST(LeafImportTest, MakesFeaturesOfOtherNumbers) {
  const TestFolder folder;
  folder.Write("in/a.json",
               OneUser("2", "[[1, -2.5, 3e2], [4, 5, 6]]", "[1.0, 0]"));
  ImportLeaf(folder.Request());
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().kind, Kind::kFeatures);
  EXPECT_EQ(set.info().feature_count, 3);
  const Example first = set.user(0)[0];
  EXPECT_EQ(std::vector<float>(first.features.begin(), first.features.end()),
            (std::vector<float>{1, -2.5, 300}));
  EXPECT_EQ(first.label, 1);
}

TEST(LeafImportTest, ReadsShakespeareWithTheNextCharacterAsClass) {
  const TestFolder folder;
  folder.Write("in/a.json", OneUser("3", R"(["To be", "o be ", " be o"])",
                                    R"(["r", " ", "r"])"));
  ImportLeaf(folder.Request());
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().kind, Kind::kText);
  EXPECT_EQ(set.info().classes, (std::vector<std::string>{" ", "r"}));
  EXPECT_EQ(set.user(0)[2].text, " be o");
  EXPECT_EQ(set.user(0)[0].label, 1);
  EXPECT_EQ(set.user(0)[1].label, 0);
}

TEST(LeafImportTest, ReadsTheTweetOfSent140) {
  const TestFolder folder;
  folder.Write("in/a.json",
               OneUser("2",
                       R"([["1", "Mon", "NO", "bob", "good day", "t"],
                           ["2", "Tue", "NO", "bob", "", "t"]])",
                       R"(["4", "0"])"));
  const DatasetSummary summary = ImportLeaf(folder.Request());
  EXPECT_EQ(summary.examples, 1u);
  EXPECT_EQ(summary.skipped.at("example without text"), 1u);
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.user(0)[0].text, "good day");
  EXPECT_EQ(set.user(0)[0].label, 4);
}

TEST(LeafImportTest, PutsTrainAndTestOfAUserTogether) {
  const TestFolder folder;
  folder.Write("in/data/train/all_data_0_train_8.json",
               R"({"users": ["a", "b"], "num_samples": [1, 2], "user_data": {
                   "a": {"x": [[1]], "y": [0]},
                   "b": {"x": [[2], [3]], "y": [0, 1]}},
                   "hierarchies": [["h"], {"g": [null, true]}]})");
  folder.Write("in/data/test/all_data_0_test_8.json.gz",
               Gzip(R"({"user_data": {"b": {"y": [1], "x": [[4]]}},
                        "num_samples": [1], "users": ["b"]})"));
  ImportRequest request = folder.Request();
  request.inputs = {folder / "in/data"};
  ImportLeaf(request);
  const FederatedDataset set(folder / "out");
  set.Verify();
  ASSERT_EQ(set.users(), 2u);
  EXPECT_EQ(set.info().columns[0].values,
            (std::vector<std::string>{"train", "test"}));
  const User b = set.user(1);
  EXPECT_EQ(b.id(), "b");
  ASSERT_EQ(b.size(), 3u);
  EXPECT_EQ(b[2].features[0], 4);
  EXPECT_EQ(b[1].columns[0], 0);
  EXPECT_EQ(b[2].columns[0], 1);
}

TEST(LeafImportTest, SkipsAndCountsUsersWithoutExamples) {
  const TestFolder folder;
  folder.Write("in/a.json",
               R"({"users": ["a", "b"], "num_samples": [0, 1], "user_data": {
                   "a": {"x": [], "y": []}, "b": {"x": [[2]], "y": [0]}}})");
  const DatasetSummary summary = ImportLeaf(folder.Request());
  EXPECT_EQ(summary.users, 1u);
  EXPECT_EQ(summary.skipped.at("user without examples"), 1u);
  EXPECT_EQ(FederatedDataset(folder / "out").info().provenance[0]["skipped"],
            nlohmann::json({{"user without examples", 1}}));
}

TEST(LeafImportTest, CountsNoUserWhoseExamplesAreInAnotherFile) {
  const TestFolder folder;
  folder.Write("in/a.json", OneUser("0", "[]", "[]"));
  folder.Write("in/b.json", OneUser("1", "[[1]]", "[0]"));
  const DatasetSummary summary = ImportLeaf(folder.Request());
  EXPECT_EQ(summary.users, 1u);
  EXPECT_TRUE(summary.skipped.empty());
}

TEST(LeafTest, NoticesAnInterruptWithinAUser) {
  const std::string text = OneUser("2", "[[1], [2]]", "[0, 0]");
  EXPECT_TRUE(StopsWhenInterrupted(
      [&] { ParseLeaf(text, "a.json", [](const LeafUser&) { _exit(1); }); }));
}

struct BadCase {
  const char* name;
  std::string file;
  std::string error;  // part of it
};
void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

class BadLeafImportTest : public testing::TestWithParam<BadCase> {};

TEST_P(BadLeafImportTest, IsRefusedAndLeavesNothing) {
  const TestFolder folder;
  folder.Write("in/a.json", GetParam().file);
  const std::string error = ErrorOf([&] { ImportLeaf(folder.Request()); });
  ExpectContains(error, GetParam().error);
  ExpectContains(error, "a.json");
  EXPECT_FALSE(folder.HasLeftovers());
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadLeafImportTest,
    testing::ValuesIn(std::vector<BadCase>{
        {"Empty", "", "bad_input: not JSON"},
        {"Truncated", R"({"users": ["u")", "a.json@14"},
        {"TrailingText", OneUser("1", "[[1]]", "[1]") + "x",
         "bad_input: not JSON"},
        {"NotANumber", OneUser("1", "[[NaN]]", "[1]"), "bad_input: not JSON"},
        {"NotUtf8", OneUser("1", "[\"\xff\"]", "[1]"), "bad_input: not JSON"},
        {"NotAnObject", "[1]",
         "an array where an object with users, num_samples and user_data was "
         "expected"},
        {"UnknownField", R"({"user": []})", "an unknown field"},
        {"UnknownUserField", R"({"user_data": {"u": {"z": []}}})",
         "an unknown field | "},
        {"FieldTwice", R"({"users": [], "users": []})", "'users' comes twice"},
        {"NoUsers", R"({"num_samples": [], "user_data": {}})",
         "'users' is missing"},
        {"NoCounts", R"({"users": [], "user_data": {}})",
         "'num_samples' is missing"},
        {"NoData", R"({"users": [], "num_samples": []})",
         "'user_data' is missing"},
        {"NoY",
         R"({"users": ["u"], "num_samples": [1],
             "user_data": {"u": {"x": [[1]]}}})",
         "'y' is missing | "},
        {"UserTwice",
         R"({"user_data": {"u": {"x": [], "y": []},
                           "u": {"x": [], "y": []}}})",
         "the user comes twice"},
        {"UserWithoutName", R"({"user_data": {"": {"x": [], "y": []}}})",
         "a user without a name"},
        {"WrongCount", OneUser("3", "[[1]]", "[1]"),
         "number 0 of 'users' has 1 examples where num_samples says 3"},
        {"UserNotListed",
         R"({"users": ["v"], "num_samples": [1],
             "user_data": {"u": {"x": [[1]], "y": [1]}}})",
         "of 'users' is not in user_data"},
        {"ListsOfDifferentLength",
         R"({"users": ["u", "v"], "num_samples": [1],
             "user_data": {"u": {"x": [[1]], "y": [1]}}})",
         "2 users, 1 num_samples and 1 entries"},
        {"FewerLabels", OneUser("2", "[[1], [2]]", "[1]"),
         "2 examples in x and 1 labels in y"},
        {"RaggedRows", OneUser("2", "[[1, 2], [3]]", "[1, 1]"),
         "1 values where 2 were expected"},
        {"EmptyRow", OneUser("1", "[[]]", "[1]"),
         "0 values where 1 were expected"},
        {"StringAmongNumbers", OneUser("1", R"([[1, "a"]])", "[1]"),
         "a string where a number was expected"},
        {"NumberAmongStrings", OneUser("1", R"([["a", 1]])", "[1]"),
         "a number where a string was expected"},
        {"TextAfterNumbers", OneUser("2", R"([[1], "a"])", "[1, 1]"),
         "texts and numbers among the examples of one user | "},
        {"NumbersAfterText", OneUser("2", R"(["a", [1]])", "[1, 1]"),
         "a number where a string was expected"},
        {"NumberAsExample", OneUser("1", "[1]", "[1]"),
         "a number where an array of numbers or a text was expected"},
        {"NullLabel", OneUser("1", "[[1]]", "[null]"),
         "null where a number or a string was expected"},
        {"XNotAnArray", OneUser("1", "1", "[1]"),
         "a number where an array in 'x' was expected"},
        {"NumberTooLarge", OneUser("1", "[[1e39]]", "[1]"),
         "does not fit a float"},
        {"Nested", OneUser("1", "[[[1]]]", "[1]"),
         "unsupported: examples of nested arrays"},
        {"CelebA", OneUser("1", R"(["000001.jpg"])", "[1]"),
         "unsupported: the text names an image elsewhere"},
        {"ShortTweet", OneUser("1", R"([["1", "Mon"]])", "[1]"),
         "no text number 4 among the 2 strings"},
        {"PixelTooBright", OneUser("1", "[" + Row784("1.5") + "]", "[1]"),
         "pixel 0 of example 0 is outside 0 to 1"},
        {"DifferentWidths",
         R"({"users": ["u", "v"], "num_samples": [1, 1],
             "user_data": {"u": {"x": [[1]], "y": [1]},
                           "v": {"x": [[1, 2]], "y": [1]}}})",
         "2 values an example where other users have 1"},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST(LeafImportTest, RefusesImagesThatDoNotFill) {
  const TestFolder folder;
  folder.Write("in/a.json", OneUser("1", "[[1, 0, 1]]", "[1]"));
  const std::string error = ErrorOf([&] {
    ImportLeaf(folder.Request(),
               {.form = LeafForm::kImages, .image = {.height = 2, .width = 2}});
  });
  ExpectContains(error, "3 values an example where images of 2 x 2 need 4");
}

std::string LeafOf(const std::string& x, const std::string& y) {
  return R"({"users": ["secret_ann"], "num_samples": [1], "user_data": )"
         R"({"secret_ann": {"x": [)" +
         x + R"(], "y": [)" + y + "]}}}";
}

TEST(PrivateLeafTest, KeepsTheLabelsThatWereDeclared) {
  const struct {
    const char* y;
    std::optional<std::vector<std::string>> classes;
    std::int32_t label;
  } cases[] = {{"\"cat\"", {{"dog", "cat"}}, 1},
               {"\"rat\"", {{"dog", "cat"}}, -1},
               {"3", {{"1", "3"}}, 1},
               {"3", {}, -1}};
  for (const auto& c : cases) {
    const TestFolder folder;
    folder.Write("in/a.json", LeafOf("[0.5, 2]", c.y));
    const DatasetSummary summary = ImportLeaf(folder.Private(c.classes));
    const FederatedDataset set(folder / "out");
    EXPECT_EQ(set.user(0)[0].label, c.label) << c.y;
    EXPECT_EQ(set.info().classes,
              c.classes.value_or(std::vector<std::string>()));
    EXPECT_EQ(summary.labels_dropped, !c.classes);
  }
}

// FEMNIST numbers its characters: 10 is A.
TEST(PrivateLeafTest, CharactersOfFemnistMayBeDeclaredByTheirNames) {
  std::string pixels = "[1";
  for (int i = 1; i < 784; ++i) pixels += ", 1";
  const TestFolder folder;
  folder.Write("in/a.json", LeafOf(pixels + "]", "10"));
  std::vector<std::string> characters;
  for (const char c : std::string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz")) {
    characters.emplace_back(1, c);
  }
  ImportLeaf(folder.Private(characters));
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.user(0)[0].label, 10);
  EXPECT_EQ(set.info().classes[10], "A");
}

TEST(PrivateLeafTest, ErrorsNameNoUserAndNoValue) {
  const std::string cases[] = {
      LeafOf("[7777, 1e99]", "1"),
      LeafOf("[7777, \"secret\"]", "1"),
      LeafOf("\"secret.png\"", "1"),
      LeafOf("[[7777]]", "1"),
      R"({"users": ["secret_bob"], "num_samples": [1], "user_data": {"a": )"
      R"({"x": [[1]], "y": [7777]}}})",
      R"({"users": ["a"], "num_samples": [2], "user_data": {"a": )"
      R"({"x": [[1]], "y": [7777]}, "secret": 3}})",
      R"({"secret": 7777})",
      R"({"users": ["secret_bob" 7777]})",
  };
  for (const std::string& text : cases) {
    const TestFolder folder;
    folder.Write("in/a.json", text);
    const std::string error = ErrorOf([&] { ImportLeaf(folder.Private()); });
    ExpectContains(error, "a.json");
    EXPECT_EQ(error.find("secret"), error.npos) << error;
    EXPECT_EQ(error.find("7777"), error.npos) << error;
  }
}

}  // namespace
}  // namespace sfumato::data

#include "data/import/label_names.h"

#include <string>
#include <vector>

#include "data/import/import_testing.h"
#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

using Strings = std::vector<std::string>;

TEST(LabelNamesTest, NumbersWhatSortsFirstFirst) {
  const struct {
    const char* name;
    Strings labels;  // each another
    Strings classes;
    std::vector<std::int32_t> of_code;
  } cases[] = {
      {"nothing", {}, {}, {}},
      {"numbers stand for themselves", {"2", "0"}, {"0", "1", "2"}, {2, 0}},
      {"two spellings of a number", {"1.0", "1"}, {"0", "1"}, {1, 1}},
      {"below zero", {"1", "-1"}, {"-1", "1"}, {1, 0}},
      {"by value, not by letters", {"-2", "-10"}, {"-10", "-2"}, {1, 0}},
      {"too large to stand for itself", {"10000", "9"}, {"9", "10000"}, {1, 0}},
      {"names", {"dog", "cat", "Cat"}, {"Cat", "cat", "dog"}, {2, 1, 0}},
      {"a name among numbers", {"2", "10", "x"}, {"10", "2", "x"}, {1, 0, 2}},
      {"a fraction is a name", {"2", "0.5"}, {"0.5", "2"}, {1, 0}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    LabelNames labels;
    for (std::size_t i = 0; i < c.labels.size(); ++i) {
      EXPECT_EQ(labels.Code(c.labels[i]), static_cast<std::int32_t>(i));
    }
    const LabelNames::Numbering numbering = labels.Number("f");
    EXPECT_EQ(numbering.classes, c.classes);
    EXPECT_EQ(numbering.of_code, c.of_code);
  }
}

TEST(LabelNamesTest, GivesOneSpellingOneCode) {
  LabelNames labels;
  EXPECT_EQ(labels.Code("a"), 0);
  EXPECT_EQ(labels.Code("b"), 1);
  EXPECT_EQ(labels.Code("a"), 0);
  EXPECT_EQ(labels.Code(""), -1);
  EXPECT_EQ(labels.Number("f").classes, (Strings{"a", "b"}));
}

TEST(LabelNamesTest, RefusesOneClassTooMany) {
  LabelNames labels;
  const auto add = [&](int i) { labels.Code("l" + std::to_string(i)); };
  for (int i = 0; i < LabelNames::kMaxClasses; ++i) add(i);
  EXPECT_EQ(labels.Number("f").classes.size(), 10000u);
  add(LabelNames::kMaxClasses);
  const std::string error = ErrorOf([&] { labels.Number("f.csv"); });
  ExpectContains(error, "bad_input: 10001 different labels, where");
  ExpectContains(error, " | f.csv | ");
}

TEST(LabelNamesTest, DeclaredClassesAreAllThatThereIs) {
  LabelNames labels(ImportRequest{
      .inputs = {}, .out = {}, .classes = Strings{"dog", "7", "cat"}});
  EXPECT_EQ(labels.Code("cat"), 2);
  EXPECT_EQ(labels.Code("7.0"), 1);
  EXPECT_EQ(labels.Code("horse"), -1);
  EXPECT_EQ(labels.Code("8"), -1);
  EXPECT_EQ(labels.Code(""), -1);
  EXPECT_EQ(labels.outside(), 2u);
  EXPECT_FALSE(labels.dropped());
  EXPECT_EQ(labels.Number("").classes, (Strings{"dog", "7", "cat"}));
  EXPECT_EQ(labels.Number("").of_code, (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(LabelNamesTest, NoneAreKeptOfPrivateDataUnlessDeclared) {
  LabelNames labels(ImportRequest{.inputs = {}, .out = {}});
  EXPECT_FALSE(labels.dropped());
  EXPECT_EQ(labels.Code("cat"), -1);
  EXPECT_TRUE(labels.dropped());
  EXPECT_EQ(labels.Number("").classes, Strings{});
}

}  // namespace
}  // namespace sfumato::data

#include "plan/class_names.h"

#include "base/error.h"
#include "gtest/gtest.h"

namespace sfumato::plan {
namespace {

using Names = std::vector<std::string>;

TEST(ClassNamesTest, TheSameNamesInTheSameOrderPass) {
  const Names names = {"0", "a \"quoted\" one", "ä"};
  CheckClassNames(ClassNamesFor(names), names, "judge");
}

TEST(ClassNamesTest, TheFirstClassThatDiffersIsNamed) {
  try {
    CheckClassNames(ClassNamesFor({"0", "1", "2"}), {"0", "b", "c"}, "judge");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_EQ(std::string(error.what()),
              "a classifier of other classes than the data: its class 1 is "
              "'1', and theirs is 'b'");
    EXPECT_EQ(error.where(), "judge");
    EXPECT_FALSE(error.todo().empty());
  }
}

// Output 0 of the network would be counted as the other class.
TEST(ClassNamesTest, AnotherOrderIsAnotherClassifier) {
  EXPECT_THROW(CheckClassNames(ClassNamesFor({"no", "yes"}), {"yes", "no"}, ""),
               Error);
}

TEST(ClassNamesTest, WhatHasNoNamesIsNotChecked) {
  CheckClassNames({{"classes", "2"}}, {"yes", "no"}, "an older run");
  CheckClassNames(ClassNamesFor({"no", "yes"}), {}, "data without names");
  EXPECT_TRUE(ClassNamesFor({}).empty());
}

TEST(ClassNamesTest, MetadataThatHoldSomethingElseAreDamaged) {
  for (const char* text : {"", "left", "{\"a\": 1}", "[1, 2]", "[[\"a\"]]"}) {
    try {
      CheckClassNames({{"class_names", text}}, {"a"}, "file");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << text;
    }
  }
}

}  // namespace
}  // namespace sfumato::plan

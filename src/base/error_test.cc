#include "base/error.h"

#include <gtest/gtest.h>

#include <set>

namespace sfumato {
namespace {

constexpr ErrorKind kAll[] = {
    ErrorKind::kBadInput, ErrorKind::kBudgetSpent, ErrorKind::kUnsupported,
    ErrorKind::kCorrupt,  ErrorKind::kUnavailable, ErrorKind::kInterrupted,
    ErrorKind::kBug,
};

TEST(ErrorTest, EveryKindHasItsOwnNameAndExitCode) {
  std::set<std::string_view> names;
  std::set<int> codes;
  for (const ErrorKind kind : kAll) {
    names.insert(KindName(kind));
    codes.insert(ExitCode(kind));
  }
  EXPECT_EQ(names.size(), std::size(kAll));
  EXPECT_EQ(codes, (std::set<int>{2, 3, 4, 5, 6, 70, 130}));
}

TEST(ErrorTest, CarriesWhatWhereAndWhatToDo) {
  const Error error = Corrupt("cut short", "a.bin@12", "make it again");
  EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
  EXPECT_STREQ(error.what(), "cut short");
  EXPECT_EQ(error.where(), "a.bin@12");
  EXPECT_EQ(error.todo(), "make it again");
}

}  // namespace
}  // namespace sfumato

#include "data/import/spool.h"

#include <string>
#include <vector>

#include "data/import/import_testing.h"
#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

TEST(SpoolTest, GivesRecordsBackInAnyOrder) {
  const TestFolder folder;
  Spool spool(folder / "out");
  std::vector<std::uint64_t> names;
  // Together a few times what the spool holds in memory.
  for (int i = 0; i < 300; ++i) {
    names.push_back(spool.Add(std::string(i * 97, static_cast<char>(i))));
  }
  std::string buffer;
  for (int i = 299; i >= 0; --i) {
    EXPECT_EQ(spool.Get(names[i], buffer),
              std::string(i * 97, static_cast<char>(i)));
  }
  const std::uint64_t late = spool.Add("late");
  EXPECT_EQ(spool.Get(late, buffer), "late");
}

TEST(SpoolTest, LeavesNoNameBehind) {
  const TestFolder folder;
  Spool spool(folder / "not/yet/made/out");
  spool.Add("x");
  EXPECT_FALSE(folder.HasLeftovers());
}

}  // namespace
}  // namespace sfumato::data

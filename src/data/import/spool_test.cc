#include "data/import/spool.h"

#include <algorithm>
#include <string>
#include <vector>

#include "data/import/import_testing.h"
#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

TEST(SpoolTest, GivesExamplesBackInAnyOrder) {
  const TestFolder folder;
  Spool spool(folder / "out");
  std::vector<std::uint64_t> names;
  const auto text = [](int i) {
    return std::string(i * 97, static_cast<char>(i));
  };
  // Together a few times what the spool holds in memory.
  for (int i = 0; i < 300; ++i) names.push_back(spool.Add({.text = text(i)}));
  for (int i = 299; i >= 0; --i) {
    EXPECT_EQ(spool.Get(names[i]).text, text(i));
  }
  const std::uint64_t late = spool.Add({.text = "late"});
  EXPECT_EQ(spool.Get(late).text, "late");
}

TEST(SpoolTest, KeepsEveryPartOfAnExample) {
  const TestFolder folder;
  Spool spool(folder / "out");
  const std::vector<std::uint8_t> pixels = {0, 128, 255};
  const std::vector<float> features = {-1.5f, 1e30f};
  const std::vector<std::int32_t> columns = {7, -1};
  const std::uint64_t full = spool.Add({.pixels = pixels,
                                        .text = "odd",
                                        .features = features,
                                        .label = 3,
                                        .columns = columns});
  const std::uint64_t bare = spool.Add({});
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  const Example nothing = spool.Get(bare);
  EXPECT_TRUE(nothing.pixels.empty());
  EXPECT_TRUE(nothing.text.empty());
  EXPECT_TRUE(nothing.features.empty());
  EXPECT_TRUE(nothing.columns.empty());
  EXPECT_EQ(nothing.label, -1);
  const Example example = spool.Get(full);
  EXPECT_TRUE(same(example.pixels, pixels));
  EXPECT_EQ(example.text, "odd");
  EXPECT_TRUE(same(example.features, features));
  EXPECT_TRUE(same(example.columns, columns));
  EXPECT_EQ(example.label, 3);
}

TEST(SpoolTest, LeavesNoNameBehind) {
  const TestFolder folder;
  Spool spool(folder / "not/yet/made/out");
  spool.Add({.text = "x"});
  EXPECT_FALSE(folder.HasLeftovers());
}

TEST(SpoolTest, NoticesAnInterrupt) {
  const TestFolder folder;
  Spool spool(folder / "out");
  const std::uint64_t record = spool.Add({.text = "x"});
  EXPECT_TRUE(StopsWhenInterrupted([&] { spool.Add({.text = "y"}); }));
  EXPECT_TRUE(StopsWhenInterrupted([&] { spool.Get(record); }));
}

}  // namespace
}  // namespace sfumato::data

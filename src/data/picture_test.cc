#include "data/picture.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "data/dataset_writer.h"

namespace sfumato::data {
namespace {

// Users 0, 1, 2, … with as many examples of two pixels, which name user and
// example; the second example of each has the mark.
base::Path Staircase(const std::string& name, int users) {
  const base::Path folder = base::Path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  DatasetInfo info;
  info.image = {.height = 1, .width = 2, .channels = 1};
  info.columns = {{"mark", {"no", "yes", "never"}}};
  DatasetWriter writer(folder, info);
  for (int u = 0; u < users; ++u) {
    writer.BeginUser("user " + std::to_string(u));
    for (int i = 0; i < u; ++i) {
      const std::vector<std::uint8_t> pixels = {static_cast<std::uint8_t>(u),
                                                static_cast<std::uint8_t>(i)};
      const std::int32_t mark = i == 1;
      writer.Add({.pixels = pixels, .columns = {&mark, 1}});
    }
  }
  writer.Finish();
  return folder;
}

TEST(PictureTest, DrawsARowForEachUserAndLeavesPlacesBlank) {
  const FederatedDataset set(Staircase("draw_looks", 4));
  base::Image grid = DrawLooks(set, {{3, {0, 1}}, {1, {0}}}, 2, 1);
  // Two cells of 2×1 a row, gaps of two pixels.
  ASSERT_EQ(grid.width, 2 + 4 + 4);
  ASSERT_EQ(grid.height, 2 + 3 + 3);
  EXPECT_EQ(grid.at(2, 2), 3);  // user 3, example 0: pixels 3, 0
  EXPECT_EQ(grid.at(3, 2), 0);
  EXPECT_EQ(grid.at(6, 2), 3);  // user 3, example 1: pixels 3, 1
  EXPECT_EQ(grid.at(7, 2), 1);
  EXPECT_EQ(grid.at(2, 5), 1);    // user 1, example 0
  EXPECT_EQ(grid.at(6, 5), 128);  // user 1 has no second
}

TEST(PictureTest, ChoosesEveryUserEquallyOften) {
  const FederatedDataset set(Staircase("choose_looks", 5));
  std::vector<int> times(5);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto looks = ChooseLooks(set, {.users = 2, .seed = seed});
    ASSERT_EQ(looks.size(), 2u);
    EXPECT_LT(looks[0].user, looks[1].user);
    for (const Look& look : looks) ++times[look.user];
  }
  // Binomial(2000, 0.4): 800 within five deviations of 21.9.
  for (const int t : times) EXPECT_NEAR(t, 800, 110);
  EXPECT_EQ(ChooseLooks(set, {.users = 99}).size(), 5u);
}

TEST(PictureTest, ShowsOnlyWhatWasAskedFor) {
  const FederatedDataset set(Staircase("only_looks", 5));
  const auto looks = ChooseLooks(
      set, {.users = 9, .only_column = "mark", .only_value = "yes"});
  ASSERT_EQ(looks.size(), 3u);  // users 2, 3 and 4 have a second example
  for (const Look& look : looks) {
    EXPECT_GE(look.user, 2u);
    EXPECT_EQ(look.examples, std::vector<std::size_t>{1});
  }
  const auto refused = [&](const char* column, const char* value) {
    EXPECT_THROW(ChooseLooks(set, {.only_column = column, .only_value = value}),
                 Error)
        << column << value;
  };
  refused("marc", "yes");
  refused("mark", "maybe");
  refused("mark", "never");
}

}  // namespace
}  // namespace sfumato::data

#include "data/transform/split.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/dataset_writer.h"

namespace sfumato::data {
namespace {

base::Path Fresh(const std::string& name) {
  const base::Path path = base::Path(testing::TempDir()) / ("split_" + name);
  std::filesystem::remove_all(path);
  return path;
}

// 12 images of one pixel, its value the row; label row % 3; the last four are
// the split "test"; hands left, right, left, …
FederatedDataset Pool(const std::string& name, bool grouped = false) {
  DatasetInfo info;
  info.name = "pool";
  info.origin = Origin::kPublic;
  info.grouped = grouped;
  info.image = {1, 1, 1};
  info.classes = {"a", "b", "c"};
  info.columns = {{"split", {"train", "test"}},
                  {"hand", {"left", "none", "right"}}};
  info.provenance = {{{"step", "import"}}};
  const base::Path folder = Fresh(name);
  DatasetWriter writer(folder, info);
  for (std::uint8_t row = 0; row < 12; ++row) {
    if (row == 0 || (grouped && row == 6)) {
      writer.BeginUser(row == 0 ? "first" : "second");
    }
    const std::int32_t columns[] = {row >= 8, row % 2 * 2};
    writer.Add({.pixels = {&row, 1}, .label = row % 3, .columns = columns});
  }
  writer.Finish();
  return FederatedDataset(folder);
}

std::multiset<int> Values(const FederatedDataset& set) {
  std::multiset<int> values;
  for (std::size_t u = 0; u < set.users(); ++u) {
    for (std::size_t i = 0; i < set.user(u).size(); ++i) {
      values.insert(set.user(u)[i].pixels[0]);
    }
  }
  return values;
}

TEST(SplitDatasetTest, GivesEveryExampleWithItsFactsToAUser) {
  const FederatedDataset pool = Pool("iid");
  const base::Path out = Fresh("iid_out");
  const SplitSummary summary = SplitDataset(pool, {.users = 3, .seed = 4}, out);
  EXPECT_EQ(summary.users, 3u);
  EXPECT_EQ(summary.examples, 12u);
  EXPECT_EQ(summary.unused, 0u);
  EXPECT_EQ(summary.smallest, 4u);
  EXPECT_EQ(summary.largest, 4u);

  const FederatedDataset set(out);
  set.Verify();
  EXPECT_EQ(Values(set),
            (std::multiset<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  for (std::size_t u = 0; u < set.users(); ++u) {
    for (std::size_t i = 0; i < set.user(u).size(); ++i) {
      const Example example = set.user(u)[i];
      const int row = example.pixels[0];
      EXPECT_EQ(example.label, row % 3);
      EXPECT_EQ(example.columns[0], row >= 8);
      EXPECT_EQ(example.columns[1], row % 2 * 2);
    }
  }
}

TEST(SplitDatasetTest, CarriesTheDescriptionOver) {
  const base::Path out = Fresh("info_out");
  SplitDataset(Pool("info"),
               {.scheme = PartitionScheme::kClasses,
                .users = 2,
                .classes_per_user = 2,
                .mean_size = 3,
                .only_column = "split",
                .only_value = "train",
                .seed = 8},
               out);
  const FederatedDataset set(out);
  EXPECT_TRUE(set.info().grouped);
  EXPECT_EQ(set.info().name, "split_info_out");
  EXPECT_EQ(set.info().origin, Origin::kPublic);
  EXPECT_EQ(set.info().classes, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(set.info().columns.size(), 2u);
  EXPECT_EQ(set.user(1).id(), "user_0002");
  ASSERT_EQ(set.info().provenance.size(), 2u);
  EXPECT_EQ(set.info().provenance[0], (nlohmann::json{{"step", "import"}}));
  EXPECT_EQ(
      set.info().provenance[1],
      (nlohmann::json{{"step", "split"},
                      {"from", "pool"},
                      {"scheme", "classes"},
                      {"users", 2},
                      {"sizes", "equal"},
                      {"mean_size", 3},
                      {"minimum_size", 1},
                      {"classes_per_user", 2},
                      {"seed", 8},
                      {"unused", 2},
                      {"left_out", 4},
                      {"only", {{"column", "split"}, {"value", "train"}}}}));
}

TEST(SplitDatasetTest, TakesOnlyTheRowsAskedFor) {
  const base::Path out = Fresh("only_out");
  const SplitSummary summary = SplitDataset(
      Pool("only"), {.users = 2, .only_column = "split", .only_value = "test"},
      out);
  EXPECT_EQ(summary.left_out, 8u);
  EXPECT_EQ(Values(FederatedDataset(out)), (std::multiset<int>{8, 9, 10, 11}));
}

TEST(SplitDatasetTest, NamesUsersByTheColumnAndPassesOverEmptyValues) {
  const base::Path out = Fresh("column_out");
  SplitDataset(Pool("column"),
               {.scheme = PartitionScheme::kColumn, .column = "hand"}, out);
  const FederatedDataset set(out);
  ASSERT_EQ(set.users(), 2u);
  EXPECT_EQ(set.user(0).id(), "left");
  EXPECT_EQ(set.user(1).id(), "right");
  EXPECT_EQ(set.user(1).size(), 6u);
  EXPECT_EQ(set.user(1)[2].pixels[0], 5);
}

TEST(SplitDatasetTest, RegroupsAGroupedSetOnlyWhenAsked) {
  const FederatedDataset grouped = Pool("grouped", true);
  const base::Path out = Fresh("grouped_out");
  try {
    SplitDataset(grouped, {.users = 3}, out);
    ADD_FAILURE() << "split a grouped set";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_NE(error.todo().find("regroup"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(out));
  SplitDataset(grouped, {.users = 3, .regroup = true}, out);
  const FederatedDataset set(out);
  EXPECT_EQ(set.users(), 3u);
  EXPECT_EQ(Values(set).size(), 12u);
  EXPECT_EQ(set.info().provenance.back().at("regrouped_users"), 2);
}

TEST(SplitDatasetTest, SuggestsTheNearestColumnAndValue) {
  const FederatedDataset pool = Pool("nearest");
  const auto todo = [&](const PartitionOptions& options) {
    try {
      SplitDataset(pool, options, Fresh("nearest_out"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      return error.todo();
    }
    return std::string("accepted");
  };
  EXPECT_NE(todo({.scheme = PartitionScheme::kColumn, .column = "hnad"})
                .find("'hand'"),
            std::string::npos);
  EXPECT_NE(todo({.users = 2, .only_column = "slit", .only_value = "train"})
                .find("'split'"),
            std::string::npos);
  EXPECT_NE(todo({.users = 2, .only_column = "split", .only_value = "tests"})
                .find("'test'"),
            std::string::npos);
}

TEST(SplitDatasetTest, LeavesNothingBehindWhenItFails) {
  const base::Path out = Fresh("failed_out");
  EXPECT_THROW(SplitDataset(Pool("failed"), {.users = 13}, out), Error);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(SplitDatasetTest, TheSameSeedGivesTheSameBytes) {
  const FederatedDataset pool = Pool("bytes");
  const auto bytes = [&](std::uint64_t seed) {
    const base::Path out = Fresh("bytes_out");
    SplitDataset(pool, {.users = 4, .seed = seed}, out);
    return base::ReadFile(out / "data.safetensors") +
           base::ReadFile(out / "dataset.json");
  };
  EXPECT_EQ(bytes(1), bytes(1));
  EXPECT_NE(bytes(1), bytes(2));
}

// A bound for users who are made up would protect nobody.
TEST(SplitDatasetTest, RefusesToMakeUsersOfPrivateExamples) {
  for (const bool grouped : {false, true}) {
    DatasetInfo info;
    info.name = "private";
    info.grouped = grouped;
    info.image = {1, 1, 1};
    const base::Path folder = Fresh("private");
    DatasetWriter writer(folder, info);
    writer.BeginUser("ann");
    const std::uint8_t pixel = 7;
    writer.Add({.pixels = {&pixel, 1}});
    writer.Finish();
    const base::Path out = Fresh("private_out");
    try {
      SplitDataset(FederatedDataset(folder), {.users = 1, .regroup = grouped},
                   out);
      ADD_FAILURE() << "users were made up";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    }
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

}  // namespace
}  // namespace sfumato::data

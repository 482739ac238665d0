#include "data/describe.h"

#include <gtest/gtest.h>

#include "data/dataset_writer.h"

namespace sfumato::data {
namespace {

base::Path Fresh(const std::string& name) {
  const base::Path path = base::Path(testing::TempDir()) / "describe" / name;
  std::filesystem::create_directories(path.parent_path());
  std::filesystem::remove_all(path);
  return path;
}

// Users with 0, 1, 2, … examples of two pixels; pixel values name the example.
base::Path Staircase(const std::string& name, int users) {
  const base::Path folder = Fresh(name);
  DatasetInfo info;
  info.image = {.height = 1, .width = 2, .channels = 1};
  info.classes = {"a", "b", "c"};
  info.columns = {{"split", {"train", "test"}}};
  DatasetWriter writer(folder, info);
  for (int u = 0; u < users; ++u) {
    writer.BeginUser("user " + std::to_string(u));
    for (int i = 0; i < u; ++i) {
      const std::vector<std::uint8_t> pixels = {static_cast<std::uint8_t>(u),
                                                static_cast<std::uint8_t>(i)};
      const std::int32_t split = i == 0 ? 1 : 0;
      writer.Add({.pixels = pixels, .label = i % 2, .columns = {&split, 1}});
    }
  }
  writer.Finish();
  return folder;
}

TEST(DescribeTest, CountsByHand) {
  // Sizes 0 1 2 3 4: ten examples, labels a b alternating from a.
  const Description d = Describe(FederatedDataset(Staircase("five", 5)));
  EXPECT_EQ(d.users, 5u);
  EXPECT_EQ(d.examples, 10u);
  EXPECT_EQ(d.bytes, 20u);
  EXPECT_DOUBLE_EQ(d.mean, 2.0);
  EXPECT_EQ(d.smallest, 0u);
  EXPECT_EQ(d.quartiles[0], 1u);
  EXPECT_EQ(d.quartiles[1], 2u);
  EXPECT_EQ(d.quartiles[2], 3u);
  EXPECT_EQ(d.largest, 4u);
  EXPECT_EQ(d.label_counts, (std::vector<std::uint64_t>{6, 4, 0}));
  EXPECT_EQ(d.column_counts[0], (std::vector<std::uint64_t>{6, 4}));
  ASSERT_EQ(d.histogram.size(), 5u);
  for (const HistogramBar& bar : d.histogram) EXPECT_EQ(bar.users, 1u);
}

// Counting by label up to it would take 16 GiB.
TEST(DescribeTest, RefusesALabelBeyondAllCounting) {
  const base::Path folder = Fresh("far_label");
  DatasetInfo info;
  info.image = {.height = 1, .width = 1, .channels = 1};
  DatasetWriter writer(folder, info);
  writer.BeginUser("a");
  writer.Add({.pixels = std::vector<std::uint8_t>{0}, .label = 5});
  writer.Finish();
  std::string bytes = base::ReadFile(folder / "data.safetensors");
  const std::size_t label = bytes.rfind(std::string("\x05\0\0\0", 4));
  bytes.replace(label, 4, "\xff\xff\xff\x7f");
  base::WriteFileAtomically(folder / "data.safetensors", bytes);
  EXPECT_THROW(Describe(FederatedDataset(folder)), Error);
}

TEST(DescribeTest, HistogramHasAtMostTenBarsAndLosesNobody) {
  const Description d = Describe(FederatedDataset(Staircase("many", 100)));
  EXPECT_EQ(d.histogram.size(), 10u);
  std::uint64_t users = 0;
  for (const HistogramBar& bar : d.histogram) users += bar.users;
  EXPECT_EQ(users, 100u);
}

TEST(DescribeTest, JsonHasWhatScriptsRelyOn) {
  const auto json = ToJson(Describe(FederatedDataset(Staircase("json", 5))));
  EXPECT_EQ(json.at("kind"), "images");
  EXPECT_EQ(json.at("users"), 5);
  EXPECT_EQ(json.at("examples"), 10);
  EXPECT_EQ(json.at("classes"), 3);
  EXPECT_EQ(json.at("class_names").size(), 3u);
  EXPECT_EQ(json.at("columns").at("split").at("test"), 4);
}

TEST(DescribeTest, TextCountsWordsAndNamesClassesMostFrequentFirst) {
  const Description d = Describe(FederatedDataset(Staircase("text", 5)));
  const std::string text = ToText(d, /*utf8=*/false);
  EXPECT_NE(text.find("5 users, 10 examples, 3 classes"), std::string::npos);
  EXPECT_LT(text.find(" a "), text.find(" b "));
  EXPECT_EQ(text.find("█"), std::string::npos) << "ASCII was asked for";

  DatasetInfo info;
  info.kind = Kind::kText;
  const base::Path folder = Fresh("words");
  DatasetWriter writer(folder, info);
  writer.BeginUser("u");
  writer.Add({.text = " two  words "});
  writer.Add({.text = ""});
  writer.Add({.text = "one"});
  writer.Finish();
  EXPECT_EQ(Describe(FederatedDataset(folder)).words, 3u);
}

}  // namespace
}  // namespace sfumato::data

#include "data/dataset.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error.h"
#include "data/dataset_writer.h"

namespace sfumato::data {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

// A fresh path under the test's temporary folder.
base::Path Fresh(const std::string& name) {
  const base::Path path = base::Path(testing::TempDir()) / name;
  fs::remove_all(path);
  return path;
}

DatasetInfo TinyImages() {
  DatasetInfo info;
  info.name = "tiny";
  info.kind = Kind::kImages;
  info.origin = Origin::kGenerated;
  info.image = {1, 2, 1};
  info.classes = {"dark", "light"};
  info.columns = {{"split", {"train", "test"}}};
  return info;
}

base::Path WriteTinyImages(const std::string& name) {
  const base::Path folder = Fresh(name);
  DatasetWriter writer(folder, TinyImages());
  const std::int32_t train = 0;
  const std::int32_t test = 1;
  writer.BeginUser("ann");
  writer.Add({.pixels = Bytes{1, 2}, .label = 0, .columns = {&train, 1}});
  writer.Add({.pixels = Bytes{3, 4}, .label = 1, .columns = {&test, 1}});
  writer.BeginUser("nobody");
  writer.BeginUser("zoë");
  writer.Add({.pixels = Bytes{5, 6}, .label = -1, .columns = {&train, 1}});
  writer.Finish();
  return folder;
}

ErrorKind KindOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error was thrown";
  return ErrorKind::kInterrupted;
}

TEST(FederatedDatasetTest, GivesBackWhatWasWritten) {
  const FederatedDataset set(WriteTinyImages("images"));
  ASSERT_EQ(set.users(), 3u);
  EXPECT_EQ(set.examples(), 3u);
  EXPECT_EQ(set.user(0).id(), "ann");
  EXPECT_EQ(set.user(0).size(), 2u);
  EXPECT_EQ(set.user(1).size(), 0u);
  EXPECT_EQ(set.user(2).id(), "zoë");
  const Example second = set.user(0)[1];
  EXPECT_EQ(Bytes(second.pixels.begin(), second.pixels.end()), (Bytes{3, 4}));
  EXPECT_EQ(second.label, 1);
  EXPECT_EQ(second.columns[0], 1);
  EXPECT_EQ(set.user(2)[0].label, -1);
  EXPECT_EQ(set.info().columns[0].values[1], "test");
  EXPECT_NO_THROW(set.Verify());
}

TEST(FederatedDatasetTest, KeepsTextAndFeatures) {
  DatasetInfo text;
  text.kind = Kind::kText;
  const base::Path text_folder = Fresh("text");
  DatasetWriter text_writer(text_folder, text);
  text_writer.BeginUser("a");
  text_writer.Add({.text = "how can i"});
  text_writer.Add({.text = ""});
  text_writer.Add({.text = "naïve"});
  text_writer.Finish();
  const FederatedDataset sentences(text_folder);
  EXPECT_EQ(sentences.user(0)[0].text, "how can i");
  EXPECT_EQ(sentences.user(0)[1].text, "");
  EXPECT_EQ(sentences.user(0)[2].text, "naïve");
  EXPECT_EQ(sentences.info().name, "text") << "named after its folder";

  DatasetInfo features;
  features.kind = Kind::kFeatures;
  features.feature_count = 2;
  const base::Path feature_folder = Fresh("features");
  DatasetWriter feature_writer(feature_folder, features);
  feature_writer.BeginUser("a");
  const std::vector<float> row = {0.5f, -1.0f};
  feature_writer.Add({.features = row, .label = 7});
  feature_writer.Finish();
  const FederatedDataset rows(feature_folder);
  EXPECT_EQ(rows.user(0)[0].features[1], -1.0f);
  EXPECT_EQ(rows.user(0)[0].label, 7);
}

TEST(FederatedDatasetTest, DescriptionSurvivesTheRoundTrip) {
  DatasetInfo info = TinyImages();
  info.provenance = {{{"step", "make"}, {"seed", 7}}};
  info.grouped = false;
  const DatasetInfo back = InfoFromJson(ToJson(info), "here");
  EXPECT_EQ(ToJson(back), ToJson(info));
  EXPECT_EQ(back.image, (ImageShape{1, 2, 1}));
  EXPECT_FALSE(back.grouped);
  EXPECT_EQ(back.origin, Origin::kGenerated);
}

// A sum over a private set's description must not be guessed from its counts,
// nor be that of another set.
TEST(DatasetWriterTest, PrivateSetsHaveAnIdOfTheirOwn) {
  const auto written = [](const std::string& name, const DatasetInfo& info) {
    const base::Path folder = Fresh(name);
    DatasetWriter writer(folder, info);
    writer.BeginUser("ann");
    const std::int32_t train = 0;
    writer.Add({.pixels = Bytes{1, 2}, .label = 0, .columns = {&train, 1}});
    writer.Finish();
    return FederatedDataset(folder).info();
  };
  DatasetInfo info = TinyImages();
  info.origin = Origin::kPrivate;
  const DatasetInfo first = written("DatasetWriterTest.id_1", info);
  EXPECT_EQ(first.id.size(), 32u);
  // Also of a set that was made from it.
  EXPECT_NE(written("DatasetWriterTest.id_2", first).id, first.id);
  DatasetInfo open = first;
  open.origin = Origin::kPublic;
  EXPECT_EQ(written("DatasetWriterTest.id_3", open).id, "");
}

TEST(FederatedDatasetTest, RefusesWhatIsNoDataset) {
  EXPECT_EQ(KindOf([] { FederatedDataset set("/nowhere/at/all"); }),
            ErrorKind::kBadInput);
}

TEST(FederatedDatasetTest, ASetOfAnotherVersionIsNotDamaged) {
  nlohmann::json info = ToJson(DatasetInfo{.name = "people"});
  info["schema"] = "sfumato.dataset/2";
  EXPECT_EQ(KindOf([&] { InfoFromJson(info, "here"); }),
            ErrorKind::kUnsupported);
  info["schema"] = "sfumato.dataset/x";
  EXPECT_EQ(KindOf([&] { InfoFromJson(info, "here"); }), ErrorKind::kCorrupt);
}

// Each row damages a good set in one way; opening or verifying must notice.
TEST(FederatedDatasetTest, NoticesEveryKindOfDamage) {
  const auto edit = [](const base::Path& folder, const std::string& key,
                       const nlohmann::json& value) {
    auto info = nlohmann::json::parse(base::ReadFile(folder / "dataset.json"));
    info[key] = value;
    base::WriteFileAtomically(folder / "dataset.json", info.dump());
  };
  const std::vector<std::pair<std::string, std::function<void(base::Path)>>>
      damages = {
          {"description is not JSON",
           [](const base::Path& f) {
             base::WriteFileAtomically(f / "dataset.json", "{");
           }},
          {"description of another schema",
           [&](const base::Path& f) { edit(f, "schema", "other/1"); }},
          {"unknown kind",
           [&](const base::Path& f) { edit(f, "kind", "sounds"); }},
          {"kind that the tensors do not have",
           [&](const base::Path& f) {
             edit(f, "kind", "text");
             edit(f, "text_form", "raw");
           }},
          {"shape that the tensors do not have",
           [&](const base::Path& f) { edit(f, "image_shape", {2, 2, 1}); }},
          {"negative shape",
           [&](const base::Path& f) { edit(f, "image_shape", {-1, -2, 1}); }},
          {"classes fewer than labels",
           [&](const base::Path& f) { edit(f, "classes", {"dark"}); }},
          {"column without names",
           [&](const base::Path& f) {
             edit(f, "columns", {{{"name", "split"}, {"values", {"train"}}}});
           }},
          {"more channels than colours",
           [&](const base::Path& f) { edit(f, "image_shape", {1, 1, 2}); }},
          {"fractional shape",
           [&](const base::Path& f) { edit(f, "image_shape", {1.5, 2, 1}); }},
          {"provenance of numbers",
           [&](const base::Path& f) { edit(f, "provenance", {1}); }},
          {"provenance nested without end",
           [](const base::Path& f) {
             base::WriteFileAtomically(f / "dataset.json",
                                       std::string(300'000, '['));
           }},
          {"shape whose size overflows",
           [&](const base::Path& f) {
             edit(f, "image_shape", {16384, 16384, 3});
           }},
          {"truncated data",
           [](const base::Path& f) {
             fs::resize_file(f / "data.safetensors",
                             fs::file_size(f / "data.safetensors") - 1);
           }},
      };
  for (const auto& [name, damage] : damages) {
    const base::Path folder = WriteTinyImages("damaged");
    damage(folder);
    EXPECT_EQ(KindOf([&] { FederatedDataset(folder).Verify(); }),
              ErrorKind::kCorrupt)
        << name;
  }
}

TEST(FederatedDatasetTest, NoticesOffsetsThatPointOutside) {
  const base::Path folder = WriteTinyImages("offsets");
  const base::Path file = folder / "data.safetensors";
  std::string bytes = base::ReadFile(file);
  // user_offsets are {0, 2, 2, 3}; the only u64 pair 2, 2 in the file.
  const std::uint64_t pattern[] = {0, 2, 2, 3};
  const auto at = bytes.find(
      std::string(reinterpret_cast<const char*>(pattern), sizeof pattern));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 8] = 99;
  base::WriteFileAtomically(file, bytes);
  const FederatedDataset set(folder);  // opening touches no user
  EXPECT_EQ(KindOf([&] { set.user(0); }), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf([&] { set.user(1); }), ErrorKind::kCorrupt);
  EXPECT_EQ(set.user(2).size(), 1u);
}

TEST(DatasetWriterTest, LeavesNothingWithoutFinish) {
  const base::Path folder = Fresh("unfinished");
  {
    DatasetWriter writer(folder, TinyImages());
    writer.BeginUser("ann");
  }
  EXPECT_FALSE(fs::exists(folder));
  for (const auto& entry : fs::directory_iterator(testing::TempDir())) {
    EXPECT_EQ(entry.path().string().find(".unfinished.partial"),
              std::string::npos);
  }
}

TEST(DatasetWriterTest, RefusesToOverwrite) {
  const base::Path folder = WriteTinyImages("twice");
  EXPECT_EQ(KindOf([&] { DatasetWriter writer(folder, TinyImages()); }),
            ErrorKind::kBadInput);
  EXPECT_EQ(FederatedDataset(folder).examples(), 3u);
}

TEST(DatasetWriterTest, RefusesBadExamplesAndUsers) {
  const std::int32_t train = 0;
  const std::vector<std::pair<std::string, std::function<void(DatasetWriter&)>>>
      cases = {
          {"image of another size",
           [&](DatasetWriter& w) {
             w.Add({.pixels = Bytes{1}, .label = 0, .columns = {&train, 1}});
           }},
          {"user twice", [](DatasetWriter& w) { w.BeginUser("ann"); }},
          {"user without id", [](DatasetWriter& w) { w.BeginUser(""); }},
          {"user id not UTF-8", [](DatasetWriter& w) { w.BeginUser("\xff"); }},
          {"no example", [](DatasetWriter& w) { w.Finish(); }},
          {"label without class",
           [&](DatasetWriter& w) {
             w.Add({.pixels = Bytes{1, 2}, .label = 2, .columns = {&train, 1}});
             w.Finish();
           }},
      };
  for (const auto& [name, act] : cases) {
    const base::Path folder = Fresh("refused");
    DatasetWriter writer(folder, TinyImages());
    writer.BeginUser("ann");
    EXPECT_EQ(KindOf([&] { act(writer); }), ErrorKind::kBadInput) << name;
  }
  DatasetInfo features;
  features.kind = Kind::kFeatures;
  features.feature_count = 1;
  DatasetWriter writer(Fresh("nan"), features);
  writer.BeginUser("ann");
  const float nan = std::nanf("");
  EXPECT_EQ(KindOf([&] { writer.Add({.features = {&nan, 1}}); }),
            ErrorKind::kBadInput);
}

}  // namespace
}  // namespace sfumato::data

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

// The people stay the same in what is derived from them, and so must what they
// spent; a run must know the one from the other.
TEST(DatasetWriterTest, DerivedSetsKeepTheIdAndHaveAnEditionOfTheirOwn) {
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
  EXPECT_EQ(first.edition.size(), 32u);
  const DatasetInfo derived = written("DatasetWriterTest.id_2", first);
  EXPECT_EQ(derived.id, first.id);
  EXPECT_EQ(derived.edition.size(), 32u);
  EXPECT_NE(derived.edition, first.edition);
  EXPECT_NE(written("DatasetWriterTest.id_4", info).id, first.id);
  DatasetInfo open = first;
  open.origin = Origin::kPublic;
  const DatasetInfo published = written("DatasetWriterTest.id_3", open);
  EXPECT_EQ(published.id, "");
  EXPECT_EQ(published.edition, "");
}

TEST(FederatedDatasetTest, RefusesWhatIsNoDataset) {
  EXPECT_EQ(KindOf([] { FederatedDataset set("/nowhere/at/all"); }),
            ErrorKind::kBadInput);
}

TEST(FederatedDatasetTest, ASetOfAnotherVersionIsNotDamaged) {
  nlohmann::json info = ToJson(DatasetInfo{});
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

// Overwrites `count` bytes from `at` on.
void ZeroSome(const base::Path& file, std::streamoff at, std::size_t count) {
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  out.seekp(at);
  out << std::string(count, '\0');
}

TEST(FederatedDatasetTest, SumsFindBytesThatChangedUnderIt) {
  const base::Path folder = WriteTinyImages("sums");
  const base::Path file = folder / "data.safetensors";
  const std::string before = base::ReadFile(file);
  FederatedDataset(folder).CheckSums();
  // The images.
  const std::size_t images = before.find(std::string("\1\2\3\4\5\6"));
  ASSERT_NE(images, std::string::npos);
  ZeroSome(file, static_cast<std::streamoff>(images), 3);
  const FederatedDataset changed(folder);  // opens, as nothing was touched
  EXPECT_EQ(KindOf([&] { changed.CheckSums(); }), ErrorKind::kCorrupt);
  EXPECT_EQ(KindOf([&] { changed.Verify(); }), ErrorKind::kCorrupt);
}

TEST(FederatedDatasetTest, SetsOfOlderProgramsHaveNoSumsAndOpen) {
  const base::Path folder = WriteTinyImages("no_sums");
  nlohmann::json json =
      nlohmann::json::parse(base::ReadFile(folder / "dataset.json"));
  ASSERT_EQ(json.erase("crc32c"), 1u);
  base::WriteFileAtomically(folder / "dataset.json", json.dump());
  FederatedDataset(folder).CheckSums();
}

// One user's label more, or the same people again.
base::Path WriteSecret(const std::string& name, Origin origin,
                       std::uint8_t pixel) {
  DatasetInfo info = TinyImages();
  info.origin = origin;
  const base::Path folder = Fresh(name);
  DatasetWriter writer(folder, info);
  const std::int32_t train = 0;
  writer.BeginUser("ann");
  writer.Add({.pixels = Bytes{pixel, 2}, .label = 0, .columns = {&train, 1}});
  writer.Finish();
  return folder;
}

TEST(FederatedDatasetTest, AFingerprintOfPublicDataIsOfTheirContents) {
  const auto print = [](std::uint8_t pixel) {
    return FederatedDataset(WriteSecret("public", Origin::kPublic, pixel))
        .Fingerprint();
  };
  EXPECT_EQ(print(1), print(1));
  EXPECT_NE(print(1), print(7));
}

TEST(FederatedDatasetTest, AFingerprintOfPrivateDataSaysNothingOfThem) {
  const base::Path folder = WriteSecret("private", Origin::kPrivate, 1);
  const std::string print = FederatedDataset(folder).Fingerprint();
  // Another set of the same records has another one.
  EXPECT_NE(
      FederatedDataset(WriteSecret("again", Origin::kPrivate, 1)).Fingerprint(),
      print);
  // It is a function of 128 random bits and of nothing that the records left in
  // the description.
  nlohmann::json json =
      nlohmann::json::parse(base::ReadFile(folder / "dataset.json"));
  for (auto& [tensor, sum] : json.at("crc32c").items()) sum = "00000000";
  json["provenance"] = {{{"step", "import"}, {"skipped", 17}}};
  json["name"] = "other";
  json["classes"] = {"other"};
  base::WriteFileAtomically(folder / "dataset.json", json.dump());
  EXPECT_EQ(FederatedDataset(folder).Fingerprint(), print);
  json["edition"] = std::string(32, 'f');
  base::WriteFileAtomically(folder / "dataset.json", json.dump());
  EXPECT_NE(FederatedDataset(folder).Fingerprint(), print);
}

TEST(FederatedDatasetTest, NamesCollectedFromPrivateRecordsAreRefused) {
  DatasetInfo info = TinyImages();
  CheckDeclared(info, "set");  // generated
  info.origin = Origin::kPrivate;
  EXPECT_EQ(KindOf([&] { CheckDeclared(info, "set"); }),
            ErrorKind::kUnsupported);
  info.classes.clear();  // columns are left
  EXPECT_EQ(KindOf([&] { CheckDeclared(info, "set"); }),
            ErrorKind::kUnsupported);
  info.declared = true;
  CheckDeclared(info, "set");
  info.declared = false;
  info.columns.clear();
  CheckDeclared(info, "set");
}

}  // namespace
}  // namespace sfumato::data

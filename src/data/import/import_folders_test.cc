#include "data/import/import_folders.h"

#include <string>
#include <vector>

#include "base/image.h"
#include "data/import/import_testing.h"
#include "gtest/gtest.h"

#if SFUMATO_HAS_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

namespace sfumato::data {
namespace {

// A PGM of two pixels: enough to tell files apart.
std::string Pgm(std::uint8_t a, std::uint8_t b) {
  return std::string("P5 2 1 255\n") + static_cast<char>(a) +
         static_cast<char>(b);
}

// "user: label/pixel label/pixel …" for every user, with the first pixel.
std::vector<std::string> Written(const base::Path& folder) {
  const FederatedDataset set(folder);
  set.Verify();
  std::vector<std::string> lines;
  for (std::size_t u = 0; u < set.users(); ++u) {
    const User user = set.user(u);
    std::string line = std::string(user.id()) + ":";
    for (std::size_t i = 0; i < user.size(); ++i) {
      const Example example = user[i];
      line += " " +
              (example.label < 0 ? "-" : set.info().classes[example.label]) +
              "/" + std::to_string(example.pixels[0]);
    }
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(FoldersImportTest, TakesTheFirstFolderAsUserAndTheSecondAsLabel) {
  const TestFolder folder;
  folder.Write("in/ann/cat/1.pgm", Pgm(1, 0));
  folder.Write("in/ann/ant/deep/2.pgm", Pgm(2, 0));
  folder.Write("in/bob/10.pgm", Pgm(10, 0));
  folder.Write("in/bob/9.pgm", Pgm(9, 0));
  folder.Write("in/bob/notes.pgm", "no image");
  folder.Write("in/stray.pgm", Pgm(5, 0));
  const DatasetSummary summary = ImportFolders(folder.Request());
  EXPECT_EQ(Written(folder / "out"),
            (Lines{"ann: ant/2 cat/1", "bob: -/9 -/10"}));
  EXPECT_EQ(summary.users, 2u);
  EXPECT_EQ(summary.examples, 4u);
  EXPECT_EQ(summary.skipped,
            (std::map<std::string, std::uint64_t>{
                {"not an image", 1}, {"image outside a user's folder", 1}}));
}

TEST(FoldersImportTest, LooksBelowTheFolderThatAllImagesShare) {
  const TestFolder folder;
  folder.Write("in/README", "words");
  folder.Write("in/a/b/u1/1.pgm", Pgm(1, 0));
  folder.Write("in/a/b/u2/1.pgm", Pgm(2, 0));
  ImportFolders(folder.Request());
  EXPECT_EQ(Written(folder / "out"), (Lines{"u1: -/1", "u2: -/2"}));
}

TEST(FoldersImportTest, TakesASingleFolderForAUser) {
  const TestFolder folder;
  folder.Write("in/u1/1.pgm", Pgm(1, 0));
  folder.Write("in/u1/2.pgm", Pgm(2, 0));
  ImportFolders(folder.Request());
  EXPECT_EQ(Written(folder / "out"), (Lines{"u1: -/1 -/2"}));
}

TEST(FoldersImportTest, FollowsLayoutsAndPresets) {
  const TestFolder folder;
  const base::Path a = "one/images/Greek/character02";
  const base::Path b = "two/more/Greek/character02";
  const std::string png = base::EncodePng({2, 1, 1, {255, 0}});
  folder.Write(a / "0002_01.png", png);
  folder.Write(a / "0002_02.png", png);
  folder.Write(a / "odd.png", png);
  folder.Write(b / "0002_01.png", png);  // comes twice
  folder.Write(b / "0003_01.png", png);
  const DatasetSummary summary =
      ImportFolders(folder.Request({"one", "two"}), {.layout = "omniglot"});
  // Inverted: white paper is 0.
  EXPECT_EQ(Written(folder / "out"),
            (Lines{"Greek_01: Greek_character02/0 Greek_character02/0",
                   "Greek_02: Greek_character02/0"}));
  EXPECT_EQ(FederatedDataset(folder / "out").user(0)[0].pixels[1], 255);
  EXPECT_EQ(summary.skipped, (std::map<std::string, std::uint64_t>{
                                 {"path that does not fit the layout", 1},
                                 {"image that comes twice", 1}}));

  folder.Write("orl/s10_1.pgm", Pgm(10, 0));
  folder.Write("orl/s9_1.pgm", Pgm(9, 0));
  ImportRequest request = folder.Request({"orl"});
  request.out = folder / "faces";
  ImportFolders(request, {.layout = "orl"});
  EXPECT_EQ(Written(folder / "faces"), (Lines{"s9: -/9", "s10: -/10"}));
}

TEST(FoldersImportTest, KeepsEqualImagesUnderDifferentNames) {
  const TestFolder folder;
  folder.Write("in/u/1.pgm", Pgm(1, 0));
  folder.Write("in/u/2.pgm", Pgm(1, 0));
  EXPECT_EQ(ImportFolders(folder.Request()).examples, 2u);
}

TEST(FoldersImportTest, BringsImagesToSizeAndColour) {
  const TestFolder folder;
  folder.Write("in/u/1.pgm", "P2 2 2 255 0 100 100 0");
  folder.Write("in/u/2.ppm", "P3 1 1 255 10 20 30");
  ImportFolders(folder.Request(),
                {.height = 1, .width = 1, .colour = true, .invert = true});
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().image, (ImageShape{1, 1, 3}));
  const auto pixels = [&](std::size_t i) {
    const auto span = set.user(0)[i].pixels;
    return std::vector<int>(span.begin(), span.end());
  };
  EXPECT_EQ(pixels(0), (std::vector<int>{205, 205, 205}));  // 255 - mean 50
  EXPECT_EQ(pixels(1), (std::vector<int>{245, 235, 225}));
}

TEST(FoldersImportTest, RecordsWhereTheSetCameFrom) {
  const TestFolder folder;
  folder.Write("in/u/1.pgm", Pgm(1, 0));
  ImportFolders({.inputs = {folder / "in"},
                 .out = folder / "out",
                 .name = "faces",
                 .origin = Origin::kPublic});
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().name, "faces");
  EXPECT_EQ(set.info().origin, Origin::kPublic);
  ASSERT_EQ(set.info().provenance.size(), 1u);
  EXPECT_EQ(set.info().provenance[0]["format"], "folders");
  EXPECT_EQ(set.info().provenance[0]["files"][0], "in");
}

TEST(FoldersImportTest, RefusesWhatIsWrongAndLeavesNothing) {
  struct Case {
    const char* name;
    std::vector<std::pair<const char*, std::string>> files;
    FoldersOptions options;
    std::vector<const char*> says;
  };
  const Case cases[] = {
      {"no image", {{"u/a.txt", "x"}}, {}, {"no PNG, PGM, PPM or JPEG", "in"}},
      {"a damaged image",
       {{"u/1.pgm", Pgm(1, 2)}, {"u/2.pgm", "P5 2 1 255\nx"}},
       {},
       {"in:u/2.pgm", "2 samples were expected"}},
      {"another size",
       {{"u/1.pgm", Pgm(1, 2)}, {"u/2.pgm", "P5 1 1 255\nx"}},
       {},
       {"in:u/2.pgm", "1 × 1", "1 × 2", "--size"}},
      {"no folders",
       {{"1.pgm", Pgm(1, 2)}},
       {},
       {"folder per user", "--layout"}},
      {"no path fits",
       {{"u/1.pgm", Pgm(1, 2)}},
       {.layout = "{user}/{*}.png"},
       {"no image fits", "--layout"}},
      {"a layout that means nothing",
       {{"u/1.pgm", Pgm(1, 2)}},
       {.layout = "{who}"},
       {"{who}", "--layout"}},
      {"half a size", {{"u/1.pgm", Pgm(1, 2)}}, {.height = 3}, {"--size"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const TestFolder folder;
    for (const auto& [path, content] : c.files) {
      folder.Write(base::Path("in") / path, content);
    }
    const std::string error =
        ErrorOf([&] { ImportFolders(folder.Request(), c.options); });
    ExpectContains(error, "bad_input: ");
    for (const char* part : c.says) ExpectContains(error, part);
    EXPECT_FALSE(folder.HasLeftovers());
  }
  ExpectContains(ErrorOf([] { ImportFolders(TestFolder().Request({})); }),
                 "bad_input: nothing to import");
}

TEST(FoldersImportTest, RefusesAFolderThatExists) {
  const TestFolder folder;
  folder.Write("in/u/1.pgm", Pgm(1, 0));
  folder.Write("out/mine", "x");
  const std::string error = ErrorOf([&] { ImportFolders(folder.Request()); });
  ExpectContains(error, "bad_input: ");
  ExpectContains(error, "exists");
  EXPECT_TRUE(std::filesystem::exists(folder / "out" / "mine"));
}

// A sparse file longer than an image may be takes no room on the disk.
TEST(FoldersImportTest, SkipsAFilmBesideTheImages) {
  const TestFolder folder;
  folder.Write("in/ann/1.pgm", Pgm(1, 0));
  std::filesystem::resize_file(folder.Write("in/ann/film.mp4", "film"),
                               300'000'000);
  const DatasetSummary summary = ImportFolders(folder.Request());
  EXPECT_EQ(summary.examples, 1u);
  EXPECT_EQ(summary.skipped.at("not an image"), 1u);
}

#if SFUMATO_HAS_ARCHIVE
TEST(FoldersImportTest, ReadsArchivesInAnyOrderToTheSameSet) {
  const TestFolder folder;
  const std::vector<std::string> names = {"f/bob/2.pgm", "f/ann/1.pgm",
                                          "f/bob/1.pgm"};
  for (const bool backwards : {false, true}) {
    const base::Path path = folder / (backwards ? "b.tar" : "a.tar");
    archive* out = archive_write_new();
    archive_write_set_format_ustar(out);
    archive_write_open_filename(out, path.c_str());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[backwards ? names.size() - 1 - i : i];
      const std::string content = Pgm(static_cast<std::uint8_t>(name[6]), 0);
      archive_entry* entry = archive_entry_new();
      archive_entry_copy_pathname(entry, name.c_str());
      archive_entry_set_filetype(entry, AE_IFREG);
      archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
      archive_write_header(out, entry);
      archive_write_data(out, content.data(), content.size());
      archive_entry_free(entry);
    }
    archive_write_free(out);
    ImportRequest request = folder.Request({path});
    request.out = folder / (backwards ? "b" : "a");
    ImportFolders(request);
    EXPECT_EQ(Written(request.out), (Lines{"ann: -/49", "bob: -/49 -/50"}));
  }
}
#endif

TEST(FoldersImportTest, RefusesALayoutThatEndsBeforeThePathDoes) {
  const TestFolder folder;
  folder.Write("in/ann/june/1.pgm", Pgm(1, 0));
  folder.Write("in/ann/july/2.pgm", Pgm(2, 0));
  const std::string error = ErrorOf(
      [&] { ImportFolders(folder.Request(), {.layout = "{user}/{*}.pgm"}); });
  ExpectContains(error, "a path of 3 names where the layout");
  EXPECT_FALSE(folder.HasLeftovers());
  ImportFolders(folder.Request(), {.layout = "{user}/{*}/{*}.pgm"});
  EXPECT_EQ(Written(folder / "out"), (Lines{"ann: -/2 -/1"}));
}

TEST(PrivateFoldersTest, KeepsTheLabelsThatWereDeclared) {
  const TestFolder folder;
  folder.Write("in/ann/cat/1.pgm", Pgm(1, 0));
  folder.Write("in/bob/rat/2.pgm", Pgm(2, 0));
  DatasetSummary summary = ImportFolders(folder.Private(Lines{"dog", "cat"}));
  EXPECT_EQ(Written(folder / "out"), (Lines{"ann: cat/1", "bob: -/2"}));
  EXPECT_EQ(FederatedDataset(folder / "out").info().classes,
            (Lines{"dog", "cat"}));
  EXPECT_TRUE(summary.first_users.empty());
  ImportRequest request = folder.Private();
  request.out = folder / "without";
  summary = ImportFolders(request);
  EXPECT_TRUE(summary.labels_dropped);
  EXPECT_EQ(Written(folder / "without"), (Lines{"ann: -/1", "bob: -/2"}));
}

TEST(PrivateFoldersTest, AnErrorNamesNobodysFolder) {
  const TestFolder folder;
  folder.Write("in/ann/1.pgm", "P5 1 1 255\nx");
  folder.Write("in/secret/1.pgm", "P5 2 1 255\nxy");
  for (const bool is_private : {true, false}) {
    const std::string error = ErrorOf([&] {
      ImportFolders(is_private ? folder.Private() : folder.Request(), {});
    });
    ExpectContains(error, "an image of 1 × 2 pixels");
    ExpectContains(error, is_private ? "image 2 of " : "secret/1.pgm");
    EXPECT_EQ(error.find("secret") == error.npos, is_private) << error;
  }
}

TEST(PrivateFoldersTest, ALayoutThatFitsNothingNamesNoPath) {
  const TestFolder folder;
  folder.Write("in/secret_ann/1.pgm", Pgm(1, 0));
  const std::string error = ErrorOf(
      [&] { ImportFolders(folder.Private(), {.layout = "{user}_{*}.pgm"}); });
  EXPECT_EQ(error.find("secret"), error.npos) << error;
}

}  // namespace
}  // namespace sfumato::data

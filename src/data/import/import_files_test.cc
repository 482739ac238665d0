#include "data/import/import_files.h"

#include <array>
#include <string>
#include <vector>

#include "data/import/import_testing.h"
#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

using Strings = std::vector<std::string>;

constexpr std::array<std::string_view, 2> kEndings = {".csv", ".tsv"};

Strings Names(const std::vector<base::Path>& files) {
  Strings names;
  for (const base::Path& file : files) names.push_back(file.filename());
  return names;
}

TEST(ListFilesTest, TakesTheFilesOfAFolderTestFilesLast) {
  const TestFolder folder;
  for (const char* name : {"b.csv", "a.test.csv", "c.TSV.gz", "b.csv.gz",
                           ".hidden.csv", "notes", "deeper/d.csv"}) {
    folder.Write(base::Path("in") / name, "");
  }
  EXPECT_EQ(Names(ListFiles({folder / "in"}, kEndings)),
            (Strings{"b.csv", "c.TSV.gz", "a.test.csv"}));
}

TEST(ListFilesTest, TakesNamedFilesWhateverTheyAreCalled) {
  const TestFolder folder;
  const base::Path odd = folder.Write("in/odd.dat", "");
  const base::Path test = folder.Write("in/test.csv", "");
  EXPECT_EQ(ListFiles({test, odd}, kEndings),
            (std::vector<base::Path>{test, odd}));
}

TEST(ListFilesTest, RefusesWhatHoldsNoFile) {
  const TestFolder folder;
  ExpectContains(ErrorOf([&] { ListFiles({folder / "in"}, kEndings); }),
                 "bad_input: the folder has no file whose name ends in .csv, "
                 ".tsv | ");
  ExpectContains(ErrorOf([&] { ListFiles({folder / "none"}, kEndings); }),
                 "bad_input: no such file or folder | ");
}

TEST(SplitOfTest, ReadsWholeWordsOfTheName) {
  const struct {
    const char* path;
    const char* split;
  } cases[] = {
      {"train.csv", "train"},      {"x/ZIP.TRAIN.gz", "train"},
      {"a-test_b.csv", "test"},    {"t10k-images", "test"},
      {"latest.csv", ""},          {"trains.csv", ""},
      {"test1.csv", ""},           {"train/a.csv", ""},
      {"latest test.csv", "test"},
  };
  for (const auto& c : cases) EXPECT_EQ(SplitOf(c.path), c.split) << c.path;
}

TEST(SplitsOfTest, PutsTrainFirstAndWantsEveryFileToSay) {
  const SplitColumn both = SplitsOf({"test.csv", "train.csv", "test2.test"});
  EXPECT_EQ(both.values, (Strings{"train", "test"}));
  EXPECT_EQ(both.of_file, (std::vector<std::int32_t>{1, 0, 1}));
  ASSERT_EQ(both.of(1).size(), 1u);
  EXPECT_EQ(both.of(1)[0], 0);

  const SplitColumn one = SplitsOf({"test.csv"});
  EXPECT_EQ(one.values, Strings{"test"});
  EXPECT_EQ(one.of_file, std::vector<std::int32_t>{0});

  const SplitColumn none = SplitsOf({"train.csv", "more.csv"});
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(none.of(1).empty());
}

TEST(ListFilesTest, PassesOverLinksThatLeadNowhere) {
  const TestFolder folder;
  folder.Write("in/a.csv", "");
  std::filesystem::create_symlink("loop.csv", folder / "in/loop.csv");
  std::filesystem::create_symlink("nowhere", folder / "in/gone.csv");
  EXPECT_EQ(Names(ListFiles({folder / "in"}, kEndings)), Strings{"a.csv"});
}

TEST(StartImportTest, NamesAFolderThatEndsInASlash) {
  const TestFolder folder;
  const auto files = [&](const base::Path& path) {
    return StartImport(folder.Request(), "x", {path}).provenance[0]["files"][0];
  };
  EXPECT_EQ(files("data/faces/"), "faces");
  EXPECT_EQ(files("data/faces"), "faces");
}

TEST(StartImportTest, RefusesNamesThatAreNotUtf8) {
  const TestFolder folder;
  const auto error = [](const ImportRequest& request, const char* file) {
    return ErrorOf([&] { StartImport(request, "x", {file}); });
  };
  ImportRequest request = folder.Request();
  ExpectContains(error(request, "d/a\xff.csv"),
                 "bad_input: the name is not UTF-8 | \"d/a\\xff.csv\"");
  for (const std::string& name :
       {std::string("a\xff"), std::string("two\nlines"),
        std::string(201, 'a')}) {
    request.name = name;
    ExpectContains(error(request, "a.csv"),
                   "bad_input: the set's name cannot be | --name");
    EXPECT_FALSE(std::filesystem::exists(request.out));
  }
  request.name = "";
  request.out = folder / "a\xff";
  ExpectContains(error(request, "a.csv"), "bad_input: the name is not UTF-8");
}

TEST(RequireUtf8Test, NamesTheFirstWrongByte) {
  RequireUtf8("", "f");
  RequireUtf8("é", "f");
  ExpectContains(ErrorOf([] { RequireUtf8("é\xc3(", "f:3"); }),
                 "bad_input: the text is not UTF-8 (byte 2) | f:3");
}

}  // namespace
}  // namespace sfumato::data

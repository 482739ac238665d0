#include "data/import/import_idx.h"

#include <gtest/gtest.h>

#include <ostream>

#include "data/import/import_testing.h"

namespace sfumato::data {
namespace {

std::string Pixels(const Example& example) {
  return {example.pixels.begin(), example.pixels.end()};
}

// Two 2 x 3 training images and one for testing.
void WriteSmallMnist(const TestFolder& folder) {
  folder.Write("in/train-images-idx3-ubyte.gz",
               Gzip(Idx({2, 2, 3}, "abcdefghijkl")));
  folder.Write("in/train-labels-idx1-ubyte.gz", Gzip(Idx({2}, "\x05\x02")));
  folder.Write("in/t10k-images.idx3-ubyte", Idx({1, 2, 3}, "uvwxyz"));
  folder.Write("in/t10k-labels.idx1-ubyte", Idx({1}, "\x03"));
}

TEST(IdxImportTest, JoinsTrainAndTestWithASplitColumn) {
  const TestFolder folder;
  WriteSmallMnist(folder);
  const DatasetSummary summary = ImportIdx(folder.Request());
  EXPECT_EQ(summary.users, 1u);
  EXPECT_EQ(summary.examples, 3u);

  const FederatedDataset set(folder / "out");
  set.Verify();
  EXPECT_FALSE(set.info().grouped);
  EXPECT_EQ(set.info().image, (ImageShape{2, 3, 1}));
  EXPECT_EQ(set.info().classes,
            (std::vector<std::string>{"0", "1", "2", "3", "4", "5"}));
  ASSERT_EQ(set.info().columns.size(), 1u);
  EXPECT_EQ(set.info().columns[0].name, "split");
  EXPECT_EQ(set.info().columns[0].values,
            (std::vector<std::string>{"train", "test"}));
  const User pool = set.user(0);
  EXPECT_EQ(pool.id(), "pool");
  EXPECT_EQ(Pixels(pool[0]), "abcdef");
  EXPECT_EQ(Pixels(pool[1]), "ghijkl");
  EXPECT_EQ(Pixels(pool[2]), "uvwxyz");
  EXPECT_EQ(pool[0].label, 5);
  EXPECT_EQ(pool[1].label, 2);
  EXPECT_EQ(pool[2].label, 3);
  EXPECT_EQ(pool[1].columns[0], 0);
  EXPECT_EQ(pool[2].columns[0], 1);
}

TEST(IdxImportTest, TakesTheFilesThemselves) {
  const TestFolder folder;
  WriteSmallMnist(folder);
  ImportRequest request = folder.Request();
  request.inputs = {folder / "in/t10k-labels.idx1-ubyte",
                    folder / "in/t10k-images.idx3-ubyte"};
  EXPECT_EQ(ImportIdx(request).examples, 1u);
}

TEST(IdxImportTest, RecordsWhereItCameFromWithoutFolders) {
  const TestFolder folder;
  WriteSmallMnist(folder);
  ImportRequest request = folder.Request();
  request.name = "digits";
  request.origin = Origin::kPublic;
  ImportIdx(request);
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().name, "digits");
  EXPECT_EQ(set.info().origin, Origin::kPublic);
  ASSERT_EQ(set.info().provenance.size(), 1u);
  const nlohmann::json& step = set.info().provenance[0];
  EXPECT_EQ(step["step"], "import");
  EXPECT_EQ(step["format"], "idx");
  EXPECT_EQ(step["files"].size(), 4u);
  EXPECT_EQ(step["files"][0], "train-images-idx3-ubyte.gz");
  EXPECT_EQ(step["transposed"], false);
}

TEST(IdxImportTest, RefusesTheSamePartTwice) {
  const char* const parts[] = {
      "train-images-idx3-ubyte", "train-labels-idx1-ubyte",
      "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte",
      "emnist-letters-mapping.txt"};
  for (const std::string part : parts) {
    const TestFolder folder;
    WriteSmallMnist(folder);
    const base::Path one = folder.Write("in/a/" + part, "");
    const base::Path two = folder.Write("in/b/" + part, "");
    ImportRequest request = folder.Request();
    request.inputs = {one, two};
    const std::string error = ErrorOf([&] { ImportIdx(request); });
    ExpectContains(error, "bad_input: " + one.string() + " and this file");
    ExpectContains(error, "| " + two.string());
  }
}

void WriteSmallEmnist(const TestFolder& folder) {
  folder.Write("in/emnist-letters-train-images-idx3-ubyte.gz",
               Gzip(Idx({2, 2, 3}, "abcdefghijkl")));
  folder.Write("in/emnist-letters-train-labels-idx1-ubyte.gz",
               Gzip(Idx({2}, "\x02\x01")));
}

TEST(IdxImportTest, TransposesEmnist) {
  const TestFolder folder;
  WriteSmallEmnist(folder);
  ImportIdx(folder.Request());
  const FederatedDataset set(folder / "out");
  // abc
  // def   stored column by column is   ad be cf   row by row.
  EXPECT_EQ(set.info().image, (ImageShape{3, 2, 1}));
  EXPECT_EQ(Pixels(set.user(0)[0]), "adbecf");
  EXPECT_EQ(set.info().provenance[0]["transposed"], true);
}

TEST(IdxImportTest, TransposesOnlyWhatItIsTold) {
  const TestFolder folder;
  WriteSmallEmnist(folder);
  ImportIdx(folder.Request(), {.transpose = Transpose::kNever});
  EXPECT_EQ(Pixels(FederatedDataset(folder / "out").user(0)[0]), "abcdef");

  std::filesystem::remove_all(folder / "in");
  WriteSmallMnist(folder);
  ImportRequest request = folder.Request();
  request.out = folder / "other";
  ImportIdx(request, {.transpose = Transpose::kAlways});
  EXPECT_EQ(Pixels(FederatedDataset(folder / "other").user(0)[0]), "adbecf");
}

TEST(IdxImportTest, NamesAndNumbersClassesByTheMappingFile) {
  const TestFolder folder;
  WriteSmallEmnist(folder);
  folder.Write("in/emnist-letters-mapping.txt", "1 65 97\n2 66 98\n");
  folder.Write("in/emnist-digits-mapping.txt", "0 48\n");
  ImportIdx(folder.Request());
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().classes, (std::vector<std::string>{"Aa", "Bb"}));
  EXPECT_EQ(set.user(0)[0].label, 1);
  EXPECT_EQ(set.user(0)[1].label, 0);
}

TEST(IdxImportTest, PrefersTheUnpackedOfTwoTwins) {
  const TestFolder folder;
  WriteSmallMnist(folder);
  folder.Write("in/train-images-idx3-ubyte", Idx({2, 2, 3}, "ABCDEFGHIJKL"));
  EXPECT_EQ(ImportIdx(folder.Request()).examples, 3u);
  EXPECT_EQ(Pixels(FederatedDataset(folder / "out").user(0)[0]), "ABCDEF");
}

struct BadCase {
  const char* name;
  std::function<void(const TestFolder&)> damage;  // of the small MNIST
  std::string error;                              // part of it
};
void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

class BadIdxImportTest : public testing::TestWithParam<BadCase> {};

TEST_P(BadIdxImportTest, IsRefusedAndLeavesNothing) {
  const TestFolder folder;
  WriteSmallMnist(folder);
  GetParam().damage(folder);
  const std::string error = ErrorOf([&] { ImportIdx(folder.Request()); });
  ExpectContains(error, GetParam().error);
  EXPECT_FALSE(folder.HasLeftovers());
}

// Replaces a file of the small MNIST.
std::function<void(const TestFolder&)> Put(std::string name,
                                           std::string content) {
  return [=](const TestFolder& folder) { folder.Write("in/" + name, content); };
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadIdxImportTest,
    testing::ValuesIn(std::vector<BadCase>{
        {"NoFolder",
         [](const TestFolder& folder) {
           std::filesystem::remove_all(folder / "in");
         },
         "bad_input: no such file or folder | "},
        {"NothingInside",
         [](const TestFolder& folder) {
           std::filesystem::remove_all(folder / "in");
           folder.Write("in/notes.md", "x");
         },
         "the folder has no file whose name ends in"},
        {"NoLabels",
         [](const TestFolder& folder) {
           std::filesystem::remove(folder / "in/train-labels-idx1-ubyte.gz");
         },
         "no labels file for "},
        {"NoImages",
         [](const TestFolder& folder) {
           std::filesystem::remove(folder / "in/t10k-images.idx3-ubyte");
         },
         "no images file for "},
        {"SeveralSets", WriteSmallEmnist, "files of 2 sets: , emnist-letters"},
        {"FewerLabels", Put("t10k-labels.idx1-ubyte", Idx({0}, "")),
         "0 labels for the 1 images of "},
        {"OtherShape", Put("t10k-images.idx3-ubyte", Idx({1, 3, 2}, "uvwxyz")),
         "images of 3 x 2 pixels where 2 x 3 came before"},
        {"LabelsAsImages", Put("t10k-images.idx3-ubyte", Idx({1}, "\x01")),
         "1 dimensions where images have 3 | "},
        {"ImagesAsLabels",
         Put("t10k-labels.idx1-ubyte", Idx({1, 1, 1}, "\x01")),
         "3 dimensions where labels have 1 | "},
        {"NoPixels", Put("t10k-images.idx3-ubyte", Idx({1, 0, 3}, "")),
         "images of 0 x 3 pixels"},
        {"TruncatedGzip",
         Put("train-images-idx3-ubyte.gz", Gzip("some text").substr(0, 15)),
         "damaged gzip file: the file ends early | "},
        {"EmptyFile", Put("t10k-labels.idx1-ubyte", ""), "not an IDX file"},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST(IdxImportTest, RefusesALabelThatTheMappingLacks) {
  const TestFolder folder;
  WriteSmallEmnist(folder);
  folder.Write("in/emnist-letters-mapping.txt", "2 66\n");
  const std::string error = ErrorOf([&] { ImportIdx(folder.Request()); });
  ExpectContains(error, "label 1 is not in the mapping file | ");
  ExpectContains(error, "labels-idx1-ubyte.gz@9");
}

TEST(IdxImportTest, RefusesFilesItCannotName) {
  const TestFolder folder;
  ImportRequest request = folder.Request();
  request.inputs = {folder.Write("in/digits.bin", "x")};
  ExpectContains(ErrorOf([&] { ImportIdx(request); }),
                 "the name does not say what the file holds");
}

TEST(IdxImportTest, RefusesAnExistingTargetBeforeItReads) {
  const TestFolder folder;
  folder.Write("in/train-images-idx3-ubyte", "damaged");
  folder.Write("out/precious", "x");
  ExpectContains(ErrorOf([&] { ImportIdx(folder.Request()); }),
                 "the folder to make exists already");
  EXPECT_TRUE(std::filesystem::exists(folder / "out/precious"));
}

TEST(IdxImportTest, KeepsOfPrivateLabelsTheDeclaredOnes) {
  const TestFolder folder;
  WriteSmallMnist(folder);
  ImportIdx(folder.Private(std::vector<std::string>{"3", "5"}));
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().classes, (std::vector<std::string>{"3", "5"}));
  EXPECT_EQ(set.user(0)[0].label, 1);
  EXPECT_EQ(set.user(0)[1].label, -1);
  EXPECT_EQ(set.user(0)[2].label, 0);
  ImportRequest without = folder.Private();
  without.out = folder / "without";
  EXPECT_TRUE(ImportIdx(without).labels_dropped);
  EXPECT_TRUE(FederatedDataset(without.out).info().classes.empty());
  EXPECT_EQ(FederatedDataset(without.out).user(0)[0].label, -1);
}

}  // namespace
}  // namespace sfumato::data

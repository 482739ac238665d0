#include "data/import/import_tff.h"

#include <string>
#include <vector>

#include "data/import/hdf5_file.h"
#include "data/import/import_files.h"
#include "data/import/import_testing.h"
#include "gtest/gtest.h"

#if SFUMATO_HAS_HDF5
#include <hdf5.h>
#endif

namespace sfumato::data {
namespace {

#if SFUMATO_HAS_HDF5

// Writes files the way TFF publishes them.
class H5Writer {
 public:
  explicit H5Writer(const base::Path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
        links_(H5Pcreate(H5P_LINK_CREATE)) {
    H5Pset_create_intermediate_group(links_, 1);
  }
  ~H5Writer() {
    H5Pclose(links_);
    H5Fclose(file_);
  }

  void Group(const std::string& name) {
    H5Gclose(H5Gcreate2(file_, name.c_str(), links_, H5P_DEFAULT, H5P_DEFAULT));
  }

  void Write(const std::string& name, hid_t stored, hid_t given,
             const std::vector<hsize_t>& shape, const void* values) {
    const hid_t space =
        H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t set = H5Dcreate2(file_, name.c_str(), stored, space, links_,
                                 H5P_DEFAULT, H5P_DEFAULT);
    if (values != nullptr) {
      H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    H5Dclose(set);
    H5Sclose(space);
  }

  void Floats(const std::string& name, const std::vector<hsize_t>& shape,
              const std::vector<float>& values) {
    Write(name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, shape, values.data());
  }

  void Integers(const std::string& name,
                const std::vector<std::int32_t>& values) {
    Write(name, H5T_STD_I32LE, H5T_NATIVE_INT32, {values.size()},
          values.data());
  }

  void Strings(const std::string& name, const std::vector<std::string>& values,
               H5T_cset_t encoding = H5T_CSET_UTF8) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, encoding);
    std::vector<const char*> pointers;
    for (const std::string& value : values) pointers.push_back(value.c_str());
    Write(name, type, type, {values.size()}, pointers.data());
    H5Tclose(type);
  }

  // A client's images, each of one value.
  void Client(const std::string& id, const std::vector<float>& values,
              const std::vector<std::int32_t>& labels) {
    std::vector<float> pixels;
    for (const float value : values) pixels.insert(pixels.end(), 784, value);
    Floats("/examples/" + id + "/pixels", {values.size(), 28, 28}, pixels);
    Integers("/examples/" + id + "/label", labels);
  }

  void Author(const std::string& id, const std::vector<std::string>& tokens,
              const std::vector<std::string>& types) {
    Strings("/examples/" + id + "/tokens", tokens);
    Strings("/examples/" + id + "/type", types, H5T_CSET_ASCII);
    Strings("/examples/" + id + "/title", tokens);
    Strings("/examples/" + id + "/tags", tokens);
    Strings("/examples/" + id + "/creation_date", tokens);
    Integers("/examples/" + id + "/score",
             std::vector<std::int32_t>(tokens.size(), 3));
  }

 private:
  hid_t file_;
  hid_t links_;
};

TEST(TffEmnistImportTest, ReadsClientsOfSeveralSplits) {
  const TestFolder folder;
  {
    H5Writer train(folder / "in/fed_emnist_train.h5");
    train.Client("f0002_30", {0.25f, 1.0f}, {61, 9});
    train.Client("f0001_41", {0.0f}, {10});
    H5Writer test(folder / "in/fed_emnist_test.h5");
    test.Client("f0001_41", {0.5f}, {0});
  }
  const DatasetSummary summary = ImportTffEmnist(
      folder.Request({"in/fed_emnist_train.h5", "in/fed_emnist_test.h5"}));
  EXPECT_EQ(summary.users, 2u);
  EXPECT_EQ(summary.examples, 4u);
  const FederatedDataset set(folder / "out");
  set.Verify();
  EXPECT_EQ(set.info().image, (ImageShape{28, 28, 1}));
  ASSERT_EQ(set.info().classes.size(), 62u);
  EXPECT_EQ(set.info().classes[10], "A");
  EXPECT_EQ(set.info().classes[61], "z");
  ASSERT_EQ(set.info().columns.size(), 1u);
  EXPECT_EQ(set.info().columns[0].values,
            (std::vector<std::string>{"train", "test"}));
  EXPECT_EQ(set.user(0).id(), "f0001_41");
  ASSERT_EQ(set.user_size(0), 2u);
  // Ink 1 - 0 is 255; 1 - 0.5 is 127.5, rounded up; 1 - 0.25 is 191.25.
  const auto check = [&](std::size_t user, std::size_t i, int pixel, int label,
                         int split) {
    const Example example = set.user(user)[i];
    EXPECT_EQ(example.pixels.front(), pixel);
    EXPECT_EQ(example.pixels.back(), pixel);
    EXPECT_EQ(example.label, label);
    EXPECT_EQ(example.columns[0], split);
  };
  check(0, 0, 255, 10, 0);
  check(0, 1, 128, 0, 1);
  check(1, 0, 191, 61, 0);
  check(1, 1, 0, 9, 0);
}

TEST(TffEmnistImportTest, KnowsTheDigitsOnlySet) {
  const TestFolder folder;
  {
    H5Writer file(folder / "in/a.h5");
    file.Client("f1", {1.0f}, {9});
  }
  ImportTffEmnist(folder.Request({"in/a.h5"}));
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().classes.size(), 10u);
  EXPECT_TRUE(set.info().columns.empty());
}

TEST(TffEmnistImportTest, LeavesOutAndCountsUsersWithoutExamples) {
  const TestFolder folder;
  {
    H5Writer file(folder / "in/a.h5");
    file.Client("f1", {}, {});
    file.Client("f2", {1.0f}, {9});
    file.Client("f3", {}, {});
  }
  const DatasetSummary summary = ImportTffEmnist(folder.Request({"in/"}));
  EXPECT_EQ(summary.users, 1u);
  EXPECT_EQ(summary.skipped, (Skipped{{"user without examples", 2}}));
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.user(0).id(), "f2");
  const nlohmann::json& step = set.info().provenance[0];
  EXPECT_EQ(step["skipped"], nlohmann::json({{"user without examples", 2}}));
  EXPECT_EQ(step["files"][0], "a.h5");
}

// Whether anybody wrote a letter would tell neighbours apart.
TEST(TffEmnistImportTest, PrivateClientsHaveTheClassesOfTheFormat) {
  const TestFolder folder;
  {
    H5Writer file(folder / "in/a.h5");
    file.Client("f1", {1.0f, 0.0f}, {9, 3});
  }
  ImportTffEmnist(folder.Private({}, {"in/a.h5"}));
  const FederatedDataset set(folder / "out");
  EXPECT_EQ(set.info().classes.size(), 62u);
  EXPECT_TRUE(set.info().declared);
  EXPECT_EQ(set.user(0)[0].label, 9);
  ImportRequest declared =
      folder.Private(std::vector<std::string>{"4", "3"}, {"in/a.h5"});
  declared.out = folder / "declared";
  ImportTffEmnist(declared);
  const FederatedDataset two(folder / "declared");
  EXPECT_EQ(two.info().classes, (std::vector<std::string>{"4", "3"}));
  EXPECT_EQ(two.user(0)[0].label, -1);
  EXPECT_EQ(two.user(0)[1].label, 1);
}

TEST(TffEmnistImportTest, ErrorsNameNoClientAndNoValue) {
  const TestFolder folder;
  {
    H5Writer file(folder / "in/a.h5");
    file.Client("f1", {1.0f}, {9});
    file.Client("secret", {1.0f}, {7777});
    H5Writer other(folder / "in/b.h5");
    other.Client("secret", {7777.0f}, {1});
  }
  for (const char* name : {"in/a.h5", "in/b.h5"}) {
    const std::string error =
        ErrorOf([&] { ImportTffEmnist(folder.Private({}, {name})); });
    ExpectContains(error, *(name + 3) == 'a' ? "client 1" : "client 0");
    EXPECT_EQ(error.find("secret"), error.npos) << error;
    EXPECT_EQ(error.find("7777"), error.npos) << error;
  }
}

TEST(TffStackOverflowImportTest, PrivateTypesAreThoseOfTheFormat) {
  const TestFolder folder;
  {
    H5Writer file(folder / "in/a.h5");
    file.Author("1", {"one .", "two ."}, {"secret", "answer"});
  }
  ImportTffStackOverflow(folder.Private({}, {"in/a.h5"}));
  const FederatedDataset set(folder / "out");
  set.Verify();
  EXPECT_EQ(set.info().columns[0].values,
            (std::vector<std::string>{"question", "answer", "other"}));
  EXPECT_EQ(set.user(0)[0].columns[0], 2);
  EXPECT_EQ(set.user(0)[1].columns[0], 1);
}

TEST(TffStackOverflowImportTest, ReadsTokensAndTypes) {
  const TestFolder folder;
  {
    H5Writer train(folder / "in/stackoverflow_train.h5");
    train.Author("00000123", {"how do i ü ?", "", "try this ."},
                 {"question", "question", "answer"});
    H5Writer held(folder / "in/stackoverflow_held_out.h5");
    held.Author("00000124", {"is there a way ?"}, {"question"});
  }
  const DatasetSummary summary = ImportTffStackOverflow(folder.Request(
      {"in/stackoverflow_train.h5", "in/stackoverflow_held_out.h5"}));
  EXPECT_EQ(summary.skipped,
            (std::map<std::string, std::uint64_t>{{"empty sentence", 1}}));
  const FederatedDataset set(folder / "out");
  set.Verify();
  EXPECT_EQ(set.info().text_form, TextForm::kTokens);
  ASSERT_EQ(set.info().columns.size(), 2u);
  EXPECT_EQ(set.info().columns[0].name, "type");
  EXPECT_EQ(set.info().columns[0].values,
            (std::vector<std::string>{"question", "answer"}));
  EXPECT_EQ(set.info().columns[1].values,
            (std::vector<std::string>{"train", "held_out"}));
  ASSERT_EQ(set.users(), 2u);
  ASSERT_EQ(set.user_size(0), 2u);
  EXPECT_EQ(set.user(0)[0].text, "how do i ü ?");
  EXPECT_EQ(set.user(0)[1].text, "try this .");
  EXPECT_EQ(set.user(0)[1].columns[0], 1);
  EXPECT_EQ(set.user(1).id(), "00000124");
  EXPECT_EQ(set.user(1)[0].columns[1], 1);
}

// Runs `write` on a new file, imports it by `import`, and expects an error
// that says all of `says` and leaves nothing behind.
template <typename Write, typename Import>
void ExpectRefused(const char* name, Write write, Import import,
                   std::vector<const char*> says) {
  SCOPED_TRACE(name);
  const TestFolder folder;
  {
    H5Writer file(folder / "in/a.h5");
    write(file);
  }
  const std::string error =
      ErrorOf([&] { import(folder.Request({"in/a.h5"})); });
  ExpectContains(error, "bad_input: ");
  ExpectContains(error, "a.h5");
  for (const char* part : says) ExpectContains(error, part);
  EXPECT_FALSE(folder.HasLeftovers());
}

TEST(TffEmnistImportTest, RefusesWhatIsWrongAndLeavesNothing) {
  const auto refused = [](const char* name, auto write,
                          std::vector<const char*> says) {
    ExpectRefused(name, write, ImportTffEmnist, std::move(says));
  };
  const std::vector<float> image(784, 1.0f);
  refused("no examples", [](H5Writer& f) { f.Group("/other"); },
          {"group is missing", "/examples"});
  refused("examples is a dataset",
          [](H5Writer& f) { f.Integers("/examples", {1}); },
          {"group is missing", "/examples"});
  refused("no client", [](H5Writer& f) { f.Group("/examples"); },
          {"no client"});
  refused("no pixels",
          [](H5Writer& f) { f.Integers("/examples/f1/label", {1}); },
          {"missing", "/examples, client 0/pixels"});
  refused(
      "no label",
      [&](H5Writer& f) { f.Floats("/examples/f1/pixels", {1, 28, 28}, image); },
      {"missing", "/examples, client 0/label"});
  refused("a client that is a dataset",
          [](H5Writer& f) { f.Integers("/examples/f1", {1}); },
          {"missing", "/examples, client 0/pixels"});
  refused("pixels of integers",
          [](H5Writer& f) { f.Integers("/examples/f1/pixels", {1}); },
          {"1 dimensions where 3", "/examples, client 0/pixels"});
  refused("pixels of another type",
          [](H5Writer& f) {
            const std::vector<std::int32_t> zeros(784);
            f.Write("/examples/f1/pixels", H5T_STD_I32LE, H5T_NATIVE_INT32,
                    {1, 28, 28}, zeros.data());
          },
          {"floating-point", "/examples, client 0/pixels"});
  refused("pixels of another size",
          [&](H5Writer& f) {
            f.Floats("/examples/f1/pixels", {1, 49, 16}, image);
            f.Integers("/examples/f1/label", {1});
          },
          {"49 × 16", "28 × 28"});
  refused(
      "flat pixels",
      [&](H5Writer& f) { f.Floats("/examples/f1/pixels", {1, 784}, image); },
      {"2 dimensions where 3"});
  refused("pixels without end",
          [](H5Writer& f) {
            f.Write("/examples/f1/pixels", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT,
                    {std::uint64_t{1} << 40, 28, 28}, nullptr);
          },
          {"larger than", "/examples, client 0/pixels"});
  refused("more labels than images",
          [](H5Writer& f) { f.Client("f1", {1.0f}, {1, 2}); },
          {"2 labels for 1 images", "/examples, client 0/label"});
  refused("labels as floats",
          [&](H5Writer& f) {
            f.Floats("/examples/f1/pixels", {1, 28, 28}, image);
            f.Floats("/examples/f1/label", {1}, {1.0f});
          },
          {"integers", "/examples, client 0/label"});
  refused("label 62", [](H5Writer& f) { f.Client("f1", {1.0f}, {62}); },
          {"label 0 is outside 0 to 61", "/examples, client 0/label"});
  refused("label -1", [](H5Writer& f) { f.Client("f1", {1.0f}, {-1}); },
          {"label 0 is outside 0 to 61"});
  refused("a pixel above 1", [](H5Writer& f) { f.Client("f1", {1.5f}, {1}); },
          {"pixel outside 0 to 1", "/examples, client 0/pixels"});
  refused("a pixel that is no number",
          [](H5Writer& f) { f.Client("f1", {NAN}, {1}); },
          {"pixel outside 0 to 1"});
}

TEST(TffStackOverflowImportTest, RefusesWhatIsWrongAndLeavesNothing) {
  const auto refused = [](const char* name, auto write,
                          std::vector<const char*> says) {
    ExpectRefused(name, write, ImportTffStackOverflow, std::move(says));
  };
  refused("no tokens",
          [](H5Writer& f) { f.Strings("/examples/1/type", {"question"}); },
          {"missing", "/examples, client 0/tokens"});
  refused("no type",
          [](H5Writer& f) { f.Strings("/examples/1/tokens", {"a b"}); },
          {"missing", "/examples, client 0/type"});
  refused("tokens that are numbers",
          [](H5Writer& f) { f.Integers("/examples/1/tokens", {1}); },
          {"strings were expected", "/examples, client 0/tokens"});
  refused("strings of fixed length",
          [](H5Writer& f) {
            const hid_t type = H5Tcopy(H5T_C_S1);
            H5Tset_size(type, 4);
            f.Write("/examples/1/tokens", type, type, {1}, "abc");
            H5Tclose(type);
          },
          {"fixed length", "/examples, client 0/tokens"});
  refused("fewer types than sentences",
          [](H5Writer& f) { f.Author("1", {"a b", "c d"}, {"question"}); },
          {"1 types for 2 sentences", "/examples, client 0/type"});
  refused("not UTF-8",
          [](H5Writer& f) { f.Author("1", {"a \xff"}, {"question"}); },
          {"UTF-8", "/examples, client 0/tokens"});
  refused("only empty sentences",
          [](H5Writer& f) { f.Author("1", {""}, {"question"}); },
          {"no sentence"});
}

TEST(TffImportTest, RefusesFilesItCannotUse) {
  const TestFolder folder;
  {
    H5Writer file(folder / "in/fed_emnist_train.h5");
    file.Client("f1", {0.5f, 0.25f}, {1, 2});
  }
  std::filesystem::copy_file(folder / "in/fed_emnist_train.h5",
                             folder / "in/other_train.h5");
  const std::string whole = base::ReadFile(folder / "in/fed_emnist_train.h5");
  folder.Write("in/cut.h5", whole.substr(0, whole.size() / 2));
  folder.Write("in/text.h5", "just some words");
  folder.Write("in/empty.h5", "");
  const auto error = [&](const std::vector<base::Path>& inputs) {
    return ErrorOf([&] { ImportTffEmnist(folder.Request(inputs)); });
  };
  ExpectContains(error({}), "bad_input: nothing to import");
  ExpectContains(error({"in/missing.h5"}), "bad_input: no such file");
  for (const char* name : {"cut.h5", "text.h5", "empty.h5"}) {
    const std::string said = error({base::Path("in") / name});
    ExpectContains(said, "bad_input: ");
    ExpectContains(said, "not an HDF5 file");
    ExpectContains(said, name);
  }
  ExpectContains(error({"in/fed_emnist_train.h5", "in/other_train.h5"}),
                 "bad_input: two files of the split 'train'");
  EXPECT_FALSE(folder.HasLeftovers());
}

#else

TEST(TffImportTest, IsNamedWhenMissing) {
  const std::string error =
      ErrorOf([] { ImportTffEmnist(TestFolder().Request({"a.h5"})); });
  ExpectContains(error, "unsupported: ");
  ExpectContains(error, "HDF5");
}

#endif

}  // namespace
}  // namespace sfumato::data

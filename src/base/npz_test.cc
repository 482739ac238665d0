#include "base/npz.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/error.h"

namespace sfumato::base {
namespace {

using namespace std::string_literals;

const std::vector<std::uint8_t> kPixels = {1, 2, 3, 4, 5, 6};
const std::vector<std::int32_t> kLabels = {-1, 258};

std::vector<TensorOut> Arrays() {
  return {{.name = "images",
           .type = DType::kU8,
           .shape = {2, 3},
           .bytes = std::as_bytes(std::span(kPixels))},
          {.name = "labels",
           .type = DType::kI32,
           .shape = {2},
           .bytes = std::as_bytes(std::span(kLabels))}};
}

// A folder of the test's own.
Path Folder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const Path folder = Path(testing::TempDir()) / ("NpzTest."s + test->name());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

TEST(NpzTest, AnArrayIsMagicLengthHeaderAndBytes) {
  // 10 bytes come before the header; with the spaces and the line break it
  // ends at 128 = 10 + 118.
  std::string header =
      "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(117, ' ');
  EXPECT_EQ(EncodeNpy(Arrays()[0]), "\x93NUMPY\x01\x00\x76\x00"s + header +
                                        "\n\x01\x02\x03\x04\x05\x06");
  // A tuple of one has a comma; -1 and 258 are little-endian.
  const std::string labels = EncodeNpy(Arrays()[1]);
  EXPECT_NE(labels.find("'<i4', 'fortran_order': False, 'shape': (2,), }"),
            std::string::npos);
  EXPECT_EQ(labels.substr(128), "\xff\xff\xff\xff\x02\x01\x00\x00"s);
  const double one = 1;
  EXPECT_NE(EncodeNpy({.name = "x",
                       .type = DType::kF64,
                       .bytes = std::as_bytes(std::span(&one, 1))})
                .find("'shape': (), }"),
            std::string::npos);
}

TEST(NpzTest, AnArchiveIsEntriesADirectoryAndItsEnd) {
  const Path path = Folder() / "a.npz";
  // The check value of CRC-32 is that of "123456789": cbf43926.
  const std::string digits = "123456789";
  const TensorOut tensor{.name = "d",
                         .type = DType::kU8,
                         .shape = {9},
                         .bytes = std::as_bytes(std::span(digits))};
  WriteNpz(path, {&tensor, 1});
  const std::string file = ReadFile(path);
  const std::string npy = EncodeNpy(tensor);
  // Local header 30 bytes and the name; directory 46 and the name; end 22.
  ASSERT_EQ(file.size(), 35 + npy.size() + 51 + 22);
  EXPECT_EQ(file.substr(0, 14), "PK\x03\x04\x14\0\0\0\0\0\0\0\x21\0"s);
  EXPECT_EQ(file.substr(30, 5), "d.npy");
  EXPECT_EQ(file.substr(35, npy.size()), npy);
  EXPECT_EQ(file.substr(35 + npy.size(), 4), "PK\x01\x02");
  const std::string end = file.substr(file.size() - 22);
  // One entry; the directory has 51 bytes and begins behind the entry's
  // 35 + 128 + 9 = 172 = 0xac.
  ASSERT_EQ(npy.size(), 137u);
  EXPECT_EQ(end, "PK\x05\x06\0\0\0\0\x01\0\x01\0\x33\0\0\0\xac\0\0\0\0\0"s);
}

TEST(NpzTest, TheSameArraysGiveTheSameBytes) {
  const Path folder = Folder();
  WriteNpz(folder / "a.npz", Arrays());
  WriteNpz(folder / "b.npz", Arrays());
  EXPECT_EQ(ReadFile(folder / "a.npz"), ReadFile(folder / "b.npz"));
}

TEST(NpzTest, OthersReadIt) {
  if (std::system("python3 -c 'import zipfile' 2>/dev/null") != 0) {
    GTEST_SKIP() << "no python3";
  }
  const Path path = Folder() / "a.npz";
  WriteNpz(path, Arrays());
  // Names, contents and check sums by Python's own archive reader; NumPy's
  // where it is.
  const std::string script =
      "import sys, zipfile\n"
      "z = zipfile.ZipFile(sys.argv[1])\n"
      "assert z.testzip() is None\n"
      "assert z.namelist() == [\"images.npy\", \"labels.npy\"]\n"
      "assert z.read(\"images.npy\")[-6:] == bytes([1, 2, 3, 4, 5, 6])\n"
      "try:\n"
      "    import numpy\n"
      "except ImportError:\n"
      "    sys.exit(0)\n"
      "f = numpy.load(sys.argv[1])\n"
      "assert f[\"images\"].tolist() == [[1, 2, 3], [4, 5, 6]]\n"
      "assert f[\"images\"].dtype == numpy.uint8\n"
      "assert f[\"labels\"].tolist() == [-1, 258]\n";
  EXPECT_EQ(
      std::system(("python3 -c '" + script + "' " + path.string()).c_str()), 0);
}

TEST(NpzTest, RefusesATypeThatNumPyHasNot) {
  EXPECT_THROW(EncodeNpy({.name = "x", .type = DType::kBF16}), Error);
}

}  // namespace
}  // namespace sfumato::base

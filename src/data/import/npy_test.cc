#include "data/import/npy.h"

#include <gtest/gtest.h>

#include <ostream>

#include "data/import/import_testing.h"

namespace sfumato::data {
namespace {

// A version 1 file with the given dictionary.
std::string Npy(const std::string& header, const std::string& data) {
  return std::string("\x93NUMPY\x01\x00", 8) +
         static_cast<char>(header.size() & 255) +
         static_cast<char>(header.size() >> 8) + header + data;
}

std::string Header(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr +
         "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

std::string Bytes(std::initializer_list<int> values) {
  return std::string(values.begin(), values.end());
}

TEST(NpyTest, ReadsWhatNumPySaves) {
  // numpy.save of numpy.array([[1, -2, 0.5]], dtype='<f4'), byte by byte.
  const std::string file =
      std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }" +
      std::string(58, ' ') + "\n" +
      Bytes({0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f});
  const NpyArray array = ParseNpy(file, "X.npy");
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{1, 3}));
  ASSERT_EQ(array.count, 3u);
  EXPECT_EQ(array.Value(0), 1);
  EXPECT_EQ(array.Value(1), -2);
  EXPECT_EQ(array.Value(2), 0.5);
}

TEST(NpyTest, ReadsEveryTypeItKnows) {
  const struct {
    const char* descr;
    std::string data;
    double value;
  } cases[] = {
      {"<f4", Bytes({0, 0, 0x80, 0xbf}), -1},
      {"<f8", Bytes({0, 0, 0, 0, 0, 0, 0xf8, 0x3f}), 1.5},
      {"|u1", Bytes({200}), 200},
      {"<i4", Bytes({0xfe, 0xff, 0xff, 0xff}), -2},
      {"<i8", Bytes({1, 1, 0, 0, 0, 0, 0, 0}), 257},
  };
  for (const auto& c : cases) {
    const std::string file = Npy(Header(c.descr, "(1,)"), c.data);
    EXPECT_EQ(ParseNpy(file, "f").Value(0), c.value) << c.descr;
  }
}

TEST(NpyTest, TakesKeysInAnyOrderAndBothQuotes) {
  const std::string file = Npy(
      "{\"shape\":(2,),'fortran_order':False,'descr':\"|u1\"}", Bytes({1, 2}));
  EXPECT_EQ(ParseNpy(file, "f").count, 2u);
}

TEST(NpyTest, ReadsVersionTwo) {
  const std::string header = Header("|u1", "(1,)");
  const std::string file = std::string("\x93NUMPY\x02\x00", 8) +
                           static_cast<char>(header.size()) +
                           std::string(3, '\0') + header + Bytes({7});
  EXPECT_EQ(ParseNpy(file, "f").Value(0), 7);
}

TEST(NpyTest, TakesAnEmptyArray) {
  EXPECT_EQ(ParseNpy(Npy(Header("<f4", "(0, 4)"), ""), "f").count, 0u);
}

struct BadCase {
  const char* name;
  std::string file;
  std::string error;  // how it begins
};
void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

class BadNpyTest : public testing::TestWithParam<BadCase> {};

TEST_P(BadNpyTest, IsRefused) {
  const std::string error =
      ErrorOf([&] { ParseNpy(GetParam().file, "f.npy"); });
  EXPECT_EQ(error.substr(0, GetParam().error.size()), GetParam().error);
  ExpectContains(error, "f.npy");
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadNpyTest,
    testing::ValuesIn(std::vector<BadCase>{
        {"Empty", "", "bad_input: not an NPY file"},
        {"OtherMagic", "PK\x03\x04 something else",
         "bad_input: not an NPY file"},
        {"HeaderCut", Npy(Header("<f4", "(1,)"), "").substr(0, 20),
         "bad_input: a header of"},
        {"Version9", std::string("\x93NUMPY\x09\x00\x00\x00", 10),
         "unsupported: NPY version 9"},
        {"NotADictionary", Npy("[1, 2]", ""),
         "bad_input: damaged NPY header: expected '{' | f.npy@10"},
        {"UnknownKey", Npy("{'descr': '<f4', 'order': 1}", ""),
         "bad_input: damaged NPY header: 'order' where"},
        {"KeyTwice", Npy("{'descr': '<f4', 'descr': '<f4'}", ""),
         "bad_input: damaged NPY header: 'descr' where"},
        {"KeyMissing", Npy("{'descr': '<f4', 'fortran_order': False}", ""),
         "bad_input: damaged NPY header: 'descr', 'fortran_order' or 'shape'"},
        {"NotABool", Npy("{'fortran_order': 0}", ""),
         "bad_input: damaged NPY header: expected True or False"},
        {"NegativeSize", Npy(Header("|u1", "(-1,)"), ""),
         "bad_input: damaged NPY header: expected a size"},
        {"OpenString", Npy("{'descr", ""),
         "bad_input: damaged NPY header: a string is not closed"},
        {"StructuredType",
         Npy("{'descr': [('a', '<f4')], 'fortran_order': False, "
             "'shape': (1,)}",
             ""),
         "bad_input: damaged NPY header: expected a quoted string"},
        {"BigEndian", Npy(Header(">f4", "(1,)"), std::string(4, '\0')),
         "unsupported: elements of type '>f4'"},
        {"Objects", Npy(Header("|O", "(1,)"), "x"),
         "unsupported: elements of type '|O'"},
        {"FortranOrder",
         Npy("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 1)}", "x"),
         "unsupported: elements in Fortran order"},
        {"TooShort", Npy(Header("<f4", "(2,)"), std::string(7, '\0')),
         "bad_input: shape (2) of 4-byte elements does not match the 7 bytes"},
        {"TooLong", Npy(Header("|u1", "(2, 2)"), std::string(5, '\0')),
         "bad_input: shape (2, 2) of 1-byte elements does not match the 5"},
        // 2^33 * 2^31 is 2^64: the product wraps to zero.
        {"ShapeOverflows", Npy(Header("|u1", "(8589934592, 2147483648)"), ""),
         "bad_input: shape (8589934592, 2147483648)"},
        {"SizeOverflows", Npy(Header("|u1", "(18446744073709551616,)"), ""),
         "bad_input: damaged NPY header: expected a size"},
    }),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace sfumato::data

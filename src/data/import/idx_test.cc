#include "data/import/idx.h"

#include <string>
#include <vector>

#include "data/import/import_testing.h"
#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

TEST(ParseIdxTest, ViewsTheValues) {
  const std::string file = Idx({2, 3}, "abcdef");
  const IdxArray array = ParseIdx(file, "f");
  EXPECT_EQ(array.dims, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(std::string(array.data.begin(), array.data.end()), "abcdef");
}

TEST(ParseIdxTest, RefusesWhatIsNotOneArrayOfBytes) {
  const struct {
    const char* name;
    std::string file;
    std::string error;  // how it begins
  } cases[] = {
      {"short", std::string(3, '\0'), "bad_input: not an IDX file"},
      {"magic", "PK\x08\x01____", "bad_input: not an IDX file"},
      {"floats", std::string("\0\0\x0d\x01\0\0\0\0", 8),
       "bad_input: values of type 0x0d where 0x08"},
      {"no dimensions", std::string("\0\0\x08\0", 4),
       "bad_input: 0 dimensions do not fit"},
      {"cut header", std::string("\0\0\x08\x03\0\0\0\x01", 8),
       "bad_input: 3 dimensions do not fit a file of 8 bytes | f@3"},
      {"too short", Idx({2, 2}, "abc"),
       "bad_input: dimensions 2 x 2 do not match the 3 bytes that follow them "
       "| f@12"},
      {"too long", Idx({2}, "abc"), "bad_input: dimensions 2 do not match"},
      // 2^31 * 2^31 * 4 is 2^64: the product wraps to zero.
      {"overflow", Idx({0x80000000, 0x80000000, 4}, ""),
       "bad_input: dimensions 2147483648 x 2147483648 x 4 do not match"},
      {"huge beside zero", Idx({0x80000000, 0, 4}, "abcd"),
       "bad_input: dimensions 2147483648 x 0 x 4 do not match"},
  };
  for (const auto& c : cases) {
    const std::string error = ErrorOf([&] { ParseIdx(c.file, "f"); });
    EXPECT_EQ(error.substr(0, c.error.size()), c.error) << c.name;
  }
}

TEST(ParseIdxMappingTest, RefusesLinesThatAreNotNumbers) {
  EXPECT_EQ(ParseIdxMapping("0 48\n\n1 233\n", "m")[1].name, "é");
  for (const char* text : {"0 48\n1 x\n", "0 48\n256 49\n", "0 48\n-1 49\n"}) {
    const std::string error = ErrorOf([&] { ParseIdxMapping(text, "m.txt"); });
    EXPECT_TRUE(error.starts_with("bad_input: expected a label")) << text;
    EXPECT_TRUE(error.ends_with("m.txt:2")) << error;
  }
  EXPECT_EQ(ErrorOf([&] { ParseIdxMapping("\n", "m.txt"); }),
            "bad_input: the mapping file is empty | m.txt");
}

}  // namespace
}  // namespace sfumato::data

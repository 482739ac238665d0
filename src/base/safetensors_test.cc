#include "base/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"

namespace sfumato::base {
namespace {

Path Fresh(const std::string& name) {
  const Path path = Path(testing::TempDir()) / name;
  std::filesystem::remove(path);
  return path;
}

// A file by hand: eight bytes of length, the header, the data.
std::string Container(const std::string& header, const std::string& data) {
  const std::uint64_t size = header.size();
  std::string file(8, '\0');
  std::memcpy(file.data(), &size, 8);
  return file + header + data;
}

SafetensorsIndex Parse(const std::string& file) {
  return ParseSafetensors(std::as_bytes(std::span(file)), "here");
}

TEST(SafetensorsTest, ReadsAFileMadeByHand) {
  const std::string file =
      Container(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                R"("b":{"dtype":"I16","shape":[1,1],"data_offsets":[2,4]},)"
                R"("none":{"dtype":"F64","shape":[0,3],"data_offsets":[2,2]},)"
                R"("__metadata__":{"k":"v"}}   )",
                "xyzw");
  const auto index = Parse(file);
  EXPECT_EQ(index.metadata.at("k"), "v");
  ASSERT_EQ(index.tensors.size(), 3u);
  EXPECT_EQ(std::to_integer<char>(index.tensors.at("a").bytes[1]), 'y');
  EXPECT_EQ(index.tensors.at("b").type, DType::kI16);
  EXPECT_EQ(index.tensors.at("b").shape, (std::vector<std::uint64_t>{1, 1}));
  EXPECT_TRUE(index.tensors.at("none").bytes.empty());
}

TEST(SafetensorsTest, RefusesEveryKindOfDamage) {
  const auto one = [](const std::string& entry) {
    return Container("{\"a\":" + entry + "}", "xy");
  };
  const std::vector<std::pair<const char*, std::string>> cases = {
      {"empty", ""},
      {"seven bytes", "1234567"},
      {"header longer than the file", std::string(8, '\xff')},
      {"header cut", Container("{}", "").substr(0, 9)},
      {"not JSON", Container("{\"a\"", "")},
      {"not an object", Container("[]", "")},
      {"bytes without tensor", Container("{}", "x")},
      {"entry without offsets", one(R"({"dtype":"U8","shape":[2]})")},
      {"unknown type",
       one(R"({"dtype":"U9","shape":[2],"data_offsets":[0,2]})")},
      {"negative side",
       one(R"({"dtype":"U8","shape":[-2],"data_offsets":[0,2]})")},
      {"fractional side",
       one(R"({"dtype":"U8","shape":[2.0],"data_offsets":[0,2]})")},
      {"shape is no list",
       one(R"({"dtype":"U8","shape":2,"data_offsets":[0,2]})")},
      {"shape that overflows",
       one(R"({"dtype":"U8","shape":[4294967296,4294967296,2],"data_offsets":[0,2]})")},
      {"shape and offsets disagree",
       one(R"({"dtype":"U8","shape":[1],"data_offsets":[0,2]})")},
      {"offsets outside",
       one(R"({"dtype":"U8","shape":[3],"data_offsets":[0,3]})")},
      {"offsets backwards",
       one(R"({"dtype":"U8","shape":[1],"data_offsets":[2,1]})")},
      {"three offsets",
       one(R"({"dtype":"U8","shape":[2],"data_offsets":[0,1,2]})")},
      {"gap before", one(R"({"dtype":"U8","shape":[1],"data_offsets":[1,2]})")},
      {"gap behind", one(R"({"dtype":"U8","shape":[1],"data_offsets":[0,1]})")},
      {"overlap",
       Container(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                 R"("b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                 "xy")},
      {"name twice",
       Container(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                 R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                 "x")},
      {"metadata not of strings", Container(R"({"__metadata__":{"k":1}})", "")},
      {"nested without end", Container(std::string(100'000, '['), "")},
  };
  for (const auto& [name, file] : cases) {
    try {
      Parse(file);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << name;
      EXPECT_EQ(error.where(), "here") << name;
    }
  }
}

TEST(SafetensorsWriterTest, WritesWhatTheReaderReads) {
  const Path path = Fresh("written.safetensors");
  SafetensorsWriter writer(path);
  auto& bytes = writer.Add("bytes", DType::kU8, {3});
  auto& numbers = writer.Add("numbers", DType::kF64);
  for (std::uint8_t i = 0; i < 5; ++i) {  // 15 bytes: nothing stays aligned
    bytes.Append(std::span<const std::uint8_t>({i, i, i}));
    numbers.Append(i / 2.0);
  }
  writer.Add("nothing", DType::kI32, {7});
  writer.Finish({{"made_by", "test"}});
  const SafetensorsFile file(path);
  EXPECT_EQ(file.metadata().at("made_by"), "test");
  EXPECT_EQ(file.tensor("bytes").shape, (std::vector<std::uint64_t>{5, 3}));
  EXPECT_EQ(file.Get<std::uint8_t>("bytes")[14], 4);
  EXPECT_EQ(file.Get<double>("numbers")[3], 1.5);
  EXPECT_EQ(file.tensor("nothing").shape, (std::vector<std::uint64_t>{0, 7}));
  EXPECT_TRUE(file.Has("numbers"));
  EXPECT_FALSE(file.Has("other"));
  EXPECT_THROW(file.Get<float>("numbers"), Error) << "another type";
  EXPECT_THROW(file.Get<float>("other"), Error) << "no such tensor";
}

TEST(SafetensorsWriterTest, LeavesNoSpoolsAndNoHalfFile) {
  const Path folder = Path(testing::TempDir()) / "spools";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  {
    SafetensorsWriter writer(folder / "a.safetensors");
    writer.Add("x", DType::kU8);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(SafetensorsTest, WritesTensorsFromMemoryToTheByte) {
  const Path path = Fresh("from_memory.safetensors");
  const std::vector<std::uint8_t> bytes = {'x', 'y', 'z'};
  const std::vector<std::int16_t> words = {0x4241};
  const std::vector<TensorOut> tensors = {
      {"b", DType::kU8, {3, 1}, std::as_bytes(std::span(bytes))},
      {"a", DType::kI16, {}, std::as_bytes(std::span(words))},
      {"none", DType::kF64, {0, 2}, {}},
      {"ab", DType::kBool, {1}, std::as_bytes(std::span(bytes).first(1))},
  };
  WriteSafetensors(path, tensors, {{"k", "v"}});
  // Widest type first, then by name; JSON without spaces, keys sorted, padded
  // to eight.
  const std::string header =
      R"({"__metadata__":{"k":"v"},)"
      R"("a":{"data_offsets":[0,2],"dtype":"I16","shape":[]},)"
      R"("ab":{"data_offsets":[2,3],"dtype":"BOOL","shape":[1]},)"
      R"("b":{"data_offsets":[3,6],"dtype":"U8","shape":[3,1]},)"
      R"("none":{"data_offsets":[0,0],"dtype":"F64","shape":[0,2]}})";
  const std::string padding((8 - header.size() % 8) % 8, ' ');
  EXPECT_EQ(ReadFile(path), Container(header + padding, "ABxxyz"));

  const std::vector<TensorOut> other_order(tensors.rbegin(), tensors.rend());
  const Path again = Fresh("from_memory_again.safetensors");
  WriteSafetensors(again, other_order, {{"k", "v"}});
  EXPECT_EQ(ReadFile(again), ReadFile(path));

  const SafetensorsFile file(path);
  EXPECT_EQ(file.metadata().at("k"), "v");
  EXPECT_EQ(file.Get<std::uint8_t>("b")[2], 'z');
  EXPECT_EQ(Parse(ReadFile(path)).tensors.size(), 4u);
}

TEST(SafetensorsFileTest, RefusesATensorThatIsNotAligned) {
  const Path path = Fresh("crooked.safetensors");
  const std::string crooked =
      Container(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                R"("b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})",
                std::string("x\0\0\0\0", 5));
  WriteFileAtomically(path, crooked);
  const SafetensorsFile file(path);
  EXPECT_THROW(file.Get<float>("b"), Error);
}

TEST(SafetensorsWriterTest, ATensorThatCannotBeBegunIsAnError) {
  SafetensorsWriter writer("/nowhere/at/all.safetensors");
  EXPECT_THROW(writer.Add("x", DType::kU8), Error);
}

}  // namespace
}  // namespace sfumato::base

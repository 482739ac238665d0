#include "base/json_lines.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace sfumato::base {
namespace {

Path Fresh(const std::string& name) {
  const Path path = Path(testing::TempDir()) / name;
  std::filesystem::remove(path);
  return path;
}

std::vector<int> Values(std::string_view text) {
  std::vector<int> values;
  ParseJsonLines(text, "here", [&](const nlohmann::json& line, int) {
    values.push_back(line.at("v").get<int>());
  });
  return values;
}

TEST(JsonLinesTest, GivesBackWhatWasAppended) {
  const Path path = Fresh("log.jsonl");
  for (int v = 1; v <= 2; ++v) {  // the second writer appends
    JsonLinesWriter writer(path);
    writer.Append({{"v", v}});
    writer.Sync();
  }
  EXPECT_EQ(Values(ReadFile(path)), (std::vector<int>{1, 2}));
}

TEST(JsonLinesTest, DropsTheLineThatACrashCut) {
  EXPECT_EQ(Values("{\"v\":1}\n{\"v\":"), (std::vector<int>{1}));
  EXPECT_EQ(Values("{\"v\":1}\n{\"v\":2}"), (std::vector<int>{1, 2}));
  const Path path = Fresh("cut.jsonl");
  WriteFileAtomically(path, "{\"v\":1}\n{\"v\":");
  JsonLinesWriter(path).Append({{"v", 3}});
  EXPECT_EQ(Values(ReadFile(path)), (std::vector<int>{1, 3}));
}

TEST(JsonLinesTest, KeepsALastLineThatOnlyLacksItsEnd) {
  const Path path = Fresh("whole.jsonl");
  const std::string far(10'000, ' ');  // further back than one look
  WriteFileAtomically(path, "{\"v\":1}\n{\"v\":" + far + "2}");
  JsonLinesWriter(path).Append({{"v", 3}});
  EXPECT_EQ(Values(ReadFile(path)), (std::vector<int>{1, 2, 3}));
}

TEST(JsonLinesTest, NamesTheLineThatIsWrong) {
  for (const char* bad : {"{\"v\":1}\n\n[1]\n", "{\"v\":1}\n\nnonsense\n"}) {
    try {
      Values(bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.where(), "here:3");
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    }
  }
}

TEST(JsonLinesTest, SaysWhenItCannotWrite) {
  EXPECT_THROW(JsonLinesWriter("/nowhere/at/all.jsonl"), Error);
}

}  // namespace
}  // namespace sfumato::base

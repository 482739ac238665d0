#include "base/json.h"

#include <gtest/gtest.h>

#include <string>

namespace sfumato::base {
namespace {

std::string Nested(int depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(JsonTest, ReadsValuesAndDiscardsEverythingElse) {
  EXPECT_EQ(ParseJson(R"({"a": [1, null]})"),
            (nlohmann::json{{"a", {1, nullptr}}}));
  EXPECT_TRUE(ParseJson("").is_discarded());
  EXPECT_TRUE(ParseJson("{").is_discarded());
  EXPECT_TRUE(ParseJson("{} {}").is_discarded());
}

TEST(JsonTest, DiscardsWhatIsNestedTooDeeply) {
  EXPECT_FALSE(ParseJson(Nested(60)).is_discarded());
  EXPECT_TRUE(ParseJson(Nested(100)).is_discarded());
  EXPECT_TRUE(ParseJson(Nested(1'000'000)).is_discarded());
}

}  // namespace
}  // namespace sfumato::base

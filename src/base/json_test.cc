#include "base/json.h"

#include <gtest/gtest.h>

#include <string>

namespace sfumato::base {
namespace {

std::string Nested(int depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(JsonTest, AKeyGivenTwiceIsRefused) {
  // Readers disagree on which one counts, and one of them may be a cost.
  EXPECT_TRUE(ParseJson(R"({"count":1000,"count":1})").is_discarded());
  EXPECT_TRUE(ParseJson(R"({"a":{"b":1,"c":2,"b":3}})").is_discarded());
  EXPECT_EQ(ParseJson(R"({"a":{"b":1},"b":[{"b":2},{"b":3}]})")["a"]["b"], 1);
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

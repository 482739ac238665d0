#include "data/import/html_entities.h"

#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

TEST(HtmlEntityTest, KnowsEveryCornerOfTheTable) {
  const struct {
    const char* name;
    char32_t value;
  } cases[] = {
      {"AElig", 0xC6},   // the first
      {"zwnj", 0x200C},  // the last
      {"amp", '&'},      // markup
      {"apos", '\''},    // not in HTML 4.01
      {"nbsp", 0xA0},    // Latin-1
      {"Omega", 0x3A9},  // symbols; capitals are other letters
      {"omega", 0x3C9}, {"frac12", 0xBD},  // a name with digits
      {"euro", 0x20AC},                    // special characters
  };
  for (const auto& c : cases) EXPECT_EQ(HtmlEntity(c.name), c.value) << c.name;
}

TEST(HtmlEntityTest, KnowsNoOther) {
  for (const char* name : {"", "am", "ampx", "AMP", "&amp;", "zzz"}) {
    EXPECT_EQ(HtmlEntity(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace sfumato::data

#include "data/import/path_layout.h"

#include "data/import/import_testing.h"
#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

TEST(PathLayoutTest, FindsUserAndLabel) {
  struct Case {
    const char* layout;
    const char* path;
    const char* user;
    const char* label;
  };
  const Case cases[] = {
      {"{user}/{label}/{*}.png", "ann/cat/01.png", "ann", "cat"},
      {"{*}/of/{user}/{label}/{*}.png", "set/of/ann/cat/01.png", "ann", "cat"},
      {"{label}/{user}.png", "cat/ann.png", "ann", "cat"},
      {"{user}/{*}", "ann/01.any.thing", "ann", ""},
      {"{user}_{*}.pgm", "s10_3.pgm", "s10", ""},
      {"{user,label}/{label}/{*}_{user}.png", "Greek/character07/0399_12.png",
       "Greek_12", "Greek_character07"},
      {"{label,user}/{*}", "a/b", "a", "a"},
      {"person {user} ({label}).png", "person 3 (left).png", "3", "left"},
      // The first takes as much as it can.
      {"{user}_{label}.png", "a_b_c.png", "a_b", "c"},
      {"{user}__{*}", "a___b", "a_", ""},
      {"x{user}x", "xxxx", "xx", ""},
      {"{user}a{label}", "aaa", "a", "a"},
  };
  for (const Case& c : cases) {
    const auto owner = PathLayout(c.layout).Match(c.path);
    ASSERT_TRUE(owner) << c.layout << " on " << c.path;
    EXPECT_EQ(owner->user, c.user) << c.layout << " on " << c.path;
    EXPECT_EQ(owner->label, c.label) << c.layout << " on " << c.path;
  }
}

TEST(PathLayoutTest, PassesOverPathsThatDoNotFit) {
  const std::pair<const char*, const char*> cases[] = {
      {"{user}/{*}.png", "01.png"},
      {"{user}/{*}.png", "ann/01.jpg"},
      {"{user}/{*}.png", "ann/.png"},
      {"{user}_{*}.png", "_1.png"},
      {"{user}_{*}.png", "a_.png"},
      {"train/{user}", "test/ann"},
      {"x{user}x", "xx"},
      {"{user}a{label}", "ab"},
      {"s{user}/{*}", "t1/a"},
      {"{user}/{*}", ""},
      {"{user}/{*}.png", "ann/june/01.png"},
  };
  for (const auto& [layout, path] : cases) {
    EXPECT_FALSE(PathLayout(layout).Match(path)) << layout << " on " << path;
  }
}

TEST(PathLayoutTest, RefusesLayoutsThatMeanNothing) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "an empty name"},
      {"{user}//{*}", "an empty name"},
      {"/{user}", "an empty name"},
      {"{*}.png", "no {user}"},
      {"{label}", "no {user}"},
      {"{usr}", "{usr} is not one of"},
      {"{}", "{} is not one of"},
      {"{user", "a brace without its partner"},
      {"user}", "a brace without its partner"},
      {"{user}}", "a brace without its partner"},
      {"{user}{label}", "two placeholders with nothing between"},
  };
  for (const auto& [layout, says] : cases) {
    const std::string error = ErrorOf([&] { PathLayout{layout}; });
    ExpectContains(error, "bad_input: ");
    ExpectContains(error, says);
    ExpectContains(error, "--layout");
  }
}

}  // namespace
}  // namespace sfumato::data

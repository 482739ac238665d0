#include "data/import/markdown.h"

#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

TEST(MarkdownTest, LeavesTheProse) {
  const struct {
    const char* name;
    const char* in;
    const char* out;
  } cases[] = {
      {"links", "see [the docs](https://x.org/a_b) now", "see the docs now"},
      {"links with brackets", "[a](http://x/Hex_(game)) b", "a b"},
      {"titles of links", "[a](http://x \"t\") b", "a b"},
      {"tags", "the [tag:beer] and [meta-tag:bug] tags",
       "the beer and bug tags"},
      {"no link", "[edit] a [1] (b) [x] (y) []() [a](b",
       "[edit] a [1] (b) [x] "
       "(y) []() [a](b"},
      {"emphasis", "*a* **b c** ***d*** _e_ __f__.", "a b c d e f."},
      {"nested", "\"*x, **y z***\" - w", "\"x, y z\" - w"},
      {"code", "use `f()` and ``g``", "use f() and g"},
      {"sums and names", "2*3*4 a * b snake_case_name f*** **kw 5*",
       "2*3*4 a * b snake_case_name f*** **kw 5*"},
      {"signs are themselves", "a < b &amp; <sigh>", "a < b &amp; <sigh>"},
      {"lines", "a\n b ", "a\nb"},
  };
  for (const auto& c : cases) EXPECT_EQ(CommentToText(c.in), c.out) << c.name;
}

}  // namespace
}  // namespace sfumato::data

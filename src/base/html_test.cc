#include "base/html.h"

#include "gtest/gtest.h"

namespace sfumato::base {
namespace {

TEST(HtmlTest, EscapeKnowsFiveCharacters) {
  EXPECT_EQ(EscapeHtml("<a href=\"x\">R&D's</a>"),
            "&lt;a href=&quot;x&quot;&gt;R&amp;D&#39;s&lt;/a&gt;");
  EXPECT_EQ(EscapeHtml("ε against δ"), "ε against δ");
}

}  // namespace
}  // namespace sfumato::base

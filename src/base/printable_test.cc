#include "base/printable.h"

#include <gtest/gtest.h>

namespace sfumato::base {
namespace {

TEST(PrintableTest, ShowsBytesThatAreNoText) {
  EXPECT_EQ(Printable("caf\xE9s"), "caf\\xE9s");
  EXPECT_EQ(Printable("café i have"), "café i have");
  EXPECT_EQ(Printable("\xEF\xBF\xBD"), "\xEF\xBF\xBD") << "a written U+FFFD";
}

TEST(PrintableTest, TakesTheHarmOutOfHiddenCharacters) {
  EXPECT_EQ(Printable(std::string("a\0b\n\x1B[31m", 9)),
            "a\\u{0}b\\u{A}\\u{1B}[31m");
  EXPECT_EQ(Printable("\u202Eabc\u200B\uFEFF"),
            "\\u{202E}abc\\u{200B}\\u{FEFF}");
  EXPECT_EQ(Printable("x\u0085y"), "x\\u{85}y");
}

TEST(PrintableTest, CutsWhatIsLong) {
  EXPECT_EQ(Printable("ééééé", {.most = 3}), "ééé…");
  EXPECT_EQ(Printable("ééé", {.most = 3}), "ééé");
}

TEST(PrintableTest, ASecondPassChangesNothing) {
  const std::string once = Printable("\xFF\x01\u2066<b>\\");
  EXPECT_EQ(Printable(once), once);
}

}  // namespace
}  // namespace sfumato::base

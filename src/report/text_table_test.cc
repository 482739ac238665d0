#include "report/text_table.h"

#include <gtest/gtest.h>

namespace sfumato::report {
namespace {

TEST(TextTableTest, AlignsNamesLeftAndNumbersRight) {
  TextTable table({"row", "ε"});
  table.Add({"a", "10"});
  table.Add({"long", "2.5"});
  EXPECT_EQ(table.Text(),
            "row     ε\n"
            "a      10\n"
            "long  2.5\n");
}

}  // namespace
}  // namespace sfumato::report

#include "config/config_reference.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace sfumato::config {
namespace {

TEST(ConfigReferenceTest, ThePageInTheDocsIsTheTableOfKeys) {
  EXPECT_TRUE(base::ReadFile(SFUMATO_DOCS "/config.md") == ConfigReference())
      << "docs/config.md is not up to date. Write it again:\n"
         "  build/release/sfumato config --reference > docs/config.md";
}

TEST(ConfigReferenceTest, ARowHasTypeDefaultRangeAndMeaning) {
  const std::string text = ConfigReference();
  for (const char* row :
       {"\n## [cohort]\n",
        "\n| `rounds` | whole number | `100` | from 1 to 999999 | number of "
        "training rounds |\n",
        "\n| `select.above` | number | not given | at least 0 | ",
        "\n| `server.optimizer` | word | `\"sgd\"` | `sgd`, `momentum`, ",
        "\n| `device.tf32` | true or false | `true` |  | ",
        "\n| `data.path` | path | empty |  | ",
        "\n| `inspect.question` | text | empty |  | "}) {
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace sfumato::config

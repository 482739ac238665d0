// The README's tour, as a newcomer pastes it.

#include <cstdlib>
#include <sstream>

#include "training_testing.h"

namespace sfumato {
namespace {

class TourSlowTest : public TrainingFixture {
 protected:
  // The lines behind "$ " of the README's console blocks, but for those that
  // say where the program and the folder are.
  static std::vector<std::string> Lines() {
    std::istringstream readme(base::ReadFile(SFUMATO_README));
    std::vector<std::string> lines;
    bool inside = false;
    for (std::string line; std::getline(readme, line);) {
      if (line.starts_with("```")) inside = line == "```console";
      if (!inside || !line.starts_with("$ ")) continue;
      line = line.substr(2);
      if (line.starts_with("export PATH=") || line.starts_with("cd ")) continue;
      lines.push_back(line);
    }
    return lines;
  }
};

TEST_F(TourSlowTest, EveryCommandWorksInAnEmptyFolder) {
  const std::string path =
      "export PATH=" + fs::path(SFUMATO_PROGRAM).parent_path().string() +
      ":$PATH && cd " + folder_.string() + " && ";
  const std::vector<std::string> lines = Lines();
  ASSERT_GT(lines.size(), 15u);
  for (const std::string& line : lines) {
    ASSERT_EQ(std::system((path + "{ " + line + "; } > said 2>&1").c_str()), 0)
        << line << "\n"
        << Read("said");
  }
  // It ends with a run whose privacy means something, and that has learned.
  const nlohmann::json last = Metrics("first").back();
  EXPECT_LT(last.at("epsilon"), 3.0);
  EXPECT_GT(last.at("test_accuracy"), 0.3);
  EXPECT_TRUE(fs::exists(folder_ / "look/report.html"));
  EXPECT_TRUE(fs::exists(folder_ / "look/report_steward.html"));
}

}  // namespace
}  // namespace sfumato

#include "app/built_in_configs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/command_line.h"
#include "app/command_testing.h"
#include "base/error.h"
#include "base/file.h"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;

class BuiltInConfigsTest : public CommandTest {};

TEST_F(BuiltInConfigsTest, EveryConfigIsReadByItsNameInAnyFolder) {
  ASSERT_GE(ConfigFiles().size(), 20u);
  for (const std::string& name : ConfigNames()) {
    const config::TrainConfig config = ReadConfig(name, {});
    EXPECT_EQ(ReadConfig(name + ".toml", {}), config) << name;
    EXPECT_EQ(ReadConfig("configs/" + name + ".toml", {}), config) << name;
    EXPECT_FALSE(CommentOf(*FindConfig(name)).empty()) << name;
  }
  EXPECT_EQ(ReadConfig("quick", {"rounds=3"}).rounds, 3);
}

TEST_F(BuiltInConfigsTest, AFileOfTheNameComesFirstAndAFolderDoesNot) {
  fs::create_directories("configs");
  base::WriteFileAtomically("configs/quick.toml",
                            "rounds = 7\nprivacy.epsilon = 1\n"
                            "data.generate = \"handwriting\"\n");
  EXPECT_EQ(ReadConfig("configs/quick.toml", {}).rounds, 7);
  fs::create_directories("quick");  // somebody's run
  EXPECT_EQ(ReadConfig("quick", {}).name, "quick");
  base::WriteFileAtomically("mnist_dp",
                            "rounds = 9\nprivacy.epsilon = 1\n"
                            "data.generate = \"handwriting\"\n");
  EXPECT_EQ(ReadConfig("mnist_dp", {}).rounds, 9);
}

TEST_F(BuiltInConfigsTest, MistypedNamesGetTheNearestOne) {
  const auto todo = [](const std::string& name) {
    try {
      ReadConfig(name, {});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      EXPECT_EQ(error.where(), name);
      return error.todo();
    }
    ADD_FAILURE() << "nothing was thrown";
    return std::string();
  };
  EXPECT_EQ(todo("quik"), "did you mean the built-in 'quick'?");
  EXPECT_EQ(todo("configs/quik.toml"), "did you mean the built-in 'quick'?");
  EXPECT_NE(todo("/nowhere/at_all.toml").find("sfumato config"),
            std::string::npos);
}

TEST_F(BuiltInConfigsTest, TheCommandListsThemAndPrintsOneThatReadsBack) {
  const Result list = RunCommandLine(Words("config"));
  for (const std::string& name : ConfigNames()) {
    EXPECT_NE(list.out.find(name + " "), std::string::npos) << name;
  }
  const Result shown = RunCommandLine(Words("config quick"));
  ASSERT_EQ(shown.exit_code, 0);
  EXPECT_EQ(config::ParseTrainConfig(shown.out, "out"),
            ReadConfig("quick", {}));
  EXPECT_EQ(RunCommandLine(Words("config quik")).exit_code, 2);
}

}  // namespace
}  // namespace sfumato::app

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "app/command_line.h"
#include "app/command_testing.h"
#include "base/file.h"
#include "nlohmann/json.hpp"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result Sfumato(const std::string& line) {
  return RunCommandLine(Words(line + " --quiet"));
}

class DataCommandsTest : public CommandTest {
 protected:
  static void Write(const std::string& name, const std::string& text) {
    fs::create_directories(fs::absolute(name).parent_path());
    std::ofstream(name, std::ios::binary) << text;
  }
  // As if the generated set were people's.
  static void Declare(const std::string& set, const std::string& origin) {
    json description = Description(set);
    description["origin"] = origin;
    description["declared"] = true;
    description["id"] = std::string(32, '1');
    Write(set + "/dataset.json", description.dump());
  }
  static json Description(const std::string& set) {
    return json::parse(base::ReadFile(set + "/dataset.json"));
  }
};

TEST_F(DataCommandsTest, ClassesAreListedOrReadFromAFile) {
  Write("a.csv", "who,what,x\nann,cat,1\nbob,a dog,2\n");
  Write("classes", "cat\r\na dog\n");
  const std::string import =
      "data import table a.csv --user who --label what --out ";
  ASSERT_EQ(Sfumato(import + "listed --classes cat,dog").exit_code, 0);
  EXPECT_EQ(Description("listed")["classes"], json({"cat", "dog"}));
  EXPECT_EQ(Description("listed")["declared"], true);
  ASSERT_EQ(Sfumato(import + "read --classes @classes").exit_code, 0);
  EXPECT_EQ(Description("read")["classes"], json({"cat", "a dog"}));
  const Result none = Sfumato(import + "none");
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_NE(none.out.find("no labels were kept"), std::string::npos);
  EXPECT_EQ(none.out.find("ann"), std::string::npos);
  EXPECT_EQ(Sfumato(import + "bad --classes a,,b").exit_code, 2);
  EXPECT_EQ(Sfumato(import + "bad --classes @missing").exit_code, 2);
  EXPECT_FALSE(fs::exists("bad"));
}

TEST_F(DataCommandsTest, ThePublicAnswerNamesTheFirstUsers) {
  for (const char* user : {"a", "b", "c", "d", "e", "f"}) {
    Write(std::string("in/") + user + "/1.pgm", "P5 1 1 255\nx");
  }
  const Result answer = Sfumato("data import folders in --public --out set");
  EXPECT_NE(answer.out.find("6 users, 6 examples"), std::string::npos);
  EXPECT_NE(answer.out.find("users: a, b, c, d, e, "), std::string::npos)
      << answer.out;
  EXPECT_EQ(Sfumato("data import folders in --out own").out.find("a, b"),
            std::string::npos);
}

TEST_F(DataCommandsTest, OneIsNotSeveral) {
  Write("a.csv", "who,x\nann,1\n");
  const Result answer = Sfumato(
      "data import table a.csv --user who --label none --public --out set");
  EXPECT_NE(answer.out.find("set: 1 user, 1 example"), std::string::npos)
      << answer.out;
  EXPECT_NE(Sfumato("data make handwriting --users 1 --mean-examples 5 --out p")
                .out.find("p: 1 user, "),
            std::string::npos);
}

TEST_F(DataCommandsTest, UsersOfPrivateSetsAreNotMadeUp) {
  Write("a.csv", "who,x\nann,1\nbob,2\n");
  ASSERT_EQ(
      Sfumato("data import table a.csv --user who --label none --out people")
          .exit_code,
      0);
  ASSERT_EQ(
      Sfumato("data import table a.csv --label none --out pool").exit_code, 2)
      << "'ann' is not a number";
  Write("b.csv", "1,2\n3,4\n");
  ASSERT_EQ(
      Sfumato("data import table b.csv --label none --out pool").exit_code, 0);
  for (const char* line : {"data split people --regroup --users 2 --out s",
                           "data split pool --users 2 --out s"}) {
    const Result refused = Sfumato(line);
    EXPECT_EQ(refused.exit_code, 4) << line;
    EXPECT_NE(refused.err.find("protect nobody"), std::string::npos)
        << refused.err;
  }
  EXPECT_FALSE(fs::exists("s"));
}

TEST_F(DataCommandsTest, AbsurdSizesAreRefusedBeforeAnythingIsMade) {
  const Result images = Sfumato(
      "data make handwriting --users 10000000 --mean-examples 100000 --out p");
  EXPECT_EQ(images.exit_code, 6);
  // 10^7 users × 10^5 images × 788 bytes.
  EXPECT_NE(images.err.find("788 TB are needed"), std::string::npos)
      << images.err;
  EXPECT_EQ(Sfumato("data make forum --users 999999999999 --out p").exit_code,
            2);
  EXPECT_EQ(Entries(), 0u);
}

// A plan that is admitted as one closes its population: somebody has to know.
TEST_F(DataCommandsTest, AVocabularyThatFitsOnlyAsAPlanSaysSo) {
  ASSERT_EQ(Sfumato("data make forum --users 40 --out people").exit_code, 0);
  Declare("people", "private");
  const auto grant = [](const std::string& file, double epsilon) {
    return Sfumato("ledger create " + file + " --population people --delta " +
                   "1e-5 --epsilon " + std::to_string(epsilon))
        .exit_code;
  };
  ASSERT_EQ(grant("wide.sqlite", 100), 0);
  const std::string choose =
      "data vocabulary people --noise 0.5 --words-a-user 100 --out ";
  const std::string wide = choose + "w --ledger wide.sqlite --dry-run";
  EXPECT_NE(Sfumato(wide).out.find("% taken before, "), std::string::npos)
      << Sfumato(wide).out;
  const double alone =
      json::parse(Sfumato(wide + " --json").out)["price"]["epsilon"];
  ASSERT_EQ(grant("ledger.sqlite", alone * 1.01), 0);
  const Result dry = Sfumato(choose + "w --dry-run");
  EXPECT_NE(dry.out.find("fits only as a plan"), std::string::npos) << dry.out;
  Sfumato(choose + "w --yes");
  const Result again = Sfumato(choose + "v --yes");
  EXPECT_EQ(again.exit_code, 3);
  EXPECT_NE(again.err.find("only that plan can be carried out"),
            std::string::npos)
      << again.err;
  EXPECT_EQ(again.err.find("more noise"), std::string::npos) << again.err;
}

// A look is entered when somebody looks, not when a name is wrong.
TEST_F(DataCommandsTest, APictureThatCannotBeIsNoLook) {
  ASSERT_EQ(Sfumato("data make handwriting --users 3 --out people").exit_code,
            0);
  Declare("people", "private");
  ASSERT_EQ(Sfumato("ledger create ledger.sqlite --population people "
                    "--epsilon 1 --delta 1e-5")
                .exit_code,
            0);
  Write("there.png", "mine");
  for (const char* picture : {"picture.txt", "there.png"}) {
    EXPECT_EQ(Sfumato(std::string("data show people --look-at-private-records "
                                  "--picture ") +
                      picture)
                  .exit_code,
              2)
        << picture;
  }
  EXPECT_EQ(base::ReadFile("there.png"), "mine");
  EXPECT_FALSE(fs::exists("picture.txt"));
  EXPECT_TRUE(json::parse(Sfumato("ledger show ledger.sqlite --json").out)
                  .at("looks")
                  .empty());
}

}  // namespace
}  // namespace sfumato::app

#include "app/command_line.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "app/command.h"
#include "app/command_testing.h"
#include "base/file.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result Sfumato(const std::string& line) { return RunCommandLine(Words(line)); }

class CommandLineTest : public CommandTest {};

TEST_F(CommandLineTest, AloneItSaysInTenLinesWhatThereIs) {
  const Result result = Sfumato("");
  EXPECT_EQ(result.exit_code, 0);
  for (const char* name : {"demo", "inspect", "report", "train", "resume",
                           "sample", "data", "privacy", "ledger", "doctor"}) {
    EXPECT_NE(result.out.find(name), std::string::npos) << name;
  }
  EXPECT_LE(std::count(result.out.begin(), result.out.end(), '\n'), 10);
}

TEST_F(CommandLineTest, EveryCommandHasHelpWithAnExample) {
  ASSERT_GE(Commands().size(), 14u);
  for (const Command& command : Commands()) {
    const Result result = Sfumato(command.path + " --help");
    EXPECT_EQ(result.exit_code, 0) << command.path;
    EXPECT_NE(result.out.find("Example:"), std::string::npos) << command.path;
    EXPECT_NE(result.out.find("sfumato " + command.path), std::string::npos)
        << command.path;
    for (const char* option : {"--json", "--quiet", "--seed"}) {
      EXPECT_NE(result.out.find(option), std::string::npos)
          << command.path << " " << option;
    }
  }
  EXPECT_EQ(Sfumato("help data describe").out,
            Sfumato("data describe --help").out);
}

// A group is listed with what it is for, as a command is.
TEST_F(CommandLineTest, NothingInTheListsIsWithoutWords) {
  std::set<std::string> groups = {""};
  for (const Command& command : Commands()) {
    const auto words = Words(command.path);
    std::string path;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      path += (path.empty() ? "" : " ") + words[i];
      groups.insert(path);
    }
  }
  ASSERT_TRUE(groups.contains("demo"));
  for (const std::string& group : groups) {
    std::istringstream lines(Sfumato(group + " --help").out);
    bool listed = false;
    for (std::string line; std::getline(lines, line);) {
      if (listed && line.starts_with("  ")) {
        EXPECT_GE(Words(line).size(), 3u) << group << ": " << line;
      }
      listed = listed || line.starts_with("Subcommands:");
    }
    EXPECT_TRUE(listed) << group;
  }
}

TEST_F(CommandLineTest, OptionsOfCommandsBeforeOneSayWhereTheyBelong) {
  for (const char* option : {"--json", "--quiet", "-q", "--seed"}) {
    const Result result = Sfumato(std::string(option) + " data describe set");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(
        result.err.find(fmt::format("'{}' is an option of commands", option)),
        std::string::npos)
        << result.err;
  }
}

// Every line of every example: the program's own here, others by a shell. Only
// TensorFlow Federated's files cannot be made by a line of shell.
TEST_F(CommandLineTest, ExamplesWorkWhenPasted) {
  for (const Command& command : Commands()) {
    if (command.path.starts_with("data import tff")) continue;
    // tests/training_slow_test.cc pastes what trains.
    if (command.needs_torch || command.example.starts_with("sfumato train ")) {
      continue;
    }
    std::istringstream lines(command.example);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("sfumato ")) {
        ASSERT_EQ(std::system(line.c_str()), 0) << line;
        continue;
      }
      const std::string words = line.substr(8, line.find(" > ") - 8);
      const Result result = Sfumato(words + " --quiet");
      EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.err;
    }
    for (const auto& entry : fs::directory_iterator(".")) {
      fs::remove_all(entry);
    }
  }
}

// Words as a shell parts them; quotes hold some together.
std::vector<std::string> ShellWords(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (const char c : line + " ") {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      open = true;
    } else if (c == ' ') {
      if (open || !word.empty()) words.push_back(word);
      word.clear();
      open = false;
    } else {
      word += c;
    }
  }
  return words;
}

// The commands in the code blocks of a page.
std::vector<std::string> CommandsIn(const fs::path& page) {
  std::istringstream text(base::ReadFile(page));
  std::vector<std::string> commands;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```")) inside = !inside;
    if (line.starts_with("$ ")) line = line.substr(2);
    if (inside && line.starts_with("sfumato ")) {
      commands.push_back(line.substr(8, line.find(" #") - 8));
    }
  }
  return commands;
}

TEST_F(CommandLineTest, EveryCommandOfTheDocsIsKnownWithItsOptions) {
  std::vector<fs::path> pages = {fs::path(SFUMATO_SOURCE) / "README.md"};
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(SFUMATO_SOURCE) / "docs")) {
    // What architecture.md has in its blocks is a drawing.
    if (entry.path().extension() == ".md" &&
        entry.path().stem() != "architecture") {
      pages.push_back(entry.path());
    }
  }
  int checked = 0;
  for (const fs::path& page : pages) {
    for (const std::string& line : CommandsIn(page)) {
      SCOPED_TRACE(page.filename().string() + ": " + line);
      std::vector<std::string> words = ShellWords(
          line.substr(0, std::min(line.find(" > "), line.find(" | "))));
      for (const std::string& word : words) {
        if (!word.starts_with("configs/")) continue;
        EXPECT_TRUE(fs::exists(fs::path(SFUMATO_SOURCE) / word)) << word;
      }
      words.push_back("--help");
      const Result result = RunCommandLine(words);
      EXPECT_EQ(result.exit_code, 0) << result.err;
      ++checked;
    }
  }
  EXPECT_GT(checked, 50);
}

TEST_F(CommandLineTest, MistypedWordsGetTheNearestKnownOne) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"dat describe x", "did you mean 'data'?"},
      {"data descibe x", "did you mean 'describe'?"},
      {"data make handwritting --out x", "did you mean 'handwriting'?"},
      {"data make handwriting --user 3 --out x", "did you mean '--users'?"},
      {"data make handwriting --ouut x", "did you mean '--out'?"},
      {"data split x --out y --users 2 --scheme dirichle",
       "did you mean 'dirichlet'?"},
      {"--hlp", "did you mean '--help'?"},
  };
  for (const auto& [line, advice] : cases) {
    const Result result = Sfumato(line);
    EXPECT_EQ(result.exit_code, 2) << line;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_NE(result.err.find(advice), std::string::npos) << line << "\n"
                                                          << result.err;
  }
}

TEST_F(CommandLineTest, JsonIsOneObjectOnSuccessAndOnFailure) {
  const Result good =
      Sfumato("data make handwriting --users 2 --out people --json --quiet");
  ASSERT_EQ(good.exit_code, 0) << good.err;
  const json made = json::parse(good.out);
  EXPECT_EQ(made.at("schema"), "sfumato.result/1");
  EXPECT_EQ(made.at("ok"), true);
  EXPECT_EQ(made.at("command"), "data make handwriting");
  EXPECT_EQ(made.at("users"), 2);

  const json described =
      json::parse(Sfumato("data describe people --json --quiet").out);
  EXPECT_EQ(described.at("kind"), "images");
  EXPECT_EQ(described.at("users"), 2);
  EXPECT_EQ(described.at("classes"), 62);
  EXPECT_EQ(described.at("examples"), made.at("examples"));

  const Result bad = Sfumato("data describe nowhere --json");
  EXPECT_EQ(bad.exit_code, 2);
  const json error = json::parse(bad.out);
  EXPECT_EQ(error.at("ok"), false);
  EXPECT_EQ(error.at("error").at("kind"), "bad_input");
  EXPECT_EQ(error.at("error").at("where"), "nowhere");
  EXPECT_FALSE(error.at("error").at("todo").get<std::string>().empty());
}

TEST_F(CommandLineTest, BadInputExitsWithTwoAndLeavesNothing) {
  const std::string lines[] = {
      "data",
      "data make",
      "data make handwriting",
      "data make handwriting --users 0 --out x",
      "data make handwriting --users -1 --out x",
      "data make handwriting --users many --out x",
      "data make handwriting --users 3 --mean-examples nan --out x",
      "data make handwriting --users 3 --seed x --out x",
      "data import idx nowhere --out x",
      "data import tff-emnist nowhere.h5 --out x",
      "data import tff-stackoverflow nowhere.h5 --out x",
      "data import leaf nowhere.json --out x",
      "data import stackexchange nowhere --out x",
      "data import folders nowhere --out x",
      "data import folders nowhere --size 28 --out x",
      "data import folders nowhere --size 0x28 --out x",
      "data import folders nowhere --size 28x28x --out x",
      "data import text nowhere.txt --out x",
      "data import table nowhere.csv --out x",
      "data split nowhere --users 2 --out x",
      "data bug nowhere --bug invert --out x",
      "data show nowhere",
      "data show nowhere --users 0",
      "data make forum --users 3 --seed -1 --out x",
      "data make forum --users 3 --seed 18446744073709551616 --out x",
      "data make forum --users 3 --out " + std::string(300, 'x'),
      "doctor --seconds -1",
  };
  for (const std::string& line : lines) {
    const Result result = Sfumato(line);
    EXPECT_EQ(result.exit_code, 2) << line << "\n" << result.err;
    EXPECT_TRUE(result.err.starts_with("error: ")) << line;
    EXPECT_EQ(Entries(), 0u) << line;
  }
}

TEST_F(CommandLineTest, BadBugsAndSplitsAreRefusedByName) {
  ASSERT_EQ(
      Sfumato("data make handwriting --users 3 --out people -q").exit_code, 0);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"data bug people --bug invrt --out x", "did you mean 'invert'?"},
      {"data bug people --bug join --out x", "text"},
      {"data bug people --bug invert --share 2 --out x", "share"},
      {"data bug people --bug invert --share nan --out x", "share"},
      {"data bug people --bug rotate --set degres=90 --out x",
       "did you mean 'degrees'?"},
      {"data bug people --bug rotate --set 90 --out x", "NAME=NUMBER"},
      {"data split people --users 2 --out x", "regroup"},
      {"data split people --users 2 --regroup --only split --out x",
       "COLUMN=VALUE"},
      {"data make forum --users 1 --out people", "already exists"},
  };
  for (const auto& [line, word] : cases) {
    const Result result = Sfumato(line);
    EXPECT_EQ(result.exit_code, 2) << line;
    EXPECT_NE(result.err.find(word), std::string::npos) << line << "\n"
                                                        << result.err;
    EXPECT_EQ(Entries(), 1u) << line;
  }
}

TEST_F(CommandLineTest, TheSeedDecidesAndMayComeFromTheEnvironment) {
  ASSERT_EQ(Sfumato("data make forum --users 2 --seed 5 --out a -q").exit_code,
            0);
  setenv("SFUMATO_SEED", "5", 1);
  ASSERT_EQ(Sfumato("data make forum --users 2 --out b -q").exit_code, 0);
  ASSERT_EQ(Sfumato("data make forum --users 2 --seed 6 --out c -q").exit_code,
            0);
  unsetenv("SFUMATO_SEED");
  const auto bytes = [](const char* name) {
    return base::ReadFile(base::Path(name) / "data.safetensors");
  };
  EXPECT_TRUE(bytes("a") == bytes("b"));
  EXPECT_FALSE(bytes("a") == bytes("c")) << "a flag wins over the environment";
}

TEST_F(CommandLineTest, CompletionKnowsEveryCommandAndOption) {
  const auto next = NextWords();
  const auto has = [&](const std::string& path, const std::string& word) {
    const auto& words = next.at(path);
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  EXPECT_TRUE(has("", "data"));
  EXPECT_TRUE(has("data", "describe"));
  EXPECT_TRUE(has("data make handwriting", "--users"));
  EXPECT_TRUE(has("data make handwriting", "--json"));
  EXPECT_FALSE(has("data describe", "--users"));
  base::WriteFileAtomically("complete.bash", Sfumato("completion").out +
                                                 R"(
COMP_WORDS=(sfumato do) COMP_CWORD=1
_sfumato
[[ ${COMPREPLY[*]} == doctor ]] || exit 3
COMP_WORDS=(sfumato data make f) COMP_CWORD=3
_sfumato
[[ ${COMPREPLY[*]} == forum ]] || exit 1
COMP_WORDS=(sfumato data bug people --sh) COMP_CWORD=4
_sfumato
[[ ${COMPREPLY[*]} == --share ]] || exit 2
COMP_WORDS=(sfumato data describe "") COMP_CWORD=3
_sfumato
[[ -z ${COMPREPLY[*]} ]] || exit 4
)");
  EXPECT_EQ(std::system("bash complete.bash"), 0);
}

TEST_F(CommandLineTest, ShowReplacesNothingAndFindsTheBug) {
  ASSERT_EQ(Sfumato("data make handwriting --users 9 --out a -q").exit_code, 0);
  ASSERT_EQ(Sfumato("data bug a --bug mirror --share 0.3 --exact --out b -q")
                .exit_code,
            0);
  const Result found =
      Sfumato("data show b --only bug_mirror=yes --json --quiet");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_EQ(json::parse(found.out).at("users").size(), 3u);
  EXPECT_EQ(json::parse(found.out).at("picture"), "grid.png");
  EXPECT_EQ(json::parse(Sfumato("data show b --json -q").out).at("picture"),
            "grid-2.png");
  for (const std::string taken : {"b/data.safetensors", "grid.png", "b"}) {
    const Result result = Sfumato("data show b -q --picture " + taken);
    EXPECT_EQ(result.exit_code, 2) << taken;
  }
  EXPECT_EQ(Sfumato("data describe b -q").exit_code, 0);
}

TEST_F(CommandLineTest, TextOfOthersCannotSteerTheTerminal) {
  base::WriteFileAtomically("t.jsonl",
                            "{\"user\":\"a\",\"text\":\"x \\u001b[2J y\"}\n");
  ASSERT_EQ(Sfumato("data import text t.jsonl --public --out t -q").exit_code,
            0);
  const Result shown = Sfumato("data show t -q");
  EXPECT_EQ(shown.out.find('\x1b'), std::string::npos);
  EXPECT_NE(shown.out.find("x ?[2J y"), std::string::npos) << shown.out;
}

TEST_F(CommandLineTest, WordsOfAnotherPipelineAreImportedAndShownAsTheyAre) {
  base::WriteFileAtomically("t.jsonl",
                            "{\"user\":\"a\",\"text\":\"i\\u00a0have IT\"}\n");
  ASSERT_EQ(Sfumato("data import text t.jsonl --public --tokens --out w -q")
                .exit_code,
            0);
  ASSERT_EQ(Sfumato("data import text t.jsonl --public --out t -q").exit_code,
            0);
  // Where the terminal knows ASCII only, the mark is "_".
  const auto marked = [](const std::string& shown) {
    return shown.find("i\u2423have IT") != std::string::npos ||
           shown.find("i_have IT") != std::string::npos;
  };
  EXPECT_TRUE(marked(Sfumato("data show w -q").out));
  EXPECT_FALSE(marked(Sfumato("data show t -q").out));
  EXPECT_EQ(
      Sfumato("data import text t.jsonl --tokens --cut sentences --out x -q")
          .exit_code,
      2);
}

TEST_F(CommandLineTest, RefusesWhatTheDiskCannotHold) {
  const Result result = Sfumato(
      "data make handwriting --users 10000000 --mean-examples 100000 --out x");
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_EQ(Entries(), 0u);
}

TEST_F(CommandLineTest, DamagedSetsExitWithFive) {
  ASSERT_EQ(Sfumato("data make forum --users 2 --out set -q").exit_code, 0);
  fs::resize_file("set/data.safetensors",
                  fs::file_size("set/data.safetensors") - 1);
  EXPECT_EQ(Sfumato("data describe set").exit_code, 5);
}

}  // namespace
}  // namespace sfumato::app

// The program as a user meets it: a process, signals, full disks, locales.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "nlohmann/json.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string(test->test_suite_name()) + "." + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  // Starts the program in the test's folder, stdout and stderr into files.
  pid_t Start(const std::vector<std::string>& words,
              const std::string& out = "out", const char* locale = "C.UTF-8") {
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder_.c_str()) != 0) _exit(99);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), 1);
    dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
    setenv("LC_ALL", locale, 1);
    std::vector<char*> arguments = {const_cast<char*>("sfumato")};
    for (const std::string& word : words) {
      arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    execv(SFUMATO_PROGRAM, arguments.data());
    _exit(98);
  }

  // The exit code, or minus the signal that ended the process.
  static int Wait(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  int Sfumato(const std::vector<std::string>& words) {
    return Wait(Start(words));
  }
  std::string Read(const std::string& name) {
    return base::ReadFile(folder_ / name);
  }

  std::vector<std::string> Leavings() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename();
      if (name != "out" && name != "err") names.push_back(name);
    }
    return names;
  }

  // Starts a command that takes long and waits until it writes.
  pid_t StartLong() {
    const pid_t child =
        Start({"data", "make", "forum", "--users", "50000", "--out", "big"});
    for (int i = 0; i < 1000 && Leavings().empty(); ++i) {
      std::this_thread::sleep_for(10ms);
    }
    EXPECT_FALSE(Leavings().empty());
    return child;
  }

  fs::path folder_;
};

TEST_F(ProgramTest, CtrlCLeavesNothingHalfWritten) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t child = StartLong();
    kill(child, signal);
    EXPECT_EQ(Wait(child), 128 + signal);
    EXPECT_TRUE(Leavings().empty());
    EXPECT_TRUE(Read("err").starts_with("error: ") ||
                Read("err").find("\nerror: ") != std::string::npos);
  }
}

TEST_F(ProgramTest, WhatAKilledProcessLeftIsSweptByTheNext) {
  const pid_t child = StartLong();
  kill(child, SIGKILL);
  EXPECT_EQ(Wait(child), -SIGKILL);
  EXPECT_FALSE(fs::exists(folder_ / "big"));
  EXPECT_EQ(Sfumato({"data", "make", "forum", "--users", "2", "--out", "big"}),
            0);
  EXPECT_EQ(Leavings(), (std::vector<std::string>{"big"}));
}

TEST_F(ProgramTest, AnAnswerThatCannotBeWrittenIsAnError) {
  EXPECT_EQ(Wait(Start({"--version"}, "/dev/full")), 6);
}

TEST_F(ProgramTest, SaysNothingBeyondAsciiInTheCLocale) {
  for (const char* locale : {"C", "C.UTF-8"}) {
    ASSERT_EQ(Wait(Start({}, "out", locale)), 0);
    const std::string text = Read("out");
    const bool ascii = std::all_of(text.begin(), text.end(), [](char c) {
      return static_cast<unsigned char>(c) < 128;
    });
    EXPECT_EQ(ascii, std::string(locale) == "C") << text;
  }
}

TEST_F(ProgramTest, QuietAndJsonKeepTheStreamsClean) {
  ASSERT_EQ(Sfumato({"demo", "--json", "--quiet", "--out", "d"}), 0);
  EXPECT_EQ(Read("err"), "");
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_TRUE(fs::exists(folder_ / answer.at("page").get<std::string>()));
  const std::string page = Read("d/index.html");
  EXPECT_LT(page.size(), 1'000'000u);
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST_F(ProgramTest, DoctorMeasuresWhatIsThere) {
  ASSERT_EQ(Sfumato({"doctor", "--json", "--seconds", "0.05"}), 0);
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_TRUE(answer.at("problems").is_array());
  EXPECT_GT(answer.at("disk_gb"), 0.0);
#if SFUMATO_HAS_TORCH
  ASSERT_TRUE(answer.at("torch").is_string()) << answer.dump();
  EXPECT_GT(answer.at("blas").at("gflops"), 0.0);
  EXPECT_TRUE(answer.at("parts").at("torch"));
#else
  EXPECT_TRUE(answer.at("torch").is_null());
#endif
}

}  // namespace
}  // namespace sfumato

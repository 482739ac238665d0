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
#include "program_testing.h"

namespace sfumato {
namespace {

using namespace std::chrono_literals;

class ProgramTest : public ProgramFixture {
 protected:
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
  EXPECT_EQ(Wait(Start({"--version"}, "")), 6);
}

// Long enough for lines of progress.
TEST_F(ProgramTest, AStderrThatTakesNothingStopsNoWork) {
  const std::vector<std::string> words = {"data",    "make", "handwriting",
                                          "--users", "3000", "--out"};
  const auto make = [&](const std::string& name) {
    std::vector<std::string> all = words;
    all.push_back(name);
    return Sfumato(all);
  };
  ASSERT_EQ(make("plain"), 0);
  ASSERT_NE(Read("err"), "") << "it was over before the first line";
  for (const std::string& err : {std::string("/dev/full"), std::string()}) {
    err_ = err;
    const std::string name = err.empty() ? "closed" : "full";
    EXPECT_EQ(make(name), 0) << name;
    // Nothing of what was said went into a file instead.
    EXPECT_EQ(Read(name + "/data.safetensors"), Read("plain/data.safetensors"))
        << name;
  }
  // A reader that went away.
  const std::string pipe = "cd " + folder_.string() +
                           " && { " SFUMATO_PROGRAM
                           " data make handwriting --users 3000 --out piped "
                           "2>&1 >/dev/null; echo $? > code; } | true";
  ASSERT_EQ(std::system(pipe.c_str()), 0);
  EXPECT_EQ(Read("code"), "0\n");
}

TEST_F(ProgramTest, NamesThatAreNotUtf8AreRefusedInOneWay) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"data", "make", "forum", "--users", "2",
                                 "--out", "caf\xe9"},
        {"ledger", "create", "x", "--population", "caf\xe9", "--epsilon", "1",
         "--delta", "1e-5"},
        {"train", "quick", "--out", "caf\xe9"},
        {"inspect", "handwriting_inspect", "--out", "caf\xe9"},
        {"report", "caf\xe9"}}) {
    EXPECT_EQ(Sfumato(words), 2) << words[0];
    EXPECT_EQ(Read("err").find("error: caf\\xE9: not UTF-8\n"), 0u)
        << Read("err");
    EXPECT_TRUE(Leavings().empty()) << words[0];
  }
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
  ASSERT_EQ(Sfumato({"demo", "people", "--json", "--quiet", "--out", "d"}), 0);
  EXPECT_EQ(Read("err"), "");
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_TRUE(fs::exists(folder_ / answer.at("page").get<std::string>()));
  const std::string page = Read("d/index.html");
  EXPECT_LT(page.size(), 1'000'000u);
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

// The same fault has one code, whether a file or a folder was to be made.
TEST_F(ProgramTest, APlaceThatCannotBeWrittenIsUnavailableToAll) {
  base::WriteFileAtomically(folder_ / "file", "");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"data", "make", "forum", "--users", "2",
                                 "--out", "file/x"},
        {"demo", "people", "--out", "file/x"},
        {"ledger", "create", "file/x", "--population", "a", "--epsilon", "1",
         "--delta", "1e-5"},
        {"privacy", "curve", "--noise", "1", "--rounds", "10", "--rate", "0.1",
         "--delta", "1e-5", "--out", "file/x.svg"}}) {
    EXPECT_EQ(Sfumato(words), 6) << words[0] << " " << words[1] << "\n"
                                 << Read("err");
  }
}

TEST_F(ProgramTest, DoctorMeasuresWhatIsThere) {
  EXPECT_EQ(Sfumato({"doctor", "--seconds", "nan"}), 2);
  ASSERT_EQ(Sfumato({"doctor", "--json", "--seconds", "0.05"}), 0);
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_TRUE(answer.at("problems").is_array());
  EXPECT_GT(answer.at("disk_gb"), 0.0);
#if SFUMATO_HAS_TORCH
  ASSERT_TRUE(answer.at("torch").is_string()) << answer.dump();
  EXPECT_GT(answer.at("blas").at("gflops"), 0.0);
  EXPECT_TRUE(answer.at("parts").at("torch"));
#ifdef __x86_64__
  if (__builtin_cpu_is("intel") && __builtin_cpu_supports("avx2") &&
      __builtin_cpu_supports("fma")) {
    // OpenBLAS's kernels for processors that it takes for old ones.
    EXPECT_EQ(answer.at("blas").at("name").get<std::string>().find("Prescott"),
              std::string::npos);
  }
#endif
#else
  EXPECT_TRUE(answer.at("torch").is_null());
#endif
}

}  // namespace
}  // namespace sfumato

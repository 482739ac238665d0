// The program as a process in a folder of its own, for tests.

#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"

namespace sfumato {

namespace fs = std::filesystem;

class ProgramFixture : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string(test->test_suite_name()) + "." + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  // Starts the program in the test's folder, stdout and stderr into files;
  // stdout is closed where `out` is "".
  pid_t Start(const std::vector<std::string>& words,
              const std::string& out = "out", const char* locale = "C.UTF-8") {
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder_.c_str()) != 0) _exit(99);
    // Both are opened before one is closed: the next file would take its place.
    const auto opened = [](const std::string& name) {
      return name.empty()
                 ? -1
                 : open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    };
    const int files[] = {opened(out), opened(err_)};
    for (const int stream : {1, 2}) {
      const int file = files[stream - 1];
      if (file < 0) {
        close(stream);
      } else {
        dup2(file, stream);
      }
    }
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

  fs::path folder_;
  std::string err_ = "err";  // where stderr goes; "": it is closed
};

}  // namespace sfumato

// What tests of commands share.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace sfumato::app {

inline std::vector<std::string> Words(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

// A folder of its own for each test, which is also the working folder.
class CommandTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string(test->test_suite_name()) + "." + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  static std::size_t Entries() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("."),
                      std::filesystem::directory_iterator()));
  }

  std::filesystem::path folder_;
  std::filesystem::path before_;
};

}  // namespace sfumato::app

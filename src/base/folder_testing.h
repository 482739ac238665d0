// A folder for each test, for tests.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>

namespace sfumato::base {

// A folder of its own for each test, which is also the working folder.
class FolderTest : public testing::Test {
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

}  // namespace sfumato::base

// What the tests of this room share.

#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/error.h"
#include "base/error_testing.h"
#include "base/file.h"

namespace sfumato::runs {

// A path of the running test's own, with nothing there.
inline base::Path FreshPath(const std::string& name = "x") {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const base::Path folder =
      base::Path(testing::TempDir()) /
      (std::string(test->test_suite_name()) + "." + test->name());
  std::filesystem::create_directories(folder);
  std::filesystem::remove_all(folder / name);
  return folder / name;
}

inline std::set<std::string> NamesIn(const base::Path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

inline bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace sfumato::runs

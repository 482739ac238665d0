// What the tests of importers share: folders to write in, and what an error
// must say. Included by tests only.

#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "data/import/import.h"
#include "gtest/gtest.h"

namespace sfumato::data {

// An empty folder of this name for the running test.
inline base::Path FreshFolder(const std::string& name) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const base::Path folder =
      base::Path(testing::TempDir()) /
      (std::string(test->test_suite_name()) + "_" + test->name() + "_" + name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

inline base::Path WriteTestFile(const base::Path& path,
                                std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

inline ImportRequest Request(std::vector<base::Path> inputs,
                             const base::Path& out) {
  ImportRequest request;
  request.inputs = std::move(inputs);
  request.out = out;
  return request;
}

// Runs `work` and returns "what | where | todo" of the Error it throws; an
// empty string, and a failure, when it throws none.
template <typename Work>
std::string ErrorOf(Work work, ErrorKind kind = ErrorKind::kBadInput) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(KindName(error.kind()), KindName(kind)) << error.what();
    return std::string(error.what()) + " | " + error.where() + " | " +
           error.todo();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

inline void ExpectContains(std::string_view text, std::string_view part) {
  EXPECT_NE(text.find(part), text.npos)
      << "'" << part << "' is not in '" << text << "'";
}

// What lies in `folder`, hidden files included: a failed import leaves neither
// its result nor something half-made beside it.
inline std::size_t CountEntries(const base::Path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(folder)) {
    ++count;
  }
  return count;
}

}  // namespace sfumato::data

// What the tests of importers share: a folder to import from and to, and what
// an error says. Included by tests only.

#pragma once

#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "data/import/import.h"
#include "gtest/gtest.h"

namespace sfumato::data {

// A folder of the running test's own that holds nothing but an empty folder
// `in`; removed at the end.
class TestFolder {
 public:
  TestFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name =
        std::string(test->test_suite_name()) + "." + test->name();
    for (char& c : name) {
      if (c == '/') c = '.';
    }
    path_ = base::Path(testing::TempDir()) / name;
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "in");
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  base::Path operator/(const base::Path& name) const { return path_ / name; }

  base::Path Write(const base::Path& name, std::string_view content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

  // A request that imports `inputs` of the folder into its folder `out`.
  ImportRequest Request(const std::vector<base::Path>& inputs = {"in"}) const {
    ImportRequest request;
    for (const base::Path& input : inputs) {
      request.inputs.push_back(path_ / input);
    }
    request.out = path_ / "out";
    request.origin = Origin::kPublic;
    return request;
  }

  // The same of private data, with classes that are declared.
  ImportRequest Private(std::optional<std::vector<std::string>> classes = {},
                        const std::vector<base::Path>& inputs = {"in"}) const {
    ImportRequest request = Request(inputs);
    request.origin = Origin::kPrivate;
    request.classes = std::move(classes);
    return request;
  }

  // Whether anything lies beside `in`, hidden files included: a failed import
  // leaves neither its result nor something half-made.
  bool HasLeftovers() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().filename() != "in") return true;
    }
    return false;
  }

 private:
  base::Path path_;
};

// "kind: what | where | todo" of the Error that `act` throws, without the last
// part when there is nothing to do; "no error" when it throws none.
inline std::string ErrorOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return std::string(KindName(error.kind())) + ": " + error.what() + " | " +
           error.where() + (error.todo().empty() ? "" : " | " + error.todo());
  }
  return "no error";
}

// Whether `act` throws base::Interrupted after Ctrl-C. In a child process, as a
// signal stays noticed for the rest of a process.
inline bool StopsWhenInterrupted(const std::function<void()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    base::WatchInterrupts();
    std::raise(SIGINT);
    try {
      act();
    } catch (const base::Interrupted&) {
      _exit(0);
    } catch (...) {
    }
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

inline void ExpectContains(std::string_view text, std::string_view part) {
  EXPECT_NE(text.find(part), text.npos)
      << "'" << part << "' is not in '" << text << "'";
}

// One gzip member holding `content`.
inline std::string Gzip(std::string_view content) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// An IDX file of bytes: its dimensions as four bytes each, the highest first.
inline std::string Idx(const std::vector<std::uint32_t>& dims,
                       const std::string& data) {
  std::string file = {'\0', '\0', '\x08', static_cast<char>(dims.size())};
  for (const std::uint32_t size : dims) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      file.push_back(static_cast<char>(size >> shift));
    }
  }
  return file + data;
}

}  // namespace sfumato::data

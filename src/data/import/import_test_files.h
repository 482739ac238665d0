// What the importers' tests share: a folder of files to import from, and what
// a failure looks like. Used by tests alone.

#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "data/import/import.h"

namespace sfumato::data {

// An empty folder of the running test's own; removed at the end.
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
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }

  base::Path operator/(const base::Path& name) const { return path_ / name; }

  base::Path Write(const base::Path& name, std::string_view content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

  // A request that imports the folder `in` into the folder `out`.
  ImportRequest Request() const {
    ImportRequest request;
    request.inputs = {path_ / "in"};
    request.out = path_ / "out";
    return request;
  }

  // Whether an import left something under `out` or beside it.
  bool HasLeftovers() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().filename() != "in") return true;
    }
    return false;
  }

 private:
  base::Path path_;
};

// "kind: what | where" of the error that `act` throws, or "no error".
inline std::string ErrorOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return std::string(KindName(error.kind())) + ": " + error.what() + " | " +
           error.where();
  }
  return "no error";
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

// Four bytes, the highest first.
inline std::string BigEndian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(value >> shift));
  }
  return bytes;
}

}  // namespace sfumato::data

// Examples on disk that come in one order and are wanted in another: a source
// that interleaves its users becomes a dataset, user after user, in memory
// that does not grow with the examples' content.
//
//   Spool spool(out);
//   const std::uint64_t record = spool.Add({.text = "hello"});
//   writer.Add(spool.Get(record));
//
// Add and Get notice Ctrl-C (base::CheckInterrupted), so that every importer
// that works through one does.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "data/dataset.h"

namespace sfumato::data {

// Examples live in one nameless file beside the target, where there is room for
// the result as well; it is gone when the process is, however that ends.
class Spool {
 public:
  // Throws Unavailable when no file can be made in the folder of `target`.
  explicit Spool(const base::Path& target);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // Returns where the example's record begins, its name for Get. Throws
  // Unavailable when it cannot be written.
  std::uint64_t Add(const Example& example);

  // An example that Add named; its views are good until the next call.
  Example Get(std::uint64_t record);

 private:
  void Flush();
  void ReadAt(std::uint64_t offset, void* to, std::size_t size);

  std::string folder_;
  int file_ = -1;
  std::uint64_t flushed_ = 0;  // bytes in the file
  std::string pending_;        // bytes to follow them

  // What the example that Get gave last views.
  std::string text_;
  std::vector<std::uint8_t> pixels_;
  std::vector<float> features_;
  std::vector<std::int32_t> columns_;
};

}  // namespace sfumato::data

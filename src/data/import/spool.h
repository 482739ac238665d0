// Records on disk that come in one order and are wanted in another: a source
// that interleaves its users becomes a dataset, user after user, in memory
// that does not grow with the examples.
//
//   data::Spool spool(out);
//   const std::uint64_t record = spool.Add(bytes);
//   std::string_view again = spool.Get(record, buffer);

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"

namespace sfumato::data {

// Records live in one nameless file beside the target, where there is room for
// the result as well; it is gone when the process is, however that ends.
class Spool {
 public:
  // Throws Unavailable when no file can be made in the folder of `target`.
  explicit Spool(const base::Path& target);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // Returns where the record begins, its name for Get. Throws Unavailable when
  // it cannot be written.
  std::uint64_t Add(std::string_view record);

  // A record that Add named, read into `buffer`; the view is `buffer`.
  std::string_view Get(std::uint64_t record, std::string& buffer);

 private:
  void Flush();
  void ReadAt(std::uint64_t offset, char* to, std::size_t size);

  std::string folder_;
  int file_ = -1;
  std::uint64_t flushed_ = 0;  // bytes in the file
  std::string pending_;        // bytes to follow them
};

}  // namespace sfumato::data

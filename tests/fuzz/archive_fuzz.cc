// Any bytes as an archive of files.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "data/import/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const int file = memfd_create("fuzz", MFD_CLOEXEC);
  if (write(file, data, size) != static_cast<ssize_t>(size)) __builtin_trap();
  try {
    sfumato::data::ForEachFile(
        "/proc/self/fd/" + std::to_string(file),
        [](const std::string& path, std::string_view) {
          if (path.empty() || path.front() == '/') __builtin_trap();
        },
        {.entries = 100, .entry_bytes = 1 << 16, .total_bytes = 1 << 18});
  } catch (const sfumato::Error&) {
  }
  close(file);
  return 0;
}

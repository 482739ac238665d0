#include "base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::base {

void RequireMemory(double bytes, const std::string& where) {
  const double all = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                     static_cast<double>(sysconf(_SC_PAGESIZE));
  if (!(bytes > all)) return;
  throw Unavailable(
      fmt::format("about {} of memory are needed and the machine has {}",
                  HumanBytes(static_cast<std::uint64_t>(std::min(bytes, 1e19))),
                  HumanBytes(static_cast<std::uint64_t>(all))),
      where, "ask for less");
}

}  // namespace sfumato::base

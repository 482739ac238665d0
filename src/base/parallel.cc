#include "base/parallel.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "base/worker_pool.h"

namespace sfumato::base {

void ForEachPart(std::size_t size,
                 const std::function<void(const Part& part)>& work) {
  const std::size_t parts = PartCount(size);
  const auto do_part = [&](int, std::size_t index) {
    const std::size_t begin = index * kPartSize;
    work({.index = index,
          .begin = begin,
          .end = std::min(begin + kPartSize, size)});
  };
  const auto alone = [&] {
    for (std::size_t index = 0; index < parts; ++index) do_part(0, index);
  };
  if (parts < 2) return alone();
  // Never destroyed: somebody may still compute when the program ends.
  static std::mutex& in_use = *new std::mutex;
  static WorkerPool& pool = *new WorkerPool({});
  static const pid_t owner = getpid();
  const std::unique_lock lock(in_use, std::try_to_lock);
  // Threads of a pool do not come along into a forked process.
  if (!lock || getpid() != owner) return alone();
  pool.Run(parts, do_part);
}

}  // namespace sfumato::base

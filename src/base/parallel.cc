#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sfumato::base {

void ForEachPart(std::size_t size,
                 const std::function<void(const Part& part)>& work) {
  const std::size_t parts = PartCount(size);
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&] {
    try {
      for (std::size_t index; (index = next++) < parts;) {
        const std::size_t begin = index * kPartSize;
        work({.index = index,
              .begin = begin,
              .end = std::min(begin + kPartSize, size)});
      }
    } catch (...) {
      const std::scoped_lock lock(failure_mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  static const std::size_t kCores = std::thread::hardware_concurrency();
  for (std::size_t i = 1; i < std::min(kCores, parts); ++i) {
    threads.emplace_back(run);
  }
  run();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace sfumato::base

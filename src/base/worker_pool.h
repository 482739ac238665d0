// Threads that stay, and the items they share.
//
//   WorkerPool pool({.threads = 4});
//   pool.Run(items.size(), [&](int worker, std::size_t item) {
//     results[item] = Compute(items[item], memory[worker]);
//   });
//
// All that computes on several cores does it here: the parts of long sums
// (parallel.h), clients of a cohort (fed/worker_pool.h), drawn text.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sfumato::base {

// The cores that this process may use.
int UsableCores();

struct WorkerPoolOptions {
  int threads = 0;  // 0: one for each core that this process may use
  // Called in each thread before its first item. Threads begin with the default
  // floating-point environment, whoever made the pool.
  std::function<void()> begin_thread = {};
  bool interruptible = false;  // Ctrl-C is noticed between items
};

class WorkerPool {
 public:
  using Work = std::function<void(int worker, std::size_t item)>;

  // Returns when every thread has begun, so that a short process does not end
  // while one still sets itself up. Throws Unavailable when the system does not
  // give that many threads.
  explicit WorkerPool(WorkerPoolOptions options);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()); }

  // Does items 0 … count-1, each once; a worker that is free takes the next.
  // When `work` throws, no further items are begun, and the first exception is
  // thrown here. REQUIRES: called by one thread at a time, and not by `work`.
  void Run(std::size_t count, const Work& work);

 private:
  void End();
  void Live(int worker);
  void DoItems(int worker);

  WorkerPoolOptions options_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  const Work* work_ = nullptr;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  std::size_t begun_ = 0;
  int wanted_ = 0;  // workers that have still to take part in this Run
  int busy_ = 0;    // those, and the ones at work
  bool ending_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace sfumato::base

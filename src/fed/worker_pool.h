// Threads that stay, each with single-threaded Torch kernels.
//
//   WorkerPool pool(0);                          // as many as there are cores
//   pool.Run(items, [&](int worker, std::size_t item) { … });
//
// On a CPU one client per core is faster than many cores per client: nothing
// has to wait for anything until the round is over. Numbers below 1e-38 are
// zero in these threads: processors take many times longer for them, and a
// model that noise has driven far out makes them by the million.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sfumato::fed {

// The cores that this process may use.
int UsableCores();

class WorkerPool {
 public:
  using Work = std::function<void(int worker, std::size_t item)>;

  // 0: one for each core that this process may use. Throws Unavailable when the
  // system does not give as many threads.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()); }

  // Does items 0 … count-1, each once; whoever is free takes the next. Autograd
  // is off in `work`. Ctrl-C is noticed between items. When `work` throws, no
  // further items are begun, and the first exception comes out here. REQUIRES:
  // called by one thread at a time, and not by `work`.
  void Run(std::size_t count, const Work& work);

 private:
  void End();
  void Live(int worker);
  void DoItems(int worker);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  const Work* work_ = nullptr;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  std::size_t call_ = 0;  // counts Run; a worker takes part once in each
  int busy_ = 0;
  bool ending_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace sfumato::fed

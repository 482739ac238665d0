#include "base/worker_pool.h"

#include <sched.h>

#include <algorithm>
#include <cfenv>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "fmt/format.h"

namespace sfumato::base {

int UsableCores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

WorkerPool::WorkerPool(WorkerPoolOptions options)
    : options_(std::move(options)) {
  const int count = options_.threads > 0 ? options_.threads : UsableCores();
  threads_.reserve(static_cast<std::size_t>(count));
  try {
    for (int worker = 0; worker < count; ++worker) {
      threads_.emplace_back([this, worker] { Live(worker); });
    }
  } catch (const std::system_error& error) {
    const std::size_t begun = threads_.size();
    End();
    throw Unavailable(fmt::format("thread {} of {} cannot be started: {}",
                                  begun + 1, count, error.code().message()),
                      "device.threads", "give fewer");
  }
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return begun_ == threads_.size(); });
}

WorkerPool::~WorkerPool() { End(); }

void WorkerPool::End() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::Run(std::size_t count, const Work& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  count_ = count;
  failure_ = nullptr;
  wanted_ = static_cast<int>(std::min(count, threads_.size()));
  busy_ = wanted_;
  for (int i = 0; i < wanted_; ++i) wake_.notify_one();
  idle_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WorkerPool::Live(int worker) {
  std::fesetenv(FE_DFL_ENV);  // a new thread has its maker's otherwise
  if (options_.begin_thread) options_.begin_thread();
  std::unique_lock lock(mutex_);
  ++begun_;
  idle_.notify_all();
  while (true) {
    wake_.wait(lock, [&] { return ending_ || wanted_ > 0; });
    if (ending_) return;
    --wanted_;
    lock.unlock();
    DoItems(worker);
    lock.lock();
    if (--busy_ == 0) idle_.notify_all();
  }
}

void WorkerPool::DoItems(int worker) {
  while (true) {
    std::size_t item = 0;
    {
      const std::lock_guard lock(mutex_);
      if (next_ == count_ || failure_) return;
      item = next_++;
    }
    try {
      if (options_.interruptible) CheckInterrupted();
      (*work_)(worker, item);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
}

}  // namespace sfumato::base

// A pool of workers for Torch: each thread has single-threaded kernels.
//
//   WorkerPool pool(/*threads=*/0);            // one for each core
//   pool.Run(items, [&](int worker, std::size_t item) { Train(item); });
//
// On a CPU one client per core is faster than many cores per client: nothing
// has to wait for anything until the round is over. Autograd is off in these
// threads, and numbers below 1e-38 are zero: processors take many times longer
// for them, and a model that noise has driven far out makes them by the
// million. Ctrl-C is noticed between items.

#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include "base/worker_pool.h"

namespace sfumato::fed {

class WorkerPool : public base::WorkerPool {
 public:
  // 0: one for each core that this process may use. Throws Unavailable when the
  // system does not give that many threads.
  explicit WorkerPool(int threads)
      : base::WorkerPool({.threads = threads,
                          .begin_thread = BeginThread,
                          .interruptible = true}) {}

 private:
  // All of it holds for the calling thread alone.
  static void BeginThread() {
    at::set_num_threads(1);
    at::GradMode::set_enabled(false);
    // Clipping bears it: what is lost is less than 2^-30 of a step of its grid
    // (dp/mechanisms/clip.h), and would have been rounded away.
    at::globalContext().setFlushDenormal(true);
  }
};

}  // namespace sfumato::fed

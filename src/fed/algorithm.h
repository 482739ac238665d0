// What an algorithm is: two verbs on the server and one on the device. The loop
// (round_loop.h) does everything between them: cohort, batches, clipping, sum,
// ledger, noise, checkpoint.
//
//   server  Broadcast     what devices get
//   device  MakeTrainer   how a group of lanes takes one step on its batches
//   server  Absorb        the released mean moves the model
//
// train/trained_model.h lists the steps to add one. What an algorithm cannot
// do: keep something on a device from round to round (a critic that never
// leaves it, as in FedGP), or release anything but a mean of clipped updates.
// Votes (PATE-FL) are another kind of release, so they need another loop beside
// this one and another file beside release/survey.h (see release/entered.h).

#pragma once

#include <ATen/ATen.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/safetensors.h"
#include "dp/mechanisms/released.h"
#include "models/batch.h"
#include "params/layout.h"
#include "runs/gate.h"

namespace sfumato::fed {

// Trains a group of clients in lockstep. One for each thread or GPU; it keeps
// the memory it works in from group to group.
class LaneTrainer {
 public:
  virtual ~LaneTrainer() = default;
  // A new group begins, at what the algorithm broadcasts now.
  virtual void Begin() = 0;
  // One step of every lane of `params` [lane, size], in place. Lanes never look
  // at each other. A lane whose weights are all 0 stays as it is.
  virtual void Step(const at::Tensor& params, const models::Batch& batch) = 0;
  // Whether the steps of a group can be recorded once and replayed on a GPU.
  virtual bool recordable() const { return true; }
  // Mean loss of each lane over its steps so far, [lane]: private.
  virtual at::Tensor losses() const = 0;
};

class Algorithm {
 public:
  Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;
  virtual ~Algorithm() = default;

  // No other algorithm of this process has or had it: cohorts keep trainers
  // from round to round by this name, not by an address that is used again.
  std::uint64_t id() const { return id_; }

  // What devices start from: [size], float, on the CPU.
  virtual at::Tensor Broadcast() const = 0;
  // What devices get besides and do not train: [size], float; undefined: none.
  // A helping rank is given what rank 0 has (SetCompanion) before each round.
  virtual at::Tensor Companion() const { return {}; }
  virtual void SetCompanion(const at::Tensor&) {}
  // REQUIRES: used by one thread at a time.
  virtual std::unique_ptr<LaneTrainer> MakeTrainer(
      at::Device device, std::int64_t lanes, std::int64_t batch_size) const = 0;
  virtual void Absorb(const dp::Released<std::vector<float>>& mean) = 0;

  // Numbers about the model as it stands, for the run's metrics, each with
  // where it came from.
  virtual std::vector<runs::Value> Figures() const { return {}; }

  // All that a checkpoint must hold to resume to the bit: parameters, the
  // optimiser's moments, counters. Restore throws Corrupt when it is not there.
  virtual params::NamedTensors State() const = 0;
  virtual void Restore(const base::SafetensorsFile& file) = 0;

 private:
  static inline std::atomic<std::uint64_t> made_ = 0;
  std::uint64_t id_ = ++made_;
};

}  // namespace sfumato::fed

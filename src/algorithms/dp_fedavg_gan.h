// Federated GAN with user-level privacy: Algorithm 1 of Augenstein et al. 2020,
// "Generative Models for Effective ML on Private, Decentralized Datasets".
//
//   server  Broadcast      θ_D, and with it θ_G, which devices only draw from
//   device  UserDiscUpdate a critic's steps of WGAN-GP: batches of the user's
//                          images against batches of drawn ones
//           clip           Δ_k · min(1, S / ‖Δ_k‖)
//   server  Absorb         θ_D ← θ_D + (1/qN) Σ Δ_k + N(0, I σ²); then
//           GenUpdate      the generator learns from that critic alone
//                          (generator_update.h), each round or now and then
//
// The generator never meets user data, so its steps are post-processing and
// cost nothing. Clipping, noise and the ledger live in fed/round_loop.cc and in
// the mechanism of dp_fedavg.h, which this shares.
//
// Critics of linear maps and LeakyReLUs take the fast step of critic_step.h;
// the paper's, with batch normalisation, takes autograd. Its averages are part
// of the update that is clipped and noised, as in the paper; a variance that
// noise made negative is set to 0 (nothing trains by it).

#pragma once

#include <ATen/ATen.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "algorithms/generator_update.h"
#include "fed/algorithm.h"
#include "fed/server_optimizer.h"
#include "models/critic_step.h"
#include "models/gan.h"

namespace sfumato::algorithms {

struct DpFedAvgGanOptions {
  models::Gan gan = {};
  models::CriticOptions device = {};  // UserDiscUpdate
  GeneratorOptions generator = {};    // GenUpdate
  std::int64_t every = 1;             // rounds to one GenUpdate
  fed::ServerOptions server = {};     // what the mean moves the critic by
  std::uint64_t seed = 1;
  at::Device server_device = at::kCPU;
};

class DpFedAvgGan : public fed::Algorithm {
 public:
  explicit DpFedAvgGan(DpFedAvgGanOptions options);

  const models::Gan& gan() const { return options_.gan; }
  const at::Tensor& critic() const { return critic_; }  // [1, size]
  const GeneratorUpdate& generator() const { return generator_; }
  // Grows whenever the generator changed.
  std::uint64_t generator_version() const { return version_; }

  at::Tensor Broadcast() const override;
  at::Tensor Companion() const override;
  void SetCompanion(const at::Tensor& generator) override;
  std::unique_ptr<fed::LaneTrainer> MakeTrainer(
      at::Device device, std::int64_t lanes,
      std::int64_t batch_size) const override;
  void Absorb(const dp::Released<std::vector<float>>& mean) override;
  std::vector<runs::Value> Figures() const override;
  params::NamedTensors State() const override;
  void Restore(const base::SafetensorsFile& file) override;

  // Below this batch_spread a generator counts as collapsed.
  static constexpr double kCollapsed = 0.1;

 private:
  at::Tensor ForCopies(const at::Tensor& params) const;

  DpFedAvgGanOptions options_;
  at::Tensor critic_;
  fed::ServerOptimizer server_;
  GeneratorUpdate generator_;
  std::uint64_t round_ = 0;
  std::uint64_t version_ = 1;
};

// The generator that a checkpoint of such a run draws with: [1, size].
at::Tensor DrawingGenerator(const models::Gan& gan, bool averaged,
                            const base::SafetensorsFile& file);

}  // namespace sfumato::algorithms

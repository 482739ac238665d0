#include "algorithms/dp_fedavg.h"

#include <ATen/core/grad_mode.h>

#include <utility>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::algorithms {
namespace {

constexpr char kModel[] = "model";
constexpr char kServer[] = "server";

}  // namespace

// Server-orchestrated training loop.
//
// Parameters: round participation fraction q, users N, noise scale z, clip
// parameter S. Set σ = z S / qN: MeanMechanism::noise_deviation, with
// expected_cohort for qN.

fed::MeanOptions DpFedAvgMean(fed::MeanOptions options) {
  if (!(options.noise_multiplier > 0)) {
    throw BadInput(
        fmt::format("dp_fedavg with noise multiplier {}",
                    options.noise_multiplier),
        "privacy.noise_multiplier",
        "give a number above 0, or an epsilon to find it for; training "
        "without privacy is algorithm fedavg");
  }
  if (options.clipping == fed::Clipping::kUnprotected) {
    options.clipping = fed::Clipping::kFixed;
  }
  return options;
}

fed::MeanOptions FedAvgMean(fed::MeanOptions options) {
  options.clipping = fed::Clipping::kUnprotected;
  options.noise_multiplier = 0;
  return options;
}

// Initialise the model θ_0. (The privacy accountant M is the ledger's.)
DpFedAvg::DpFedAvg(models::Trainable model, const DpFedAvgOptions& options)
    : model_(std::move(model)),
      device_(options.device),
      params_(model_.initial(options.seed)),
      server_(options.server, model_.layout.size()) {}

// For each round t: C_t ← a sample of users (fed::DrawCohort). The paper draws
// exactly qN; the default here is a private coin for each, whose cost is lower
// and proven for add-remove (docs/privacy.md).
//
// For each user k of C_t in parallel: Δ_k ← UserUpdate(k, θ_t).
at::Tensor DpFedAvg::Broadcast() const { return params_.squeeze(0); }

// θ_{t+1} ← θ_t + (1/qN) Σ Δ_k + N(0, I σ²). The mean arrives divided and
// noised, and M.accum_priv_spending(z) came before the noise: the order is in
// fed/round_loop.cc. The server may add momentum, as for the paper's language
// models (Nesterov, 0.99): computed from the released mean, it costs nothing.
void DpFedAvg::Absorb(const dp::Released<std::vector<float>>& mean) {
  server_.Step(params_, mean.value());
}

namespace {

// UserUpdate(k, θ_t), for a group of users in lockstep.
class UserUpdate : public fed::LaneTrainer {
 public:
  UserUpdate(const models::Trainable& model, const SgdOptions& options,
             at::Device device, std::int64_t lanes, std::int64_t batch_size)
      : options_(options), loss_(model.make_loss(device, lanes, batch_size)) {
    const auto floats = at::TensorOptions().device(device);
    losses_ = at::zeros({lanes}, floats);
    steps_ = at::zeros({lanes}, floats);
    if (options_.momentum == 0) return;
    gradient_ = at::zeros({lanes, model.layout.size()}, floats);
    velocity_ = at::zeros({lanes, model.layout.size()}, floats);
  }

  // θ ← θ_t, which the cohort copies.
  void Begin() override {
    losses_.zero_();
    steps_.zero_();
    if (velocity_.defined()) velocity_.zero_();
  }

  // For each local epoch 1 … E, for each batch b of size B of k's data
  // (fed::LocalSchedule): θ ← θ - η ∇ℓ(θ; b).
  void Step(const at::Tensor& params, const models::Batch& batch) override {
    const at::NoGradGuard no_autograd;
    const std::int64_t lanes = batch.weights.size(0);
    const at::Tensor losses = losses_.narrow(0, 0, lanes);
    const at::Tensor active = batch.weights.gt(0).any(1);
    steps_.narrow(0, 0, lanes).add_(active);
    if (options_.momentum == 0) {
      loss_->AddGradient(params, batch,
                         {.target = params,
                          .scale = -options_.learning_rate,
                          .losses = losses});
      return;
    }
    const at::Tensor gradient = gradient_.narrow(0, 0, lanes).zero_();
    loss_->AddGradient(params, batch, {.target = gradient, .losses = losses});
    const at::Tensor velocity = velocity_.narrow(0, 0, lanes);
    velocity.mul_(options_.momentum).add_(gradient);
    // A lane that is done keeps its parameters, whatever momentum is left.
    params.sub_(velocity *
                (active.to(at::kFloat) * options_.learning_rate).unsqueeze(1));
  }

  // Δ = θ - θ_t, and the clipped Δ_k = Δ · min(1, S / ‖Δ‖): the cohort and
  // dp::ClippedSum.

  at::Tensor losses() const override { return losses_ / steps_.clamp_min(1); }

 private:
  SgdOptions options_;
  std::unique_ptr<models::LaneLoss> loss_;
  at::Tensor losses_;    // [lane], summed over steps
  at::Tensor steps_;     // [lane]
  at::Tensor gradient_;  // [lane, size], with momentum only
  at::Tensor velocity_;
};

}  // namespace

std::unique_ptr<fed::LaneTrainer> DpFedAvg::MakeTrainer(
    at::Device device, std::int64_t lanes, std::int64_t batch_size) const {
  return std::make_unique<UserUpdate>(model_, device_, device, lanes,
                                      batch_size);
}

// What a checkpoint holds.

params::NamedTensors DpFedAvg::State() const {
  params::NamedTensors state = params::ToNamed(model_.layout, params_, kModel);
  for (auto& moment : server_.State(kServer)) {
    state.push_back(std::move(moment));
  }
  return state;
}

void DpFedAvg::Restore(const base::SafetensorsFile& file) {
  params_ = params::FromFile(model_.layout, file, kModel);
  server_.Restore(file, kServer);
}

}  // namespace sfumato::algorithms

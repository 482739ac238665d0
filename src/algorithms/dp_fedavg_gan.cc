#include "algorithms/dp_fedavg_gan.h"

#include <ATen/core/grad_mode.h>

#include <cmath>
#include <utility>

#include "models/critic_autograd.h"
#include "models/kernels.h"

namespace sfumato::algorithms {
namespace {

constexpr char kCritic[] = "critic";
constexpr char kGenerator[] = "generator";
constexpr char kAverage[] = "generator_average";  // as GeneratorUpdate names it
constexpr char kServer[] = "server";
constexpr char kRounds[] = "rounds";

// Whole numbers below 2^24, which a float holds exactly.
params::Layout RoundsLayout() { return params::Layout({{"done", {1}}}); }

}  // namespace

// Server-orchestrated training loop. Its parameters q, N, z and S are those of
// DpFedAvgMean (dp_fedavg.h).
//
// Initialise generator θ_G and discriminator θ_D, here called the critic.

DpFedAvgGan::DpFedAvgGan(DpFedAvgGanOptions options)
    : options_(std::move(options)),
      critic_(ForCopies(options_.gan.critic.Initial(options_.seed + 1))),
      server_(options_.server, options_.gan.critic.layout().size()),
      generator_(options_.gan, options_.generator, options_.server_device) {}

// The critic goes to the GPU twice per round: from pinned memory, where it is
// not copied on the way.
at::Tensor DpFedAvgGan::ForCopies(const at::Tensor& params) const {
  return options_.server_device.is_cuda() ? params.pin_memory() : params;
}

// For each round t: C_t ← a sample of users (fed::DrawCohort). For each user k
// of C_t in parallel: Δ_k ← UserDiscUpdate(k, θ_D, θ_G).

at::Tensor DpFedAvgGan::Broadcast() const { return critic_.squeeze(0); }

at::Tensor DpFedAvgGan::Companion() const {
  return generator_.params().squeeze(0);
}

void DpFedAvgGan::SetCompanion(const at::Tensor& generator) {
  generator_.SetParams(generator);
  ++version_;
}

// θ_D ← θ_D + (1/qN) Σ Δ_k + N(0, I σ²), which arrives divided, noised and paid
// for (fed/round_loop.cc); then θ_G ← GenUpdate(θ_D, θ_G).
void DpFedAvgGan::Absorb(const dp::Released<std::vector<float>>& mean) {
  server_.Step(critic_, mean.value());
  options_.gan.critic.Guard(critic_);
  ++round_;
  if (round_ % static_cast<std::uint64_t>(options_.every) != 0) return;
  generator_.Train(critic_, round_);  // GenUpdate: generator_update.cc
  ++version_;
}

// The generator is a released value, and so is what it draws.
std::vector<runs::Value> DpFedAvgGan::Figures() const {
  const double spread = generator_.batch_spread();
  if (std::isnan(spread)) return {};  // it has not drawn yet
  return {runs::Released("batch_spread", spread)};
}

namespace {

// The stream of uniform numbers that mixes real and drawn images.
constexpr std::int64_t kMix = 1'000'003;

// UserDiscUpdate(k, θ_D, θ_G), for a group of users in lockstep.
class UserDiscUpdate : public fed::LaneTrainer {
 public:
  struct Sizes {
    at::Device device = at::kCPU;
    std::int64_t lanes = 1;
    std::int64_t batch = 1;
  };

  UserDiscUpdate(const DpFedAvgGan& algorithm,
                 const models::CriticOptions& options, const Sizes& sizes)
      : algorithm_(algorithm),
        gan_(algorithm.gan()),
        sizes_(sizes),
        slow_(gan_.critic, sizes.device, sizes.lanes, options) {
    const auto floats = at::TensorOptions().device(sizes.device);
    generator_ = at::empty({1, gan_.generator.layout().size()}, floats);
    latent_ = at::empty({sizes.lanes, sizes.batch, gan_.shape.latent}, floats);
    mix_ = at::empty({sizes.lanes, sizes.batch}, floats);
    steps_ = at::zeros({sizes.lanes}, floats);
    if (gan_.patterns.defined()) patterns_ = gan_.patterns.to(sizes.device);
    if (models::CriticStep::Suits(gan_.critic)) {
      fast_ = std::make_unique<models::CriticStep>(
          gan_.critic, sizes.device, sizes.lanes, sizes.batch, options);
    }
  }

  // θ_D as broadcast, which the cohort copies, and θ_G.
  void Begin() override {
    if (version_ != algorithm_.generator_version()) {
      generator_.copy_(algorithm_.generator().params());
      version_ = algorithm_.generator_version();
    }
    steps_.zero_();
    fast_ ? fast_->Begin() : slow_.Begin();
  }

  // For each batch b_real of size B (fed::LocalSchedule): b_fake ← G(U; θ_G),
  // then θ_D ← θ_D - η_D ∇ℓ_D(θ_D; b_real, b_fake).
  void Step(const at::Tensor& params, const models::Batch& batch) override {
    const at::NoGradGuard no_gradient;
    const std::int64_t lanes = batch.inputs.size(0);
    const std::int64_t rows = batch.inputs.size(1);
    const at::Tensor fake = models::CriticInput(
        Drawn(batch, lanes).narrow(1, 0, rows), batch.labels, patterns_);
    const at::Tensor real =
        models::CriticInput(batch.inputs, batch.labels, patterns_);
    const at::Tensor mix = mix_.narrow(0, 0, lanes);
    models::FillUniform(mix, batch.keys, {.step = batch.step, .layer = kMix});
    steps_.narrow(0, 0, lanes).add_((batch.weights.sum(1) > 0).to(at::kFloat));
    const at::Tensor rows_mix = mix.narrow(1, 0, rows);
    if (fast_) {
      fast_->Step(params, real, fake, rows_mix, batch.weights);
    } else {
      slow_.Step(params, real, fake, rows_mix, batch.weights);
    }
  }

  // Δ = θ_D - θ_D as broadcast, and the clipped Δ_k = Δ · min(1, S / ‖Δ‖): the
  // cohort and dp::ClippedSum.

  bool recordable() const override { return fast_ != nullptr; }

  at::Tensor losses() const override {
    const at::Tensor sum = fast_ ? fast_->losses() : slow_.losses();
    return sum / steps_.narrow(0, 0, sum.size(0)).clamp_min(1);
  }

 private:
  // A whole batch for each lane, also where a user has fewer examples: batch
  // normalisation in the generator must see the same whoever trains together.
  at::Tensor Drawn(const models::Batch& batch, std::int64_t lanes) {
    at::Tensor latent = latent_.narrow(0, 0, lanes);
    models::FillNormal(latent, batch.keys, batch.step);
    if (gan_.shape.classes > 0) {
      const at::Tensor labels = at::constant_pad_nd(
          batch.labels, {0, sizes_.batch - batch.labels.size(1)});
      latent = at::cat({latent, models::OneHot(labels, gan_.shape.classes)}, 2);
    }
    return gan_.generator
        .Forward(generator_, latent.reshape({1, lanes * sizes_.batch, -1}),
                 {.training = true, .groups = lanes})
        .reshape({lanes, sizes_.batch, gan_.image.height, gan_.image.width,
                  gan_.image.channels});
  }

  const DpFedAvgGan& algorithm_;
  const models::Gan& gan_;
  Sizes sizes_;
  std::unique_ptr<models::CriticStep> fast_;
  models::AutogradCritic slow_;
  std::uint64_t version_ = 0;
  at::Tensor generator_;  // [1, size]
  at::Tensor latent_;     // [lane, batch, latent]
  at::Tensor mix_;        // [lane, batch]
  at::Tensor steps_;      // [lane]
  at::Tensor patterns_;
};

}  // namespace

std::unique_ptr<fed::LaneTrainer> DpFedAvgGan::MakeTrainer(
    at::Device device, std::int64_t lanes, std::int64_t batch_size) const {
  return std::make_unique<UserDiscUpdate>(
      *this, options_.device,
      UserDiscUpdate::Sizes{
          .device = device, .lanes = lanes, .batch = batch_size});
}

// What a checkpoint holds.

params::NamedTensors DpFedAvgGan::State() const {
  params::NamedTensors state =
      params::ToNamed(options_.gan.critic.layout(), critic_, kCritic);
  const auto add = [&](params::NamedTensors more) {
    for (auto& tensor : more) state.push_back(std::move(tensor));
  };
  add(generator_.State(kGenerator));
  add(server_.State(kServer));
  add(params::ToNamed(RoundsLayout(),
                      at::full({1, 1}, static_cast<double>(round_)), kRounds));
  return state;
}

void DpFedAvgGan::Restore(const base::SafetensorsFile& file) {
  critic_ =
      ForCopies(params::FromFile(options_.gan.critic.layout(), file, kCritic));
  generator_.Restore(file, kGenerator);
  server_.Restore(file, kServer);
  round_ = static_cast<std::uint64_t>(
      params::FromFile(RoundsLayout(), file, kRounds).item<float>());
  ++version_;
}

at::Tensor DrawingGenerator(const models::Gan& gan, bool averaged,
                            const base::SafetensorsFile& file) {
  return params::FromFile(gan.generator.layout(), file,
                          averaged ? kAverage : kGenerator);
}

}  // namespace sfumato::algorithms

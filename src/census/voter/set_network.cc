#include "census/voter/set_network.h"

#include <cmath>
#include <string>

#include "base/random.h"
#include "census/voter/image_tensors.h"

namespace sfumato::census {
namespace {

constexpr float kFarthest = 5;  // deviations at which a number is cut
constexpr double kLeastVariance = 1e-4;

params::Layout LayoutOf(const SetNetworkOptions& o) {
  return params::Layout({{"point1.weight", {o.inputs, o.wide}},
                         {"point1.bias", {o.wide}},
                         {"point2.weight", {o.wide, o.narrow}},
                         {"point2.bias", {o.narrow}},
                         {"user1.weight", {2 * o.narrow, o.narrow}},
                         {"user1.bias", {o.narrow}},
                         {"user2.weight", {o.narrow, o.outputs}},
                         {"user2.bias", {o.outputs}}});
}

// He et al. 2015: deviation sqrt(2 / inputs); biases are 0.
at::Tensor Begin(const params::Layout& layout, std::uint64_t seed) {
  at::Tensor params = at::zeros({1, layout.size()});
  for (std::size_t i = 0; i < layout.count(); ++i) {
    if (layout[i].shape.size() < 2) continue;
    base::Rng rng(seed, {base::Key("set network"), i});
    const double deviation =
        std::sqrt(2 / static_cast<double>(layout[i].shape[0]));
    auto* at = params.data_ptr<float>() + layout.offset(i);
    const std::int64_t size = layout[i].shape[0] * layout[i].shape[1];
    for (std::int64_t k = 0; k < size; ++k) {
      at[k] = static_cast<float>(rng.Normal(0, deviation));
    }
  }
  return params;
}

// Points [set, point, narrow] as users [set, 2 · narrow]: mean and deviation.
struct Pool {
  at::Tensor centred;    // [set, point, narrow]
  at::Tensor deviation;  // [set, narrow]
  at::Tensor user;
};
Pool Pooled(const at::Tensor& points) {
  Pool pool;
  const at::Tensor mean = points.mean(1);
  pool.centred = points - mean.unsqueeze(1);
  pool.deviation = pool.centred.square().mean(1).add_(kLeastVariance).sqrt_();
  pool.user = at::cat({mean, pool.deviation}, 1);
  return pool;
}

}  // namespace

SetNetwork::SetNetwork(const SetNetworkOptions& options, at::Device device)
    : options_(options),
      layout_(LayoutOf(options)),
      params_(Begin(layout_, options.seed).to(device)),
      centre_(at::zeros({options.inputs}, params_.options())),
      spread_(at::ones({options.inputs}, params_.options())),
      adam_({.learning_rate = 1e-3, .beta2 = 0.99}, params_) {}

void SetNetwork::SetScale(const at::Tensor& centre, const at::Tensor& spread) {
  centre_.copy_(centre);
  spread_.copy_(spread);
}

at::Tensor SetNetwork::Part(std::size_t i) const {
  return layout_.View(params_, i).squeeze(0);
}

at::Tensor SetNetwork::Scaled(const at::Tensor& points) const {
  return points.sub(centre_).div_(spread_).clamp_(-kFarthest, kFarthest);
}

at::Tensor SetNetwork::User(const at::Tensor& points) const {
  const at::Tensor first = at::addmm(Part(1), Scaled(points), Part(0)).relu_();
  return Pooled(at::addmm(Part(3), first, Part(2)).relu_().unsqueeze(0))
      .user.squeeze(0);
}

at::Tensor SetNetwork::Judged(const at::Tensor& users) const {
  const at::Tensor first = at::addmm(Part(5), users, Part(4)).relu_();
  return at::addmm(Part(7), first, Part(6));
}

at::Tensor SetNetwork::Gradient(const Batch& batch,
                                const at::Tensor& all_gradients) const {
  const auto& [sets, targets] = batch;
  const std::int64_t users = sets.size(0);
  const std::int64_t each = sets.size(1);
  const at::Tensor x = Scaled(sets.flatten(0, 1));
  const at::Tensor h1 = at::addmm(Part(1), x, Part(0)).relu_();
  const at::Tensor h2 = at::addmm(Part(3), h1, Part(2)).relu_();
  const Pool pool = Pooled(h2.view({users, each, -1}));
  const at::Tensor h3 = at::addmm(Part(5), pool.user, Part(4)).relu_();
  const at::Tensor logits = at::addmm(Part(7), h3, Part(6));
  const at::Tensor loss = at::binary_cross_entropy_with_logits(logits, targets);

  const auto gradient = [&](std::size_t i) {
    return layout_.View(all_gradients, i).squeeze(0);
  };
  const auto layer = [&](std::size_t weight, const at::Tensor& input,
                         const at::Tensor& above) {
    at::Tensor into = gradient(weight);
    at::mm_out(into, input.t(), above);
    at::Tensor bias = gradient(weight + 1);
    at::sum_out(bias, above, 0);
    return above.mm(Part(weight).t());
  };
  const at::Tensor at_logits =
      logits.sigmoid().sub_(targets).div_(static_cast<double>(logits.numel()));
  const at::Tensor at_h3 = layer(6, h3, at_logits).mul_(h3.gt(0));
  // The mean passes its gradient to all points alike; the deviation to each by
  // how far it lies from the mean.
  const at::Tensor at_user = layer(4, pool.user, at_h3);
  const at::Tensor at_mean = at_user.narrow(1, 0, options_.narrow);
  const at::Tensor at_deviation =
      at_user.narrow(1, options_.narrow, options_.narrow) / pool.deviation;
  const at::Tensor at_h2 =
      at::addcmul(at_mean.unsqueeze(1), pool.centred, at_deviation.unsqueeze(1))
          .div_(static_cast<double>(each))
          .view({users * each, options_.narrow})
          .mul_(h2.gt(0));
  const at::Tensor at_h1 = layer(2, h1, at_h2).mul_(h1.gt(0));
  layer(0, x, at_h1);
  return loss;
}

at::Tensor SetNetwork::Step(const std::vector<Batch>& batches,
                            double learning_rate, fed::WorkerPool& pool) {
  const auto count = static_cast<std::int64_t>(batches.size());
  if (!gradients_.defined() || gradients_.size(0) != count) {
    gradients_ = at::zeros({count, 1, params_.size(1)}, params_.options());
  }
  std::vector<at::Tensor> losses(batches.size());
  pool.Run(batches.size(), [&](int, std::size_t i) {
    losses[i] = Gradient(batches[i], gradients_[static_cast<std::int64_t>(i)]);
  });
  adam_.SetLearningRate(learning_rate);
  adam_.Step(params_, gradients_.mean(0));
  return at::stack(losses).mean();
}

SetNetwork SetNetwork::OnCpu() const {
  SetNetwork copy(options_, at::kCPU);
  copy.params_.copy_(params_);
  copy.SetScale(centre_, spread_);
  return copy;
}

params::NamedTensors SetNetwork::State() const {
  params::NamedTensors state = params::ToNamed(layout_, params_.cpu(), "net");
  state.emplace_back("scale/centre", centre_.cpu().contiguous());
  state.emplace_back("scale/spread", spread_.cpu().contiguous());
  return state;
}

void SetNetwork::Restore(const base::SafetensorsFile& file) {
  // Checked one by one; all have the shapes of the layout.
  for (std::size_t i = 0; i < layout_.count(); ++i) {
    ReadShaped(file, "net/" + layout_[i].name, layout_[i].shape);
  }
  const at::Tensor centre = ReadShaped(file, "scale/centre", {options_.inputs});
  const at::Tensor spread = ReadShaped(file, "scale/spread", {options_.inputs});
  if (spread.le(0).any().item<bool>()) {
    RefuseTensor("scale/spread", "has one that is not above zero");
  }
  params_.copy_(params::FromFile(layout_, file, "net"));
  SetScale(centre, spread);
}

}  // namespace sfumato::census

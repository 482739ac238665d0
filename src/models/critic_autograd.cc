#include "models/critic_autograd.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <vector>

namespace sfumato::models {

void AutogradCritic::Step(const at::Tensor& params, const at::Tensor& real,
                          const at::Tensor& fake, const at::Tensor& mix,
                          const at::Tensor& weights) {
  const at::AutoGradMode with_gradient(true);
  const params::Layout& layout = critic_.layout();
  std::vector<at::Tensor> tensors;
  std::vector<at::Tensor> leaves;  // what gradients move
  for (std::size_t i = 0; i < layout.count(); ++i) {
    tensors.push_back(layout.View(params, i).detach());
    if (!critic_.is_average(i)) {
      leaves.push_back(tensors.back().requires_grad_());
    }
  }
  std::vector<at::Tensor> seen[3];
  const auto score = [&](const at::Tensor& images,
                         std::vector<at::Tensor>& saw) {
    return critic_
        .Forward(tensors, images,
                 {.training = true, .weights = weights, .seen = &saw})
        .squeeze(2);
  };
  const at::Tensor between =
      (real + mix.reshape({mix.size(0), mix.size(1), 1, 1, 1}) * (fake - real))
          .detach()
          .requires_grad_();
  const at::Tensor difference = score(fake, seen[0]) - score(real, seen[1]);
  const at::Tensor middle = score(between, seen[2]);
  // Rows that are nobody's have a score too, and through batch normalisation it
  // depends on the others.
  const at::Tensor counted = (weights > 0).to(at::kFloat);
  const at::Tensor slope = torch::autograd::grad({(middle * counted).sum()},
                                                 {between}, {}, true, true)[0];
  const at::Tensor norm =
      (slope.flatten(2).square().sum(2) + 1e-10).sqrt();  // [lane, row]
  const at::Tensor loss =
      ((difference + options_.penalty * (norm - 1).square()) * weights).sum(1);
  const std::vector<at::Tensor> gradients =
      torch::autograd::grad({loss.sum()}, leaves);

  const at::NoGradGuard no_gradient;
  const at::Tensor busy = (weights.sum(1) > 0).to(at::kFloat);  // [lane]
  std::size_t next = 0;
  for (std::size_t i = 0; i < layout.count(); ++i) {
    if (critic_.is_average(i)) continue;
    const at::Tensor tensor = layout.View(params, i);
    at::Tensor gradient = gradients[next++];
    if (options_.l2 != 0 && !layout[i].name.ends_with(".shift")) {
      gradient = gradient + 2 * options_.l2 * tensor;
    }
    std::vector<std::int64_t> shape(static_cast<std::size_t>(tensor.dim()), 1);
    shape.front() = -1;
    tensor.sub_(options_.learning_rate * gradient * busy.reshape(shape));
  }
  for (const auto& saw : seen) critic_.Remember(params, saw, busy);
  losses_.narrow(0, 0, loss.size(0)).add_(loss);
}

}  // namespace sfumato::models

#include "algorithms/generator_update.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "models/adam.h"
#include "models/batch.h"
#include "models/kernels.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#endif

namespace sfumato::algorithms {
namespace {

constexpr const char* kSpread = "_batch_spread";  // behind the prefix
// The stream of uniform numbers that chooses classes.
constexpr std::int64_t kClasses = 1'000'004;

// Kernels use `count` threads while it lives. Clients train one to a thread;
// the server's steps come when those rest.
class Threads {
 public:
  explicit Threads(int count) : before_(at::get_num_threads()) {
    if (count != before_) at::set_num_threads(count);
  }
  ~Threads() {
    if (at::get_num_threads() != before_) at::set_num_threads(before_);
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

}  // namespace

at::Tensor BatchSpread(const at::Tensor& images) {
  const at::Tensor rows = images.flatten(1);
  const at::Tensor centred = rows - rows.mean(0, true);
  const at::Tensor plain =
      at::minimum((rows + 1).norm(2, 1).mean(), (rows - 1).norm(2, 1).mean());
  return centred.norm(2, 1).mean() / (plain + 1e-12);
}

struct GeneratorUpdate::Memory {
  Memory(const models::Gan& given, const GeneratorOptions& options_given,
         at::Device device_given)
      : gan(given),
        options(options_given),
        device(device_given),
        params(gan.generator.Initial(options.seed).to(device)),
        average(params.clone()),
        critic(at::zeros({1, gan.critic.layout().size()}, params.options())),
        key(at::zeros({1}, params.options().dtype(at::kLong))),
        spread(at::full({}, std::numeric_limits<double>::quiet_NaN(),
                        params.options())),
        adam({.learning_rate = options.learning_rate,
              .beta1 = options.beta1,
              .beta2 = options.beta2},
             params) {
    if (gan.patterns.defined()) patterns = gan.patterns.to(device);
  }

  bool Pulled(std::size_t tensor) const {
    const params::Layout& layout = gan.generator.layout();
    return layout[tensor].name.ends_with(".weight") &&
           tensor + 2 < layout.count();  // the last layer has weight and bias
  }

  // [1, row, latent + classes] and the classes [1, row].
  std::pair<at::Tensor, at::Tensor> Latent(std::int64_t step) const {
    at::Tensor latent =
        at::empty({1, options.batch_size, gan.shape.latent}, params.options());
    models::FillNormal(latent, key, step);
    if (gan.shape.classes == 0) return {latent, {}};
    at::Tensor uniform = at::empty({1, options.batch_size}, params.options());
    models::FillUniform(uniform, key, {.step = step, .layer = kClasses});
    const at::Tensor labels = (uniform * gan.shape.classes).to(at::kLong);
    return {at::cat({latent, models::OneHot(labels, gan.shape.classes)}, 2),
            labels};
  }

  void Step(std::int64_t step) {
    const auto [latent, labels] = Latent(step);
    const at::AutoGradMode with_gradient(true);
    const params::Layout& layout = gan.generator.layout();
    std::vector<at::Tensor> tensors;
    std::vector<at::Tensor> leaves;
    for (std::size_t i = 0; i < layout.count(); ++i) {
      tensors.push_back(layout.View(params, i).detach());
      if (!gan.generator.is_average(i)) {
        leaves.push_back(tensors.back().requires_grad_());
      }
    }
    std::vector<at::Tensor> seen;
    const at::Tensor images =
        gan.generator
            .Forward(tensors, latent, {.training = true, .seen = &seen})
            .reshape({1, options.batch_size, gan.image.height, gan.image.width,
                      gan.image.channels});
    const at::Tensor scores = gan.critic.Forward(
        critic, models::CriticInput(images, labels, patterns),
        {.training = true});
    const std::vector<at::Tensor> gradients =
        torch::autograd::grad({-scores.mean()}, leaves);
    const at::NoGradGuard no_gradient;
    Move(gradients);
    gan.generator.Remember(params, seen);
    if (options.ema > 0) {
      average.mul_(options.ema).add_(params, 1 - options.ema);
    }
    if (step + 1 == options.steps) {
      spread.copy_(BatchSpread(images.detach().squeeze(0)));
    }
  }

  void Move(const std::vector<at::Tensor>& gradients) {
    const params::Layout& layout = gan.generator.layout();
    std::vector<at::Tensor> parts;
    std::size_t next = 0;
    for (std::size_t i = 0; i < layout.count(); ++i) {
      const at::Tensor tensor = layout.View(params, i);
      if (gan.generator.is_average(i)) {
        parts.push_back(at::zeros_like(tensor).flatten(1));
        continue;
      }
      at::Tensor gradient = gradients[next++];
      if (options.l2 != 0 && Pulled(i)) {
        gradient = gradient + 2 * options.l2 * tensor;
      }
      parts.push_back(gradient.flatten(1));
    }
    const at::Tensor gradient = at::cat(parts, 1);
    if (options.adam) {
      adam.Step(params, gradient);
    } else {
      params.sub_(gradient, options.learning_rate);
    }
  }

  void Steps() {
    for (std::int64_t step = 0; step < options.steps; ++step) Step(step);
  }

  const models::Gan& gan;
  GeneratorOptions options;
  at::Device device;
  at::Tensor params;   // [1, size]
  at::Tensor average;  // of them
  at::Tensor critic;   // [1, size], as the last round left it
  at::Tensor key;      // [1]: of the round
  at::Tensor spread;   // of the last batch
  at::Tensor patterns;
  models::Adam adam;
  int calls = 0;
#if SFUMATO_HAS_CUDA
  std::optional<c10::cuda::CUDAStream> stream;
  std::unique_ptr<at::cuda::CUDAGraph> graph;
#endif
};

GeneratorUpdate::GeneratorUpdate(const models::Gan& gan,
                                 const GeneratorOptions& options,
                                 at::Device device)
    : memory_(std::make_unique<Memory>(gan, options, device)) {}
GeneratorUpdate::~GeneratorUpdate() = default;

const at::Tensor& GeneratorUpdate::params() const { return memory_->params; }
const at::Tensor& GeneratorUpdate::drawing() const {
  return memory_->options.ema > 0 ? memory_->average : memory_->params;
}
void GeneratorUpdate::SetParams(const at::Tensor& params) {
  memory_->params.copy_(params.reshape(memory_->params.sizes()));
}
double GeneratorUpdate::batch_spread() const {
  return memory_->spread.item<double>();
}

void GeneratorUpdate::Train(const at::Tensor& critic, std::uint64_t round) {
  Memory& m = *memory_;
  const at::NoGradGuard no_gradient;
  const std::int64_t key =
      models::ClientKey(m.options.seed, round, base::Key("generator"));
  ++m.calls;
#if SFUMATO_HAS_CUDA
  if (m.device.is_cuda()) {
    if (!m.stream) {
      m.stream = at::cuda::getStreamFromPool(false, m.device.index());
    }
    const c10::cuda::CUDAStreamGuard guard(*m.stream);
    m.critic.copy_(critic);
    m.key.fill_(key);
    // The first time as it comes, the second recorded, from then on replayed.
    if (m.calls == 2) {
      m.graph = std::make_unique<at::cuda::CUDAGraph>();
      m.graph->capture_begin();
      m.Steps();
      m.graph->capture_end();
    }
    if (m.graph) {
      m.graph->replay();
    } else {
      m.Steps();
    }
    m.stream->synchronize();
    return;
  }
#endif
  m.critic.copy_(critic);
  m.key.fill_(key);
  const Threads threads(m.options.threads);
  m.Steps();
}

params::NamedTensors GeneratorUpdate::State(const std::string& prefix) const {
  const Memory& m = *memory_;
  const params::Layout& layout = m.gan.generator.layout();
  params::NamedTensors state =
      params::ToNamed(layout, m.params.to(at::kCPU), prefix);
  const auto add = [&](params::NamedTensors more) {
    for (auto& tensor : more) state.push_back(std::move(tensor));
  };
  if (m.options.ema > 0) {
    add(params::ToNamed(layout, m.average.to(at::kCPU), prefix + "_average"));
  }
  if (m.options.adam) add(m.adam.State(prefix + "_adam"));
  add({{prefix + kSpread, m.spread.to(at::kCPU).reshape({1})}});
  return state;
}

void GeneratorUpdate::Restore(const base::SafetensorsFile& file,
                              const std::string& prefix) {
  Memory& m = *memory_;
  const params::Layout& layout = m.gan.generator.layout();
  m.params.copy_(params::FromFile(layout, file, prefix));
  if (m.options.ema > 0) {
    m.average.copy_(params::FromFile(layout, file, prefix + "_average"));
  }
  if (m.options.adam) m.adam.Restore(file, prefix + "_adam");
  // Older checkpoints have none.
  if (file.Has(prefix + kSpread)) {
    m.spread.fill_(file.Get<float>(prefix + kSpread)[0]);
  }
}

}  // namespace sfumato::algorithms

#include "models/classifier.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/suggest.h"
#include "fmt/format.h"
#include "models/stack_pass.h"

namespace sfumato::models {
namespace {

using Make = std::function<std::vector<Layer>(std::int64_t classes)>;

const std::map<std::string, Make>& Classifiers() {
  static const std::map<std::string, Make> classifiers = {
      {"logistic",
       [](std::int64_t classes) {
         return std::vector<Layer>{Dense{.outputs = classes}};
       }},
      // The two-layer network of McMahan et al. 2017.
      {"mlp",
       [](std::int64_t classes) {
         return std::vector<Layer>{Dense{.outputs = 200}, Relu{},
                                   Dense{.outputs = 200}, Relu{},
                                   Dense{.outputs = classes}};
       }},
      // The primary model of Augenstein et al. 2020: 95,012 parameters with 36
      // classes.
      {"emnist_cnn",
       [](std::int64_t classes) {
         return std::vector<Layer>{Conv{.channels = 32},
                                   Relu{},
                                   MaxPool{},
                                   Conv{.channels = 64},
                                   Relu{},
                                   MaxPool{},
                                   Conv{.channels = 64},
                                   Relu{},
                                   Dense{.outputs = 64},
                                   Relu{},
                                   Dense{.outputs = classes}};
       }},
      // LeCun et al. 1998 as it is used today, with ReLU and maxima: 61,706
      // parameters on 28×28×1 with 10 classes.
      {"lenet5",
       [](std::int64_t classes) {
         return std::vector<Layer>{
             Conv{.channels = 6, .kernel = 5, .pad_before = 2, .pad_after = 2},
             Relu{},
             MaxPool{},
             Conv{.channels = 16, .kernel = 5},
             Relu{},
             MaxPool{},
             Dense{.outputs = 120},
             Relu{},
             Dense{.outputs = 84},
             Relu{},
             Dense{.outputs = classes}};
       }},
      // The network of pfl-research's CIFAR-10 benchmark (Granqvist et al.
      // 2024): 1,626,442 parameters on 32×32×3 with 10 classes.
      {"cifar_cnn",
       [](std::int64_t classes) {
         return std::vector<Layer>{Conv{.channels = 32},
                                   Relu{},
                                   Conv{.channels = 64},
                                   Relu{},
                                   MaxPool{},
                                   Dropout{.rate = 0.25},
                                   Dense{.outputs = 128},
                                   Relu{},
                                   Dropout{.rate = 0.5},
                                   Dense{.outputs = classes}};
       }},
  };
  return classifiers;
}

}  // namespace

std::vector<std::string> ClassifierNames() {
  std::vector<std::string> names;
  for (const auto& [name, make] : Classifiers()) names.push_back(name);
  return names;
}

Stack ClassifierNamed(const std::string& name, Shape input,
                      std::int64_t classes) {
  const auto found = Classifiers().find(name);
  if (found == Classifiers().end()) {
    throw BadInput(fmt::format("unknown model '{}'", name), "model.name",
                   base::DidYouMean(name, ClassifierNames()));
  }
  if (classes < 2) {
    throw BadInput(fmt::format("a classifier of {} classes", classes), "data",
                   "give a set with at least two classes");
  }
  return {input, found->second(classes)};
}

struct ClassifierStep::Memory {
  Memory(const Stack& model, at::Device device, std::int64_t lanes,
         std::int64_t rows, SgdOptions options_given)
      : pass(model, device, lanes, rows), options(options_given) {
    const auto floats = at::TensorOptions().device(device);
    losses = at::zeros({lanes}, floats);
    steps = at::zeros({lanes}, floats);
    if (options.momentum != 0) {
      gradient = at::zeros({lanes, model.layout().size()}, floats);
      velocity = at::zeros({lanes, model.layout().size()}, floats);
    }
  }

  StackPass pass;
  SgdOptions options;
  at::Tensor losses;    // [lane], summed over steps
  at::Tensor steps;     // [lane]
  at::Tensor gradient;  // [lane, size], with momentum only
  at::Tensor velocity;
};

ClassifierStep::ClassifierStep(const Stack& model, at::Device device,
                               std::int64_t lanes, std::int64_t batch_size,
                               SgdOptions options)
    : memory_(std::make_unique<Memory>(model, device, lanes, batch_size,
                                       options)) {}
ClassifierStep::~ClassifierStep() = default;

void ClassifierStep::Begin() {
  memory_->losses.zero_();
  memory_->steps.zero_();
  if (memory_->velocity.defined()) memory_->velocity.zero_();
}

void ClassifierStep::Step(const at::Tensor& params, const Batch& batch) {
  const at::NoGradGuard no_gradient;
  Memory& m = *memory_;
  const std::int64_t lanes = batch.inputs.size(0);
  const at::Tensor logits =
      m.pass.Forward(params, batch.inputs, batch.keys, batch.step);
  SoftmaxBackward(logits, batch.labels, batch.weights, m.pass.output_gradient(),
                  m.losses.narrow(0, 0, lanes));
  const at::Tensor active = batch.weights.gt(0).any(1);
  m.steps.narrow(0, 0, lanes).add_(active);
  if (m.options.momentum == 0) {
    m.pass.Backward(params, params, -m.options.learning_rate);
    return;
  }
  const at::Tensor gradient = m.gradient.narrow(0, 0, lanes).zero_();
  m.pass.Backward(params, gradient, 1);
  const at::Tensor velocity = m.velocity.narrow(0, 0, lanes);
  velocity.mul_(m.options.momentum).add_(gradient);
  // A lane that is done keeps its parameters, whatever momentum is left.
  params.sub_(velocity *
              (active.to(at::kFloat) * m.options.learning_rate).unsqueeze(1));
}

at::Tensor ClassifierStep::losses() const {
  return memory_->losses / memory_->steps.clamp_min(1);
}

Judged Judge(const Stack& model, const at::Tensor& params,
             const at::Tensor& inputs, const at::Tensor& labels) {
  const at::NoGradGuard no_gradient;
  const at::Tensor scores =
      at::log_softmax(model.Forward(params, inputs), /*dim=*/-1);
  return {.correct = scores.argmax(-1).eq(labels),
          .loss = scores.gather(-1, labels.unsqueeze(-1)).squeeze(-1).neg()};
}

}  // namespace sfumato::models

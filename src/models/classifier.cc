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

ClassifierLoss::ClassifierLoss(const Stack& model, at::Device device,
                               std::int64_t lanes, std::int64_t batch_size)
    : pass_(std::make_unique<StackPass>(model, device, lanes, batch_size)) {}
ClassifierLoss::~ClassifierLoss() = default;

void ClassifierLoss::AddGradient(const at::Tensor& params, const Batch& batch,
                                 const GradientSum& sum) {
  const at::NoGradGuard no_gradient;
  const at::Tensor logits =
      pass_->Forward(params, batch.inputs, batch.keys, batch.step);
  SoftmaxBackward(logits, batch.labels, batch.weights, pass_->output_gradient(),
                  sum.losses);
  pass_->Backward(params, sum.target, sum.scale);
}

Trainable TrainableClassifier(const Stack& model) {
  return {
      .layout = model.layout(),
      .initial = [model](std::uint64_t seed) { return model.Initial(seed); },
      .make_loss =
          [model](at::Device device, std::int64_t lanes,
                  std::int64_t batch_size) {
            return std::make_unique<ClassifierLoss>(model, device, lanes,
                                                    batch_size);
          }};
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

// Classifiers: the models by name, their loss, and how they judge examples.
//
//   const Stack model = ClassifierNamed("emnist_cnn", {28, 28, 1}, 36);
//   ClassifierLoss loss(model, device, lanes, batch_size);
//   loss.AddGradient(params, batch, sum);               // lane_loss.h
//   const Judged judged = Judge(model, params, inputs, labels);
//
// The loss is softmax cross-entropy on top of the pass of stack_pass.h: no
// autograd, no memory taken after the first gradient.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/batch.h"
#include "models/lane_loss.h"
#include "models/stack.h"

namespace sfumato::models {

class StackPass;

// logistic, mlp, emnist_cnn, lenet5, cifar_cnn.
std::vector<std::string> ClassifierNames();
// Throws BadInput for an unknown name (with the nearest), or an input that the
// model cannot take.
Stack ClassifierNamed(const std::string& name, Shape input,
                      std::int64_t classes);

class ClassifierLoss : public LaneLoss {
 public:
  ClassifierLoss(const Stack& model, at::Device device, std::int64_t lanes,
                 std::int64_t batch_size);
  ~ClassifierLoss() override;
  void AddGradient(const at::Tensor& params, const Batch& batch,
                   const GradientSum& sum) override;

 private:
  std::unique_ptr<StackPass> pass_;
};
Trainable TrainableClassifier(const Stack& model);

struct Judged {
  at::Tensor correct;  // [lane, batch] bool
  at::Tensor loss;     // [lane, batch]
};
// How `params` judge examples, without dropout.
Judged Judge(const Stack& model, const at::Tensor& params,
             const at::Tensor& inputs, const at::Tensor& labels);

}  // namespace sfumato::models

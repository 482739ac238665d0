// Classifiers: the models by name, and a step of SGD for many clients at once.
//
//   const Stack model = ClassifierNamed("emnist_cnn", {28, 28, 1}, 36);
//   ClassifierStep step(model, device, lanes, batch_size, {.learning_rate =
//   0.1}); step.Begin();                       // a new group of clients
//   step.Step(params, batch);           // [lane, size], in place
//   step.losses();                      // [lane], mean over the steps
//
// A step is the pass of stack_pass.h with softmax cross-entropy on top: no
// autograd, no memory taken after the first step.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/batch.h"
#include "models/stack.h"

namespace sfumato::models {

// logistic, mlp, emnist_cnn, lenet5, cifar_cnn.
std::vector<std::string> ClassifierNames();
// Throws BadInput for an unknown name (with the nearest), or an input that the
// model cannot take.
Stack ClassifierNamed(const std::string& name, Shape input,
                      std::int64_t classes);

struct SgdOptions {
  double learning_rate = 0.1;
  double momentum = 0;
};

class ClassifierStep {
 public:
  ClassifierStep(const Stack& model, at::Device device, std::int64_t lanes,
                 std::int64_t batch_size, SgdOptions options);
  ~ClassifierStep();

  // Forgets momentum and losses of the last group.
  void Begin();
  // One step of every lane on `params` [lane, size], in place. `batch` may have
  // fewer lanes and rows than were announced. A lane of weights 0 stays.
  void Step(const at::Tensor& params, const Batch& batch);
  // Mean loss a step of each lane so far, [lane]: private data.
  at::Tensor losses() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

struct Judged {
  at::Tensor correct;  // [lane, batch] bool
  at::Tensor loss;     // [lane, batch]
};
// How `params` judge examples, without dropout.
Judged Judge(const Stack& model, const at::Tensor& params,
             const at::Tensor& inputs, const at::Tensor& labels);

}  // namespace sfumato::models

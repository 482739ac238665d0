// The examples in the headers of `params` and `models`.

#include "models/adam.h"
#include "models/canaries.h"
#include "models/classifier.h"
#include "models/critic_autograd.h"
#include "models/critic_step.h"
#include "models/gan.h"
#include "models/kernels.h"
#include "models/lane_loss.h"
#include "models/linear.h"
#include "models/lstm.h"
#include "models/lstm_cursor.h"
#include "models/lstm_draw.h"
#include "models/lstm_loops.h"
#include "models/lstm_loss.h"
#include "models/lstm_pass.h"
#include "models/packed_weights.h"
#include "models/product.h"
#include "models/sequences.h"
#include "models/stack.h"
#include "models/stack_pass.h"
#include "models/vector_math.h"
#include "params/layout.h"

namespace sfumato::params {

void LayoutExample(std::int64_t lanes) {
#include "params/layout.example"
}

}  // namespace sfumato::params

namespace sfumato::models {

extern const at::Device device;
extern const std::int64_t lanes, rows, batch_size, width;
extern const std::uint64_t seed;
extern const double rate;
extern const at::Tensor params, inputs, labels, weights, losses;
extern const Batch batch;
extern const GradientSum sum;
extern const data::Vocabulary vocabulary;

void AdamExample(const at::Tensor& gradient) {
#include "models/adam.example"
}

void CanariesExample(const Examples& people) {
#include "models/canaries.example"
}

void ClassifierExample() {
#include "models/classifier.example"
}

void CriticAutogradExample(const Stack& critic, const at::Tensor& real,
                           const at::Tensor& fake, const at::Tensor& mix) {
#include "models/critic_autograd.example"
}

void CriticStepExample(const at::Tensor& real, const at::Tensor& fake,
                       const at::Tensor& mix) {
#include "models/critic_step.example"
}

void GanExample() {
#include "models/gan.example"
}

void LaneLossExample(const Stack& stack) {
#include "models/lane_loss.example"
}

void LinearExample(const Stack& stack, const at::Tensor& x, const at::Tensor& y,
                   const at::Tensor& dx, const at::Tensor& dy, double slope) {
#include "models/linear.example"
}

void LstmExample() {
#include "models/lstm.example"
}

void LstmCursorExample(const Lstm& model) {
#include "models/lstm_cursor.example"
}

void LstmDrawExample() {
#include "models/lstm_draw.example"
}

void LstmLoopsExample(std::span<const CellRow> rows, const float* bias,
                      std::int64_t hidden, std::span<const float> logits,
                      std::span<const float> allowed, float* chances,
                      std::span<double> running) {
#include "models/lstm_loops.example"
}

void LstmLossExample(const Lstm& model) {
#include "models/lstm_loss.example"
}

void LstmPassExample(const Lstm& model) {
#include "models/lstm_pass.example"
}

void PackedWeightsExample(const float* x, float* y) {
#include "models/packed_weights.example"
}

void ProductExample(const at::Tensor& a, const at::Tensor& b,
                    const at::Tensor& c, const at::Tensor& w,
                    const at::Tensor& x, const at::Tensor& dy) {
#include "models/product.example"
}

void SequencesExample(const data::FederatedDataset& set) {
#include "models/sequences.example"
}

void StackExample(const at::Tensor& images) {
#include "models/stack.example"
}

void StackPassExample(const Stack& stack, const at::Tensor& keys,
                      std::int64_t step, const at::Tensor& target,
                      double learning_rate) {
#include "models/stack_pass.example"
}

namespace cpu {
#include "models/vector_math.example"
}  // namespace cpu

}  // namespace sfumato::models

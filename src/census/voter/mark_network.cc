#include "census/voter/mark_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/random.h"

namespace sfumato::census {
namespace {

constexpr float kFarthest = 6;
constexpr std::size_t kBatch = 64;
constexpr float kRate = 2e-3F;
constexpr float kDecay = 1e-4F;

// Kingma and Ba 2015, with decoupled weight decay.
class Adam {
 public:
  explicit Adam(std::size_t size) : mean_(size), square_(size) {}

  void Step(std::span<float> values, std::span<const float> gradient, int step,
            float rate) {
    constexpr float kOld = 0.9F;
    constexpr float kOldSquare = 0.999F;
    const float correct =
        std::sqrt(1 - std::pow(kOldSquare, static_cast<float>(step))) /
        (1 - std::pow(kOld, static_cast<float>(step)));
    for (std::size_t i = 0; i < values.size(); ++i) {
      mean_[i] = kOld * mean_[i] + (1 - kOld) * gradient[i];
      square_[i] = kOldSquare * square_[i] +
                   (1 - kOldSquare) * gradient[i] * gradient[i];
      values[i] -=
          rate * (correct * mean_[i] / (std::sqrt(square_[i]) + 1e-8F) +
                  kDecay * values[i]);
    }
  }

 private:
  std::vector<float> mean_;
  std::vector<float> square_;
};

// out[j] += x[i] weights[i, j]
void AddProduct(std::span<const float> x, std::span<const float> weights,
                std::span<float> out) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float* row = &weights[i * out.size()];
    const float value = x[i];
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += value * row[j];
  }
}

}  // namespace

std::vector<float> MarkNetwork::Scaled(
    const std::vector<float>& features) const {
  std::vector<float> x(features.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float value = (features[i] - centre[i]) / scale[i];
    x[i] = std::clamp(value, -kFarthest, kFarthest);
  }
  return x;
}

std::vector<float> MarkNetwork::Logits(
    const std::vector<float>& features) const {
  std::vector<float> hidden = in_bias;
  AddProduct(Scaled(features), in, hidden);
  for (float& h : hidden) h = std::max(h, 0.0F);
  std::vector<float> logits = out_bias;
  AddProduct(hidden, out, logits);
  return logits;
}

MarkNetwork TrainMarks(const std::vector<std::vector<float>>& rows,
                       const std::vector<std::vector<float>>& marks,
                       const MarkTraining& options) {
  const std::size_t features = rows[0].size();
  const std::size_t outputs = marks[0].size();
  const std::size_t hidden = options.hidden;
  MarkNetwork net;
  net.centre.assign(features, 0);
  net.scale.assign(features, 0);
  const auto count = static_cast<double>(rows.size());
  for (std::size_t i = 0; i < features; ++i) {
    double sum = 0;
    double squares = 0;
    for (const auto& row : rows) sum += row[i];
    const double mean = sum / count;
    for (const auto& row : rows) squares += (row[i] - mean) * (row[i] - mean);
    net.centre[i] = static_cast<float>(mean);
    net.scale[i] = static_cast<float>(std::sqrt(squares / count) + 1e-3);
  }
  base::Rng rng(options.seed, {base::Key("mark network")});
  const auto draw = [&](std::size_t from, std::size_t to) {
    std::vector<float> weights(from * to);
    const double spread = std::sqrt(2.0 / static_cast<double>(from));
    for (float& w : weights) w = static_cast<float>(rng.Normal(0, spread));
    return weights;
  };
  net.in = draw(features, hidden);
  net.in_bias.assign(hidden, 0);
  net.out = draw(hidden, outputs);
  net.out_bias.assign(outputs, -2);

  std::vector<std::vector<float>> scaled;
  scaled.reserve(rows.size());
  for (const auto& row : rows) scaled.push_back(net.Scaled(row));
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});

  std::vector<float> in(net.in.size());
  std::vector<float> in_bias(hidden);
  std::vector<float> out(net.out.size());
  std::vector<float> out_bias(outputs);
  Adam adam_in(in.size());
  Adam adam_in_bias(hidden);
  Adam adam_out(out.size());
  Adam adam_out_bias(outputs);
  std::vector<float> h(hidden);
  std::vector<float> error(outputs);
  int step = 0;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    if (options.progress) {
      options.progress(static_cast<double>(epoch) / options.epochs);
    }
    rng.Shuffle(std::span(order));
    const float rate =
        kRate * static_cast<float>(
                    0.5 * (1 + std::cos(3.14159265 * epoch / options.epochs)));
    for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
      const std::size_t end = std::min(order.size(), begin + kBatch);
      std::ranges::fill(in, 0.0F);
      std::ranges::fill(in_bias, 0.0F);
      std::ranges::fill(out, 0.0F);
      std::ranges::fill(out_bias, 0.0F);
      const float weight = 1 / static_cast<float>(end - begin);
      for (std::size_t at = begin; at < end; ++at) {
        const auto& x = scaled[order[at]];
        h = net.in_bias;
        AddProduct(x, net.in, h);
        for (float& value : h) value = std::max(value, 0.0F);
        error = net.out_bias;
        AddProduct(h, net.out, error);
        for (std::size_t k = 0; k < outputs; ++k) {
          const float p = 1 / (1 + std::exp(-error[k]));
          error[k] = weight * (p - marks[order[at]][k]);
          out_bias[k] += error[k];
        }
        for (std::size_t j = 0; j < hidden; ++j) {
          if (h[j] <= 0) continue;  // at rest: no gradient
          float gradient = 0;
          for (std::size_t k = 0; k < outputs; ++k) {
            out[j * outputs + k] += h[j] * error[k];
            gradient += net.out[j * outputs + k] * error[k];
          }
          h[j] = gradient;
          in_bias[j] += gradient;
        }
        for (std::size_t i = 0; i < features; ++i) {
          float* row = &in[i * hidden];
          const float value = x[i];
          for (std::size_t j = 0; j < hidden; ++j) row[j] += value * h[j];
        }
      }
      ++step;
      adam_in.Step(net.in, in, step, rate);
      adam_in_bias.Step(net.in_bias, in_bias, step, rate);
      adam_out.Step(net.out, out, step, rate);
      adam_out_bias.Step(net.out_bias, out_bias, step, rate);
    }
  }
  return net;
}

}  // namespace sfumato::census

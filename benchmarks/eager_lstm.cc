#include "eager_lstm.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/modules/rnn.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "table.h"
#include "torch_settings.h"

namespace sfumato {
namespace {

using at::Tensor;

constexpr double kLearningRate = 0.5;
constexpr std::int64_t kPadding = -100;  // a label that counts for nothing

Tensor Weights(std::int64_t out, std::int64_t in, at::Device device) {
  const double limit = std::sqrt(6.0 / static_cast<double>(in + out));
  return ((at::rand({out, in}, at::device(device)) * 2 - 1) * limit)
      .requires_grad_(true);
}

struct Cell {
  Tensor input, recurrent, bias, projection;

  // From x [row, inputs] and the state of one time ago.
  void Step(const Tensor& x, Tensor& said, Tensor& cell) const {
    const std::vector<Tensor> gates =
        (at::linear(x, input, bias) + at::linear(said, recurrent)).chunk(3, 1);
    const Tensor forget = at::sigmoid(gates[0]);
    cell = forget * cell + (1 - forget) * at::tanh(gates[2]);
    said = at::linear(at::sigmoid(gates[1]) * at::tanh(cell), projection);
  }
};

Tensor Zeros(std::int64_t n, at::Device device) {
  return at::zeros({n}, at::device(device)).requires_grad_(true);
}

// Layers from x [row, time, embedding] to [row, time, projection].
class PlainLayers {
 public:
  PlainLayers(const EagerLstmShape& s, at::Device device) : shape_(s) {
    for (std::int64_t k = 0; k < s.layers; ++k) {
      cells_.push_back(
          {.input = Weights(3 * s.hidden, k == 0 ? s.embedding : s.projection,
                            device),
           .recurrent = Weights(3 * s.hidden, s.projection, device),
           .bias = Zeros(3 * s.hidden, device),
           .projection = Weights(s.projection, s.hidden, device)});
    }
  }

  std::vector<Tensor> Parameters() const {
    std::vector<Tensor> all;
    for (const Cell& cell : cells_) {
      all.insert(all.end(),
                 {cell.input, cell.recurrent, cell.bias, cell.projection});
    }
    return all;
  }

  Tensor Forward(const Tensor& embedded) {
    const std::int64_t rows = embedded.size(0);
    const auto device = embedded.device();
    std::vector<Tensor> said, memory;
    for (std::int64_t k = 0; k < shape_.layers; ++k) {
      said.push_back(at::zeros({rows, shape_.projection}, device));
      memory.push_back(at::zeros({rows, shape_.hidden}, device));
    }
    std::vector<Tensor> outputs;
    for (std::int64_t t = 0; t < embedded.size(1); ++t) {
      Tensor x = embedded.select(1, t);
      for (std::size_t k = 0; k < cells_.size(); ++k) {
        cells_[k].Step(x, said[k], memory[k]);
        x = said[k];
      }
      outputs.push_back(x);
    }
    return at::stack(outputs, 1);
  }

 private:
  EagerLstmShape shape_;
  std::vector<Cell> cells_;
};

class BuiltInLayers {
 public:
  BuiltInLayers(const EagerLstmShape& s, at::Device device)
      : lstm_(torch::nn::LSTMOptions(s.embedding, s.hidden)
                  .num_layers(s.layers)
                  .proj_size(s.projection)
                  .batch_first(true)) {
    lstm_->to(device);
  }
  std::vector<Tensor> Parameters() const { return lstm_->parameters(); }
  Tensor Forward(const Tensor& embedded) {
    return std::get<0>(lstm_->forward(embedded));
  }

 private:
  torch::nn::LSTM lstm_;
};

template <typename Layers>
struct Model {
  Layers layers;
  Tensor embedding, output, output_bias;
  bool tied = false;

  Model(const EagerLstmShape& s, at::Device device)
      : layers(s, device),
        embedding(Weights(s.symbols, s.embedding, device)),
        output(s.tied ? embedding : Weights(s.symbols, s.projection, device)),
        output_bias(Zeros(s.symbols, device)),
        tied(s.tied) {}

  std::vector<Tensor> Parameters() const {
    std::vector<Tensor> all = layers.Parameters();
    all.insert(all.end(), {embedding, output_bias});
    if (!tied) all.push_back(output);
    return all;
  }

  // Mean loss of predictions: seen and wanted are [row, time].
  Tensor Loss(const Tensor& seen, const Tensor& wanted) {
    const Tensor said = layers.Forward(at::embedding(embedding, seen));
    const Tensor logits = at::linear(said, output, output_bias);
    return at::cross_entropy_loss(logits.flatten(0, 1), wanted.flatten(), {},
                                  at::Reduction::Mean, kPadding);
  }
};

void Descend(const std::vector<Tensor>& params) {
  const at::NoGradGuard off;
  for (Tensor p : params) {
    p.sub_(p.grad(), kLearningRate);
    p.mutable_grad().reset();
  }
}

struct Padded {
  Tensor seen, wanted;  // [row, time]
};

std::vector<Padded> Pad(const Tensor& sequences, const Tensor& lengths,
                        at::Device device) {
  std::vector<Padded> batches;
  for (std::int64_t i = 0; i < sequences.size(0); ++i) {
    const std::int64_t longest = lengths[i].max().item<std::int64_t>();
    const Tensor there =
        at::arange(longest).unsqueeze(0) < lengths[i].unsqueeze(1);
    batches.push_back(
        {.seen = sequences[i].narrow(1, 0, longest).contiguous().to(device),
         .wanted = at::where(there, sequences[i].narrow(1, 1, longest),
                             at::full({}, kPadding, at::kLong))
                       .to(device)});
  }
  return batches;
}

template <typename Layers>
double Tokens(const EagerLstmShape& shape, const at::Tensor& sequences,
              const at::Tensor& lengths, const EagerLstmOptions& options) {
  Model<Layers> model(shape, options.device);
  const std::vector<Padded> batches = Pad(sequences, lengths, options.device);
  const std::vector<Tensor> params = model.Parameters();
  std::vector<Tensor> server;
  for (const Tensor& p : params) server.push_back(p.detach().clone());

  const auto train = [&](int clients) {
    for (int client = 0; client < clients; ++client) {
      {
        const at::NoGradGuard off;
        for (std::size_t i = 0; i < params.size(); ++i) {
          params[i].copy_(server[i]);
        }
      }
      for (const Padded& batch : batches) {
        model.Loss(batch.seen, batch.wanted).backward();
        Descend(params);
      }
    }
    // Reading a number waits for the device.
    TORCH_CHECK(std::isfinite(model.embedding.sum().template item<double>()));
  };
  train(1);
  const double seconds = Seconds([&] { train(options.clients); });
  return lengths.sum().item<double>() * options.clients / seconds;
}

}  // namespace

double EagerLstmTokens(const EagerLstmShape& shape, const at::Tensor& sequences,
                       const at::Tensor& lengths,
                       const EagerLstmOptions& options) {
  const TorchSettings settings(options.threads);
  return options.built_in
             ? Tokens<BuiltInLayers>(shape, sequences, lengths, options)
             : Tokens<PlainLayers>(shape, sequences, lengths, options);
}

}  // namespace sfumato

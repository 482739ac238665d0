#include "eager_lstm.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>
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

struct Model {
  EagerLstmShape shape;
  Tensor embedding, output, output_bias;
  std::vector<Cell> cells;

  Model(const EagerLstmShape& s, at::Device device) : shape(s) {
    const auto zeros = [&](std::int64_t n) {
      return at::zeros({n}, at::device(device)).requires_grad_(true);
    };
    embedding = Weights(s.symbols, s.embedding, device);
    for (std::int64_t k = 0; k < s.layers; ++k) {
      cells.push_back(
          {.input = Weights(3 * s.hidden, k == 0 ? s.embedding : s.projection,
                            device),
           .recurrent = Weights(3 * s.hidden, s.projection, device),
           .bias = zeros(3 * s.hidden),
           .projection = Weights(s.projection, s.hidden, device)});
    }
    output = s.tied ? embedding : Weights(s.symbols, s.projection, device);
    output_bias = zeros(s.symbols);
  }

  std::vector<Tensor> Parameters() const {
    std::vector<Tensor> all = {embedding, output_bias};
    if (!shape.tied) all.push_back(output);
    for (const Cell& cell : cells) {
      all.insert(all.end(),
                 {cell.input, cell.recurrent, cell.bias, cell.projection});
    }
    return all;
  }

  // Mean loss of predictions: seen and wanted are [row, time].
  Tensor Loss(const Tensor& seen, const Tensor& wanted) const {
    const std::int64_t rows = seen.size(0);
    std::vector<Tensor> said, memory;
    for (std::int64_t k = 0; k < shape.layers; ++k) {
      said.push_back(at::zeros({rows, shape.projection}, embedding.device()));
      memory.push_back(at::zeros({rows, shape.hidden}, embedding.device()));
    }
    const Tensor embedded = at::embedding(embedding, seen);
    std::vector<Tensor> outputs;
    for (std::int64_t t = 0; t < seen.size(1); ++t) {
      Tensor x = embedded.select(1, t);
      for (std::size_t k = 0; k < cells.size(); ++k) {
        cells[k].Step(x, said[k], memory[k]);
        x = said[k];
      }
      outputs.push_back(x);
    }
    const Tensor logits =
        at::linear(at::stack(outputs, 1), output, output_bias);
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

}  // namespace

double EagerLstmTokens(const EagerLstmShape& shape, const at::Tensor& sequences,
                       const at::Tensor& lengths,
                       const EagerLstmOptions& options) {
  const TorchSettings settings(options.threads);
  const Model model(shape, options.device);
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
    TORCH_CHECK(std::isfinite(model.embedding.sum().item<double>()));
  };
  train(1);
  const double seconds = Seconds([&] { train(options.clients); });
  return lengths.sum().item<double>() * options.clients / seconds;
}

}  // namespace sfumato

#include "models/lstm.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::models {
namespace {

// More numbers than any language model here should have: 4 GB of parameters.
constexpr double kMostParameters = 1e9;
// Embeddings of variance 1 (for the output layer's sake smaller ones where
// they are tied): signals shrink from layer to layer, and training waits on a
// plateau until they have grown.
constexpr double kEmbeddingLimit = 1.7320508;
constexpr double kTiedEmbeddingLimit = 0.4;

double CountOf(const LstmShape& s) {
  const auto n = [](std::int64_t x) { return static_cast<double>(x); };
  const double inputs =
      n(s.embedding) + n(s.layers - 1) * n(s.projection);  // of all layers
  return n(s.symbols) * (n(s.embedding) + 1) +
         3 * n(s.hidden) * (inputs + n(s.layers) * (n(s.projection) + 1)) +
         n(s.layers) * n(s.hidden) * n(s.projection) +
         (s.tied ? 0 : n(s.symbols) * n(s.projection));
}

void Check(const LstmShape& s) {
  const std::array<std::pair<const char*, std::int64_t>, 4> sides = {
      {{"embedding", s.embedding},
       {"hidden", s.hidden},
       {"layers", s.layers},
       {"projection", s.projection}}};
  for (const auto& [name, size] : sides) {
    if (size < 1) {
      throw BadInput(fmt::format("a language model of {} {}", name, size),
                     fmt::format("model.{}", name), "give at least 1");
    }
  }
  // Symbols travel as floats, which are exact up to 2²⁴.
  if (s.symbols < 2 || s.symbols > (1 << 24)) {
    throw BadInput(fmt::format("a language model of {} symbols", s.symbols),
                   "model.symbols", "give 2 to 16777216");
  }
  const auto known = [&](std::int64_t x) { return x >= 0 && x < s.symbols; };
  if (!known(s.begin) || !known(s.end) || s.begin == s.end) {
    throw BadInput(fmt::format("begin {} and end {} of {} symbols", s.begin,
                               s.end, s.symbols),
                   "model", "give two different symbols");
  }
  if (s.tied && s.projection != s.embedding) {
    throw BadInput(
        fmt::format("embedding {} tied to an output layer of projection {}",
                    s.embedding, s.projection),
        "model.tied", "give equal sizes, or tied = false");
  }
  if (!(CountOf(s) <= kMostParameters)) {
    throw BadInput(
        fmt::format("a language model of {:.2g} parameters", CountOf(s)),
        "model", fmt::format("give at most {:.0g}", kMostParameters));
  }
}

params::Layout LayoutOf(const LstmShape& s) {
  Check(s);
  std::vector<params::Named> tensors = {
      {"embedding.weight", {s.symbols, s.embedding}}};
  for (std::int64_t k = 0; k < s.layers; ++k) {
    const std::string name = fmt::format("layer{}.", k + 1);
    const std::int64_t inputs = k == 0 ? s.embedding : s.projection;
    tensors.push_back({name + "input", {inputs, 3 * s.hidden}});
    tensors.push_back({name + "recurrent", {s.projection, 3 * s.hidden}});
    tensors.push_back({name + "bias", {3 * s.hidden}});
    tensors.push_back({name + "projection", {s.hidden, s.projection}});
  }
  if (!s.tied) {
    tensors.push_back({"output.weight", {s.projection, s.symbols}});
  }
  tensors.push_back({"output.bias", {s.symbols}});
  return params::Layout(std::move(tensors));
}

}  // namespace

LstmShape WordLm(std::int64_t symbols) {
  return {.symbols = symbols,
          .embedding = 96,
          .hidden = 670,
          .layers = 1,
          .projection = 96,
          .tied = true,
          .begin = 2,
          .end = 3};
}

LstmShape CharLm() {
  return {.symbols = 258,
          .embedding = 128,
          .hidden = 256,
          .layers = 3,
          .projection = 128,
          .tied = false,
          .begin = 256,
          .end = 257};
}

Lstm::Lstm(const LstmShape& shape) : shape_(shape), layout_(LayoutOf(shape)) {}

Lstm::LayerTensors Lstm::layer(std::int64_t k) const {
  const auto first = static_cast<std::size_t>(1 + 4 * k);
  return {.input = first,
          .recurrent = first + 1,
          .bias = first + 2,
          .projection = first + 3};
}

at::Tensor Lstm::OutputWeight(const at::Tensor& params) const {
  return shape_.tied ? layout_.View(params, embedding()).transpose(1, 2)
                     : layout_.View(params, output_bias() - 1);
}

// How far from 0 tensor i begins; Glorot and Bengio 2010, each gate on its own.
double Lstm::InitialLimit(std::size_t i) const {
  if (i == embedding()) {
    return shape_.tied ? kTiedEmbeddingLimit : kEmbeddingLimit;
  }
  const std::vector<std::int64_t>& shape = layout_[i].shape;
  if (shape.size() < 2) return 0;
  const std::int64_t outputs =
      shape[1] == 3 * shape_.hidden ? shape_.hidden : shape[1];
  return std::sqrt(6.0 / static_cast<double>(shape[0] + outputs));
}

at::Tensor Lstm::Initial(std::uint64_t seed) const {
  at::Tensor params = at::zeros({1, layout_.size()});
  for (std::size_t i = 0; i < layout_.count(); ++i) {
    const double limit = InitialLimit(i);
    if (limit == 0) continue;
    base::Rng rng(seed, {base::Key("initial lstm"), i});
    float* value = params.data_ptr<float>() + layout_.offset(i);
    float* const end = params.data_ptr<float>() + layout_.offset(i + 1);
    while (value < end) {
      *value++ = static_cast<float>(rng.Uniform(-limit, limit));
    }
  }
  return params;
}

}  // namespace sfumato::models

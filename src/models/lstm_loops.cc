#include "models/lstm_loops.h"

#include "models/vector_math.h"

namespace sfumato::models {
namespace {

using cpu::Exp;
using cpu::Largest;
using cpu::Sigmoid;
using cpu::Tanh;

// In a fixed order, half by half, which vectors can add.
inline float SumOfBlock(const float* x) {
  float sums[kBlock];
  std::copy_n(x, kBlock, sums);
  for (std::size_t half = kBlock / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

}  // namespace

SFUMATO_VECTORS void RunCells(std::span<const CellRow> rows, const float* bias,
                              std::int64_t hidden) {
  const std::int64_t n = hidden;
  for (const CellRow& row : rows) {
    const float* in = row.input;
    const float* back = row.recurrent;
    const float* before = row.before;
    float* cells = row.cells;
    float* out = row.hidden;
#pragma GCC ivdep  // no row is written where another is read
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t o = n + i;
      const std::int64_t g = 2 * n + i;
      const float forget = Sigmoid(in[i] + back[i] + bias[i]);
      const float output = Sigmoid(in[o] + back[o] + bias[o]);
      const float cell = Tanh(in[g] + back[g] + bias[g]);
      const float now = forget * before[i] + (1.0f - forget) * cell;
      cells[i] = now;
      out[i] = output * Tanh(now);
    }
  }
}

SFUMATO_VECTORS double Chances(const ChancesOf& of, float* chances,
                               std::span<double> running) {
  const auto n = static_cast<std::int64_t>(of.logits.size());
  const float* x = of.logits.data();
  const float* allowed = of.allowed.data();
  const float sharpness = of.sharpness;
  const float most = Largest(x, n);
  for (std::int64_t i = 0; i < n; ++i) {
    chances[i] = Exp((x[i] - most) * sharpness) * allowed[i];
  }
  double total = 0;
  for (std::size_t block = 0; block < running.size(); ++block) {
    const std::size_t first = block * kBlock;
    if (first + kBlock <= of.logits.size()) {
      total += static_cast<double>(SumOfBlock(chances + first));
    } else {
      for (std::size_t i = first; i < of.logits.size(); ++i) {
        total += static_cast<double>(chances[i]);
      }
    }
    running[block] = total;
  }
  return total;
}

}  // namespace sfumato::models

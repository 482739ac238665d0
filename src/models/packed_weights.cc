#include "models/packed_weights.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <array>
#include <cstring>

// What is compiled for a generation of processors of its own.
#if defined(__x86_64__) && defined(__GNUC__)
#define SFUMATO_FOR(processor) __attribute__((target(processor)))
#endif
#define SFUMATO_INLINE inline __attribute__((always_inline))

namespace sfumato::models {
namespace {

constexpr std::int64_t kPanel = 32;  // columns: a panel stays in the cache

// A part of the product: all rows of one panel.
struct Part {
  const float* x = nullptr;
  std::int64_t x_stride = 0;
  const float* panel = nullptr;  // [inputs, kPanel]
  std::int64_t inputs = 0;
  float* y = nullptr;
  std::int64_t y_stride = 0;
  std::int64_t rows = 0;
};

// Rows from `row` on, columns from `column` on: kRows x 2 vectors of kLanes,
// summed up in registers. With 32 of them 12 rows fit, with 16 six do.
template <int kLanes, int kRows>
SFUMATO_INLINE void Tile(const Part& part, std::int64_t row,
                         std::int64_t column) {
  typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));
  const float* x = part.x + row * part.x_stride;
  const float* w = part.panel + column;
  float* y = part.y + row * part.y_stride + column;
  Vector sums[kRows][2];
#pragma GCC unroll 12  // here and below: so that sums are registers
  for (int r = 0; r < kRows; ++r) {
    sums[r][0] = Vector{};
    sums[r][1] = Vector{};
  }
  for (std::int64_t k = 0; k < part.inputs; ++k) {
    Vector left, right;
    std::memcpy(&left, w + k * kPanel, sizeof left);
    std::memcpy(&right, w + k * kPanel + kLanes, sizeof right);
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) {
      const float a = x[r * part.x_stride + k];
      sums[r][0] += a * left;
      sums[r][1] += a * right;
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < kRows; ++r) {
    std::memcpy(y + r * part.y_stride, &sums[r][0], sizeof(Vector));
    std::memcpy(y + r * part.y_stride + kLanes, &sums[r][1], sizeof(Vector));
  }
}

template <int kLanes, int kRows>
SFUMATO_INLINE void Tiles(const Part& part) {
  for (std::int64_t column = 0; column < kPanel; column += 2L * kLanes) {
    std::int64_t row = 0;
    for (; row + kRows <= part.rows; row += kRows) {
      Tile<kLanes, kRows>(part, row, column);
    }
    for (; row + 4 <= part.rows; row += 4) Tile<kLanes, 4>(part, row, column);
    for (; row < part.rows; ++row) Tile<kLanes, 1>(part, row, column);
  }
}

using Multiplier = void (*)(const Part&);

void MultiplyAnywhere(const Part& part) { Tiles<4, 4>(part); }

#ifdef SFUMATO_FOR
SFUMATO_FOR("avx2,fma") void MultiplyAvx2(const Part& part) {
  Tiles<8, 6>(part);
}
SFUMATO_FOR("avx512f,fma") void MultiplyAvx512(const Part& part) {
  Tiles<16, 12>(part);
}
#endif

Multiplier BestHere() {
#ifdef SFUMATO_FOR
  if (__builtin_cpu_supports("avx512f")) return MultiplyAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return MultiplyAvx2;
  }
#endif
  return MultiplyAnywhere;
}

// The same for a panel of which only the first columns are there.
void MultiplyEdge(Multiplier multiply, const Part& part, std::int64_t columns) {
  constexpr std::int64_t kRows = 48;
  std::array<float, kRows * kPanel> room{};
  for (std::int64_t first = 0; first < part.rows; first += kRows) {
    Part some = part;
    some.x += first * part.x_stride;
    some.y = room.data();
    some.y_stride = kPanel;
    some.rows = std::min(kRows, part.rows - first);
    float* const y = part.y + first * part.y_stride;
    multiply(some);
    for (std::int64_t r = 0; r < some.rows; ++r) {
      std::copy_n(some.y + r * kPanel, columns, y + r * part.y_stride);
    }
  }
}

}  // namespace

PackedWeights::PackedWeights(const at::Tensor& weights)
    : inputs_(weights.size(0)), outputs_(weights.size(1)) {
  const at::NoGradGuard no_gradient;
  const std::int64_t panels = (outputs_ + kPanel - 1) / kPanel;
  const at::Tensor wide =
      at::zeros({inputs_, panels * kPanel}, weights.options());
  wide.narrow(1, 0, outputs_).copy_(weights);
  panels_ = wide.view({inputs_, panels, kPanel}).transpose(0, 1).contiguous();
}

void PackedWeights::Multiply(const Job& job) const {
  static const Multiplier multiply = BestHere();
  for (std::int64_t column = 0; column < outputs_; column += kPanel) {
    const Part part{.x = job.x,
                    .x_stride = job.x_stride,
                    .panel = panels_.data_ptr<float>() + column * inputs_,
                    .inputs = inputs_,
                    .y = job.y + column,
                    .y_stride = job.y_stride,
                    .rows = job.rows};
    if (column + kPanel <= outputs_) {
      multiply(part);
    } else {
      MultiplyEdge(multiply, part, outputs_ - column);
    }
  }
}

}  // namespace sfumato::models

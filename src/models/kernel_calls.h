// The plain arguments that kernels.cc hands to the loops of either device.

#pragma once

#include <cstdint>

#include "models/shape.h"

namespace sfumato::models {

// Rows of `width` numbers: row r of lane l begins at
// data + l * lane_stride + r * width.
template <typename T>
struct Rows {
  T* data = nullptr;
  std::int64_t lanes = 0;
  std::int64_t rows = 0;
  std::int64_t width = 0;
  std::int64_t lane_stride = 0;

#ifdef __CUDACC__
  __device__
#endif
      T*
      row(std::int64_t lane, std::int64_t r) const {
    return data + lane * lane_stride + r * width;
  }
};

using Floats = Rows<float>;
using ConstFloats = Rows<const float>;
using Bytes = Rows<std::uint8_t>;
using ConstBytes = Rows<const std::uint8_t>;
using Longs = Rows<std::int64_t>;
using ConstLongs = Rows<const std::int64_t>;

// The CUDA stream that work is queued on (a cudaStream_t).
void* CurrentStream();

// The same functions twice, in namespaces of their own.
#define SFUMATO_KERNELS                                                        \
  void GatherWindows(ConstFloats images, const Window& window,                 \
                     Floats columns);                                          \
  void ScatterWindows(ConstFloats columns, const Window& window,               \
                      Floats images);                                          \
  void AddBiasRelu(Floats y, ConstFloats bias, float slope);                   \
  void ReluBackward(Floats d, ConstFloats y, float slope);                     \
  void ReluTangent(Floats y, ConstFloats x, float slope);                      \
  void MaxPoolForward(ConstFloats in, const Shape& in_shape,                   \
                      std::int64_t size, Floats out, Bytes chosen);            \
  void MaxPoolBackward(ConstFloats d_out, ConstBytes chosen,                   \
                       const Shape& in_shape, std::int64_t size, Floats d_in); \
  void DropoutForward(Floats y, ConstLongs keys, const DropoutDraw& draw,      \
                      Bytes kept);                                             \
  void DropoutBackward(Floats d, ConstBytes kept, float scale);                \
  void FillUniform(Floats y, ConstLongs keys, const RandomDraw& draw);         \
  void SoftmaxBackward(ConstFloats logits, ConstLongs labels,                  \
                       ConstFloats weights, Floats d, Floats losses);          \
  void PenaltyTangent(Floats g, ConstFloats weights, float lambda,             \
                      Floats penalties);                                       \
  void GatherRows(ConstFloats table, ConstLongs symbols, Floats rows);         \
  void ScatterRows(ConstFloats d, ConstLongs symbols, float scale,             \
                   Floats table);                                              \
  void CifgForward(Floats gates, ConstFloats bias, ConstFloats before,         \
                   Floats cells, Floats squashed, Floats hidden);              \
  void CifgBackward(Floats gates, ConstFloats before, ConstFloats squashed,    \
                    ConstFloats d_hidden, Floats d_cells);                     \
  void SpreadSequences(ConstFloats inputs, ConstLongs labels,                  \
                       ConstFloats weights, std::int64_t symbols, Longs seen,  \
                       Longs wanted, Floats shares);

namespace cpu {
SFUMATO_KERNELS
void AddToBias(ConstFloats d, float scale, Floats bias);
}  // namespace cpu
namespace cuda {
SFUMATO_KERNELS
}
#undef SFUMATO_KERNELS

}  // namespace sfumato::models

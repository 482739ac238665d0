#include "models/kernels.h"

#include "models/kernel_calls.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#endif

namespace sfumato::models {
namespace {

// [lane, row, …] as rows; what comes after the row is one of its numbers'
// width.
template <typename T, typename Raw = std::remove_const_t<T>>
Rows<T> RowsOf(const at::Tensor& t) {
  const std::int64_t rows = t.dim() > 1 ? t.size(1) : 1;
  const std::int64_t count = t.size(0) * rows;
  const std::int64_t width = count == 0 ? 0 : t.numel() / count;
  TORCH_CHECK(t.numel() == 0 || t[0].is_contiguous());
  return {.data = t.data_ptr<Raw>(),
          .lanes = t.size(0),
          .rows = rows,
          .width = width,
          .lane_stride = t.stride(0)};
}

// [lane, …, channel] as rows of channels.
template <typename T>
Rows<T> ChannelRows(const at::Tensor& t, std::int64_t channels) {
  Rows<T> rows = RowsOf<T>(t);
  rows.rows = rows.rows * rows.width / channels;
  rows.width = channels;
  return rows;
}

ConstFloats In(const at::Tensor& t) { return RowsOf<const float>(t); }
Floats Out(const at::Tensor& t) { return RowsOf<float>(t); }

Shape ImageShape(const at::Tensor& t) {
  return {.height = t.size(2), .width = t.size(3), .channels = t.size(4)};
}

}  // namespace

#if SFUMATO_HAS_CUDA
void* CurrentStream() { return at::cuda::getCurrentCUDAStream().stream(); }
#define SFUMATO_CALL(where, function, ...) \
  ((where).is_cuda() ? cuda::function(__VA_ARGS__) : cpu::function(__VA_ARGS__))
#else
#define SFUMATO_CALL(where, function, ...) cpu::function(__VA_ARGS__)
#endif

void GatherWindows(const at::Tensor& images, const Window& window,
                   const at::Tensor& columns) {
  SFUMATO_CALL(images, GatherWindows, In(images), window, Out(columns));
}

void ScatterWindows(const at::Tensor& columns, const Window& window,
                    const at::Tensor& images) {
  SFUMATO_CALL(images, ScatterWindows, In(columns), window, Out(images));
}

void AddBiasRelu(const at::Tensor& y, const at::Tensor& bias, double slope) {
  const bool has_bias = bias.defined();
  if (!has_bias && slope == 1) return;
  const std::int64_t channels = has_bias ? bias.size(1) : y.size(-1);
  SFUMATO_CALL(
      y, AddBiasRelu, ChannelRows<float>(y, channels),
      has_bias ? ChannelRows<const float>(bias, channels) : ConstFloats{},
      static_cast<float>(slope));
}

void ReluBackward(const at::Tensor& d, const at::Tensor& y, double slope) {
  SFUMATO_CALL(d, ReluBackward, Out(d), In(y), static_cast<float>(slope));
}

void ReluTangent(const at::Tensor& y, const at::Tensor& x, double slope) {
  SFUMATO_CALL(y, ReluTangent, Out(y), In(x), static_cast<float>(slope));
}

void AddToBias(const at::Tensor& d, double scale, const at::Tensor& bias) {
  const std::int64_t channels = bias.size(1);
  if (d.is_cuda()) {  // LibTorch's reduction spreads few lanes over the chip
    bias.add_(d.reshape({d.size(0), -1, channels}).sum(1), scale);
    return;
  }
  cpu::AddToBias(ChannelRows<const float>(d, channels),
                 static_cast<float>(scale), ChannelRows<float>(bias, channels));
}

void MaxPoolForward(const at::Tensor& in, std::int64_t size,
                    const at::Tensor& out, const at::Tensor& chosen) {
  SFUMATO_CALL(in, MaxPoolForward, In(in), ImageShape(in), size, Out(out),
               RowsOf<std::uint8_t>(chosen));
}

void MaxPoolBackward(const at::Tensor& d_out, const at::Tensor& chosen,
                     std::int64_t size, const at::Tensor& d_in) {
  SFUMATO_CALL(d_in, MaxPoolBackward, In(d_out),
               RowsOf<const std::uint8_t>(chosen), ImageShape(d_in), size,
               Out(d_in));
}

void DropoutForward(const at::Tensor& y, const at::Tensor& keys,
                    const DropoutDraw& draw, const at::Tensor& kept) {
  SFUMATO_CALL(y, DropoutForward, Out(y), RowsOf<const std::int64_t>(keys),
               draw, RowsOf<std::uint8_t>(kept));
}

void DropoutBackward(const at::Tensor& d, const at::Tensor& kept, double rate) {
  SFUMATO_CALL(d, DropoutBackward, Out(d), RowsOf<const std::uint8_t>(kept),
               static_cast<float>(1 / (1 - rate)));
}

void FillUniform(const at::Tensor& y, const at::Tensor& keys,
                 const RandomDraw& draw) {
  SFUMATO_CALL(y, FillUniform, Out(y), RowsOf<const std::int64_t>(keys), draw);
}

void SoftmaxBackward(const at::Tensor& logits, const at::Tensor& labels,
                     const at::Tensor& weights, const at::Tensor& d,
                     const at::Tensor& losses) {
  SFUMATO_CALL(logits, SoftmaxBackward, In(logits),
               RowsOf<const std::int64_t>(labels), In(weights), Out(d),
               Out(losses));
}

void GatherRows(const at::Tensor& table, const at::Tensor& symbols,
                const at::Tensor& rows) {
  SFUMATO_CALL(table, GatherRows, In(table),
               RowsOf<const std::int64_t>(symbols), Out(rows));
}

void ScatterRows(const at::Tensor& d, const at::Tensor& symbols, double scale,
                 const at::Tensor& table) {
  SFUMATO_CALL(table, ScatterRows, In(d), RowsOf<const std::int64_t>(symbols),
               static_cast<float>(scale), Out(table));
}

void CifgForward(const at::Tensor& gates, const at::Tensor& bias,
                 const at::Tensor& before, const at::Tensor& cells,
                 const at::Tensor& squashed, const at::Tensor& hidden) {
  SFUMATO_CALL(gates, CifgForward, Out(gates), In(bias), In(before), Out(cells),
               Out(squashed), Out(hidden));
}

void CifgBackward(const at::Tensor& gates, const at::Tensor& before,
                  const at::Tensor& squashed, const at::Tensor& d_hidden,
                  const at::Tensor& d_cells) {
  SFUMATO_CALL(gates, CifgBackward, Out(gates), In(before), In(squashed),
               In(d_hidden), Out(d_cells));
}

void SpreadSequences(const at::Tensor& inputs, const at::Tensor& labels,
                     const at::Tensor& weights, std::int64_t symbols,
                     const at::Tensor& seen, const at::Tensor& wanted,
                     const at::Tensor& shares) {
  SFUMATO_CALL(inputs, SpreadSequences, In(inputs),
               RowsOf<const std::int64_t>(labels), In(weights), symbols,
               RowsOf<std::int64_t>(seen), RowsOf<std::int64_t>(wanted),
               Out(shares));
}

void PenaltyTangent(const at::Tensor& g, const at::Tensor& weights,
                    double lambda, const at::Tensor& penalties) {
  SFUMATO_CALL(g, PenaltyTangent, Out(g), In(weights),
               static_cast<float>(lambda), Out(penalties));
}

}  // namespace sfumato::models

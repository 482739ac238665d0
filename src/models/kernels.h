// The loops between the matrix products, for CPUs and GPUs alike.
//
// Tensors are float32 [lane, row, …], contiguous from the row on (lanes may lie
// further apart). Each function runs where its tensors are: kernels_cpu.cc or
// kernels_cuda.cu, which compute the same thing; a GPU's are queued on the
// current stream and nothing waits.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "models/shape.h"

namespace sfumato::models {

// columns[lane, row * out.height * out.width, kernel * kernel * in.channels]:
// what each place of the output looks at, zero outside of the image.
void GatherWindows(const at::Tensor& images, const Window& window,
                   const at::Tensor& columns);
// The transpose: every pixel becomes the sum of the columns that looked at it.
void ScatterWindows(const at::Tensor& columns, const Window& window,
                    const at::Tensor& images);

// y += bias, then y = y > 0 ? y : slope * y. Either may be left out: `bias`
// undefined, `slope` 1. `bias` is [lane, channel], channel the last side of y.
void AddBiasRelu(const at::Tensor& y, const at::Tensor& bias, double slope);
// d *= y > 0 ? 1 : slope: back through the activation that gave y.
void ReluBackward(const at::Tensor& d, const at::Tensor& y, double slope);
// y = (y > 0 ? 1 : slope) * x: forward along the activation's tangent, in the
// place of its value.
void ReluTangent(const at::Tensor& y, const at::Tensor& x, double slope);

// bias[lane, channel] += scale * (sum of d over all but lane and channel).
void AddToBias(const at::Tensor& d, double scale, const at::Tensor& bias);

// `chosen` (uint8, shape of `out`) says which of the size² places was largest.
void MaxPoolForward(const at::Tensor& in, std::int64_t size,
                    const at::Tensor& out, const at::Tensor& chosen);
void MaxPoolBackward(const at::Tensor& d_out, const at::Tensor& chosen,
                     std::int64_t size, const at::Tensor& d_in);

// y = kept ? y / (1 - rate) : 0; `kept` (uint8) is remembered for the way back.
void DropoutForward(const at::Tensor& y, const at::Tensor& keys,
                    const DropoutDraw& draw, const at::Tensor& kept);
void DropoutBackward(const at::Tensor& d, const at::Tensor& kept, double rate);

// Uniform numbers between 0 and 1, ends left out: a function of the lane's key,
// the step, the layer and the place in the lane, like a dropout's.
void FillUniform(const at::Tensor& y, const at::Tensor& keys,
                 const RandomDraw& draw);

// Softmax cross-entropy. d = weight * (softmax(logits) - onehot(label)), and
// losses[lane] += sum of weight * loss. All [lane, row, …]; labels int64. `d`
// may be `logits`.
void SoftmaxBackward(const at::Tensor& logits, const at::Tensor& labels,
                     const at::Tensor& weights, const at::Tensor& d,
                     const at::Tensor& losses);

// rows[lane, i] = table[lane, symbols[lane, i]]; and back: the table's rows +=
// scale * d, in the order of i.
void GatherRows(const at::Tensor& table, const at::Tensor& symbols,
                const at::Tensor& rows);
void ScatterRows(const at::Tensor& d, const at::Tensor& symbols, double scale,
                 const at::Tensor& table);

// The gates of a CIFG-LSTM (lstm.h), [lane, row, 3 hidden] as forget, output
// and cell without bias; `bias` [lane, 3 hidden]; all else [lane, row, hidden].
// Forward: gates become their values, from the cells `before` come `cells`,
// `squashed` = tanh(cells) and `hidden`. Backward: gates become gradients, and
// d_cells goes from what the next step gave to what this step gives.
void CifgForward(const at::Tensor& gates, const at::Tensor& bias,
                 const at::Tensor& before, const at::Tensor& cells,
                 const at::Tensor& squashed, const at::Tensor& hidden);
void CifgBackward(const at::Tensor& gates, const at::Tensor& before,
                  const at::Tensor& squashed, const at::Tensor& d_hidden,
                  const at::Tensor& d_cells);

// Sequences (lstm.h), inputs [lane, row, width], as predictions by time and row
// [lane, (width - 1) * row]: the symbol that was seen, the one to guess, and
// the share in the lane's mean loss, 0 where there is nothing to guess. A row
// that is not a sequence has a share of NaN. `symbols` is how many there are.
void SpreadSequences(const at::Tensor& inputs, const at::Tensor& labels,
                     const at::Tensor& weights, std::int64_t symbols,
                     const at::Tensor& seen, const at::Tensor& wanted,
                     const at::Tensor& shares);

// WGAN-GP: from g = ∇D at the interpolated images [lane, row, …], in place,
// e = 2 λ weight (n - 1) / n · g with n = sqrt(|g|² + 1e-10); penalties[lane]
// += λ weight (n - 1)².
void PenaltyTangent(const at::Tensor& g, const at::Tensor& weights,
                    double lambda, const at::Tensor& penalties);

}  // namespace sfumato::models

// The loops of kernels.h on a GPU. One image (a row of a lane) is one y of the
// grid, so that indices inside it are small; sums are taken in a fixed order.

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "models/kernel_calls.h"

namespace sfumato::models::cuda {
namespace {

constexpr int kThreads = 256;
constexpr unsigned kMostRows = 65535;  // of a grid's y

cudaStream_t Stream() { return static_cast<cudaStream_t>(CurrentStream()); }

// A grid of `per_row` threads for each of `rows`.
dim3 Grid(std::int64_t per_row, std::int64_t rows) {
  const std::int64_t blocks = (per_row + kThreads - 1) / kThreads;
  return {static_cast<unsigned>(blocks),
          static_cast<unsigned>(rows < kMostRows ? rows : kMostRows), 1};
}

void CheckLaunch(const char* what) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA kernel ") + what + ": " +
                           cudaGetErrorString(error));
}

struct SmallWindow {
  int in_height, in_width, channels, out_height, out_width, kernel, stride, pad;
};
SmallWindow Small(const Window& w, int vector) {
  return {static_cast<int>(w.in.height),
          static_cast<int>(w.in.width),
          static_cast<int>(w.in.channels) / vector,
          static_cast<int>(w.out.height),
          static_cast<int>(w.out.width),
          static_cast<int>(w.kernel),
          static_cast<int>(w.stride),
          static_cast<int>(w.pad)};
}

__device__ inline float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
template <typename T>
__device__ T Zero();
template <>
__device__ inline float Zero<float>() {
  return 0.0f;
}
template <>
__device__ inline float4 Zero<float4>() {
  return make_float4(0, 0, 0, 0);
}

// T is float, or float4 where the channels allow it.
template <typename T>
__global__ void Gather(ConstFloats images, SmallWindow w, Floats columns) {
  const int places = w.out_height * w.out_width;
  const int depth = w.kernel * w.kernel * w.channels;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= places * depth) return;
  const int place = i / depth;
  const int inside = i - place * depth;
  const int tap = inside / w.channels;
  const int channel = inside - tap * w.channels;
  const int ky = tap / w.kernel;
  const int y = place / w.out_width * w.stride - w.pad + ky;
  const int x = place % w.out_width * w.stride - w.pad + tap - ky * w.kernel;
  const bool within = y >= 0 && y < w.in_height && x >= 0 && x < w.in_width;
  const int from = (y * w.in_width + x) * w.channels + channel;
  const std::int64_t rows = images.lanes * images.rows;
  for (std::int64_t r = blockIdx.y; r < rows; r += gridDim.y) {
    const std::int64_t lane = r / images.rows;
    const std::int64_t row = r - lane * images.rows;
    const T* image = reinterpret_cast<const T*>(images.row(lane, row));
    T* column = reinterpret_cast<T*>(columns.row(lane, row * places));
    column[i] = within ? image[from] : Zero<T>();
  }
}

template <typename T>
__global__ void Scatter(ConstFloats columns, SmallWindow w, Floats images) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w.in_height * w.in_width * w.channels) return;
  const int pixel = i / w.channels;
  const int channel = i - pixel * w.channels;
  const int y = pixel / w.in_width + w.pad;
  const int x = pixel % w.in_width + w.pad;
  const int depth = w.kernel * w.kernel * w.channels;
  // The places whose windows reach this pixel.
  const int first_y = y < w.kernel ? 0 : (y - w.kernel) / w.stride + 1;
  const int first_x = x < w.kernel ? 0 : (x - w.kernel) / w.stride + 1;
  const int last_y = min(y / w.stride, w.out_height - 1);
  const int last_x = min(x / w.stride, w.out_width - 1);
  const std::int64_t rows = images.lanes * images.rows;
  for (std::int64_t r = blockIdx.y; r < rows; r += gridDim.y) {
    const std::int64_t lane = r / images.rows;
    const std::int64_t row = r - lane * images.rows;
    const T* column = reinterpret_cast<const T*>(
        columns.row(lane, row * w.out_height * w.out_width));
    T sum = Zero<T>();
    for (int oy = first_y; oy <= last_y; ++oy) {
      for (int ox = first_x; ox <= last_x; ++ox) {
        const int tap = (y - oy * w.stride) * w.kernel + x - ox * w.stride;
        sum = sum + column[(oy * w.out_width + ox) * depth + tap * w.channels +
                           channel];
      }
    }
    reinterpret_cast<T*>(images.row(lane, row))[i] = sum;
  }
}

template <typename F>
__global__ void ForEach(std::int64_t lanes, std::int64_t per_lane, F f) {
  const std::int64_t i =
      static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= per_lane) return;
  for (std::int64_t lane = blockIdx.y; lane < lanes; lane += gridDim.y) {
    f(lane, i);
  }
}

// f(lane, i) for every i below per_lane.
template <typename F>
void Launch(const char* what, std::int64_t lanes, std::int64_t per_lane, F f) {
  if (lanes == 0 || per_lane == 0) return;
  ForEach<<<Grid(per_lane, lanes), kThreads, 0, Stream()>>>(lanes, per_lane, f);
  CheckLaunch(what);
}

__device__ inline float Relu(float x, float slope) {
  return x > 0 ? x : slope * x;
}

__device__ inline float Sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// One round of Philox4x32 and the whole of it, as in base/random.h.
__device__ inline uint4 Philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xD2511F53u, counter.x);
    const unsigned low0 = 0xD2511F53u * counter.x;
    const unsigned high1 = __umulhi(0xCD9E8D57u, counter.z);
    const unsigned low1 = 0xCD9E8D57u * counter.z;
    counter = make_uint4(high1 ^ counter.y ^ key.x, low1,
                         high0 ^ counter.w ^ key.y, low0);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

__device__ inline float WarpSum(float x) {
  for (int step = 16; step > 0; step /= 2) {
    x += __shfl_xor_sync(0xffffffffu, x, step);
  }
  return x;
}
__device__ inline float WarpMax(float x) {
  for (int step = 16; step > 0; step /= 2) {
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, step));
  }
  return x;
}

// A block is a lane, a warp a row; `row_value` returns what the row adds to the
// lane's total, which is summed in the order of rows.
template <typename F>
__global__ void ForEachRow(std::int64_t rows, Floats totals, F row_value) {
  __shared__ float values[kThreads / 32];
  const int warp = threadIdx.x / 32;
  float total = 0;
  for (std::int64_t first = 0; first < rows; first += kThreads / 32) {
    const std::int64_t row = first + warp;
    const float value =
        row < rows ? row_value(blockIdx.x, row, threadIdx.x % 32) : 0.0f;
    if (threadIdx.x % 32 == 0) values[warp] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int i = 0; i < kThreads / 32; ++i) total += values[i];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *totals.row(blockIdx.x, 0) += total;
}

struct PoolShape {
  int width, channels, out_width, out_size, size;
};
PoolShape PoolOf(const Shape& in, std::int64_t size) {
  return {static_cast<int>(in.width), static_cast<int>(in.channels),
          static_cast<int>(in.width / size),
          static_cast<int>(in.height / size * (in.width / size) * in.channels),
          static_cast<int>(size)};
}
// Where place 0 of output i lies in the input.
__device__ inline int PoolCorner(const PoolShape& p, int i) {
  const int pixel = i / p.channels;
  return (pixel / p.out_width * p.size * p.width +
          pixel % p.out_width * p.size) *
             p.channels +
         i - pixel * p.channels;
}
__device__ inline int PoolOffset(const PoolShape& p, int place) {
  return (place / p.size * p.width + place % p.size) * p.channels;
}

}  // namespace

void GatherWindows(ConstFloats images, const Window& window, Floats columns) {
  const int vector = window.in.channels % 4 == 0 ? 4 : 1;
  const SmallWindow w = Small(window, vector);
  const std::int64_t per_row = static_cast<std::int64_t>(w.out_height) *
                               w.out_width * w.kernel * w.kernel * w.channels;
  const dim3 grid = Grid(per_row, images.lanes * images.rows);
  if (vector == 4) {
    Gather<float4><<<grid, kThreads, 0, Stream()>>>(images, w, columns);
  } else {
    Gather<float><<<grid, kThreads, 0, Stream()>>>(images, w, columns);
  }
  CheckLaunch("GatherWindows");
}

void ScatterWindows(ConstFloats columns, const Window& window, Floats images) {
  const int vector = window.in.channels % 4 == 0 ? 4 : 1;
  const SmallWindow w = Small(window, vector);
  const dim3 grid =
      Grid(static_cast<std::int64_t>(w.in_height) * w.in_width * w.channels,
           images.lanes * images.rows);
  if (vector == 4) {
    Scatter<float4><<<grid, kThreads, 0, Stream()>>>(columns, w, images);
  } else {
    Scatter<float><<<grid, kThreads, 0, Stream()>>>(columns, w, images);
  }
  CheckLaunch("ScatterWindows");
}

void AddBiasRelu(Floats y, ConstFloats bias, float slope) {
  const int channels = static_cast<int>(y.width);
  Launch("AddBiasRelu", y.lanes, y.rows * y.width,
         [=] __device__(std::int64_t lane, std::int64_t i) {
           float* at = y.row(lane, 0) + i;
           const float shift =
               bias.data ? bias.row(lane, 0)[i % channels] : 0.0f;
           *at = Relu(*at + shift, slope);
         });
}

void ReluBackward(Floats d, ConstFloats y, float slope) {
  Launch("ReluBackward", d.lanes, d.rows * d.width,
         [=] __device__(std::int64_t lane, std::int64_t i) {
           d.row(lane, 0)[i] *= y.row(lane, 0)[i] > 0 ? 1.0f : slope;
         });
}

void ReluTangent(Floats y, ConstFloats x, float slope) {
  Launch("ReluTangent", y.lanes, y.rows * y.width,
         [=] __device__(std::int64_t lane, std::int64_t i) {
           float* at = y.row(lane, 0) + i;
           *at = (*at > 0 ? 1.0f : slope) * x.row(lane, 0)[i];
         });
}

void MaxPoolForward(ConstFloats in, const Shape& in_shape, std::int64_t size,
                    Floats out, Bytes chosen) {
  const PoolShape p = PoolOf(in_shape, size);
  Launch("MaxPoolForward", in.lanes * in.rows, p.out_size,
         [=] __device__(std::int64_t image, std::int64_t i) {
           const std::int64_t lane = image / in.rows;
           const std::int64_t row = image % in.rows;
           const float* from =
               in.row(lane, row) + PoolCorner(p, static_cast<int>(i));
           float best = *from;
           int which = 0;
           for (int place = 1; place < p.size * p.size; ++place) {
             const float x = from[PoolOffset(p, place)];
             if (x > best) {
               best = x;
               which = place;
             }
           }
           out.row(lane, row)[i] = best;
           chosen.row(lane, row)[i] = static_cast<std::uint8_t>(which);
         });
}

void MaxPoolBackward(ConstFloats d_out, ConstBytes chosen,
                     const Shape& in_shape, std::int64_t size, Floats d_in) {
  const PoolShape p = PoolOf(in_shape, size);
  if (in_shape.height % size != 0 || in_shape.width % size != 0) {
    Launch("MaxPoolBackward", d_in.lanes, d_in.rows * d_in.width,
           [=] __device__(std::int64_t lane, std::int64_t i) {
             d_in.row(lane, 0)[i] = 0;
           });
  }
  Launch("MaxPoolBackward", d_in.lanes * d_in.rows, p.out_size,
         [=] __device__(std::int64_t image, std::int64_t i) {
           const std::int64_t lane = image / d_in.rows;
           const std::int64_t row = image % d_in.rows;
           float* to = d_in.row(lane, row) + PoolCorner(p, static_cast<int>(i));
           const int which = chosen.row(lane, row)[i];
           const float d = d_out.row(lane, row)[i];
           for (int place = 0; place < p.size * p.size; ++place) {
             to[PoolOffset(p, place)] = place == which ? d : 0.0f;
           }
         });
}

void DropoutForward(Floats y, ConstLongs keys, const DropoutDraw& draw,
                    Bytes kept) {
  const auto threshold = static_cast<std::uint32_t>(draw.rate * 65536.0);
  const auto scale = static_cast<float>(1 / (1 - draw.rate));
  const auto layer = static_cast<std::uint32_t>(draw.layer);
  const auto step = static_cast<std::uint32_t>(draw.step);
  const std::int64_t places = y.rows * y.width;
  Launch("DropoutForward", y.lanes, (places + 7) / 8,
         [=] __device__(std::int64_t lane, std::int64_t block) {
           const auto key = static_cast<std::uint64_t>(*keys.row(lane, 0));
           const uint4 four =
               Philox(make_uint4(static_cast<unsigned>(block), layer, step, 0),
                      make_uint2(static_cast<unsigned>(key),
                                 static_cast<unsigned>(key >> 32)));
           const unsigned words[4] = {four.x, four.y, four.z, four.w};
           float* values = y.row(lane, 0);
           std::uint8_t* keep = kept.row(lane, 0);
           for (int i = 0; i < 8 && block * 8 + i < places; ++i) {
             const unsigned bits = words[i / 2] >> (16 * (i % 2)) & 0xffff;
             const bool stays = bits >= threshold;
             keep[block * 8 + i] = stays;
             values[block * 8 + i] *= stays ? scale : 0.0f;
           }
         });
}

void FillUniform(Floats y, ConstLongs keys, const RandomDraw& draw) {
  const auto layer = static_cast<std::uint32_t>(draw.layer);
  const auto step = static_cast<std::uint32_t>(draw.step);
  const std::int64_t places = y.rows * y.width;
  Launch("FillUniform", y.lanes, (places + 3) / 4,
         [=] __device__(std::int64_t lane, std::int64_t block) {
           const auto key = static_cast<std::uint64_t>(*keys.row(lane, 0));
           const uint4 four =
               Philox(make_uint4(static_cast<unsigned>(block), layer, step, 0),
                      make_uint2(static_cast<unsigned>(key),
                                 static_cast<unsigned>(key >> 32)));
           const unsigned words[4] = {four.x, four.y, four.z, four.w};
           float* values = y.row(lane, 0);
           for (int i = 0; i < 4 && block * 4 + i < places; ++i) {
             values[block * 4 + i] =
                 (static_cast<float>(words[i] >> 9) + 0.5f) * 0x1p-23f;
           }
         });
}

void DropoutBackward(Floats d, ConstBytes kept, float scale) {
  Launch("DropoutBackward", d.lanes, d.rows * d.width,
         [=] __device__(std::int64_t lane, std::int64_t i) {
           d.row(lane, 0)[i] *= kept.row(lane, 0)[i] ? scale : 0.0f;
         });
}

void SoftmaxBackward(ConstFloats logits, ConstLongs labels, ConstFloats weights,
                     Floats d, Floats losses) {
  const int classes = static_cast<int>(logits.width);
  if (logits.lanes == 0) return;
  ForEachRow<<<static_cast<unsigned>(logits.lanes), kThreads, 0, Stream()>>>(
      logits.rows, losses,
      [=] __device__(std::int64_t lane, std::int64_t row, int thread) {
        const float* in = logits.row(lane, row);
        float* out = d.row(lane, row);
        const float weight = *weights.row(lane, row);
        const std::int64_t label = *labels.row(lane, row);
        const float own = in[label];  // `out` may be `in`
        float most = -3.4e38f;
        for (int i = thread; i < classes; i += 32) most = fmaxf(most, in[i]);
        most = WarpMax(most);
        float total = 0;
        for (int i = thread; i < classes; i += 32) {
          total += expf(in[i] - most);
        }
        total = WarpSum(total);
        for (int i = thread; i < classes; i += 32) {
          out[i] = weight == 0 ? 0.0f
                               : weight * (expf(in[i] - most) / total -
                                           (i == label ? 1.0f : 0.0f));
        }
        return weight == 0 ? 0.0f : weight * (logf(total) + most - own);
      });
  CheckLaunch("SoftmaxBackward");
}

void GatherRows(ConstFloats table, ConstLongs symbols, Floats rows) {
  const std::int64_t width = rows.width;
  Launch("GatherRows", rows.lanes, rows.rows * width,
         [=] __device__(std::int64_t lane, std::int64_t i) {
           const std::int64_t row = i / width;
           const float* from = table.row(lane, *symbols.row(lane, row));
           rows.row(lane, row)[i - row * width] = from[i - row * width];
         });
}

// A thread is a column, so that sums have one order.
void ScatterRows(ConstFloats d, ConstLongs symbols, float scale, Floats table) {
  Launch("ScatterRows", d.lanes, d.width,
         [=] __device__(std::int64_t lane, std::int64_t i) {
           for (std::int64_t row = 0; row < d.rows; ++row) {
             table.row(lane, *symbols.row(lane, row))[i] +=
                 scale * d.row(lane, row)[i];
           }
         });
}

void CifgForward(Floats gates, ConstFloats bias, ConstFloats before,
                 Floats cells, Floats squashed, Floats hidden) {
  const std::int64_t n = cells.width;
  Launch("CifgForward", cells.lanes, cells.rows * n,
         [=] __device__(std::int64_t lane, std::int64_t i) {
           const std::int64_t row = i / n;
           const std::int64_t j = i - row * n;
           float* gate = gates.row(lane, row) + j;
           const float* b = bias.row(lane, 0) + j;
           const float f = Sigmoid(gate[0] + b[0]);
           const float o = Sigmoid(gate[n] + b[n]);
           const float g = tanhf(gate[2 * n] + b[2 * n]);
           const float cell = f * before.row(lane, row)[j] + (1.0f - f) * g;
           const float squash = tanhf(cell);
           gate[0] = f;
           gate[n] = o;
           gate[2 * n] = g;
           cells.row(lane, row)[j] = cell;
           squashed.row(lane, row)[j] = squash;
           hidden.row(lane, row)[j] = o * squash;
         });
}

void CifgBackward(Floats gates, ConstFloats before, ConstFloats squashed,
                  ConstFloats d_hidden, Floats d_cells) {
  const std::int64_t n = d_cells.width;
  Launch("CifgBackward", d_cells.lanes, d_cells.rows * n,
         [=] __device__(std::int64_t lane, std::int64_t i) {
           const std::int64_t row = i / n;
           const std::int64_t j = i - row * n;
           float* gate = gates.row(lane, row) + j;
           float* d_cell = d_cells.row(lane, row) + j;
           const float f = gate[0];
           const float o = gate[n];
           const float g = gate[2 * n];
           const float s = squashed.row(lane, row)[j];
           const float d_out = d_hidden.row(lane, row)[j];
           const float d = *d_cell + d_out * o * (1.0f - s * s);
           gate[0] = d * (before.row(lane, row)[j] - g) * f * (1.0f - f);
           gate[n] = d_out * s * o * (1.0f - o);
           gate[2 * n] = d * (1.0f - f) * (1.0f - g * g);
           *d_cell = d * f;
         });
}

void SpreadSequences(ConstFloats inputs, ConstLongs labels, ConstFloats weights,
                     std::int64_t symbols, Longs seen, Longs wanted,
                     Floats shares) {
  const std::int64_t width = inputs.width;
  const float most = static_cast<float>(symbols);
  Launch("SpreadSequences", inputs.lanes, (width - 1) * inputs.rows,
         [=] __device__(std::int64_t lane, std::int64_t i) {
           const std::int64_t t = i / inputs.rows;
           const std::int64_t row = i - t * inputs.rows;
           std::int64_t total = 0;
           for (std::int64_t r = 0; r < inputs.rows; ++r) {
             const std::int64_t n = *labels.row(lane, r);
             if (*weights.row(lane, r) > 0 && n >= 1 && n < width) total += n;
           }
           const std::int64_t label = *labels.row(lane, row);
           const std::int64_t n = label >= 1 && label < width ? label : 0;
           const float* x = inputs.row(lane, row) + t;
           const bool some =
               *weights.row(lane, row) > 0 && (t < n || t + n == 0);
           const bool good = some && n > 0 && x[0] >= 0 && x[0] < most &&
                             x[1] >= 0 && x[1] < most;
           *seen.row(lane, i) = good ? static_cast<std::int64_t>(x[0]) : 0;
           *wanted.row(lane, i) = good ? static_cast<std::int64_t>(x[1]) : 0;
           *shares.row(lane, i) = good ? 1.0f / static_cast<float>(total)
                                       : (some ? nanf("") : 0.0f);
         });
}

void PenaltyTangent(Floats g, ConstFloats weights, float lambda,
                    Floats penalties) {
  const int width = static_cast<int>(g.width);
  if (g.lanes == 0) return;
  ForEachRow<<<static_cast<unsigned>(g.lanes), kThreads, 0, Stream()>>>(
      g.rows, penalties,
      [=] __device__(std::int64_t lane, std::int64_t row, int thread) {
        float* out = g.row(lane, row);
        float squares = 0;
        for (int i = thread; i < width; i += 32) squares += out[i] * out[i];
        const float norm = sqrtf(WarpSum(squares) + 1e-10f);
        const float weight = *weights.row(lane, row);
        const float scale = 2 * lambda * weight * (norm - 1) / norm;
        for (int i = thread; i < width; i += 32) out[i] *= scale;
        return lambda * weight * (norm - 1) * (norm - 1);
      });
  CheckLaunch("PenaltyTangent");
}

}  // namespace sfumato::models::cuda

// The loops of kernels.h on one core: clients, not kernels, are what threads
// share.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "models/kernel_calls.h"
#include "models/vector_math.h"

namespace sfumato::models::cpu {
namespace {

template <typename F>
void ForEachRow(std::int64_t lanes, std::int64_t rows, F&& f) {
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    for (std::int64_t row = 0; row < rows; ++row) f(lane, row);
  }
}

// Calls f(offset in the image, offset in the columns, numbers) for every piece
// of an image row that lies side by side in a column, and `outside(offset,
// numbers)` for what lies beyond the border.
template <typename F, typename G>
void ForEachPiece(const Window& w, F&& f, G&& outside) {
  const std::int64_t c = w.in.channels;
  const std::int64_t line = w.kernel * c;
  std::int64_t column = 0;
  for (std::int64_t oy = 0; oy < w.out.height; ++oy) {
    for (std::int64_t ox = 0; ox < w.out.width; ++ox) {
      const std::int64_t left = ox * w.stride - w.pad;
      const std::int64_t from = std::clamp<std::int64_t>(-left, 0, w.kernel);
      const std::int64_t to =
          std::clamp<std::int64_t>(w.in.width - left, from, w.kernel);
      for (std::int64_t ky = 0; ky < w.kernel; ++ky, column += line) {
        const std::int64_t y = oy * w.stride - w.pad + ky;
        if (y < 0 || y >= w.in.height) {
          outside(column, line);
          continue;
        }
        if (from > 0) outside(column, from * c);
        if (to < w.kernel) outside(column + to * c, (w.kernel - to) * c);
        f((y * w.in.width + left + from) * c, column + from * c,
          (to - from) * c);
      }
    }
  }
}

}  // namespace

SFUMATO_VECTORS void GatherWindows(ConstFloats images, const Window& window,
                                   Floats columns) {
  const std::int64_t places = window.out.height * window.out.width;
  ForEachRow(images.lanes, images.rows, [&](std::int64_t l, std::int64_t r) {
    const float* image = images.row(l, r);
    float* column = columns.row(l, r * places);
    ForEachPiece(
        window,
        [&](std::int64_t from, std::int64_t to, std::int64_t n) {
          const float* in = image + from;
          float* out = column + to;
          for (std::int64_t i = 0; i < n; ++i) out[i] = in[i];
        },
        [&](std::int64_t to, std::int64_t n) {
          std::fill_n(column + to, n, 0.0f);
        });
  });
}

SFUMATO_VECTORS void ScatterWindows(ConstFloats columns, const Window& window,
                                    Floats images) {
  const std::int64_t places = window.out.height * window.out.width;
  ForEachRow(images.lanes, images.rows, [&](std::int64_t l, std::int64_t r) {
    float* image = images.row(l, r);
    const float* column = columns.row(l, r * places);
    std::fill_n(image, images.width, 0.0f);
    ForEachPiece(
        window,
        [&](std::int64_t to, std::int64_t from, std::int64_t n) {
          const float* in = column + from;
          float* out = image + to;
          for (std::int64_t i = 0; i < n; ++i) out[i] += in[i];
        },
        [](std::int64_t, std::int64_t) {});
  });
}

SFUMATO_VECTORS void AddBiasRelu(Floats y, ConstFloats bias, float slope) {
  ForEachRow(y.lanes, y.rows, [&](std::int64_t l, std::int64_t r) {
    float* out = y.row(l, r);
    if (bias.data != nullptr) {
      const float* b = bias.row(l, 0);
      for (std::int64_t i = 0; i < y.width; ++i) {
        const float x = out[i] + b[i];
        out[i] = x > 0 ? x : slope * x;
      }
    } else {
      for (std::int64_t i = 0; i < y.width; ++i) {
        out[i] = out[i] > 0 ? out[i] : slope * out[i];
      }
    }
  });
}

SFUMATO_VECTORS void ReluBackward(Floats d, ConstFloats y, float slope) {
  ForEachRow(d.lanes, d.rows, [&](std::int64_t l, std::int64_t r) {
    float* out = d.row(l, r);
    const float* at = y.row(l, r);
    for (std::int64_t i = 0; i < d.width; ++i) {
      out[i] *= at[i] > 0 ? 1.0f : slope;
    }
  });
}

SFUMATO_VECTORS void ReluTangent(Floats y, ConstFloats x, float slope) {
  ForEachRow(y.lanes, y.rows, [&](std::int64_t l, std::int64_t r) {
    float* out = y.row(l, r);
    const float* in = x.row(l, r);
    for (std::int64_t i = 0; i < y.width; ++i) {
      out[i] = (out[i] > 0 ? 1.0f : slope) * in[i];
    }
  });
}

SFUMATO_VECTORS void AddToBias(ConstFloats d, float scale, Floats bias) {
  ForEachRow(d.lanes, d.rows, [&](std::int64_t l, std::int64_t r) {
    const float* in = d.row(l, r);
    float* out = bias.row(l, 0);
    for (std::int64_t i = 0; i < d.width; ++i) out[i] += scale * in[i];
  });
}

SFUMATO_VECTORS void MaxPoolForward(ConstFloats in, const Shape& in_shape,
                                    std::int64_t size, Floats out,
                                    Bytes chosen) {
  const std::int64_t height = in_shape.height / size;
  const std::int64_t width = in_shape.width / size;
  const std::int64_t c = in_shape.channels;
  ForEachRow(in.lanes, in.rows, [&](std::int64_t l, std::int64_t r) {
    float* best = out.row(l, r);
    std::uint8_t* which = chosen.row(l, r);
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x, best += c, which += c) {
        for (std::int64_t place = 0; place < size * size; ++place) {
          const float* from =
              in.row(l, r) + ((y * size + place / size) * in_shape.width +
                              x * size + place % size) *
                                 c;
          if (place == 0) {
            std::copy_n(from, c, best);
            std::fill_n(which, c, std::uint8_t{0});
            continue;
          }
          for (std::int64_t i = 0; i < c; ++i) {
            const bool larger = from[i] > best[i];
            best[i] = larger ? from[i] : best[i];
            which[i] = larger ? static_cast<std::uint8_t>(place) : which[i];
          }
        }
      }
    }
  });
}

SFUMATO_VECTORS void MaxPoolBackward(ConstFloats d_out, ConstBytes chosen,
                                     const Shape& in_shape, std::int64_t size,
                                     Floats d_in) {
  const std::int64_t height = in_shape.height / size;
  const std::int64_t width = in_shape.width / size;
  const std::int64_t c = in_shape.channels;
  const bool rest = in_shape.height % size != 0 || in_shape.width % size != 0;
  ForEachRow(d_in.lanes, d_in.rows, [&](std::int64_t l, std::int64_t r) {
    if (rest) std::fill_n(d_in.row(l, r), d_in.width, 0.0f);
    const float* d = d_out.row(l, r);
    const std::uint8_t* which = chosen.row(l, r);
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x, d += c, which += c) {
        for (std::int64_t place = 0; place < size * size; ++place) {
          float* to =
              d_in.row(l, r) + ((y * size + place / size) * in_shape.width +
                                x * size + place % size) *
                                   c;
          for (std::int64_t i = 0; i < c; ++i) {
            to[i] = which[i] == place ? d[i] : 0.0f;
          }
        }
      }
    }
  });
}

// Blocks `first` … first + kDraws - 1 of Philox4x32-10 (base/random.h) side by
// side, so that the compiler takes vectors; a block is eight numbers of sixteen
// bits.
SFUMATO_VECTORS void DropoutForward(Floats y, ConstLongs keys,
                                    const DropoutDraw& draw, Bytes kept) {
  constexpr int kDraws = 16;
  const auto threshold = static_cast<std::uint32_t>(draw.rate * 65536.0);
  const auto scale = static_cast<float>(1 / (1 - draw.rate));
  const std::int64_t places = y.rows * y.width;
  for (std::int64_t lane = 0; lane < y.lanes; ++lane) {
    const auto key = static_cast<std::uint64_t>(*keys.row(lane, 0));
    float* values = y.row(lane, 0);
    std::uint8_t* keep = kept.row(lane, 0);
    for (std::int64_t from = 0; from < places; from += 8L * kDraws) {
      std::uint32_t x[4][kDraws];
      for (int i = 0; i < kDraws; ++i) {
        x[0][i] = static_cast<std::uint32_t>(from / 8 + i);
        x[1][i] = static_cast<std::uint32_t>(draw.layer);
        x[2][i] = static_cast<std::uint32_t>(draw.step);
        x[3][i] = 0;
      }
      auto key0 = static_cast<std::uint32_t>(key);
      auto key1 = static_cast<std::uint32_t>(key >> 32);
      for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < kDraws; ++i) {
          const std::uint64_t a = std::uint64_t{0xD2511F53} * x[0][i];
          const std::uint64_t b = std::uint64_t{0xCD9E8D57} * x[2][i];
          x[0][i] = static_cast<std::uint32_t>(b >> 32) ^ x[1][i] ^ key0;
          x[1][i] = static_cast<std::uint32_t>(b);
          x[2][i] = static_cast<std::uint32_t>(a >> 32) ^ x[3][i] ^ key1;
          x[3][i] = static_cast<std::uint32_t>(a);
        }
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
      }
      std::uint8_t stays[8 * kDraws];
      for (int i = 0; i < kDraws; ++i) {
        for (int word = 0; word < 4; ++word) {
          stays[8 * i + 2 * word] = (x[word][i] & 0xffff) >= threshold;
          stays[8 * i + 2 * word + 1] = (x[word][i] >> 16) >= threshold;
        }
      }
      const auto end =
          static_cast<int>(std::min<std::int64_t>(8L * kDraws, places - from));
      for (int i = 0; i < end; ++i) {
        keep[from + i] = stays[i];
        values[from + i] *= stays[i] ? scale : 0.0f;
      }
    }
  }
}

// One block of Philox4x32-10 gives four numbers of 23 bits.
void FillUniform(Floats y, ConstLongs keys, const RandomDraw& draw) {
  const std::int64_t places = y.rows * y.width;
  for (std::int64_t lane = 0; lane < y.lanes; ++lane) {
    const auto key = static_cast<std::uint64_t>(*keys.row(lane, 0));
    float* values = y.row(lane, 0);
    for (std::int64_t block = 0; 4 * block < places; ++block) {
      std::uint32_t x[4] = {static_cast<std::uint32_t>(block),
                            static_cast<std::uint32_t>(draw.layer),
                            static_cast<std::uint32_t>(draw.step), 0};
      auto key0 = static_cast<std::uint32_t>(key);
      auto key1 = static_cast<std::uint32_t>(key >> 32);
      for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * x[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57} * x[2];
        x[0] = static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key0;
        x[1] = static_cast<std::uint32_t>(b);
        x[2] = static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key1;
        x[3] = static_cast<std::uint32_t>(a);
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
      }
      for (std::int64_t i = 0; i < 4 && 4 * block + i < places; ++i) {
        values[4 * block + i] =
            (static_cast<float>(x[i] >> 9) + 0.5f) * 0x1p-23f;
      }
    }
  }
}

SFUMATO_VECTORS void DropoutBackward(Floats d, ConstBytes kept, float scale) {
  ForEachRow(d.lanes, d.rows, [&](std::int64_t l, std::int64_t r) {
    float* out = d.row(l, r);
    const std::uint8_t* keep = kept.row(l, r);
    for (std::int64_t i = 0; i < d.width; ++i) {
      out[i] *= keep[i] ? scale : 0.0f;
    }
  });
}

SFUMATO_VECTORS void SoftmaxBackward(ConstFloats logits, ConstLongs labels,
                                     ConstFloats weights, Floats d,
                                     Floats losses) {
  ForEachRow(logits.lanes, logits.rows, [&](std::int64_t l, std::int64_t r) {
    const float* in = logits.row(l, r);
    float* out = d.row(l, r);
    const float weight = *weights.row(l, r);
    const std::int64_t label = *labels.row(l, r);
    if (weight == 0) {
      std::fill_n(out, logits.width, 0.0f);
      return;
    }
    const float own = in[label];
    const float most = Largest(in, logits.width);
    const float total = ExpAndSum(in, most, logits.width, out);
    const float scale = weight / total;
    for (std::int64_t i = 0; i < logits.width; ++i) out[i] *= scale;
    out[label] -= weight;
    *losses.row(l, 0) += weight * (std::log(total) + most - own);
  });
}

SFUMATO_VECTORS void GatherRows(ConstFloats table, ConstLongs symbols,
                                Floats rows) {
  ForEachRow(rows.lanes, rows.rows, [&](std::int64_t l, std::int64_t r) {
    const float* from = table.row(l, *symbols.row(l, r));
    std::copy_n(from, rows.width, rows.row(l, r));
  });
}

SFUMATO_VECTORS void ScatterRows(ConstFloats d, ConstLongs symbols, float scale,
                                 Floats table) {
  ForEachRow(d.lanes, d.rows, [&](std::int64_t l, std::int64_t r) {
    const float* in = d.row(l, r);
    float* out = table.row(l, *symbols.row(l, r));
    for (std::int64_t i = 0; i < d.width; ++i) out[i] += scale * in[i];
  });
}

SFUMATO_VECTORS void CifgForward(Floats gates, ConstFloats bias,
                                 ConstFloats before, Floats cells,
                                 Floats squashed, Floats hidden) {
  const std::int64_t n = cells.width;
  ForEachRow(cells.lanes, cells.rows, [&](std::int64_t l, std::int64_t r) {
    float* gate = gates.row(l, r);
    const float* b = bias.row(l, 0);
    const float* old = before.row(l, r);
    float* cell = cells.row(l, r);
    float* squash = squashed.row(l, r);
    float* out = hidden.row(l, r);
    for (std::int64_t i = 0; i < 2 * n; ++i) gate[i] = Sigmoid(gate[i] + b[i]);
    for (std::int64_t i = 2 * n; i < 3 * n; ++i) gate[i] = Tanh(gate[i] + b[i]);
    for (std::int64_t i = 0; i < n; ++i) {
      const float f = gate[i];
      cell[i] = f * old[i] + (1.0f - f) * gate[2 * n + i];
    }
    for (std::int64_t i = 0; i < n; ++i) {
      squash[i] = Tanh(cell[i]);
      out[i] = gate[n + i] * squash[i];
    }
  });
}

SFUMATO_VECTORS void CifgBackward(Floats gates, ConstFloats before,
                                  ConstFloats squashed, ConstFloats d_hidden,
                                  Floats d_cells) {
  const std::int64_t n = d_cells.width;
  ForEachRow(d_cells.lanes, d_cells.rows, [&](std::int64_t l, std::int64_t r) {
    float* gate = gates.row(l, r);
    const float* old = before.row(l, r);
    const float* squash = squashed.row(l, r);
    const float* d_out = d_hidden.row(l, r);
    float* d_cell = d_cells.row(l, r);
    for (std::int64_t i = 0; i < n; ++i) {
      const float f = gate[i];
      const float o = gate[n + i];
      const float g = gate[2 * n + i];
      const float s = squash[i];
      const float d = d_cell[i] + d_out[i] * o * (1.0f - s * s);
      gate[i] = d * (old[i] - g) * f * (1.0f - f);
      gate[n + i] = d_out[i] * s * o * (1.0f - o);
      gate[2 * n + i] = d * (1.0f - f) * (1.0f - g * g);
      d_cell[i] = d * f;
    }
  });
}

void SpreadSequences(ConstFloats inputs, ConstLongs labels, ConstFloats weights,
                     std::int64_t symbols, Longs seen, Longs wanted,
                     Floats shares) {
  const auto known = [&](float x) {  // not NaN either
    return x >= 0 && x < static_cast<float>(symbols);
  };
  for (std::int64_t l = 0; l < inputs.lanes; ++l) {
    const auto predictions = [&](std::int64_t row) {
      const std::int64_t n = *labels.row(l, row);
      return n >= 1 && n < inputs.width ? n : 0;
    };
    std::int64_t total = 0;
    for (std::int64_t row = 0; row < inputs.rows; ++row) {
      if (*weights.row(l, row) > 0) total += predictions(row);
    }
    for (std::int64_t i = 0; i < (inputs.width - 1) * inputs.rows; ++i) {
      const std::int64_t t = i / inputs.rows;
      const std::int64_t row = i % inputs.rows;
      const std::int64_t n = predictions(row);
      const float* x = inputs.row(l, row) + t;
      const bool some = *weights.row(l, row) > 0 && (t < n || t + n == 0);
      const bool good = some && n > 0 && known(x[0]) && known(x[1]);
      *seen.row(l, i) = good ? static_cast<std::int64_t>(x[0]) : 0;
      *wanted.row(l, i) = good ? static_cast<std::int64_t>(x[1]) : 0;
      *shares.row(l, i) =
          good ? 1.0f / static_cast<float>(total)
               : (some ? std::numeric_limits<float>::quiet_NaN() : 0.0f);
    }
  }
}

SFUMATO_VECTORS void PenaltyTangent(Floats g, ConstFloats weights, float lambda,
                                    Floats penalties) {
  ForEachRow(g.lanes, g.rows, [&](std::int64_t l, std::int64_t r) {
    float* out = g.row(l, r);
    double squares = 1e-10;
    for (std::int64_t i = 0; i < g.width; ++i) {
      squares += static_cast<double>(out[i]) * out[i];
    }
    const auto norm = static_cast<float>(std::sqrt(squares));
    const float weight = *weights.row(l, r);
    const float scale = 2 * lambda * weight * (norm - 1) / norm;
    for (std::int64_t i = 0; i < g.width; ++i) out[i] *= scale;
    *penalties.row(l, 0) += lambda * weight * (norm - 1) * (norm - 1);
  });
}

}  // namespace sfumato::models::cpu

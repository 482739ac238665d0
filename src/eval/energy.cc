#include "eval/energy.h"

#include <algorithm>

#include "base/random.h"

namespace sfumato::eval {

at::Tensor MeanWithin(const at::Tensor& d, const at::Tensor& u,
                      const at::Tensor& v) {
  const at::Tensor hollow = d.to(at::kDouble).clone().fill_diagonal_(0);
  const at::Tensor sum = (at::matmul(u, hollow) * v).sum(1);
  const at::Tensor pairs = u.sum(1) * v.sum(1) - (u * v).sum(1);
  return sum / pairs.clamp_min(1e-12);
}

at::Tensor MeanBetween(const at::Tensor& d, const at::Tensor& u,
                       const at::Tensor& v) {
  const at::Tensor sum = (at::matmul(u, d.to(at::kDouble)) * v).sum(1);
  return sum / (u.sum(1) * v.sum(1)).clamp_min(1e-12);
}

MixtureLine LineOf(const MeanDistances& means) {
  // 2 [(1−p) xy + p ty] − [(1−p)² xx + 2p(1−p) xt + p² tt] − yy, by powers of
  // p.
  return {.distance = 2 * means.xy - means.xx - means.yy,
          .slope = 2 * (means.xy - means.ty + means.xt - means.xx),
          .bend = 2 * means.xt - means.xx - means.tt};
}

MixtureFit BestMixture(const MixtureLine& line) {
  // Where the parabola opens downwards by chance, the better end is best.
  const at::Tensor inner = (line.slope / (2 * line.bend)).clamp(0, 1);
  const at::Tensor end = (line.slope > line.bend).to(at::kDouble);
  const at::Tensor affected = at::where(line.bend > 1e-12, inner, end);
  const at::Tensor gain = affected * line.slope - affected.square() * line.bend;
  return {affected, gain.clamp_min(0)};
}

at::Tensor ResampleCounts(std::int64_t draws, std::int64_t n,
                          std::uint64_t key) {
  base::Rng rng(key, {base::Key("resample")});
  at::Tensor counts = at::zeros({draws, n}, at::kDouble);
  counts[0].fill_(1);
  auto rows = counts.accessor<double, 2>();
  for (std::int64_t draw = 1; draw < draws; ++draw) {
    for (std::int64_t i = 0; i < n; ++i) {
      rows[draw][static_cast<std::int64_t>(
          rng.Below(static_cast<std::uint64_t>(n)))] += 1;
    }
  }
  return counts;
}

runs::Estimate EstimateOf(const at::Tensor& draws) {
  const double value = draws[0].item<double>();
  if (draws.size(0) < 3) return {value, value, value};
  const at::Tensor others = draws.narrow(0, 1, draws.size(0) - 1);
  const auto quantile = [&](double q) {
    return at::quantile(others, q).item<double>();
  };
  return {value, std::min(value, quantile(0.05)),
          std::max(value, quantile(0.95))};
}

}  // namespace sfumato::eval

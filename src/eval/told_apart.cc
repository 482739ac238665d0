#include "eval/told_apart.h"

namespace sfumato::eval {
namespace {

// Share of the covariance that is replaced by its mean variance: there are
// about as many features as images.
constexpr double kShrinkage = 0.2;

at::Tensor Flat(const Blocks& blocks) {
  return at::cat(blocks, 1).to(at::kDouble);
}

at::Tensor Covariance(const at::Tensor& rows) {
  const at::Tensor centred = rows - rows.mean(0);
  return at::matmul(centred.t(), centred) / static_cast<double>(rows.size(0));
}

}  // namespace

at::Tensor OrderedRightly(const Blocks& a, const Blocks& b,
                          const Blocks& test_a, const Blocks& test_b) {
  const at::Tensor x = Flat(a);
  const at::Tensor y = Flat(b);
  at::Tensor covariance = (Covariance(x) + Covariance(y)) / 2;
  const at::Tensor mean_variance =
      covariance.diagonal().mean().clamp_min(1e-12);
  covariance = (1 - kShrinkage) * covariance;
  covariance.diagonal().add_(kShrinkage * mean_variance);
  const at::Tensor direction =
      at::linalg_solve(covariance, (y.mean(0) - x.mean(0)).unsqueeze(1));
  const at::Tensor score_a = at::matmul(Flat(test_a), direction);      // [n, 1]
  const at::Tensor score_b = at::matmul(Flat(test_b), direction).t();  // [1, m]
  return (score_b > score_a).to(at::kDouble) +
         0.5 * (score_b == score_a).to(at::kDouble);
}

}  // namespace sfumato::eval

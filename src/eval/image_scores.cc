#include "eval/image_scores.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/stack_pass.h"

namespace sfumato::eval {
namespace {

constexpr std::int64_t kChunk = 64;  // images that pass a judge at a time
constexpr double kNear = 0.125;

void CheckShape(const Judge& judge, const at::Tensor& images) {
  const models::Shape& in = judge.model.input();
  if (images.dim() == 4 && images.size(1) == in.height &&
      images.size(2) == in.width && images.size(3) == in.channels) {
    return;
  }
  throw BadInput(
      fmt::format("images of shape {} for a classifier of {}",
                  fmt::join(images.sizes().vec(), "x"), models::ToText(in)),
      "", "compare with a classifier that was trained on images of this size");
}

struct Gaussian {
  at::Tensor mean;        // [d]
  at::Tensor covariance;  // [d, d]
};

Gaussian FitGaussian(const at::Tensor& features) {
  const at::Tensor x = features.to(at::kDouble);
  const at::Tensor mean = x.mean(0);
  const at::Tensor centred = x - mean;
  return {mean, at::matmul(centred.t(), centred) /
                    static_cast<double>(x.size(0) - 1)};
}

// The symmetric root; rounding may leave eigenvalues a little below zero.
at::Tensor Root(const at::Tensor& symmetric) {
  const auto [values, vectors] = at::linalg_eigh(symmetric);
  return at::matmul(vectors * values.clamp_min(0).sqrt(), vectors.t());
}

double MeanFromPlain(const at::Tensor& rows) {
  const double black = (rows + 1).norm(2, 1).mean().item<double>();
  const double white = (rows - 1).norm(2, 1).mean().item<double>();
  return std::min(black, white);
}

}  // namespace

at::Tensor Logits(const Judge& judge, const at::Tensor& images) {
  CheckShape(judge, images);
  const at::NoGradGuard no_grad;
  models::StackPass pass(judge.model, judge.params.device(), 1, kChunk);
  std::vector<at::Tensor> parts;
  for (std::int64_t i = 0; i < images.size(0); i += kChunk) {
    const std::int64_t count = std::min(kChunk, images.size(0) - i);
    const at::Tensor pixels = ((images.narrow(0, i, count) + 1) / 2)
                                  .to(judge.params.device())
                                  .contiguous();
    parts.push_back(pass.Forward(judge.params, pixels.unsqueeze(0))
                        .squeeze(0)
                        .to(at::kCPU, /*non_blocking=*/false, /*copy=*/true));
  }
  if (parts.empty()) return at::empty({0, judge.model.output().size()});
  return at::cat(parts);
}

double ClassifierScore(const at::Tensor& logits) {
  const at::Tensor log_p = at::log_softmax(logits.to(at::kDouble), 1);
  const at::Tensor p = log_p.exp();
  // A class that nobody takes has p log p = 0.
  const at::Tensor log_mean = p.mean(0).clamp_min(1e-300).log();
  return std::exp((p * (log_p - log_mean)).sum(1).mean().item<double>());
}

double FrechetDistance(const at::Tensor& a, const at::Tensor& b) {
  const Gaussian x = FitGaussian(a);
  const Gaussian y = FitGaussian(b);
  const at::Tensor root = Root(x.covariance);
  const at::Tensor middle = at::matmul(at::matmul(root, y.covariance), root);
  const auto [values, vectors] = at::linalg_eigh((middle + middle.t()) / 2);
  const at::Tensor distance = (x.mean - y.mean).square().sum() +
                              x.covariance.trace() + y.covariance.trace() -
                              2 * values.clamp_min(0).sqrt().sum();
  return std::max(0.0, distance.item<double>());
}

double Diversity(const at::Tensor& images) {
  const at::Tensor rows = images.flatten(1);
  const auto n = static_cast<double>(rows.size(0));
  const double plain = MeanFromPlain(rows);
  if (n < 2 || !(plain > 0)) return 0;
  const at::Tensor pairs = PairDistances(rows, rows).fill_diagonal_(0);
  return pairs.sum(at::kDouble).item<double>() / (n * (n - 1)) / plain;
}

double DistinctImages(const at::Tensor& images) {
  const at::Tensor rows = images.flatten(1);
  const auto n = static_cast<double>(rows.size(0));
  const double near = kNear * MeanFromPlain(rows);
  at::Tensor pairs = PairDistances(rows, rows);
  const at::Tensor alike = (pairs <= near).fill_diagonal_(false);
  const double count = alike.sum().item<double>() / 2;
  return n * (n - 1) / 2 / std::max(count, 1.0);
}

at::Tensor PairDistances(const at::Tensor& x, const at::Tensor& y) {
  // Centred, so that little is lost where two large squares nearly cancel.
  const at::Tensor centre = x.mean(0);
  const at::Tensor u = x - centre;
  const at::Tensor v = y - centre;
  at::Tensor squares = at::matmul(u, v.t()).mul_(-2);
  squares.add_(u.square().sum(1).unsqueeze(1));
  squares.add_(v.square().sum(1).unsqueeze(0));
  return squares.clamp_min_(0).sqrt_();
}

}  // namespace sfumato::eval

#include "eval/separation.h"

#include <utility>

#include "eval/energy.h"

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

// A set's features in two parts.
std::pair<Blocks, Blocks> TwoParts(const Blocks& whole) {
  const std::int64_t n = whole.front().size(0);
  const at::Tensor index = at::arange(n);
  return {Rows(whole, index.narrow(0, 0, n / 2)),
          Rows(whole, index.narrow(0, n / 2, n - n / 2))};
}

double Mean(const at::Tensor& wins) { return wins.mean().item<double>(); }

// The share of wins over resamplings of both sets, [draws].
at::Tensor Resampled(const at::Tensor& wins, std::int64_t draws,
                     std::uint64_t& key) {
  const at::Tensor a = ResampleCounts(draws, wins.size(0), ++key);
  const at::Tensor b = ResampleCounts(draws, wins.size(1), ++key);
  return MeanBetween(wins, a, b);
}

Separation WithTwins(const Gallery& gallery, const Lineup& lineup,
                     std::int64_t draws) {
  const auto wins = [&](const Trial& trial) {
    return PairwiseWins(
        gallery.Whole(trial.learned.first), gallery.Whole(trial.learned.second),
        gallery.Whole(trial.tried.first), gallery.Whole(trial.tried.second));
  };
  Separation found;
  at::Tensor shares = at::zeros({draws}, at::kDouble);
  std::uint64_t key = gallery.seed();
  for (const Trial& trial : AcrossSides(lineup)) {
    shares += Resampled(wins(trial), draws, key) / 4;
  }
  found.sides = EstimateOf(shares);
  for (const Trial& trial : AcrossTwins(lineup)) {
    found.RaiseFloor(Mean(wins(trial)));
  }
  return found;
}

// One model per side: trained and tried on different images of the same models,
// so that what a training happened to draw counts too, as it does in the floor.
Separation WithoutTwins(const Gallery& gallery, const Lineup& lineup,
                        std::int64_t draws) {
  const auto wins = [&](int x, int y) {
    const auto [train_x, test_x] = TwoParts(gallery.Whole(x));
    const auto [train_y, test_y] = TwoParts(gallery.Whole(y));
    return PairwiseWins(train_x, train_y, test_x, test_y);
  };
  Separation found;
  std::uint64_t key = gallery.seed();
  found.sides = EstimateOf(
      Resampled(wins(lineup.sides.from[0], lineup.sides.to[0]), draws, key));
  for (const Pairing& floor : BothWays(lineup.alike)) {
    found.RaiseFloor(Mean(wins(floor.from[0], floor.to[0])));
  }
  return found;
}

}  // namespace

at::Tensor PairwiseWins(const Blocks& a, const Blocks& b, const Blocks& test_a,
                        const Blocks& test_b) {
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

Separation MeasureSeparation(const Gallery& gallery, const Lineup& lineup,
                             std::int64_t draws) {
  return lineup.twins_of_both() ? WithTwins(gallery, lineup, draws)
                                : WithoutTwins(gallery, lineup, draws);
}

}  // namespace sfumato::eval

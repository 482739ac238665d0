#include "census/voter/fit.h"

#include <algorithm>
#include <cmath>

#include "fmt/format.h"

namespace sfumato::census {
namespace {

constexpr std::int64_t kDirections = 96;
constexpr std::int64_t kNearest = 3;

at::Tensor Covariance(const at::Tensor& rows) {
  const at::Tensor centred = rows - rows.mean(0);
  return centred.t().mm(centred) / static_cast<double>(rows.size(0));
}

at::Tensor Indices(const std::vector<std::int64_t>& state_of_user,
                   std::int64_t state) {
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < state_of_user.size(); ++i) {
    if (state_of_user[i] == state) {
      found.push_back(static_cast<std::int64_t>(i));
    }
  }
  return at::tensor(found, at::kLong);
}

}  // namespace

Fit::Fit(const at::Tensor& vectors,
         const std::vector<std::int64_t>& state_of_user, std::int64_t healthy) {
  const at::Tensor rows = vectors.to(at::kDouble);
  centre_ = rows.mean(0);
  // The directions in which users differ most, damaged ones included …
  const auto [values, all] = at::linalg_eigh(Covariance(rows));
  const std::int64_t keep = std::min(kDirections, all.size(1));
  const at::Tensor basis = all.narrow(1, all.size(1) - keep, keep);
  const at::Tensor projected = (rows - centre_).mm(basis);
  // … in deviations of healthy users, who scatter in some more than in others.
  const at::Tensor own =
      Covariance(projected.index_select(0, Indices(state_of_user, healthy)));
  const auto [scatter, axes] = at::linalg_eigh(own);
  const at::Tensor least = scatter.mean() * 0.05 + 1e-12;
  directions_ = basis.mm(axes / (scatter + least).sqrt());
  centre_ = centre_.to(at::kFloat);
  directions_ = directions_.to(at::kFloat).contiguous();
  const std::int64_t states = 1 + *std::ranges::max_element(state_of_user);
  const at::Tensor whitened = (vectors - centre_).mm(directions_);
  for (std::int64_t state = 0; state < states; ++state) {
    users_.push_back(whitened.index_select(0, Indices(state_of_user, state)));
  }
  expected_.resize(users_.size());
}

double Fit::SquaredDistance(std::int64_t state,
                            const at::Tensor& vector) const {
  const at::Tensor at = (vector - centre_).unsqueeze(0).mm(directions_);
  const at::Tensor squares =
      (users_[static_cast<std::size_t>(state)] - at).square().sum(1);
  const std::int64_t k = std::min(kNearest, squares.size(0));
  return std::get<0>(squares.topk(k, 0, /*largest=*/false))
      .mean()
      .item<double>();
}

bool Fit::Fits(std::int64_t state, const at::Tensor& vector,
               std::int64_t examples) const {
  const Expected& expected = expected_[static_cast<std::size_t>(state)];
  return SquaredDistance(state, vector) <=
         expected.threshold * expected.Of(examples);
}

void Fit::SetThreshold(std::int64_t state, const at::Tensor& vectors,
                       const std::vector<std::int64_t>& examples,
                       double quantile) {
  // Least squares of the distance on 1 / examples, kept above zero.
  const auto n = static_cast<double>(examples.size());
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  std::vector<double> distances;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    distances.push_back(
        SquaredDistance(state, vectors[static_cast<std::int64_t>(i)]));
    const double inverse = 1 / static_cast<double>(examples[i]);
    x += inverse;
    y += distances.back();
    xx += inverse * inverse;
    xy += inverse * distances.back();
  }
  const double spread = n * xx - x * x;
  Expected& expected = expected_[static_cast<std::size_t>(state)];
  if (spread > 1e-9) {
    expected.scatter = std::max(0.0, (n * xy - x * y) / spread);
  }
  expected.fixed = std::max((y - expected.scatter * x) / n, 0.1 * y / n + 1e-6);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    distances[i] /= expected.Of(examples[i]);
  }
  std::ranges::sort(distances);
  expected.threshold = distances[static_cast<std::size_t>(quantile * (n - 1))];
  // As a file keeps them.
  for (double* number :
       {&expected.fixed, &expected.scatter, &expected.threshold}) {
    *number = static_cast<float>(*number);
  }
}

params::NamedTensors Fit::State() const {
  params::NamedTensors state = {{"fit/centre", centre_},
                                {"fit/directions", directions_}};
  at::Tensor expected =
      at::empty({static_cast<std::int64_t>(users_.size()), 3});
  for (std::size_t i = 0; i < users_.size(); ++i) {
    state.emplace_back(fmt::format("fit/users{}", i), users_[i]);
    const Expected& e = expected_[i];
    expected[static_cast<std::int64_t>(i)].copy_(
        at::tensor({e.fixed, e.scatter, e.threshold}));
  }
  state.emplace_back("fit/expected", expected);
  return state;
}

Fit::Fit(const base::SafetensorsFile& file)
    : centre_(params::ReadTensor(file, "fit/centre")),
      directions_(params::ReadTensor(file, "fit/directions")) {
  const at::Tensor expected = params::ReadTensor(file, "fit/expected");
  for (std::int64_t i = 0; i < expected.size(0); ++i) {
    users_.push_back(params::ReadTensor(file, fmt::format("fit/users{}", i)));
    const auto number = [&](std::int64_t k) {
      return static_cast<double>(expected[i][k].item<float>());
    };
    expected_.push_back({number(0), number(1), number(2)});
  }
}

}  // namespace sfumato::census

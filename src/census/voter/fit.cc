#include "census/voter/fit.h"

#include <algorithm>
#include <cmath>

#include "census/voter/image_tensors.h"
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
  fixed_.assign(users_.size(), 1);
  thresholds_.resize(users_.size());
  healthy_ = healthy;
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
               std::int64_t examples, double slack) const {
  return SquaredDistance(state, vector) / Expected(state, examples) <=
         slack * thresholds_[static_cast<std::size_t>(state)];
}

// Least squares of the distance on 1 / examples, kept above zero.
void Fit::SetScatter(const at::Tensor& healthy,
                     const std::vector<std::int64_t>& examples) {
  const auto n = static_cast<double>(examples.size());
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const double distance =
        SquaredDistance(healthy_, healthy[static_cast<std::int64_t>(i)]);
    const double inverse = 1 / static_cast<double>(examples[i]);
    x += inverse;
    y += distance;
    xx += inverse * inverse;
    xy += inverse * distance;
  }
  const double spread = n * xx - x * x;
  if (spread > 1e-9) scatter_ = std::max(0.0, (n * xy - x * y) / spread);
  scatter_ = static_cast<float>(scatter_);  // as a file keeps it
  std::ranges::fill(fixed_, static_cast<float>(std::max((y - scatter_ * x) / n,
                                                        0.1 * y / n + 1e-6)));
}

void Fit::Admit(std::int64_t state, const at::Tensor& vectors,
                const std::vector<std::int64_t>& examples, double quantile) {
  const auto n = static_cast<double>(examples.size());
  std::vector<double> distances;
  double fixed = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    distances.push_back(
        SquaredDistance(state, vectors[static_cast<std::int64_t>(i)]));
    fixed += (distances[i] - scatter_ / static_cast<double>(examples[i])) / n;
  }
  const auto at = static_cast<std::size_t>(state);
  fixed_[at] = std::max(fixed_[at], static_cast<float>(fixed));
  for (std::size_t i = 0; i < examples.size(); ++i) {
    distances[i] /= Expected(state, examples[i]);
  }
  std::ranges::sort(distances);
  thresholds_[at] =
      std::max(thresholds_[at],
               static_cast<float>(
                   distances[static_cast<std::size_t>(quantile * (n - 1))]));
}

params::NamedTensors Fit::State() const {
  params::NamedTensors state = {
      {"fit/centre", centre_},
      {"fit/directions", directions_},
      {"fit/scatter", at::tensor({scatter_}, at::kFloat)},
      {"fit/fixed", at::tensor(fixed_, at::kFloat)},
      {"fit/thresholds", at::tensor(thresholds_, at::kFloat)}};
  for (std::size_t i = 0; i < users_.size(); ++i) {
    state.emplace_back(fmt::format("fit/users{}", i), users_[i]);
  }
  return state;
}

Fit::Fit(const base::SafetensorsFile& file, std::int64_t states,
         std::int64_t numbers)
    : centre_(ReadShaped(file, "fit/centre", {numbers})),
      directions_(ReadShaped(file, "fit/directions", {numbers, -1})) {
  const auto positive = [&](const std::string& name, std::int64_t count) {
    const at::Tensor read = ReadShaped(file, name, {count});
    const auto* values = read.data_ptr<float>();
    std::vector<float> all(values, values + count);
    if (std::ranges::min(all) < 0) RefuseTensor(name, "has one below zero");
    return all;
  };
  scatter_ = positive("fit/scatter", 1)[0];
  fixed_ = positive("fit/fixed", states);
  thresholds_ = positive("fit/thresholds", states);
  for (std::int64_t i = 0; i < states; ++i) {
    users_.push_back(ReadShaped(file, fmt::format("fit/users{}", i),
                                {-1, directions_.size(1)}));
  }
}

}  // namespace sfumato::census

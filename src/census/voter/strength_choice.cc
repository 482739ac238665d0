#include "census/voter/strength_choice.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace sfumato::census {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Of a feature's whole variance: what is within a strength is at least that, so
// that no feature counts without end.
constexpr double kLeastWithin = 1e-4;
constexpr double kLeastShrinkage = 0.01;

// Correlations of rows [row, feature] of mean 0 and variance at most 1, each
// off the diagonal drawn toward 0 by the share of their squares that chance
// explains. The diagonal is 1.
Matrix ShrunkCorrelations(const Matrix& rows) {
  const auto n = static_cast<double>(rows.rows());
  Matrix all = rows.transpose() * rows / n;
  const Vector diagonal = all.diagonal();
  const double squares = all.squaredNorm() - diagonal.squaredNorm();
  // The sum over all pairs of features of the mean squared product.
  const Matrix of_row = rows.array().square();
  const double of_products =
      of_row.rowwise().sum().squaredNorm() / n - of_row.squaredNorm() / n;
  const double by_chance = (of_products - squares) / n;
  const double shrinkage =
      squares > 0 ? std::clamp(by_chance / squares, kLeastShrinkage, 1.0) : 1;
  all *= 1 - shrinkage;
  all.diagonal().setOnes();
  return all;
}

}  // namespace

StrengthChoice StrengthChoice::Learn(
    const std::vector<std::vector<float>>& rows,
    std::span<const std::int64_t> strength_of_row, std::int64_t strengths) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  const auto features = static_cast<Eigen::Index>(rows.front().size());
  Matrix all(count, features);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::vector<float>& row = rows[static_cast<std::size_t>(i)];
    for (Eigen::Index f = 0; f < features; ++f) {
      all(i, f) = row[static_cast<std::size_t>(f)];
    }
  }
  const Vector centre = all.colwise().mean();
  all.rowwise() -= centre.transpose();
  const Vector whole = all.colwise().squaredNorm() / static_cast<double>(count);

  Matrix means = Matrix::Zero(strengths, features);
  Vector rows_of = Vector::Zero(strengths);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::int64_t s = strength_of_row[static_cast<std::size_t>(i)];
    means.row(s) += all.row(i);
    ++rows_of[s];
  }
  means.array().colwise() /= rows_of.array();
  for (Eigen::Index i = 0; i < count; ++i) {
    all.row(i) -= means.row(strength_of_row[static_cast<std::size_t>(i)]);
  }
  // In deviations within a strength; a feature without any spread drops out.
  Vector scale =
      all.colwise().squaredNorm().transpose() / static_cast<double>(count);
  for (Eigen::Index f = 0; f < features; ++f) {
    const double size = std::abs(centre[f]) + 1e-12;
    scale[f] = whole[f] <= 1e-12 * size * size
                   ? 0
                   : 1 / std::sqrt(std::max(scale[f], kLeastWithin * whole[f]));
  }
  all.array().rowwise() *= scale.transpose().array();
  means.array().rowwise() *= scale.transpose().array();
  const Matrix solved =
      ShrunkCorrelations(all).llt().solve(means.transpose()).transpose();

  StrengthChoice choice;
  for (Eigen::Index s = 0; s < strengths; ++s) {
    const Vector weights = solved.row(s).transpose().cwiseProduct(scale);
    for (const double weight : weights) {
      choice.weights.push_back(static_cast<float>(weight));
    }
    choice.bias.push_back(static_cast<float>(
        -weights.dot(centre) - solved.row(s).dot(means.row(s)) / 2));
  }
  return choice;
}

std::size_t StrengthChoice::Choose(std::span<const float> row) const {
  std::size_t best = 0;
  double highest = 0;
  for (std::size_t s = 0; s < strengths(); ++s) {
    double score = bias[s];
    for (std::size_t f = 0; f < row.size(); ++f) {
      score += static_cast<double>(weights[s * row.size() + f]) * row[f];
    }
    if (s == 0 || score > highest) {
      best = s;
      highest = score;
    }
  }
  return best;
}

}  // namespace sfumato::census

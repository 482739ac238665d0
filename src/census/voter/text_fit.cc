#include "census/voter/text_fit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace sfumato::census {
namespace {

constexpr std::size_t kMostRows = 1000;
constexpr std::size_t kFewestRows = 20;  // with fewer nothing is refused

}  // namespace

std::vector<float> SpreadOf(const std::vector<std::vector<float>>& users) {
  std::vector<float> spread(users[0].size());
  const auto count = static_cast<double>(users.size());
  for (std::size_t i = 0; i < spread.size(); ++i) {
    double sum = 0;
    double squares = 0;
    for (const auto& user : users) sum += user[i];
    const double mean = sum / count;
    for (const auto& user : users) {
      squares += (user[i] - mean) * (user[i] - mean);
    }
    spread[i] = static_cast<float>(std::sqrt(squares / count) + 0.02);
  }
  return spread;
}

void TextFit::Learn(const std::vector<std::vector<float>>& users,
                    const std::vector<float>& usual) {
  rows.clear();
  scale.assign(usual.size(), 1);
  if (users.size() < kFewestRows) return;
  scale = SpreadOf(users);
  for (std::size_t i = 0; i < scale.size(); ++i) {
    scale[i] = std::clamp(scale[i], 0.7F * usual[i], 3 * usual[i]);
  }
  const std::size_t kept = std::min(users.size(), kMostRows);
  for (std::size_t k = 0; k < kept; ++k) {
    const auto& user = users[k * users.size() / kept];
    for (std::size_t i = 0; i < user.size(); ++i) {
      rows.push_back(user[i] / scale[i]);
    }
  }
}

void TextFit::SetLimit(const std::vector<std::vector<float>>& users,
                       double above) {
  if (users.size() < kFewestRows) rows.clear();
  if (rows.empty()) return;
  std::vector<float> distances;
  for (const auto& user : users) distances.push_back(Distance(user));
  std::ranges::sort(distances, std::greater<>());
  limit = distances[static_cast<std::size_t>(
      above * static_cast<double>(distances.size()))];
}

float TextFit::Distance(const std::vector<float>& features) const {
  const std::size_t size = scale.size();
  std::vector<float> x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = features[i] / scale[i];
  float least = std::numeric_limits<float>::max();
  for (std::size_t row = 0; row < rows.size(); row += size) {
    float sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const float apart = rows[row + i] - x[i];
      sum += apart * apart;
    }
    least = std::min(least, sum);
  }
  return std::sqrt(least / static_cast<float>(size));
}

bool TextFit::IsLike(const std::vector<float>& features, double slack) const {
  return rows.empty() || Distance(features) <= slack * limit;
}

}  // namespace sfumato::census

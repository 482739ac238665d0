#include "census/voter/text_margins.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace sfumato::census {
namespace {

// Of healthy users, who may be marked with a family.
constexpr double kFalseMarks = 0.0002;
constexpr double kTail = 0.01;
constexpr double kSeen = 0.0005;
// Of users with this damage in most of their sentences.
constexpr double kNoticed = 0.85;
constexpr float kPartOfWay = 0.2F;
// Of users with another damage, who may be marked with this one as well.
constexpr double kFalseSeconds = 0.02;
// Of healthy users, who may be taken for unexplained, and for undecided.
constexpr double kFalseUnexplained = 0.001;
constexpr double kUndecided = 0.02;
// Even odds, where nobody healthy comes near.
constexpr float kLowest = 0;

// The value that a share `above` of `values` exceeds.
float Quantile(std::vector<float> values, double above) {
  std::ranges::sort(values, std::greater<>());
  const auto i =
      static_cast<std::size_t>(above * static_cast<double>(values.size()));
  return values[std::min(i, values.size() - 1)];
}

// What a share kFalseMarks of such values would exceed, if they go on beyond
// the largest as they do up to it: exponentially from the highest hundredth on.
// The references are too few to see so rare a value among them.
float Beyond(const std::vector<float>& values) {
  const float from = Quantile(values, kTail);
  double sum = 0;
  double count = 0;
  for (const float value : values) {
    if (value <= from) continue;
    sum += value - from;
    ++count;
  }
  const double mean = count > 0 ? sum / count : 0;
  return from + static_cast<float>(mean * std::log(kTail / kFalseMarks));
}

// What a share kSeen of such values exceeds.
float Seen(const std::vector<float>& values) {
  return std::nextafter(Quantile(values, kSeen), 1e9F);
}

using Columns = std::vector<std::vector<float>>;  // [family]: logits of users

}  // namespace

TextMargins TextMargins::Set(const std::vector<Scored>& scored,
                             std::size_t families) {
  Columns healthy(families);
  Columns damaged(families);  // with this damage alone
  Columns others(families);   // with others
  std::vector<float> well;
  for (const Scored& user : scored) {
    if (user.healthy) well.push_back(user.logits[families]);
    for (std::size_t k = 0; k < families; ++k) {
      const bool has = (user.families >> k & 1) != 0;
      const bool alone = user.families == std::uint32_t{1} << k;
      if (user.healthy) healthy[k].push_back(user.logits[k]);
      if (alone && user.share > 0.7) damaged[k].push_back(user.logits[k]);
      if (user.families != 0 && !has) others[k].push_back(user.logits[k]);
    }
  }
  TextMargins margins;
  for (std::size_t k = 0; k < families; ++k) {
    float first = std::max(kLowest, Beyond(healthy[k]));
    if (!damaged[k].empty()) {
      const float most = Quantile(damaged[k], kNoticed);
      // Where nearly all who have it are further up, a part of the way to them;
      // where caution would miss many, no more of it than was seen to be
      // needed.
      first = most > first ? first + kPartOfWay * (most - first)
                           : std::max({kLowest, most, Seen(healthy[k])});
    }
    margins.first.push_back(first);
    // Beside another family the user is not healthy: only users with other
    // damages count.
    margins.second.push_back(
        others[k].empty()
            ? first
            : std::max(kLowest, Quantile(others[k], kFalseSeconds)));
  }
  margins.healthy = {Quantile(well, 1 - kFalseUnexplained),
                     Quantile(well, 1 - kUndecided)};
  return margins;
}

void TextMargins::MarkTheLikeliest() {
  for (float& margin : first) margin = std::min(margin, 0.0F);
  healthy = {0, 0};
}

Verdict TextMargins::Judge(const std::vector<float>& logits) const {
  Verdict verdict;
  std::vector<std::size_t> order(first.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t k) { return logits[k] - first[k]; });
  for (const std::size_t k : order) {
    const bool begins = verdict.families.empty();
    if (logits[k] > (begins ? first[k] : second[k])) {
      verdict.families.push_back(k);
    }
  }
  const float well = logits[first.size()];
  verdict.kind = !verdict.families.empty() ? Verdict::kDamaged
                 : well >= healthy[1]      ? Verdict::kHealthy
                 : well < healthy[0]       ? Verdict::kUnexplained
                                           : Verdict::kUndecided;
  return verdict;
}

}  // namespace sfumato::census

#include "dp/mechanisms/private_quantile.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/portable_math.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr double kFactorUnit = 0x1p32;

void CheckOptions(const QuantileOptions& o) {
  if (!(std::isfinite(o.lower) && std::isfinite(o.upper) && o.lower < o.upper &&
        std::isfinite(o.upper - o.lower))) {
    throw BadInput(fmt::format("bounds {} to {}", o.lower, o.upper), "bounds",
                   "declare a finite lower bound below a finite upper one");
  }
  if (!(o.epsilon >= 1e-4 && o.epsilon <= 40)) {
    throw BadInput(fmt::format("epsilon {}", o.epsilon), "epsilon",
                   "give a number from 0.0001 to 40");
  }
  if (!(o.candidates >= 2 && o.candidates <= (1 << 24))) {
    throw BadInput(fmt::format("{} candidates", o.candidates), "candidates",
                   "give 2 to 2^24");
  }
  const double thousandths = o.quantile * 1000;
  if (!(thousandths > 0.5 && thousandths < 999.5 &&
        std::abs(thousandths - std::round(thousandths)) < 1e-9)) {
    throw BadInput(fmt::format("quantile {}", o.quantile), "quantile",
                   "give whole thousandths between 0 and 1, such as 0.25");
  }
}

// Whole numbers that grow by at most e^(epsilon/2) each, from 2^30 to about
// 2^92; largest first. The factor is e^(epsilon/2) in units of 2^-32, rounded
// down by more than the error of PortableExp, and products are rounded down.
std::vector<Wide> Weights(double epsilon) {
  const auto factor = static_cast<Wide>(base::PortableExp(epsilon / 2) *
                                        (1 - 1e-13) * kFactorUnit);
  constexpr Wide kMost = static_cast<Wide>(1) << 92;
  std::vector<Wide> weights = {static_cast<Wide>(1) << 30};
  while (weights.back() <= (kMost << 32) / factor) {
    weights.push_back(weights.back() * factor >> 32);
  }
  std::ranges::reverse(weights);
  return weights;
}

std::int64_t Cell(const QuantileOptions& o, double value) {
  if (!std::isfinite(value)) return 0;
  const double place =
      (std::clamp(value, o.lower, o.upper) - o.lower) / (o.upper - o.lower);
  return std::min(
      static_cast<std::int64_t>(place * static_cast<double>(o.candidates)),
      o.candidates - 1);
}

double Middle(const QuantileOptions& o, std::int64_t cell) {
  const double width = (o.upper - o.lower) / static_cast<double>(o.candidates);
  return o.lower + (static_cast<double>(cell) + 0.5) * width;
}

}  // namespace

double MiddleOfCell(const QuantileOptions& options, double value) {
  return Middle(options, Cell(options, value));
}

PrivateQuantile::PrivateQuantile(QuantileOptions options)
    : options_(std::move(options)) {
  CheckOptions(options_);
  thousandths_ = std::llround(options_.quantile * 1000);
  weights_ = Weights(options_.epsilon);
  Event("");  // throws when it cannot be accounted
}

dp::Event PrivateQuantile::Event(std::string cohort) const {
  return EventOf(Pure{.epsilon = options_.epsilon}, options_.participants,
                 std::move(cohort));
}

// Misses are counted in thousandths of a number, so that they are whole.
Wide PrivateQuantile::WeightOf(std::int64_t below, std::int64_t up_to,
                               std::int64_t n) const {
  const std::int64_t wanted = thousandths_ * n;
  const std::int64_t miss =
      std::max({std::int64_t{0}, 1000 * below - wanted, wanted - 1000 * up_to});
  const std::int64_t unit =
      options_.participants.adjacency == Adjacency::kAddRemove
          ? std::max(thousandths_, 1000 - thousandths_)
          : 1000;
  const auto last = static_cast<std::int64_t>(weights_.size()) - 1;
  return weights_[static_cast<std::size_t>(std::min(miss / unit, last))];
}

// A cell with numbers in it is a run; the empty cells between two such are
// another.
std::vector<PrivateQuantile::Run> PrivateQuantile::Runs(
    std::span<const double> value_of_unit) const {
  std::vector<std::int64_t> cells;
  cells.reserve(value_of_unit.size());
  for (const double value : value_of_unit)
    cells.push_back(Cell(options_, value));
  std::ranges::sort(cells);
  const auto n = static_cast<std::int64_t>(cells.size());

  std::vector<Run> runs;
  std::int64_t next_cell = 0;
  for (std::int64_t below = 0; below < n;) {
    const std::int64_t cell = cells[static_cast<std::size_t>(below)];
    const std::int64_t up_to =
        std::ranges::upper_bound(cells, cell) - cells.begin();
    runs.push_back({next_cell, cell - next_cell, WeightOf(below, below, n)});
    runs.push_back({cell, 1, WeightOf(below, up_to, n)});
    next_cell = cell + 1;
    below = up_to;
  }
  runs.push_back(
      {next_cell, options_.candidates - next_cell, WeightOf(n, n, n)});
  return runs;
}

Released<double> PrivateQuantile::Release(std::span<const double> value_of_unit,
                                          std::string cohort,
                                          NoiseSource& noise) const {
  const std::vector<Run> runs = Runs(value_of_unit);
  Wide total = 0;
  for (const Run& run : runs) total += run.Total();
  BitStream bits = noise.Stream(noise.NextDraw());
  Wide rest = UniformBelow(total, bits);
  auto run = runs.begin();
  for (; rest >= run->Total(); ++run) rest -= run->Total();
  const std::int64_t cell =
      run->first + static_cast<std::int64_t>(rest / run->weight);
  return {ReleaseKey(), Middle(options_, cell), Event(std::move(cohort)),
          noise.simulated()};
}

}  // namespace sfumato::dp

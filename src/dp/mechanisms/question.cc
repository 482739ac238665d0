#include "dp/mechanisms/question.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "dp/mechanisms/private_count.h"
#include "dp/mechanisms/private_quantile.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::dp {
namespace {

Participants AllOf(const Population& population) {
  return {.sampling = All{}, .population = population};
}

PrivateQuantile MechanismOf(const QuantileQuestion& about,
                            const Population& population) {
  return PrivateQuantile({.quantile = about.quantile,
                          .lower = about.lower,
                          .upper = about.upper,
                          .epsilon = about.epsilon,
                          .participants = AllOf(population)});
}

std::int64_t BarCount(const BarsQuestion& about) {
  bool rise = about.edges.size() >= 2;
  for (std::size_t i = 0; i < about.edges.size(); ++i) {
    rise = rise && std::isfinite(about.edges[i]) &&
           (i == 0 || about.edges[i - 1] < about.edges[i]);
  }
  if (!rise) {
    throw BadInput(fmt::format("edges {}", fmt::join(about.edges, ", ")),
                   "edges", "declare two or more finite numbers that rise");
  }
  return static_cast<std::int64_t>(about.edges.size()) - 1;
}

PrivateHistogram MechanismOf(const BarsQuestion& about,
                             const Population& population) {
  return PrivateHistogram(
      {.noise_multiplier = about.deviation, .participants = AllOf(population)},
      BarCount(about));
}

// -1: outside, or no number.
std::int64_t BarOf(const BarsQuestion& about, double number) {
  const std::vector<double>& edges = about.edges;
  if (!(number >= edges.front() && number <= edges.back())) return -1;
  const auto above = std::upper_bound(edges.begin(), edges.end(), number);
  return std::min<std::int64_t>(above - edges.begin(),
                                static_cast<std::int64_t>(edges.size()) - 1) -
         1;
}

std::vector<std::int64_t> BarsOf(const BarsQuestion& about,
                                 std::span<const double> numbers) {
  std::vector<std::int64_t> bars;
  bars.reserve(numbers.size());
  for (const double number : numbers) bars.push_back(BarOf(about, number));
  return bars;
}

std::vector<double> Given(std::span<const double> numbers) {
  std::vector<double> given;
  for (const double number : numbers) {
    if (!std::isnan(number)) given.push_back(number);
  }
  return given;
}

Released<std::vector<double>> Answer(const QuantileQuestion& about,
                                     std::span<const double> numbers,
                                     const Event& event, NoiseSource& noise) {
  return MechanismOf(about, event.population)
      .Release(Given(numbers), event.cohort, noise)
      .Map([](double value) { return std::vector<double>{value}; });
}

Released<std::vector<double>> Answer(const BarsQuestion& about,
                                     std::span<const double> numbers,
                                     const Event& event, NoiseSource& noise) {
  return MechanismOf(about, event.population)
      .Release(BarsOf(about, numbers), event.cohort, noise)
      .Map([](const std::vector<std::int64_t>& counts) {
        return std::vector<double>(counts.begin(), counts.end());
      });
}

std::vector<double> Exact(const QuantileQuestion& about,
                          std::span<const double> numbers) {
  std::vector<double> given = Given(numbers);
  if (given.empty()) return {0.5 * (about.lower + about.upper)};
  const auto place = static_cast<std::size_t>(
      about.quantile * static_cast<double>(given.size() - 1));
  const auto at = given.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(given.begin(), at, given.end());
  // Rounded as a release would be, so that a user exactly at the threshold
  // falls on the same side.
  return {MiddleOfCell({.lower = about.lower, .upper = about.upper}, *at)};
}

std::vector<double> Exact(const BarsQuestion& about,
                          std::span<const double> numbers) {
  std::vector<double> counts(static_cast<std::size_t>(BarCount(about)));
  for (const std::int64_t bar : BarsOf(about, numbers)) {
    if (bar >= 0) ++counts[static_cast<std::size_t>(bar)];
  }
  return counts;
}

}  // namespace

std::vector<double> EvenEdges(double lower, double upper, std::int64_t bars) {
  std::vector<double> edges;
  for (std::int64_t i = 0; i <= bars; ++i) {
    edges.push_back(lower + (upper - lower) * static_cast<double>(i) /
                                static_cast<double>(bars));
  }
  return edges;
}

Event EventOf(const Question& question, const Population& population,
              std::string cohort) {
  return std::visit(
      [&](const auto& about) {
        return MechanismOf(about, population).Event(std::move(cohort));
      },
      question.about);
}

Released<std::vector<double>> Ask(const Question& question,
                                  std::span<const double> numbers,
                                  const Event& event, NoiseSource& noise) {
  return std::visit(
      [&](const auto& about) { return Answer(about, numbers, event, noise); },
      question.about);
}

double DeviationOf(const Question& question) {
  const auto* bars = std::get_if<BarsQuestion>(&question.about);
  return bars == nullptr ? 0 : bars->deviation;
}

std::vector<double> WithoutNoise(const Question& question,
                                 std::span<const double> numbers) {
  return std::visit([&](const auto& about) { return Exact(about, numbers); },
                    question.about);
}

}  // namespace sfumato::dp

#include "dp/accounting/votes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/rdp.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

void RequireAbove(double value, double bound, const char* name) {
  if (!(value > bound && std::isfinite(value))) {
    throw BadInput(fmt::format("{} is {}", name, value), name,
                   fmt::format("give a finite number above {}", bound));
  }
}

// zCDP of rho to (epsilon, delta): Bun and Steinke 2016, Proposition 1.3.
double ClosedForm(double rho, double delta) {
  return rho + 2 * std::sqrt(rho * -std::log(delta));
}

// rho of one query by Theorem 3 as printed.
double PrintedRho(const VoteOptions& options) {
  const double precision = 1 / (options.sigma * options.sigma);
  if (options.level == Vote::Level::kAgent) return precision / 2;
  const auto k =
      static_cast<double>(std::max<std::int64_t>(1, options.neighbours));
  return precision / k;
}

// log erfc(x), rounded up: erfc(x) <= e^{-x^2} / (x sqrt(pi)).
double LogErfc(double x) {
  if (x < 20) return std::log(std::erfc(x));
  return -x * x - std::log(x) - std::log(std::numbers::pi) / 2;
}

double LogSum(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return std::isinf(high) ? high : high + std::log1p(std::exp(low - high));
}

// log(1 - e^x) for x <= 0.
double LogOneMinusExp(double x) {
  return x > -0.5 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

}  // namespace

double VoteSensitivitySquared(const Vote& vote, Adjacency adjacency) {
  if (vote.level == Vote::Level::kAgent) {
    return adjacency == Adjacency::kAddRemove ? 1 : 2;
  }
  const auto k =
      static_cast<double>(std::max<std::int64_t>(1, vote.neighbours));
  return 2 / (k * k);
}

VoteEpsilons VoteEpsilon(const VoteOptions& options) {
  const Event event = VoteEvent(options);
  CheckDelta(options.delta);
  const auto queries = static_cast<double>(options.queries);
  const double s2 = VoteSensitivitySquared(std::get<Vote>(event.mechanism),
                                           options.adjacency);
  const double rho = queries * s2 / (2 * options.sigma * options.sigma);
  return {.sensitivity_squared = s2,
          .closed_form = ClosedForm(rho, options.delta),
          .exact = GaussianEpsilon(std::sqrt(2 * rho), options.delta),
          .printed = ClosedForm(queries * PrintedRho(options), options.delta)};
}

Event VoteEvent(const VoteOptions& options) {
  const Event event{.mechanism = Vote{.sigma = options.sigma,
                                      .level = options.level,
                                      .neighbours = options.neighbours},
                    .adjacency = options.adjacency,
                    .unit = options.level == Vote::Level::kAgent
                                ? Unit::kUser
                                : Unit::kExample,
                    .count = options.queries};
  CheckEvent(event);
  return event;
}

double VoteNoiseShare(double sigma, std::int64_t survivors,
                      std::int64_t colluders) {
  RequireAbove(sigma, 0, "sigma");
  if (colluders < 0 || survivors <= colluders) {
    throw BadInput(fmt::format("{} surviving agents of whom {} collude",
                               survivors, colluders),
                   "survivors", "at least one honest agent must add its noise");
  }
  return sigma / std::sqrt(static_cast<double>(survivors - colluders));
}

double LogWrongOutcome(std::span<const double> votes, double sigma) {
  RequireAbove(sigma, 0, "sigma");
  if (votes.size() < 2) {
    throw BadInput("a vote with fewer than two classes", "votes");
  }
  const auto first = std::max_element(votes.begin(), votes.end());
  double log_wrong = -std::numeric_limits<double>::infinity();
  for (auto votes_of = votes.begin(); votes_of != votes.end(); ++votes_of) {
    if (votes_of == first) continue;
    log_wrong = LogSum(log_wrong, LogErfc((*first - *votes_of) / (2 * sigma)) -
                                      std::numbers::ln2);
  }
  // The class with most votes wins no less often than any other.
  const auto classes = static_cast<double>(votes.size());
  return std::min(log_wrong, std::log1p(-1 / classes));
}

double DataDependentVoteRdp(double order, double log_wrong, double sigma,
                            double sensitivity_squared) {
  RequireAbove(order, 1, "order");
  RequireAbove(sigma, 0, "sigma");
  RequireAbove(sensitivity_squared, 0, "sensitivity_squared");
  if (!(log_wrong <= 0)) {
    throw BadInput(fmt::format("log of a chance is {}", log_wrong), "log_wrong",
                   "give 0 or less");
  }
  // Without the votes: mu times `slope` at order mu.
  const double slope = sensitivity_squared / (2 * sigma * sigma);
  const double plain = order * slope;
  if (std::isinf(log_wrong)) return 0;
  const double mu2 = std::sqrt(-log_wrong / slope);
  const double mu1 = mu2 + 1;
  if (!(mu2 > 1 && order <= mu1)) return plain;
  const double epsilon1 = mu1 * slope, epsilon2 = mu2 * slope;
  const double most = (mu2 - 1) * epsilon2 - mu2 * (std::log(mu1 / (mu1 - 1)) +
                                                    std::log(mu2 / (mu2 - 1)));
  const double inner = (log_wrong + epsilon2) * (mu2 - 1) / mu2;
  if (!(log_wrong <= most && inner < 0)) return plain;
  const double log_right = LogOneMinusExp(log_wrong);
  const double log_a = log_right - LogOneMinusExp(inner);
  const double log_b = epsilon1 - log_wrong / (mu1 - 1);
  const double log_sum =
      LogSum(log_right + (order - 1) * log_a, log_wrong + (order - 1) * log_b);
  return std::clamp(log_sum / (order - 1), 0.0, plain);
}

double MarginVoteRdp(double order, const MarginOptions& options) {
  RequireAbove(order, 1, "order");
  RequireAbove(options.sigma, 0, "sigma");
  RequireAbove(options.sensitivity_squared, 0, "sensitivity_squared");
  if (!(options.margin >= 0 && options.margin_change >= 0) ||
      options.classes < 2) {
    throw BadInput("a margin that cannot be", "margin",
                   "give margin and margin_change of 0 or more, and two "
                   "classes or more");
  }
  const double slope =
      options.sensitivity_squared / (2 * options.sigma * options.sigma);
  const double plain = order * slope;
  const auto log_changed = [&](double margin) {
    const double share = margin / options.sigma;
    return std::log(static_cast<double>(options.classes)) - share * share / 8;
  };
  const double neighbours_margin = options.margin - options.margin_change;
  if (!(neighbours_margin > 0)) return plain;
  const double log_neighbour = log_changed(neighbours_margin);
  if (!(log_neighbour < 0)) return plain;
  const double log_others =
      log_changed(options.margin) / 2 + (order - 1) * (2 * order - 1) * slope;
  return std::min(plain, -LogOneMinusExp(log_neighbour) +
                             LogSum(0, log_others) / (order - 1));
}

double SureVoteMargin(double sigma, std::int64_t classes, double delta,
                      std::int64_t voters) {
  RequireAbove(sigma, 0, "sigma");
  CheckDelta(delta);
  if (classes < 2 || voters < 1) {
    throw BadInput(fmt::format("{} voters over {} classes", voters, classes),
                   "votes", "give two classes and one voter or more");
  }
  return 2 * sigma *
         std::sqrt(2 * std::log(static_cast<double>(classes) / delta)) /
         static_cast<double>(voters);
}

}  // namespace sfumato::dp

// A question to all users, each of whom has one number: which quantile of the
// numbers, or how many fall between declared edges. As plain data, so that its
// price is known before anybody is asked.
//
//   const Question bars{"accuracy", BarsQuestion{.edges = {0, 0.5, 1},
//                                                .deviation = 20}};
//   const Event price = EventOf(bars, {.name = "phones"});
//   ledger.Spend("survey", "phones", {&price, 1});      // first the cost
//   auto answer = Ask(bars, accuracy_of_user, price, noise);
//
// A user without a number (NaN) is left out: that is a function of the user's
// own data, so one user more or less still moves one number at most.
// PrivateQuantile and PrivateHistogram make the answer and have the proofs. A
// count is a histogram of one bar.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "dp/mechanisms/noise.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::dp {

struct QuantileQuestion {
  double quantile = 0.5;  // in whole thousandths
  double lower = 0;       // bounds, declared without looking
  double upper = 1;
  double epsilon = 0;
  bool operator==(const QuantileQuestion&) const = default;
};

// Bar i has the numbers from edges[i] to below edges[i + 1]; the last one has
// its upper edge too. Numbers outside count nowhere.
struct BarsQuestion {
  std::vector<double> edges = {};
  double deviation = 0;  // of the noise on each bar
  bool operator==(const BarsQuestion&) const = default;
};

struct Question {
  std::string name = "";
  std::variant<QuantileQuestion, BarsQuestion> about = {};
  bool operator==(const Question&) const = default;
};

// The edges of `bars` equal bars from `lower` to `upper`.
std::vector<double> EvenEdges(double lower, double upper, std::int64_t bars);

// What the answer costs. All users are asked. Throws BadInput for edges that do
// not rise or are not finite, fewer than two of them, and as PrivateQuantile
// and PrivateHistogram.
Event EventOf(const Question& question, const Population& population,
              std::string cohort = "");

// One number, the quantile; or one per bar. Throws as EventOf. REQUIRES:
// `event` is EventOf's for the question.
Released<std::vector<double>> Ask(const Question& question,
                                  std::span<const double> numbers,
                                  const Event& event, NoiseSource& noise);

// Deviation of the noise on each number of the answer. 0 for a quantile, whose
// error is one of ranks: beyond about 2 (ln cells + 3) / epsilon users with a
// chance of e^-3 at most.
double DeviationOf(const Question& question);

// The answer without any noise, and so private data: for simulations.
std::vector<double> WithoutNoise(const Question& question,
                                 std::span<const double> numbers);

}  // namespace sfumato::dp

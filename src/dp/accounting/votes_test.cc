#include "dp/accounting/votes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "dp/accounting/rdp.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

using Level = Vote::Level;

TEST(VotesTest, KnownEpsilonsAtAgentLevel) {
  struct Row {
    std::int64_t queries;
    double closed_form, exact;
  };
  for (const Row& row : {Row{100, 1.5668, 1.0357}, Row{500, 3.7245, 2.7354},
                         Row{600, 4.1218, 3.0605}, Row{1000, 5.5016, 4.2077}}) {
    const VoteEpsilons ours =
        VoteEpsilon({.queries = row.queries, .sigma = 25, .delta = 1e-3});
    EXPECT_EQ(ours.sensitivity_squared, 1);
    EXPECT_NEAR(ours.closed_form, row.closed_form, 5.1e-5);
    EXPECT_NEAR(ours.exact, row.exact, 5.1e-5);
    EXPECT_DOUBLE_EQ(ours.printed, ours.closed_form);
  }
}

TEST(VotesTest, KnownEpsilonsAtInstanceLevel) {
  const VoteEpsilons one_hot = VoteEpsilon(
      {.queries = 1000, .sigma = 25, .delta = 1e-3, .level = Level::kInstance});
  EXPECT_EQ(one_hot.sensitivity_squared, 2);
  EXPECT_NEAR(one_hot.closed_form, 8.2490, 5.1e-5);
  EXPECT_NEAR(one_hot.exact, 6.5526, 5.1e-5);
  EXPECT_DOUBLE_EQ(one_hot.printed, one_hot.closed_form);

  const VoteEpsilons neighbours = VoteEpsilon({.queries = 1000,
                                               .sigma = 25,
                                               .delta = 1e-3,
                                               .level = Level::kInstance,
                                               .neighbours = 10});
  EXPECT_DOUBLE_EQ(neighbours.sensitivity_squared, 0.02);
  EXPECT_NEAR(neighbours.closed_form, 0.6809, 5.1e-5);
  EXPECT_NEAR(neighbours.exact, 0.3974, 5.1e-5);
  // The paper: rho = Q/(k sigma^2) = 1000/6250 = 0.16.
  EXPECT_NEAR(neighbours.printed, 0.16 + 2 * std::sqrt(0.16 * std::log(1e3)),
              1e-12);
}

TEST(VotesTest, NeighboursDoNotHelpAnAgent) {
  // An agent may give all its k neighbours' votes to one class.
  const VoteOptions one_hot{.queries = 10, .sigma = 5};
  VoteOptions neighbours = one_hot;
  neighbours.neighbours = 10;
  EXPECT_EQ(VoteEpsilon(neighbours).exact, VoteEpsilon(one_hot).exact);
}

TEST(VotesTest, ReplacingAnAgentMovesTwoCounts) {
  EXPECT_EQ(
      VoteEpsilon({.adjacency = Adjacency::kReplaceOne}).sensitivity_squared,
      2);
}

TEST(VotesTest, TheEventIsWhatTheAccountantUnderstands) {
  const Event event =
      VoteEvent({.queries = 7, .sigma = 3, .level = Level::kInstance});
  EXPECT_EQ(event.count, 7);
  EXPECT_EQ(event.unit, Unit::kExample);
  EXPECT_DOUBLE_EQ(Rdp(event, 5).divergence, 5 * 2 / 18.0);
}

TEST(VotesTest, RefusesImpossibleNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(VoteEpsilon({.queries = 0}), Error);
  EXPECT_THROW(VoteEpsilon({.sigma = 0}), Error);
  EXPECT_THROW(VoteEpsilon({.sigma = nan}), Error);
  EXPECT_THROW(VoteEpsilon({.delta = nan}), Error);
  EXPECT_THROW(VoteEpsilon({.neighbours = -1}), Error);
  EXPECT_THROW(DataDependentVoteRdp(2, nan, 1, 1), Error);
  EXPECT_THROW(DataDependentVoteRdp(2, 0.5, 1, 1), Error);
  EXPECT_THROW(DataDependentVoteRdp(1, -5, 1, 1), Error);
  EXPECT_THROW(MarginVoteRdp(2, {.margin = nan}), Error);
  EXPECT_THROW(LogWrongOutcome(std::vector<double>{1}, 1), Error);
  EXPECT_THROW(SureVoteMargin(1, 1, 0.1, 5), Error);
}

TEST(VotesTest, SharesOfSurvivingHonestAgentsAreEnough) {
  // 100 agents, 20 drop out, 15 of the rest collude: 65 honest shares.
  const double share = VoteNoiseShare(25, 80, 15);
  EXPECT_NEAR(std::sqrt(65 * share * share), 25, 1e-12);
  EXPECT_THROW(VoteNoiseShare(25, 15, 15), Error);
  EXPECT_THROW(VoteNoiseShare(25, 15, -1), Error);
  EXPECT_THROW(VoteNoiseShare(std::nan(""), 15, 1), Error);
}

// ---- Bounds from the votes ----

double Phi(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

// The chance of each class to win, by Simpson's rule over its own noisy count.
std::vector<double> WinChances(const std::vector<double>& votes, double sigma) {
  std::vector<double> chances;
  const double low = -12, high = 40;
  const int steps = 1000;
  const double width = (high - low) / steps;
  for (std::size_t i = 0; i < votes.size(); ++i) {
    double sum = 0;
    for (int s = 0; s <= steps; ++s) {
      const double x = low + s * width;
      double value = std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
      for (std::size_t j = 0; j < votes.size(); ++j) {
        if (j != i) value *= Phi(x + (votes[i] - votes[j]) / sigma);
      }
      sum += value * (s == 0 || s == steps ? 1 : s % 2 == 1 ? 4 : 2);
    }
    chances.push_back(sum * width / 3);
  }
  return chances;
}

double WinnerDivergence(double order, const std::vector<double>& p,
                        const std::vector<double>& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    sum += std::exp(order * std::log(p[i]) + (1 - order) * std::log(q[i]));
  }
  return std::log(sum) / (order - 1);
}

struct Case {
  std::vector<double> votes, neighbour;
  double sigma, sensitivity_squared, margin_change;
};

// Two or three classes; one vote more, one less, or one turned.
Case RandomCase(base::Rng& rng) {
  Case drawn;
  const std::size_t classes = 2 + rng.Below(2);
  for (std::size_t i = 0; i < classes; ++i) {
    drawn.votes.push_back(1 + static_cast<double>(rng.Below(14)));
  }
  drawn.sigma = rng.Uniform(0.7, 4);
  drawn.neighbour = drawn.votes;
  const std::size_t from = rng.Below(classes);
  const std::uint64_t kind = rng.Below(3);
  drawn.sensitivity_squared = kind == 2 ? 2 : 1;
  drawn.margin_change = kind == 2 ? 2 : 1;
  drawn.neighbour[from] += kind == 0 ? 1 : -1;
  if (kind == 2) drawn.neighbour[(from + 1) % classes] += 1;
  return drawn;
}

double Margin(std::vector<double> votes) {
  std::sort(votes.rbegin(), votes.rend());
  return votes[0] - votes[1];
}

// Bound minus exact divergence over a few hundred random small votes; returns
// how often it was violated and how often it beat the bound without votes.
struct Tally {
  int violated = 0, better = 0;
};
template <typename Bound>
Tally Try(const Bound& bound) {
  base::Rng rng(17, {base::Key("votes")});
  Tally tally;
  for (int i = 0; i < 400; ++i) {
    const Case drawn = RandomCase(rng);
    const auto p = WinChances(drawn.votes, drawn.sigma);
    const auto q = WinChances(drawn.neighbour, drawn.sigma);
    for (const double order : {1.2, 2.0, 3.5, 8.0, 20.0}) {
      const double proven = bound(order, drawn);
      const double plain =
          order * drawn.sensitivity_squared / (2 * drawn.sigma * drawn.sigma);
      tally.violated += proven < WinnerDivergence(order, p, q) * (1 - 1e-7);
      tally.better += proven < plain;
    }
  }
  return tally;
}

TEST(VotesTest, TheoremSixIsNeverViolated) {
  const Tally tally = Try([](double order, const Case& drawn) {
    return DataDependentVoteRdp(order,
                                LogWrongOutcome(drawn.votes, drawn.sigma),
                                drawn.sigma, drawn.sensitivity_squared);
  });
  EXPECT_EQ(tally.violated, 0);
  EXPECT_GT(tally.better, 100);
}

TEST(VotesTest, TheCorrectedTheoremFiveIsNeverViolated) {
  const Tally tally = Try([](double order, const Case& drawn) {
    return MarginVoteRdp(
        order, {.margin = Margin(drawn.votes),
                .margin_change = drawn.margin_change,
                .classes = static_cast<std::int64_t>(drawn.votes.size()),
                .sigma = drawn.sigma,
                .sensitivity_squared = drawn.sensitivity_squared});
  });
  EXPECT_EQ(tally.violated, 0);
  EXPECT_GT(tally.better, 20);
}

TEST(VotesTest, TheCorrectedTheoremFiveByHand) {
  // Margin 20, or 18 with the neighbour; sigma 2, three classes, s^2 = 2:
  // p = 3 e^{-400/32}, q' = 3 e^{-324/32}; order 2: (1)(3) 2/8 = 3/4.
  const double p = 3 * std::exp(-12.5), q = 3 * std::exp(-10.125);
  EXPECT_NEAR(MarginVoteRdp(2, {.margin = 20,
                                .margin_change = 2,
                                .classes = 3,
                                .sigma = 2,
                                .sensitivity_squared = 2}),
              -std::log(1 - q) + std::log(1 + std::sqrt(p) * std::exp(0.75)),
              1e-12);
}

TEST(VotesTest, ABoundWithTheSensitivityHalvedIsCaught) {
  const Tally tally = Try([](double order, const Case& drawn) {
    return DataDependentVoteRdp(order,
                                LogWrongOutcome(drawn.votes, drawn.sigma),
                                drawn.sigma, drawn.sensitivity_squared / 4);
  });
  EXPECT_GT(tally.violated, 50);
}

TEST(VotesTest, WrongOutcomesAreBoundedByProposition7) {
  base::Rng rng(18, {base::Key("wrong")});
  for (int i = 0; i < 100; ++i) {
    const Case drawn = RandomCase(rng);
    const auto chances = WinChances(drawn.votes, drawn.sigma);
    const auto first = static_cast<std::size_t>(
        std::max_element(drawn.votes.begin(), drawn.votes.end()) -
        drawn.votes.begin());
    double wrong = 0;
    for (std::size_t j = 0; j < chances.size(); ++j) {
      if (j != first) wrong += chances[j];
    }
    EXPECT_LE(wrong,
              std::exp(LogWrongOutcome(drawn.votes, drawn.sigma)) * (1 + 1e-7));
  }
  // Two classes: exactly erfc(d / 2 sigma)/2. And far in the tail, finite.
  EXPECT_NEAR(LogWrongOutcome(std::vector<double>{9, 3}, 2),
              std::log(std::erfc(1.5) / 2), 1e-12);
  EXPECT_NEAR(LogWrongOutcome(std::vector<double>{1000, 0}, 1), -250000, 20);
}

TEST(VotesTest, AClearVoteCostsAlmostNothing) {
  const std::vector<double> votes = {180, 40, 30};
  const double log_wrong = LogWrongOutcome(votes, 10);
  EXPECT_LT(DataDependentVoteRdp(10, log_wrong, 10, 2), 1e-8);
  EXPECT_DOUBLE_EQ(DataDependentVoteRdp(10, std::log(0.4), 10, 2), 10 / 100.0);
}

TEST(VotesTest, TheSureMarginNeedsTheSigmaThatLemma4Lacks) {
  // Two classes: the chance that noise turns the winner is exactly
  // erfc(margin / 2 sigma) / 2.
  const double sigma = 25, delta = 1e-3;
  const std::int64_t voters = 250;
  const double margin = SureVoteMargin(sigma, 2, delta, voters);
  const auto wrong = [&](double share) {
    return std::erfc(share * static_cast<double>(voters) / (2 * sigma)) / 2;
  };
  EXPECT_LE(wrong(margin), delta);
  EXPECT_GT(wrong(margin / sigma), 0.4);  // as printed
  EXPECT_DOUBLE_EQ(margin, 50 * std::sqrt(2 * std::log(2000)) / 250);
}

}  // namespace
}  // namespace sfumato::dp

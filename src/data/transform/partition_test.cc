#include "data/transform/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"

namespace sfumato::data {
namespace {

// `per_class` rows of each of `classes` labels, one class after the other.
std::vector<std::int32_t> Labels(int classes, int per_class) {
  std::vector<std::int32_t> labels;
  for (int c = 0; c < classes; ++c) labels.insert(labels.end(), per_class, c);
  return labels;
}

std::vector<std::size_t> SizesOf(const Partition& partition) {
  std::vector<std::size_t> sizes;
  for (const auto& rows : partition.users) sizes.push_back(rows.size());
  return sizes;
}

std::size_t ClassesOf(const std::vector<std::uint64_t>& rows,
                      const std::vector<std::int32_t>& labels) {
  std::set<std::int32_t> seen;
  for (const std::uint64_t row : rows) seen.insert(labels[row]);
  return seen.size();
}

void ExpectEachRowAtMostOnce(const Partition& partition, std::size_t rows) {
  std::vector<int> used(rows);
  for (const auto& of_user : partition.users) {
    for (const std::uint64_t row : of_user) ++used.at(row);
  }
  EXPECT_LE(*std::ranges::max_element(used), 1);
  EXPECT_EQ(partition.unused,
            static_cast<std::uint64_t>(std::ranges::count(used, 0)));
}

const std::vector<PartitionScheme> kDealing = {PartitionScheme::kIid,
                                               PartitionScheme::kClasses,
                                               PartitionScheme::kDirichlet};

TEST(PartitionTest, EqualSizesDifferByAtMostOneAndUseEverything) {
  const auto labels = Labels(5, 7);  // 35 rows, 4 users: 9, 9, 9, 8
  for (const PartitionScheme scheme :
       {PartitionScheme::kIid, PartitionScheme::kDirichlet}) {
    const Partition parts =
        PartitionRows(labels, {.scheme = scheme, .users = 4, .seed = 3});
    EXPECT_EQ(SizesOf(parts), (std::vector<std::size_t>{9, 9, 9, 8}));
    EXPECT_EQ(parts.unused, 0u);
    ExpectEachRowAtMostOnce(parts, labels.size());
  }
}

TEST(PartitionTest, GivesTheMeanSizeToEverybodyAndCountsTheRest) {
  const auto labels = Labels(10, 100);
  for (const PartitionScheme scheme : kDealing) {
    const Partition parts = PartitionRows(
        labels, {.scheme = scheme, .users = 20, .mean_size = 30, .seed = 1});
    EXPECT_EQ(SizesOf(parts), std::vector<std::size_t>(20, 30));
    EXPECT_EQ(parts.unused, 400u);
    ExpectEachRowAtMostOnce(parts, labels.size());
  }
}

TEST(PartitionTest, UniformSizesLieAroundTheMeanAboveTheMinimum) {
  // 100 … 900 around 500; the mean of 400 draws has a standard error of
  // 231 / 20 = 11.6, so 60 is five of them (false alarm below 1e-6).
  const std::vector<std::int32_t> labels(400 * 600, -1);
  const Partition parts = PartitionRows(labels, {.users = 400,
                                                 .sizes = SizeRule::kUniform,
                                                 .mean_size = 500,
                                                 .minimum_size = 100,
                                                 .seed = 5});
  const auto sizes = SizesOf(parts);
  EXPECT_GE(std::ranges::min(sizes), 100u);
  EXPECT_LE(std::ranges::max(sizes), 900u);
  // All of 400 above 140, or all below 860: 0.95^400, below 1e-8.
  EXPECT_LT(std::ranges::min(sizes), 140u);
  EXPECT_GT(std::ranges::max(sizes), 860u);
  const double mean = std::accumulate(sizes.begin(), sizes.end(), 0.0) / 400;
  EXPECT_NEAR(mean, 500, 60);
}

TEST(PartitionTest, UniformSizesNeverAskForMoreThanThereIs) {
  const auto labels = Labels(10, 1000);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const PartitionScheme scheme :
         {PartitionScheme::kIid, PartitionScheme::kDirichlet}) {
      const Partition parts =
          PartitionRows(labels, {.scheme = scheme,
                                 .users = 20,
                                 .sizes = SizeRule::kUniform,
                                 .minimum_size = 100,
                                 .seed = seed});
      EXPECT_GE(std::ranges::min(SizesOf(parts)), 100u);
      ExpectEachRowAtMostOnce(parts, labels.size());
    }
  }
}

TEST(PartitionTest, GivesEveryUserAsManyClassesAsAsked) {
  const auto labels = Labels(10, 600);
  for (const int k : {1, 2, 6, 10}) {
    const Partition parts =
        PartitionRows(labels, {.scheme = PartitionScheme::kClasses,
                               .users = 40,
                               .classes_per_user = k,
                               .mean_size = 120,
                               .seed = 9});
    for (const auto& rows : parts.users) {
      EXPECT_EQ(rows.size(), 120u);
      EXPECT_EQ(ClassesOf(rows, labels), static_cast<std::size_t>(k));
    }
    ExpectEachRowAtMostOnce(parts, labels.size());
  }
}

TEST(PartitionTest, GivesAUserAsManyExamplesOfEachOfItsClasses) {
  const auto labels = Labels(4, 100);
  const Partition parts =
      PartitionRows(labels, {.scheme = PartitionScheme::kClasses,
                             .users = 10,
                             .classes_per_user = 2,
                             .mean_size = 20});
  for (const auto& rows : parts.users) {
    std::vector<int> counts(4);
    for (const std::uint64_t row : rows) ++counts[labels[row]];
    std::ranges::sort(counts);
    EXPECT_EQ(counts, (std::vector<int>{0, 0, 10, 10}));
  }
}

TEST(PartitionTest, PairsClassesAtRandom) {
  // 45 pairs of 10 classes, 200 users: fewer than 30 different pairs would be a
  // pattern, not luck.
  const auto labels = Labels(10, 600);
  const Partition parts =
      PartitionRows(labels, {.scheme = PartitionScheme::kClasses,
                             .users = 200,
                             .classes_per_user = 2,
                             .mean_size = 20});
  std::set<std::set<std::int32_t>> pairs;
  for (const auto& rows : parts.users) {
    std::set<std::int32_t> pair;
    for (const std::uint64_t row : rows) pair.insert(labels[row]);
    pairs.insert(pair);
  }
  EXPECT_GT(pairs.size(), 30u);
}

TEST(PartitionTest, SharesScarceClassesAmongTheirUsers) {
  // Unequal classes and nothing to spare: sizes give way a little, and no user
  // sees a third class.
  std::vector<std::int32_t> labels = Labels(9, 100);
  labels.insert(labels.end(), 60, 9);
  const Partition parts =
      PartitionRows(labels, {.scheme = PartitionScheme::kClasses,
                             .users = 48,
                             .classes_per_user = 2,
                             .mean_size = 20,
                             .minimum_size = 10});
  ExpectEachRowAtMostOnce(parts, labels.size());
  for (const auto& rows : parts.users) {
    EXPECT_LE(rows.size(), 20u);
    EXPECT_GE(rows.size(), 15u);
    EXPECT_LE(ClassesOf(rows, labels), 2u);
  }
}

TEST(PartitionTest, DirichletGoesFromOneClassToAllWithAlpha) {
  const auto labels = Labels(10, 1000);
  const auto mean_top_share = [&](double alpha) {
    const Partition parts =
        PartitionRows(labels, {.scheme = PartitionScheme::kDirichlet,
                               .users = 50,
                               .alpha = alpha,
                               .mean_size = 100,
                               .seed = 2});
    ExpectEachRowAtMostOnce(parts, labels.size());
    double sum = 0;
    for (const auto& rows : parts.users) {
      std::vector<int> counts(10);
      for (const std::uint64_t row : rows) ++counts[labels[row]];
      sum += std::ranges::max(counts) / 100.0;
    }
    return sum / 50;
  };
  // The largest of ten shares: 1 as alpha → 0. With alpha large each count is
  // binomial(100, 0.1), whose largest of ten is 15 to 16 in the mean.
  EXPECT_GT(mean_top_share(0.001), 0.97);
  EXPECT_LT(mean_top_share(1000), 0.19);
  const double middle = mean_top_share(0.5);
  EXPECT_GT(middle, 0.3);
  EXPECT_LT(middle, 0.6);
}

TEST(PartitionTest, DirichletHandsOutScarceClassesToo) {
  // Everything is given away, though most users want other classes.
  std::vector<std::int32_t> labels = Labels(2, 3);
  labels.insert(labels.end(), 94, 2);
  const Partition parts = PartitionRows(
      labels,
      {.scheme = PartitionScheme::kDirichlet, .users = 10, .alpha = 0.01});
  EXPECT_EQ(SizesOf(parts), std::vector<std::size_t>(10, 10));
  ExpectEachRowAtMostOnce(parts, labels.size());
}

TEST(PartitionTest, MakesAUserOfEachValueOfAColumn) {
  const std::vector<std::int32_t> values = {2, 0, 2, 0, 0, -1};
  const Partition parts =
      PartitionRows(values, {.scheme = PartitionScheme::kColumn});
  EXPECT_EQ(parts.users,
            (std::vector<std::vector<std::uint64_t>>{{1, 3, 4}, {}, {0, 2}}));
  EXPECT_EQ(parts.unused, 1u);
}

TEST(PartitionTest, TheSeedAloneDecides) {
  const auto labels = Labels(10, 50);
  for (const PartitionScheme scheme : kDealing) {
    const auto users = [&](std::uint64_t seed) {
      return PartitionRows(labels, {.scheme = scheme,
                                    .users = 10,
                                    .sizes = SizeRule::kUniform,
                                    .mean_size = 20,
                                    .minimum_size = 5,
                                    .seed = seed})
          .users;
    };
    EXPECT_EQ(users(1), users(1));
    EXPECT_NE(users(1), users(2));
  }
}

TEST(PartitionTest, DoesNotLeaveAUsersRowsSortedByClass) {
  const auto labels = Labels(10, 100);
  const Partition parts =
      PartitionRows(labels, {.scheme = PartitionScheme::kClasses,
                             .users = 10,
                             .classes_per_user = 2});
  for (const auto& rows : parts.users) {
    int changes = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      changes += labels[rows[i]] != labels[rows[i - 1]];
    }
    EXPECT_GT(changes, 10);  // about 50 of 100; sorted would be 1
  }
}

struct Refusal {
  std::string why;
  PartitionOptions options;
  std::string says;
};

TEST(PartitionTest, RefusesWhatCannotBeHad) {
  const auto labels = Labels(3, 10);
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Refusal> refusals = {
      {"no users", {}, "number of users"},
      {"more users than examples", {.users = 31}, "31 users"},
      {"k above classes",
       {.scheme = PartitionScheme::kClasses, .users = 3, .classes_per_user = 4},
       "4 classes per user, where there are 3"},
      {"k of nothing",
       {.scheme = PartitionScheme::kClasses, .users = 3, .classes_per_user = 0},
       "0 classes per user"},
      {"alpha 0",
       {.scheme = PartitionScheme::kDirichlet, .users = 3, .alpha = 0},
       "alpha is 0"},
      {"alpha negative",
       {.scheme = PartitionScheme::kDirichlet, .users = 3, .alpha = -1},
       "alpha is -1"},
      {"alpha not a number",
       {.scheme = PartitionScheme::kDirichlet, .users = 3, .alpha = nan},
       "alpha is nan"},
      {"minimum above mean",
       {.users = 3,
        .sizes = SizeRule::kUniform,
        .mean_size = 5,
        .minimum_size = 6},
       "minimum of 6 is above the mean of 5"},
      {"minimum above what there is",
       {.users = 3, .minimum_size = 11},
       "minimum of 11 is above the mean of 10"},
      {"mean above what there is", {.users = 3, .mean_size = 11}, "of 11"},
      {"minimum 0", {.users = 3, .minimum_size = 0}, "minimum size is 0"},
  };
  for (const Refusal& refusal : refusals) {
    try {
      PartitionRows(labels, refusal.options);
      ADD_FAILURE() << "accepted: " << refusal.why;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << refusal.why;
      EXPECT_NE(std::string(error.what()).find(refusal.says), std::string::npos)
          << error.what();
      EXPECT_FALSE(error.todo().empty()) << refusal.why;
    }
  }
}

TEST(PartitionTest, RefusesRowsWithoutLabelWhereLabelsAreNeeded) {
  const std::vector<std::int32_t> labels = {0, 1, -1, 1};
  for (const PartitionScheme scheme :
       {PartitionScheme::kClasses, PartitionScheme::kDirichlet}) {
    EXPECT_THROW(PartitionRows(labels, {.scheme = scheme, .users = 2}), Error);
  }
  EXPECT_EQ(PartitionRows(labels, {.users = 2}).unused, 0u);
}

TEST(PartitionTest, GivesARareClassToEverybodyWhenAllMustHaveIt) {
  std::vector<std::int32_t> labels = Labels(1, 1000);
  labels.insert(labels.end(), 10, 1);
  const Partition parts =
      PartitionRows(labels, {.scheme = PartitionScheme::kClasses,
                             .users = 5,
                             .classes_per_user = 2,
                             .mean_size = 4});
  for (const auto& rows : parts.users) {
    EXPECT_EQ(rows.size(), 4u);
    EXPECT_EQ(ClassesOf(rows, labels), 2u);
  }
}

TEST(PartitionTest, RefusesWhenAScarceClassPushesAUserBelowTheMinimum) {
  // 26 rows of one class go to three users who want 10 each: 8 for all, and
  // the 2 left to the first of them. The fourth has 14 rows to itself.
  std::vector<std::int32_t> labels = Labels(1, 26);
  labels.insert(labels.end(), 14, 1);
  PartitionOptions options = {.scheme = PartitionScheme::kClasses,
                              .users = 4,
                              .classes_per_user = 1,
                              .mean_size = 10,
                              .minimum_size = 8};
  const Partition parts = PartitionRows(labels, options);
  auto sizes = SizesOf(parts);
  std::ranges::sort(sizes);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{8, 8, 10, 10}));
  EXPECT_EQ(parts.unused, 4u);
  options.minimum_size = 9;
  EXPECT_THROW(PartitionRows(labels, options), Error);
}

}  // namespace
}  // namespace sfumato::data

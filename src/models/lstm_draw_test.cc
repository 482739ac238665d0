#include "models/lstm_draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "base/error.h"
#include "models/lstm_testing.h"

namespace sfumato::models {
namespace {

using Symbols = std::vector<std::int32_t>;

// Symbols 0 and 1, begin 2, end 3.
LstmShape TinyAlphabet(std::int64_t layers = 1) {
  return {.symbols = 4,
          .embedding = 3,
          .hidden = 5,
          .layers = layers,
          .projection = 3,
          .tied = true,
          .begin = 2,
          .end = 3};
}

// log p of every beginning with at most `longest` symbols, with or without end,
// by the plain model.
double PlainScore(const Lstm& model, const std::vector<at::Tensor>& tensors,
                  const Symbols& symbols, bool end) {
  std::vector<float> row = {static_cast<float>(model.shape().begin)};
  for (const std::int32_t s : symbols) row.push_back(static_cast<float>(s));
  if (end) row.push_back(static_cast<float>(model.shape().end));
  const auto n = static_cast<std::int64_t>(row.size()) - 1;
  if (n == 0) return 0;
  return PlainScores(model, tensors, at::tensor(row), n).sum().item<double>();
}

void ForEachWord(std::int64_t longest, Symbols& word,
                 const std::function<void(const Symbols&)>& f) {
  f(word);
  if (std::ssize(word) == longest) return;
  for (const std::int32_t symbol : {0, 1}) {
    word.push_back(symbol);
    ForEachWord(longest, word, f);
    word.pop_back();
  }
}

TEST(DrawSequencesTest, DrawsAsOftenAsTheModelSays) {
  at::manual_seed(11);
  for (const std::int64_t layers : {1, 2}) {
    const Lstm model(TinyAlphabet(layers));
    const at::Tensor params = 2 * RandomLanes(model, 1);
    const std::vector<at::Tensor> tensors = PlainTensors(model, params[0]);
    constexpr std::int64_t kCount = 40'000;
    constexpr std::int64_t kLongest = 3;
    std::map<std::pair<Symbols, bool>, double> counts;
    for (const Sequence& drawn :
         DrawSequences(model, params,
                       {.seed = 5, .count = kCount, .longest = kLongest})) {
      counts[{drawn.symbols, drawn.ended}] += 1;
    }
    // Begin is never drawn: what is left of each chance sums to less than 1.
    const auto chance = [&](const Symbols& word, bool ended) {
      double product = 1;
      Symbols so_far;
      for (std::size_t i = 0; i < word.size() + (ended ? 1 : 0); ++i) {
        const double base = PlainScore(model, tensors, so_far, false);
        double left = std::exp(PlainScore(model, tensors, so_far, true) - base);
        double own = left;
        for (const std::int32_t symbol : {0, 1}) {
          Symbols next = so_far;
          next.push_back(symbol);
          const double p =
              std::exp(PlainScore(model, tensors, next, false) - base);
          left += p;
          if (i < word.size() && symbol == word[i]) own = p;
        }
        product *= own / left;
        if (i < word.size()) so_far.push_back(word[i]);
      }
      return product;
    };
    double total = 0;
    Symbols none;
    ForEachWord(kLongest, none, [&](const Symbols& word) {
      const bool whole = std::ssize(word) < kLongest;
      const double p = chance(word, whole);
      total += p;
      const double found = counts[{word, whole}];
      // 15 words in two models: five deviations cry wolf once in 60,000 runs.
      EXPECT_NEAR(found, kCount * p,
                  5 * std::sqrt(kCount * p * (1 - p)) + 1e-9);
    });
    EXPECT_NEAR(total, 1, 1e-9);
  }
}

TEST(DrawSequencesTest, IsAFunctionOfTheSeedWhateverTheThreads) {
  at::manual_seed(12);
  const Lstm model(SmallLstm(2, false));
  const at::Tensor params = RandomLanes(model, 1);
  const auto draw = [&](std::uint64_t seed, int threads) {
    return DrawSequences(
        model, params,
        {.seed = seed, .count = 20'000, .longest = 12, .threads = threads});
  };
  const std::vector<Sequence> one = draw(1, 1);
  EXPECT_EQ(one.size(), 20'000);
  EXPECT_EQ(draw(1, 3), one);
  EXPECT_NE(draw(2, 1), one);
}

TEST(DrawSequencesTest, DifferentBeginningsGoOnIndependently) {
  // All symbols are equally likely. 400 second symbols out of 399 are about
  // 253 different ones; below 200 less than once in a million runs.
  const Lstm model({.symbols = 400,
                    .embedding = 2,
                    .hidden = 2,
                    .projection = 2,
                    .tied = true});
  std::set<std::int32_t> seconds;
  for (const Sequence& drawn :
       DrawSequences(model, at::zeros({1, model.layout().size()}),
                     {.count = 400, .longest = 2})) {
    if (drawn.symbols.size() == 2) seconds.insert(drawn.symbols[1]);
  }
  EXPECT_GT(seconds.size(), 200);
}

TEST(DrawSequencesTest, DrawsNothingThatIsForbiddenAndNothingTooLong) {
  at::manual_seed(13);
  const Lstm model(SmallLstm(1, true));
  std::int64_t cut = 0;
  for (const Sequence& drawn :
       DrawSequences(model, RandomLanes(model, 1),
                     {.count = 3000, .longest = 4, .forbid = {0, 7}})) {
    EXPECT_LE(drawn.symbols.size(), 4);
    if (!drawn.ended) {
      ++cut;
      EXPECT_EQ(drawn.symbols.size(), 4);
    }
    for (const std::int32_t symbol : drawn.symbols) {
      EXPECT_TRUE(symbol != 0 && symbol != 7 && symbol != 2 && symbol != 3);
    }
  }
  EXPECT_GT(cut, 0);
}

TEST(DrawSequencesTest, AColdModelDrawsTheLikeliestSymbols) {
  at::manual_seed(14);
  const Lstm model(SmallLstm(1, true));
  const at::Tensor params = RandomLanes(model, 1);
  const std::vector<Sequence> cold = DrawSequences(
      model, params, {.count = 50, .longest = 6, .temperature = 1e-4});
  for (const Sequence& drawn : cold) EXPECT_EQ(drawn, cold[0]);
}

TEST(DrawSequencesTest, RefusesWhatItCannotDraw) {
  const Lstm model(TinyAlphabet());
  const at::Tensor params = model.Initial(1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(DrawSequences(model, params, {}).empty());
  for (const DrawOptions& bad :
       std::vector<DrawOptions>{{.count = -1},
                                {.count = 1, .longest = 0},
                                {.count = 1, .temperature = 0},
                                {.count = 1, .temperature = nan},
                                {.count = 1, .forbid = {4}},
                                {.count = 1, .forbid = {0, 1, 3}}}) {
    EXPECT_THROW(DrawSequences(model, params, bad), Error);
  }
  EXPECT_THROW(DrawSequences(model, params * nan, {.count = 1}), Error);
  EXPECT_THROW(DrawSequences(model, params.narrow(1, 1, 5), {.count = 1}),
               Error);
}

// The ten likeliest words of some models are those that trying all words finds.
void ExpectLikeliestOfAll(const Lstm& model, const at::Tensor& params) {
  std::vector<std::vector<at::Tensor>> models;
  for (std::int64_t i = 0; i < params.size(0); ++i) {
    models.push_back(PlainTensors(model, params[i]));
  }
  std::vector<std::pair<double, Symbols>> all;
  Symbols none;
  ForEachWord(5, none, [&](const Symbols& word) {
    double mean = 0;
    for (const auto& tensors : models) {
      mean += std::exp(PlainScore(model, tensors, word, true)) /
              static_cast<double>(models.size());
    }
    all.emplace_back(-mean, word);
  });
  std::ranges::sort(all);
  const MostLikelySequences found =
      MostLikely(model, params, {.count = 10, .longest = 5});
  EXPECT_TRUE(found.exact);
  ASSERT_EQ(found.sequences.size(), 10);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(found.sequences[k].symbols, all[k].second) << k;
    EXPECT_NEAR(found.sequences[k].log_probability, std::log(-all[k].first),
                1e-4);
    EXPECT_NEAR(std::exp(found.sequences[k].log_probability), -all[k].first,
                1e-5);
  }
}

TEST(MostLikelyTest, FindsWhatTryingAllWordsFinds) {
  at::manual_seed(15);
  const Lstm model(TinyAlphabet(2));
  for (int i = 0; i < 5; ++i) {
    ExpectLikeliestOfAll(model, 2 * RandomLanes(model, 1));
  }
}

// The first of the mean need not be among the first of any model.
TEST(MostLikelyTest, OfSeveralModelsTheMeanCounts) {
  at::manual_seed(16);
  const Lstm model(TinyAlphabet(2));
  ExpectLikeliestOfAll(model, 2 * RandomLanes(model, 3));
}

TEST(MostLikelyTest, ListsAllWhereThereAreFewer) {
  const Lstm model(TinyAlphabet());
  // Words over one symbol: none, 0, 00, 000.
  const MostLikelySequences found = MostLikely(
      model, model.Initial(1), {.count = 10, .longest = 3, .forbid = {1}});
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.sequences.size(), 4);
}

TEST(MostLikelyTest, SaysWhenTheLimitCameFirst) {
  at::manual_seed(16);
  const Lstm model(SmallLstm(1, true));
  const at::Tensor params = RandomLanes(model, 1);
  const MostLikelySequences whole =
      MostLikely(model, params, {.count = 50, .longest = 6});
  EXPECT_TRUE(whole.exact);
  ASSERT_GT(whole.expanded, 100);
  const MostLikelySequences part = MostLikely(
      model, params, {.count = 50, .longest = 6, .most_expanded = 100});
  EXPECT_FALSE(part.exact);
  EXPECT_EQ(part.expanded, 100);
  // Enough is enough, also where what waits is forgotten.
  const MostLikelySequences enough = MostLikely(
      model, params,
      {.count = 50, .longest = 6, .most_expanded = whole.expanded + 1});
  EXPECT_TRUE(enough.exact);
  EXPECT_THROW(MostLikely(model, params, {.most_expanded = 0}), Error);
}

}  // namespace
}  // namespace sfumato::models

#include "models/lstm.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "models/model_testing.h"

namespace sfumato::models {
namespace {

TEST(LstmTest, HasTheParametersOfTheFirstPapersModels) {
  // Embedding 10,004 · 96; input and recurrent 96 · 2,010 each; bias 2,010;
  // projection 670 · 96; output bias 10,004.
  EXPECT_EQ(Lstm(WordLm()).layout().size(),
            960'384 + 2 * 192'960 + 2'010 + 64'320 + 10'004);
  // Embedding 258 · 128; a layer (128 + 128) · 768 + 768 + 256 · 128; output
  // 128 · 258 + 258.
  EXPECT_EQ(Lstm(CharLm()).layout().size(), 33'024 + 3 * 230'144 + 33'282);
}

TEST(LstmTest, BeginsWithOpenForgetGatesAndSmallWeights) {
  const Lstm model({.symbols = 7,
                    .embedding = 4,
                    .hidden = 5,
                    .layers = 2,
                    .projection = 3});
  const at::Tensor params = model.Initial(1);
  EXPECT_TRUE(params.equal(model.Initial(1)));
  EXPECT_FALSE(params.equal(model.Initial(2)));
  const auto most = [&](std::size_t i) {
    return model.layout().View(params, i).abs().max().item<double>();
  };
  EXPECT_LE(most(model.embedding()), 0.05);
  EXPECT_LE(most(model.layer(0).input), std::sqrt(6.0 / (4 + 15)));
  EXPECT_GT(most(model.layer(1).input), 0.5 * std::sqrt(6.0 / (3 + 15)));
  for (const std::int64_t k : {0, 1}) {
    const at::Tensor bias = model.layout().View(params, model.layer(k).bias)[0];
    EXPECT_EQ(bias.narrow(0, 0, 5).min().item<float>(), 1);
    EXPECT_EQ(bias.narrow(0, 5, 10).abs().max().item<float>(), 0);
  }
  EXPECT_EQ(most(model.output_bias()), 0);
}

TEST(LstmTest, RefusesImpossibleShapes) {
  const LstmShape good = {
      .symbols = 7, .embedding = 4, .hidden = 5, .projection = 4};
  const auto with = [&](auto&& change) {
    LstmShape shape = good;
    change(shape);
    return shape;
  };
  EXPECT_NO_THROW(Lstm{good});
  for (const LstmShape& bad :
       {with([](LstmShape& s) { s.symbols = 1; }),
        with([](LstmShape& s) { s.symbols = 1 << 25; }),
        with([](LstmShape& s) { s.embedding = 0; }),
        with([](LstmShape& s) { s.hidden = -1; }),
        with([](LstmShape& s) { s.layers = 0; }),
        with([](LstmShape& s) { s.projection = 0; }),
        with([](LstmShape& s) { s.begin = 7; }),
        with([](LstmShape& s) { s.end = -1; }),
        with([](LstmShape& s) { s.begin = s.end; }),
        with([](LstmShape& s) { s.tied = true, s.projection = 3; }),
        with([](LstmShape& s) { s.hidden = std::int64_t{1} << 40; })}) {
    EXPECT_THROW(Lstm{bad}, Error);
  }
}

}  // namespace
}  // namespace sfumato::models

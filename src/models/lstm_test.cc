#include "models/lstm.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(LstmTest, BeginsWithWeightsOfAFewSizes) {
  for (const bool tied : {false, true}) {
    const Lstm model({.symbols = 70,
                      .embedding = 4,
                      .hidden = 5,
                      .layers = 2,
                      .projection = tied ? 4 : 3,
                      .tied = tied});
    const at::Tensor params = model.Initial(1);
    EXPECT_TRUE(params.equal(model.Initial(1)));
    EXPECT_FALSE(params.equal(model.Initial(2)));
    const auto expect_limit = [&](std::size_t i, double limit) {
      const double most =
          model.layout().View(params, i).abs().max().item<double>();
      EXPECT_LE(most, limit) << model.layout()[i].name;
      EXPECT_GE(most, 0.8 * limit) << model.layout()[i].name;
    };
    const double said = tied ? 4 : 3;
    expect_limit(model.embedding(), tied ? 0.4 : std::sqrt(3.0));
    // A gate has 5 outputs.
    expect_limit(model.layer(0).input, std::sqrt(6.0 / (4 + 5)));
    expect_limit(model.layer(1).input, std::sqrt(6.0 / (said + 5)));
    expect_limit(model.layer(1).recurrent, std::sqrt(6.0 / (said + 5)));
    expect_limit(model.layer(0).projection, std::sqrt(6.0 / (5 + said)));
    expect_limit(model.layer(0).bias, 0);
    expect_limit(model.output_bias(), 0);
  }
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

#include "models/lstm_cursor.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/lstm_testing.h"

namespace sfumato::models {
namespace {

// The last of the plain model's scores for begin and these.
double PlainLast(const Lstm& model, const std::vector<at::Tensor>& tensors,
                 const std::vector<std::int64_t>& symbols) {
  std::vector<float> row = {static_cast<float>(model.shape().begin)};
  for (const std::int64_t s : symbols) row.push_back(static_cast<float>(s));
  return PlainScores(model, tensors, at::tensor(row), std::ssize(symbols))[-1]
      .item<double>();
}

TEST(LstmCursorTest, SaysWhatThePlainModelSays) {
  at::manual_seed(21);
  // Also so many symbols that their input products are in no table.
  for (const std::int64_t symbols : {9, 1100}) {
    LstmShape shape = SmallLstm(2, true);
    shape.symbols = symbols;
    const Lstm model(shape);
    const at::Tensor params = RandomLanes(model, 1);
    const std::vector<at::Tensor> tensors = PlainTensors(model, params[0]);
    LstmCursor cursor(std::make_shared<const LstmWeights>(model, params), 8);
    const std::size_t size = cursor.state_size();
    const auto score = [&](const float* logits, std::int64_t row,
                           std::int64_t next) {
      const at::Tensor all =
          at::from_blob(const_cast<float*>(logits) + row * symbols, {symbols});
      return at::log_softmax(all, 0)[next].item<double>();
    };

    // begin, then 4, 5 and 8 after it, then 6 after the first and the last and
    // 7 after the last.
    std::vector<float> first(size), second(3 * size), third(3 * size);
    const std::vector<const float*> none = {nullptr};
    const float* logits =
        cursor.Advance(none, std::vector<std::int64_t>{shape.begin}, first);
    EXPECT_NEAR(score(logits, 0, 4), PlainLast(model, tensors, {4}), 1e-5);

    const std::vector<const float*> one(3, first.data());
    logits = cursor.Advance(one, std::vector<std::int64_t>{4, 5, 8}, second);
    EXPECT_NEAR(score(logits, 0, 6), PlainLast(model, tensors, {4, 6}), 1e-5);
    EXPECT_NEAR(score(logits, 2, 1), PlainLast(model, tensors, {8, 1}), 1e-5);

    const float* last = second.data() + 2 * size;
    const std::vector<const float*> two = {second.data(), last, last};
    logits = cursor.Advance(two, std::vector<std::int64_t>{6, 6, 7}, third);
    EXPECT_NEAR(score(logits, 0, 3), PlainLast(model, tensors, {4, 6, 3}),
                1e-5);
    EXPECT_NEAR(score(logits, 1, 3), PlainLast(model, tensors, {8, 6, 3}),
                1e-5);
    EXPECT_NEAR(score(logits, 2, 5), PlainLast(model, tensors, {8, 7, 5}),
                1e-5);
  }
}

}  // namespace
}  // namespace sfumato::models

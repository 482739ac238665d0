#include "fed/evaluate.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "models/classifier.h"

namespace sfumato::fed {
namespace {

constexpr std::int64_t kBatch = 64;

UserScore Score(const JudgeBatch& judge, const models::Examples& examples,
                std::int64_t user) {
  const models::Shape shape = examples.shape();
  const auto size = static_cast<std::size_t>(shape.size());
  std::vector<std::int64_t> own;  // what can be judged
  for (std::int64_t i = 0; i < examples.user_size(user); ++i) {
    if (examples.labelled(user, i)) own.push_back(i);
  }
  UserScore score{.user = user};
  for (std::int64_t first = 0; first < std::ssize(own); first += kBatch) {
    const std::int64_t rows = std::min(kBatch, std::ssize(own) - first);
    at::Tensor inputs =
        at::empty({1, rows, shape.height, shape.width, shape.channels});
    at::Tensor labels = at::empty({1, rows}, at::kLong);
    for (std::int64_t row = 0; row < rows; ++row) {
      float* values =
          inputs.data_ptr<float>() + static_cast<std::size_t>(row) * size;
      labels.data_ptr<std::int64_t>()[row] = examples.Read(
          user, own[static_cast<std::size_t>(first + row)], {values, size});
    }
    const UserScore batch = judge(inputs, labels);
    score.examples += batch.examples;
    score.correct += batch.correct;
    score.loss += batch.loss;
  }
  return score;
}

double Share(double part, std::int64_t whole) {
  return whole == 0 ? 0 : part / static_cast<double>(whole);
}

}  // namespace

double Evaluation::accuracy() const {
  return Share(static_cast<double>(total.correct), total.examples);
}
double Evaluation::mean_loss() const {
  return Share(total.loss, total.examples);
}

Evaluation Evaluate(const models::Stack& model, const at::Tensor& params,
                    const models::Examples& examples,
                    std::span<const std::int64_t> users, WorkerPool& pool) {
  const auto judge = [&](const at::Tensor& inputs, const at::Tensor& labels) {
    const models::Judged judged = models::Judge(model, params, inputs, labels);
    return UserScore{.examples = labels.numel(),
                     .correct = judged.correct.sum().item<std::int64_t>(),
                     .loss = judged.loss.sum(at::kDouble).item<double>()};
  };
  return Evaluate(judge, examples, users, pool);
}

Evaluation Evaluate(const JudgeBatch& judge, const models::Examples& examples,
                    std::span<const std::int64_t> users, WorkerPool& pool) {
  Evaluation found;
  found.users.resize(users.size());
  pool.Run(users.size(), [&](int, std::size_t i) {
    found.users[i] = Score(judge, examples, users[i]);
  });
  // In the order of the users, so that the sum of losses is always the same.
  for (const UserScore& score : found.users) {
    found.total.examples += score.examples;
    found.total.correct += score.correct;
    found.total.loss += score.loss;
  }
  return found;
}

}  // namespace sfumato::fed

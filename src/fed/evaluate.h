// A model judged on users' own data, user by user.
//
//   WorkerPool pool(0);
//   const Evaluation found = Evaluate(model, params, examples, users, pool);
//   found.accuracy();
//
// What comes back is private data: for simulations, and for criteria that
// release their result by a mechanism.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fed/worker_pool.h"
#include "models/batch.h"
#include "models/stack.h"

namespace sfumato::fed {

struct UserScore {
  std::int64_t user = 0;
  std::int64_t examples = 0;
  std::int64_t correct = 0;
  double loss = 0;  // summed over the examples
};

struct Evaluation {
  std::vector<UserScore> users;  // in the order that was asked for
  UserScore total = {};          // user 0

  // Over all examples; 0 when there are none.
  double accuracy() const;
  double mean_loss() const;
};

// What a model says of some examples, inputs [1, batch, …] and labels
// [1, batch]. A language model counts every symbol that it has to predict as an
// example.
using JudgeBatch = std::function<UserScore(const at::Tensor& inputs,
                                           const at::Tensor& labels)>;
// Users without examples have a row of zeros. `judge` is used by all threads.
Evaluation Evaluate(const JudgeBatch& judge, const models::Examples& examples,
                    std::span<const std::int64_t> users, WorkerPool& pool);

// How a classifier with `params` [1, size] judges them.
Evaluation Evaluate(const models::Stack& model, const at::Tensor& params,
                    const models::Examples& examples,
                    std::span<const std::int64_t> users, WorkerPool& pool);

}  // namespace sfumato::fed

// A criterion at work on the devices of a simulation.
//
//   const Verdicts verdicts = JudgeAll(classifier, examples, pool);
//   const auto chosen = Select(criterion, set, examples, verdicts);
//   // chosen->user_size(u) is 0 for whoever is not selected
//
// The users keep their numbers, so that a private coin is drawn for each of
// them alike, selected or not. What is in `Verdicts` is private data: it
// reaches the outside by a survey (fed/survey.h), or in simulations.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "data/dataset.h"
#include "fed/worker_pool.h"
#include "models/batch.h"
#include "select/criterion.h"

namespace sfumato::select {

// What a classifier says of every example of every user.
struct Verdicts {
  std::vector<std::vector<char>> correct;   // [user][example]
  std::vector<std::vector<float>> score;    // of the last class; T6 alone
  double Accuracy(std::size_t user) const;  // 0 without examples
};

Verdicts JudgeAll(const models::Stack& model, const at::Tensor& params,
                  const models::Examples& examples, fed::WorkerPool& pool);

// The examples that take part, of the same users with the same numbers.
// `users` maps the numbers of `examples` to those of `set` (columns, ids). All
// must outlive the result.
std::unique_ptr<models::Examples> Select(const Criterion& criterion,
                                         const data::FederatedDataset& set,
                                         const std::vector<std::int64_t>& users,
                                         const models::Examples& examples,
                                         const Verdicts& verdicts);

// How many users take part: private data.
std::int64_t SelectedUsers(const models::Examples& selected);

}  // namespace sfumato::select

// A criterion at work on the devices of a simulation.
//
//   fed::WorkerPool pool(0);
//   const Verdicts verdicts = JudgeAll(model, params, examples, pool);
//   const auto chosen = Select(criterion, {set, users, examples, verdicts});
//   // chosen->user_size(u) is 0 for users who are not selected
//
// The users keep their numbers, so that a private coin is drawn for each of
// them, selected or not. Whether and with which examples a user takes part
// depends only on that user's own data, the criterion and the model. `Verdicts`
// is private data: it is released by a survey (fed/release/survey.h), or shown
// in simulations.
//
// In a private set nothing here throws because of one user's data: an example
// that cannot be read is judged wrong, has a score of 0, no perplexity, and is
// in no slice (models::SilentExamples gives such an example as NaN).

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "fed/worker_pool.h"
#include "models/batch.h"
#include "models/lstm.h"
#include "models/stack.h"
#include "select/criterion.h"

namespace sfumato::select {

// How likely a word model holds some text.
struct Likelihood {
  double log_likelihood = 0;     // summed over …
  std::int64_t predictions = 0;  // … its words, and the ends of sentences
  // exp(-log_likelihood / predictions): between as many words, all equally
  // likely, one would be as uncertain. NaN without predictions.
  double Perplexity() const;
};

// What a model says of every example of every user.
struct Verdicts {
  // [user][example]; JudgeAll. An example without a label is not judged, and is
  // on neither side.
  std::vector<std::vector<char>> correct = {};
  std::vector<std::vector<float>> score = {};  // of the last class; ScoreAll
  std::vector<std::vector<Likelihood>> likelihood = {};  // LikelihoodOfAll
  // [user]: the answers that the user marks in a census, by their keys.
  std::vector<std::vector<std::string>> marks = {};
  double Accuracy(std::size_t user) const;    // NaN where nothing was judged
  double Perplexity(std::size_t user) const;  // of all sentences together
};

// Which examples the classifier `params` [1, size] judges right. Throws
// BadInput when its input or classes are not those of the examples.
Verdicts JudgeAll(const models::Stack& model, const at::Tensor& params,
                  const models::Examples& examples, fed::WorkerPool& pool);

// T6: the chance that the discriminator gives the last of its two classes,
// private. Throws BadInput when its input is another, or it has not two.
Verdicts ScoreAll(const models::Stack& discriminator, const at::Tensor& params,
                  const models::Examples& examples, fed::WorkerPool& pool);

// How likely the word model `params` [1, size] holds every sentence, as
// models::SentencesOf gives it with the model's own words. Throws BadInput when
// the sentences are of another number of words.
Verdicts LikelihoodOfAll(const models::Lstm& model, const at::Tensor& params,
                         const models::Examples& sentences,
                         fed::WorkerPool& pool);

// Everybody, as the devices see themselves.
struct Devices {
  const data::FederatedDataset& set;       // ids, labels, columns
  const std::vector<std::int64_t>& users;  // number in `examples` → in `set`
  const models::Examples& examples;
  const Verdicts& verdicts;  // of `examples`; unused without a model
};

// The numbers of the examples that take part, of every user.
std::vector<std::vector<std::int64_t>> ChosenExamples(
    const Criterion& criterion, const Devices& devices);

// The examples that take part, of the same users with the same numbers. Who is
// selected is settled when it returns; set and examples must outlive it.
// Throws as CheckCriterion.
std::unique_ptr<models::Examples> Select(const Criterion& criterion,
                                         const Devices& devices);

// How many users take part: private data.
std::int64_t SelectedUsers(const models::Examples& selected);

// One number per user for a survey, NaN if there is none. Private data.
std::vector<double> Accuracies(const Verdicts& verdicts);
std::vector<double> CorrectionRates(const Verdicts& verdicts);  // wrong / all
std::vector<double> LogPerplexities(const Verdicts& verdicts);
// 0 for who is on side a, else 1 for who is on side b.
std::vector<double> SidesOf(const models::Examples& a,
                            const models::Examples& b);
// 0 for who takes part.
std::vector<double> TakingPart(const models::Examples& selected);

}  // namespace sfumato::select

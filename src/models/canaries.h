// Canaries: sentences of random words, one for each of a few users. They show
// what a model of words remembers of a single user.
//
//   const CanaryOptions options{.users = 10, .words = 5, .seed = 1};
//   const auto canaries = DrawCanaries(options, vocabulary, people.users());
//   const auto trained = WithCanaries(people, canaries, 10);
//   const auto others = DrawAlternatives(options, vocabulary, 10'000);
//
// Every word of a canary or an alternative is drawn uniformly from the
// vocabulary, independently of the others: a model that has not seen the canary
// cannot distinguish it from the alternatives. eval/exposure.h turns that into
// a number. For generated and public data only: nobody wrote these sentences.
//
// Source: Carlini et al. 2019, "The Secret Sharer: Evaluating and Testing
// Unintended Memorization in Neural Networks".

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/vocabulary.h"
#include "models/batch.h"

namespace sfumato::models {

using WordNumbers = std::vector<std::int64_t>;  // data/vocabulary.h

struct Canary {
  std::int64_t user = 0;
  WordNumbers words = {};
};

struct CanaryOptions {
  std::int64_t users = 0;  // who get one
  std::int64_t words = 5;  // of a sentence
  std::uint64_t seed = 1;
};

// One canary for each of options.users different ones of `users` users. Who,
// and what the sentences are, follows from the seed; the first few stay what
// they are when more are asked for. Throws BadInput for more canaries than
// users, or sentences without words.
std::vector<Canary> DrawCanaries(const CanaryOptions& options,
                                 const data::Vocabulary& vocabulary,
                                 std::int64_t users);

// `count` sentences of the same form that nobody was given, independent of the
// canaries.
std::vector<WordNumbers> DrawAlternatives(const CanaryOptions& options,
                                          const data::Vocabulary& vocabulary,
                                          std::int64_t count);

// `all`, and behind a user's own sentences the user's canary, as often as
// planned. `all` must outlive it. Throws BadInput for a user there is not, or a
// canary that would be cut. REQUIRES: `all` are sentences (SentencesOf).
std::unique_ptr<Examples> WithCanaries(const Examples& all,
                                       const std::vector<Canary>& canaries,
                                       std::int64_t repeats);

}  // namespace sfumato::models

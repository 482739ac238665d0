// Which words users share, counted privately: the vocabulary of a language
// model. All words together are one release.
//
//   const WordChoice choice({.run = "vocabulary-forum", .population = "forum",
//                            .randomness = {.simulation = true, .seed = 7},
//                            .words_per_user = 100});
//   const dp::Event price = choice.event();       // before anybody agreed
//   const WordCounts counts = choice.Choose(&ledger, [&] { return words; });
//   counts.words.value();                         // word → count
//
// A simulation enters nothing in a ledger and gives the same counts again.
// Outside one every choice is another release, under a run of its own.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "dp/ledger/ledger.h"
#include "dp/mechanisms/key_histogram.h"
#include "dp/mechanisms/released.h"
#include "fed/release/entered.h"

namespace sfumato::fed {

struct WordChoiceOptions {
  std::string run = "";         // the ledger's names of choices begin with it
  std::string population = "";  // of the ledger: whose words they are
  Randomness randomness = {};
  std::int64_t words_per_user = 100;
  double noise_multiplier = 1;  // over the square root of words_per_user
  double show_delta = 1e-9;     // chance that a word of one user alone is shown
};

struct WordCounts {
  dp::Released<std::map<std::string, std::int64_t>> words;
  std::string ledger_run = "";  // "" in a simulation
  std::string ledger_head = "";
};

class WordChoice {
 public:
  // The words of each user: private data.
  using Words = std::function<std::vector<std::vector<std::string>>()>;

  // Throws as dp::KeyHistogram.
  explicit WordChoice(WordChoiceOptions options);

  double threshold() const { return histogram_.threshold(); }
  double deviation() const { return histogram_.deviation(); }
  // What a choice costs; each has a cohort of its own.
  dp::Event event() const { return histogram_.Event(""); }

  // The price is on disk before the words are collected. `ledger` may be null
  // in a simulation. Throws Unsupported without a ledger otherwise, and as
  // Ledger::Spend; then nothing was collected.
  WordCounts Choose(dp::Ledger* ledger, const Words& words_of_users) const;

 private:
  WordChoiceOptions options_;
  dp::KeyHistogram histogram_;
};

}  // namespace sfumato::fed

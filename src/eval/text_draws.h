// What language models drew, as numbers to compare: how much of the text a
// trait takes, how far apart two models' words are, how a test scores them.
//
//   const TextDraws draws({a1, b1}, traits, seed);
//   draws.Mass(1, TextTrait::kJoined, draws.Whole(1));
//   const Chosen more = draws.MoreWords({.from = {0}, .to = {1}});
//   draws.Excess(more, 0, draws.Whole(0), 1, draws.Whole(1));
//
// The words of a text are those of drawn sentences; how its unknown ones are
// spelled is what the character model draws. So a known word has its share p of
// the sentences' words, and an unknown spelling u · q: the share u of unknown
// words, times its share q of the spellings.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "eval/lineup.h"
#include "eval/text_traits.h"
#include "runs/text_samples.h"

namespace sfumato::eval {

// Words are bytes, perhaps not UTF-8; a space stands for one.
using CountedWord = runs::DrawnWord;
using ProbableWord = runs::RankedWord;

// What one side's word model and character model drew.
struct DrawnText {
  std::string model = "";                                // "a1"
  std::vector<std::vector<std::string>> sentences = {};  // "": unknown
  std::vector<CountedWord> words = {};                   // distinct
};

// How often each draw counts: once, or as often as a resampling drew it.
struct DrawWeights {
  std::vector<double> sentences;
  std::vector<double> words;
};

// A part of all words, chosen on one half of the draws, by half.
using Chosen = std::array<std::vector<bool>, 2>;

class TextDraws {
 public:
  // REQUIRES: every model has sentences, or none has; the same for words.
  TextDraws(const std::vector<DrawnText>& models, const TextTraits& traits,
            std::uint64_t seed);

  std::size_t count() const { return models_.size(); }
  DrawWeights Whole(int model) const;
  DrawWeights Resampled(int model, base::Rng& rng) const;

  // Share of the words of sentences that are unknown; 1 without sentences.
  double UnknownShare(int model, const DrawWeights& weights) const;
  // Share of all words that carry the trait (none does kTemplate).
  double Mass(int model, TextTrait trait, const DrawWeights& weights) const;
  // Share of words that a healthy text has for the trait to take.
  double MostMass(int model, TextTrait trait) const;

  // The words that `to` has more of than `from`, chosen on either half of the
  // draws; rare ones are chosen by their traits.
  Chosen MoreWords(const Pairing& pairing) const;
  // How much more of them `to` has on the other halves: the distance in
  // variation, as far as the draws show, and near 0 if the models are equal.
  double Excess(const Chosen& more, int from, const DrawWeights& from_weights,
                int to, const DrawWeights& to_weights) const;

  // Places in sentences that runs of four known words take which `to` repeats
  // far more than `from`, chosen as above; [model][sentence] words, and what
  // the runs are.
  struct Runs {
    std::vector<std::vector<double>> covered;
    std::vector<std::string> examples;
  };
  Runs RepeatedRuns(const Pairing& pairing) const;
  double Covered(const Runs& runs, int model, const DrawWeights& weights) const;

  // Scores of draws for coming from `to` rather than `from`, learned from those
  // two: of spellings and of sentences of `model`.
  struct Scores {
    std::vector<double> words;
    std::vector<double> sentences;
  };
  Scores ScoresOf(int from, int to, int model) const;

  // Share of all words by word, of a side: the mean over its models.
  struct WordShare {
    std::string word;
    bool known = false;
    TraitSet traits = 0;
    std::vector<double> shares;  // by model
    double count = 0;            // drawn, all models together
  };
  std::vector<WordShare> WordShares() const;

 private:
  struct Sentence {
    std::vector<int> cells;  // of known words; -1: unknown
    std::vector<TraitSet> traits;
    double unknown = 0;
    std::array<double, kTextTraits> carrying{};  // known words
    std::array<double, kTextTraits> takes{};
  };
  struct Spelling {
    int cell = 0;
    double count = 0;
    double even = 0;  // those of the count that are of the first half
  };
  struct Model {
    std::vector<Sentence> sentences;
    std::vector<Spelling> words;
  };
  struct Cell {
    std::string word;
    bool known = false;
    TraitSet traits = 0;
  };
  // Counts of cells on one half; 2: on both.
  struct Counts {
    std::vector<double> known;    // by cell
    std::vector<double> spelled;  // by cell
    double tokens = 0;
    double unknown = 0;
    double spellings = 0;
    double Share(std::size_t cell) const;
  };

  int CellOf(const std::string& word, bool known, const TextTraits& traits);
  Counts CountsOf(int model, int half) const;
  std::vector<double> PooledShares(const std::vector<int>& models,
                                   int half) const;
  std::vector<double> PooledCounts(const Pairing& pairing, int half) const;
  std::uint32_t ClassOf(std::size_t cell) const;
  std::vector<double> LogRatios(const Pairing& pairing, int half) const;

  std::vector<Model> models_;
  std::vector<Cell> cells_;
  std::unordered_map<std::string, int> known_;
  std::unordered_map<std::string, int> spelled_;
};

// Chance that a draw of `to` scores above one of `from`, ties half; draws count
// by weight. 0.5 where a side has none.
class RankedScores {
 public:
  RankedScores(const std::vector<double>& from, const std::vector<double>& to);
  double Chance(const std::vector<double>& from_weights,
                const std::vector<double>& to_weights) const;

 private:
  struct Entry {
    double score;
    std::size_t index;
    bool to;
  };
  std::vector<Entry> entries_;  // by score
};

}  // namespace sfumato::eval

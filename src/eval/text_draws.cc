#include "eval/text_draws.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sfumato::eval {
namespace {

// A word that was seen less often is chosen by its traits.
constexpr double kLeastCount = 5;
constexpr double kSmoothing = 0.5;
constexpr std::size_t kRunLength = 4;
constexpr std::size_t kMostRuns = 50;
// A run is repeated from this share of sentences on, and when it is this many
// times as frequent as on the other side.
constexpr double kRunShare = 0.01;
constexpr double kRunTimes = 3;

double Poisson(double mean, base::Rng& rng) {
  if (mean > 30) {
    return std::max(0.0, std::round(mean + std::sqrt(mean) * rng.Normal()));
  }
  const double limit = std::exp(-mean);
  double product = rng.Uniform();
  double count = 0;
  while (product > limit) {
    product *= rng.Uniform();
    ++count;
  }
  return count;
}

std::size_t Index(int number) { return static_cast<std::size_t>(number); }

bool IsIn(std::size_t sentence, int half) {
  return half == 2 || static_cast<int>(sentence % 2) == half;
}

}  // namespace

double TextDraws::Counts::Share(std::size_t cell) const {
  const double u = tokens > 0 ? unknown / tokens : 1;
  return (tokens > 0 ? known[cell] / tokens : 0) +
         (spellings > 0 ? u * spelled[cell] / spellings : 0);
}

int TextDraws::CellOf(const std::string& word, bool known,
                      const TextTraits& traits) {
  auto& cells = known ? known_ : spelled_;
  const auto [found, is_new] =
      cells.try_emplace(word, static_cast<int>(cells_.size()));
  if (is_new) cells_.push_back({word, known, traits.OfWord(word)});
  return found->second;
}

TextDraws::TextDraws(const std::vector<DrawnText>& models,
                     const TextTraits& traits, std::uint64_t seed) {
  for (std::size_t m = 0; m < models.size(); ++m) {
    base::Rng rng(seed, {base::Key("halves"), m});
    Model& model = models_.emplace_back();
    for (const auto& words : models[m].sentences) {
      Sentence& sentence = model.sentences.emplace_back();
      sentence.traits = traits.OfSentence(words);
      bool first = true;
      for (std::size_t i = 0; i < words.size(); ++i) {
        sentence.cells.push_back(
            words[i].empty() ? -1 : CellOf(words[i], true, traits));
        if (words[i].empty()) {
          ++sentence.unknown;
          // Joined to the next one, it is a word with a space all the same.
          if (first)
            ++sentence.takes[static_cast<std::size_t>(TextTrait::kJoined)];
          first = false;
          continue;
        }
        for (std::size_t t = 0; t < kTextTraits; ++t) {
          if ((sentence.traits[i] >> t & 1) != 0) ++sentence.carrying[t];
          if (traits.Takes(static_cast<TextTrait>(t), words[i], first)) {
            ++sentence.takes[t];
          }
        }
        first = false;
      }
    }
    for (const CountedWord& word : models[m].words) {
      Spelling spelling{.cell = CellOf(word.word, false, traits),
                        .count = word.count};
      for (int i = 0; i < static_cast<int>(std::min(word.count, 64.0)); ++i) {
        spelling.even += rng.Bernoulli(0.5) ? 1 : 0;
      }
      if (word.count > 64) spelling.even *= word.count / 64;
      model.words.push_back(spelling);
    }
  }
}

DrawWeights TextDraws::Whole(int model) const {
  const Model& drawn = models_[Index(model)];
  DrawWeights weights{std::vector<double>(drawn.sentences.size(), 1),
                      std::vector<double>(drawn.words.size(), 1)};
  return weights;
}

DrawWeights TextDraws::Resampled(int model, base::Rng& rng) const {
  DrawWeights weights = Whole(model);
  for (double& weight : weights.sentences) weight = Poisson(1, rng);
  const std::vector<Spelling>& words = models_[Index(model)].words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    weights.words[i] = Poisson(words[i].count, rng) / words[i].count;
  }
  return weights;
}

double TextDraws::UnknownShare(int model, const DrawWeights& weights) const {
  const Model& drawn = models_[Index(model)];
  double tokens = 0;
  double unknown = 0;
  for (std::size_t i = 0; i < drawn.sentences.size(); ++i) {
    tokens += weights.sentences[i] *
              static_cast<double>(drawn.sentences[i].cells.size());
    unknown += weights.sentences[i] * drawn.sentences[i].unknown;
  }
  if (drawn.sentences.empty()) return 1;
  return tokens > 0 ? unknown / tokens : 0;
}

double TextDraws::Mass(int model, TextTrait trait,
                       const DrawWeights& weights) const {
  const Model& drawn = models_[Index(model)];
  const auto t = static_cast<std::size_t>(trait);
  double tokens = 0;
  double known = 0;
  for (std::size_t i = 0; i < drawn.sentences.size(); ++i) {
    tokens += weights.sentences[i] *
              static_cast<double>(drawn.sentences[i].cells.size());
    known += weights.sentences[i] * drawn.sentences[i].carrying[t];
  }
  double all = 0;
  double carrying = 0;
  for (std::size_t i = 0; i < drawn.words.size(); ++i) {
    const double count = weights.words[i] * drawn.words[i].count;
    all += count;
    if ((cells_[Index(drawn.words[i].cell)].traits >> t & 1) != 0) {
      carrying += count;
    }
  }
  return (tokens > 0 ? known / tokens : 0) +
         (all > 0 ? UnknownShare(model, weights) * carrying / all : 0);
}

double TextDraws::MostMass(int model, TextTrait trait) const {
  double tokens = 0;
  double takes = 0;
  for (const Sentence& sentence : models_[Index(model)].sentences) {
    tokens += static_cast<double>(sentence.cells.size());
    takes += sentence.takes[static_cast<std::size_t>(trait)];
  }
  return tokens > 0 ? takes / tokens : 1;
}

TextDraws::Counts TextDraws::CountsOf(int model, int half) const {
  const Model& drawn = models_[Index(model)];
  Counts counts{.known = std::vector<double>(cells_.size()),
                .spelled = std::vector<double>(cells_.size())};
  for (std::size_t i = 0; i < drawn.sentences.size(); ++i) {
    if (!IsIn(i, half)) continue;
    for (const int cell : drawn.sentences[i].cells) {
      ++counts.tokens;
      if (cell < 0) {
        ++counts.unknown;
      } else {
        ++counts.known[Index(cell)];
      }
    }
  }
  for (const Spelling& word : drawn.words) {
    const double count = half == 2   ? word.count
                         : half == 0 ? word.even
                                     : word.count - word.even;
    counts.spelled[Index(word.cell)] += count;
    counts.spellings += count;
  }
  return counts;
}

std::vector<double> TextDraws::PooledShares(const std::vector<int>& models,
                                            int half) const {
  std::vector<double> shares(cells_.size());
  for (const int model : models) {
    const Counts counts = CountsOf(model, half);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      shares[i] += counts.Share(i) / static_cast<double>(models.size());
    }
  }
  return shares;
}

std::vector<double> TextDraws::PooledCounts(const Pairing& pairing,
                                            int half) const {
  std::vector<double> sums(cells_.size());
  for (const auto* side : {&pairing.from, &pairing.to}) {
    for (const int model : *side) {
      const Counts counts = CountsOf(model, half);
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        sums[i] += counts.known[i] + counts.spelled[i];
      }
    }
  }
  return sums;
}

std::uint32_t TextDraws::ClassOf(std::size_t cell) const {
  return cells_[cell].traits << 1 | (cells_[cell].known ? 1u : 0u);
}

// Logarithm of how much more likely a word is on side `to`; of a rare word,
// that of all words of its class.
std::vector<double> TextDraws::LogRatios(const Pairing& pairing,
                                         int half) const {
  const std::vector<double> from = PooledShares(pairing.from, half);
  const std::vector<double> to = PooledShares(pairing.to, half);
  const std::vector<double> counts = PooledCounts(pairing, half);
  struct Sums {
    double from = 0, to = 0, count = 0;
  };
  std::map<std::uint32_t, Sums> classes;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    Sums& sums = classes[ClassOf(i)];
    sums.from += from[i];
    sums.to += to[i];
    sums.count += counts[i];
  }
  const auto ratio = [](const Sums& sums) {
    // Half a draw on either side.
    const double half_draw =
        kSmoothing * (sums.from + sums.to) / std::max(1.0, sums.count) + 1e-12;
    return std::log((sums.to + half_draw) / (sums.from + half_draw));
  };
  std::vector<double> ratios(cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    ratios[i] = counts[i] >= kLeastCount ? ratio({from[i], to[i], counts[i]})
                                         : ratio(classes[ClassOf(i)]);
  }
  return ratios;
}

Chosen TextDraws::MoreWords(const Pairing& pairing) const {
  Chosen chosen;
  for (int half = 0; half < 2; ++half) {
    const std::vector<double> ratios = LogRatios(pairing, half);
    std::vector<bool>& more = chosen[Index(half)];
    more.resize(ratios.size());
    for (std::size_t i = 0; i < ratios.size(); ++i) more[i] = ratios[i] > 0;
  }
  return chosen;
}

double TextDraws::Excess(const Chosen& more, int from,
                         const DrawWeights& from_weights, int to,
                         const DrawWeights& to_weights) const {
  // Share of the words that were chosen on the other half.
  const auto share = [&](int model, const DrawWeights& weights, int half) {
    const Model& drawn = models_[Index(model)];
    const std::vector<bool>& chosen = more[Index(1 - half)];
    double tokens = 0;
    double unknown = 0;
    double known = 0;
    for (std::size_t i = 0; i < drawn.sentences.size(); ++i) {
      if (!IsIn(i, half) || weights.sentences[i] == 0) continue;
      double in = 0;
      for (const int cell : drawn.sentences[i].cells) {
        if (cell >= 0 && chosen[Index(cell)]) ++in;
      }
      known += weights.sentences[i] * in;
      unknown += weights.sentences[i] * drawn.sentences[i].unknown;
      tokens += weights.sentences[i] *
                static_cast<double>(drawn.sentences[i].cells.size());
    }
    double spellings = 0;
    double in = 0;
    for (std::size_t i = 0; i < drawn.words.size(); ++i) {
      const Spelling& word = drawn.words[i];
      const double count =
          weights.words[i] * (half == 0 ? word.even : word.count - word.even);
      spellings += count;
      if (chosen[Index(word.cell)]) in += count;
    }
    const double u =
        drawn.sentences.empty() ? 1 : (tokens > 0 ? unknown / tokens : 0);
    return (tokens > 0 ? known / tokens : 0) +
           (spellings > 0 ? u * in / spellings : 0);
  };
  double excess = 0;
  for (int half = 0; half < 2; ++half) {
    excess +=
        (share(to, to_weights, half) - share(from, from_weights, half)) / 2;
  }
  return excess;
}

TextDraws::Runs TextDraws::RepeatedRuns(const Pairing& pairing) const {
  using Run = std::array<int, kRunLength>;
  // What another trait explains is not a template.
  constexpr TraitSet kExplained =
      Bit(TextTrait::kJoined) | Bit(TextTrait::kCase) |
      Bit(TextTrait::kEntities) | Bit(TextTrait::kEncoding);
  const auto run_at = [&](const Sentence& sentence, std::size_t i, Run& run) {
    for (std::size_t k = 0; k < kRunLength; ++k) {
      if (sentence.cells[i + k] < 0 ||
          (sentence.traits[i + k] & kExplained) != 0) {
        return false;
      }
      run[k] = sentence.cells[i + k];
    }
    return true;
  };
  const auto runs_of = [&](int model, int half, std::map<Run, double>& shares,
                           double weight) {
    const Model& drawn = models_[Index(model)];
    double sentences = 0;
    for (std::size_t s = 0; s < drawn.sentences.size(); ++s) {
      sentences += IsIn(s, half) ? 1 : 0;
    }
    for (std::size_t s = 0; s < drawn.sentences.size(); ++s) {
      if (!IsIn(s, half)) continue;
      const Sentence& sentence = drawn.sentences[s];
      std::set<Run> seen;
      Run run;
      for (std::size_t i = 0; i + kRunLength <= sentence.cells.size(); ++i) {
        if (run_at(sentence, i, run) && seen.insert(run).second) {
          shares[run] += weight / sentences;
        }
      }
    }
  };
  Runs runs;
  for (const Model& model : models_) {
    runs.covered.emplace_back(model.sentences.size());
  }
  for (int half = 0; half < 2; ++half) {
    std::map<Run, double> from;
    std::map<Run, double> to;
    for (const int model : pairing.from) {
      runs_of(model, half, from,
              1.0 / static_cast<double>(pairing.from.size()));
    }
    for (const int model : pairing.to) {
      runs_of(model, half, to, 1.0 / static_cast<double>(pairing.to.size()));
    }
    std::vector<std::pair<double, Run>> best;
    for (const auto& [run, share] : to) {
      const auto other = from.find(run);
      const double less = other == from.end() ? 0 : other->second;
      if (share >= kRunShare && share >= kRunTimes * less) {
        best.emplace_back(less - share, run);
      }
    }
    std::ranges::sort(best);
    if (best.size() > kMostRuns) best.resize(kMostRuns);
    std::set<Run> chosen;
    for (const auto& [less, run] : best) {
      chosen.insert(run);
      if (half == 1) continue;
      std::string words;
      for (const int cell : run) words += " " + cells_[Index(cell)].word;
      runs.examples.push_back(words.substr(1));
    }
    for (std::size_t m = 0; m < models_.size(); ++m) {
      for (std::size_t s = 0; s < models_[m].sentences.size(); ++s) {
        if (!IsIn(s, 1 - half)) continue;
        const Sentence& sentence = models_[m].sentences[s];
        std::vector<bool> in(sentence.cells.size());
        Run run;
        for (std::size_t i = 0; i + kRunLength <= in.size(); ++i) {
          if (!run_at(sentence, i, run) || !chosen.contains(run)) continue;
          for (std::size_t k = 0; k < kRunLength; ++k) in[i + k] = true;
        }
        runs.covered[m][s] = static_cast<double>(std::ranges::count(in, true));
      }
    }
  }
  return runs;
}

double TextDraws::Covered(const Runs& runs, int model,
                          const DrawWeights& weights) const {
  const Model& drawn = models_[Index(model)];
  double tokens = 0;
  double covered = 0;
  for (std::size_t i = 0; i < drawn.sentences.size(); ++i) {
    tokens += weights.sentences[i] *
              static_cast<double>(drawn.sentences[i].cells.size());
    covered += weights.sentences[i] * runs.covered[Index(model)][i];
  }
  return tokens > 0 ? covered / tokens : 0;
}

TextDraws::Scores TextDraws::ScoresOf(int from, int to, int model) const {
  const std::vector<double> ratios = LogRatios({.from = {from}, .to = {to}}, 2);
  const auto unknown_at = [&](int which, bool first) {
    double sentences = kSmoothing;
    double unknown = kSmoothing;
    for (const Sentence& sentence : models_[Index(which)].sentences) {
      for (std::size_t i = 0; i < sentence.cells.size(); ++i) {
        if ((i == 0) != first) continue;
        ++sentences;
        if (sentence.cells[i] < 0) ++unknown;
      }
    }
    return unknown / sentences;
  };
  const double first = std::log(unknown_at(to, true) / unknown_at(from, true));
  const double later =
      std::log(unknown_at(to, false) / unknown_at(from, false));
  Scores scores;
  for (const Spelling& word : models_[Index(model)].words) {
    scores.words.push_back(ratios[Index(word.cell)]);
  }
  for (const Sentence& sentence : models_[Index(model)].sentences) {
    double sum = 0;
    for (std::size_t i = 0; i < sentence.cells.size(); ++i) {
      sum += sentence.cells[i] >= 0 ? ratios[Index(sentence.cells[i])]
             : i == 0               ? first
                                    : later;
    }
    scores.sentences.push_back(sum);
  }
  return scores;
}

std::vector<TextDraws::WordShare> TextDraws::WordShares() const {
  std::vector<WordShare> all;
  std::vector<Counts> counts;
  counts.reserve(models_.size());
  for (std::size_t m = 0; m < models_.size(); ++m) {
    counts.push_back(CountsOf(static_cast<int>(m), 2));
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    WordShare word{.word = cells_[i].word,
                   .known = cells_[i].known,
                   .traits = cells_[i].traits,
                   .shares = {}};
    for (const Counts& each : counts) {
      word.shares.push_back(each.Share(i));
      word.count += each.known[i] + each.spelled[i];
    }
    all.push_back(std::move(word));
  }
  return all;
}

RankedScores::RankedScores(const std::vector<double>& from,
                           const std::vector<double>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    entries_.push_back({from[i], i, false});
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    entries_.push_back({to[i], i, true});
  }
  std::ranges::stable_sort(entries_, {}, &Entry::score);
}

double RankedScores::Chance(const std::vector<double>& from_weights,
                            const std::vector<double>& to_weights) const {
  double below = 0;  // weight of `from` with a lower score
  double from_all = 0;
  double to_all = 0;
  double won = 0;
  for (std::size_t i = 0; i < entries_.size();) {
    double from = 0;
    double to = 0;
    const double score = entries_[i].score;
    for (; i < entries_.size() && entries_[i].score == score; ++i) {
      (entries_[i].to ? to : from) += entries_[i].to
                                          ? to_weights[entries_[i].index]
                                          : from_weights[entries_[i].index];
    }
    won += to * (below + from / 2);
    below += from;
    from_all += from;
    to_all += to;
  }
  return from_all > 0 && to_all > 0 ? won / (from_all * to_all) : 0.5;
}

}  // namespace sfumato::eval

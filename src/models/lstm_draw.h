// Sequences that a language model (lstm.h) makes up, and those it holds most
// likely. Both work on the CPU, wherever the parameters are.
//
//   const Lstm model(CharLm());
//   std::vector<Sequence> words = DrawSequences(
//       model, params, {.seed = 1, .count = 100'000, .longest = 20});
//   MostLikelySequences top =
//       MostLikely(model, params, {.count = 20, .longest = 20});
//   top.sequences[0].log_probability;   // equation 1 of Augenstein et al. 2020
//   top.exact;                          // proven: no other is more likely
//
// DrawSequences gives independent draws, but computes each beginning that
// several share only once: a beginning with n copies draws their n next
// symbols, and each different one continues with its copies. The result is a
// function of the seed, whatever the threads; on processors of another kind
// sums may round differently, and a few draws may differ.
//
// MostLikely searches best first: no sequence is more likely than its
// beginning, so when as many whole sequences are known as were asked for and no
// beginning that is left is more likely than the last of them, they are the
// most likely ones.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "models/lstm.h"

namespace sfumato::models {

// Without begin and end.
struct Sequence {
  std::vector<std::int32_t> symbols;
  bool ended = true;  // by the end symbol, not by being too long
  bool operator==(const Sequence&) const = default;
};

struct DrawOptions {
  std::uint64_t seed = 1;
  std::int64_t count = 0;
  std::int64_t longest = 20;              // symbols, end not counted
  double temperature = 1;                 // below 1: nearer to the likeliest
  std::vector<std::int64_t> forbid = {};  // never drawn; begin never is
  int threads = 0;                        // 0: all cores
};
// `params` are [1, size]. Throws BadInput for options out of range, or
// parameters that are not finite.
std::vector<Sequence> DrawSequences(const Lstm& model, const at::Tensor& params,
                                    const DrawOptions& options);

struct MostLikelyOptions {
  std::int64_t count = 20;
  std::int64_t longest = 20;
  std::int64_t most_expanded = 20'000;    // beginnings; memory grows with them
  std::vector<std::int64_t> forbid = {};  // in none; begin is in none
};
struct LikelySequence {
  std::vector<std::int32_t> symbols;  // without begin and end
  double log_probability = 0;         // natural, of all symbols and end
};
struct MostLikelySequences {
  std::vector<LikelySequence> sequences;  // the most likely first
  bool exact = false;         // no other of at most `longest` is more likely
  std::int64_t expanded = 0;  // beginnings that were looked at
};
// Whole sequences: they end by the end symbol. `params` are [model, size], and
// the probability is the mean of all models': of twins, what both say together.
// Throws like DrawSequences.
MostLikelySequences MostLikely(const Lstm& model, const at::Tensor& params,
                               const MostLikelyOptions& options);

}  // namespace sfumato::models

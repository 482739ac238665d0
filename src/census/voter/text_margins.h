// How sure a voter must be before it says so, measured on reference users that
// it was not learned from.
//
//   const TextMargins margins = TextMargins::Set(scored, families);
//   const Verdict verdict = margins.Judge(network.Logits(features));

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sfumato::census {

struct Verdict {
  enum Kind { kHealthy, kDamaged, kUnexplained, kUndecided };
  Kind kind = kUndecided;
  std::vector<std::size_t> families = {};  // surest first; if damaged
};

// A made-up user's logits, [family] and then of being healthy, and the truth.
struct Scored {
  std::vector<float> logits = {};
  std::uint32_t families = 0;
  bool healthy = false;
  double share = 1;  // of sentences that are damaged
};

struct TextMargins {
  std::vector<float> first;    // [family]: of the logit, to be marked
  std::vector<float> second;   // [family]: beside another one
  std::vector<float> healthy;  // below [0] unexplained, from [1] on healthy

  // REQUIRES: healthy users among `scored`.
  static TextMargins Set(const std::vector<Scored>& scored,
                         std::size_t families);
  // What is likelier than not; nobody is undecided.
  void MarkTheLikeliest();
  Verdict Judge(const std::vector<float>& logits) const;
};

}  // namespace sfumato::census

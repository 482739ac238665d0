// Made-up reference users of text: sentences of one reference person, with
// damages that are known.
//
//   const auto people = ReferencePeople(reference);
//   const Fate fate{.damages = {2}};
//   const MadeUpText user = MakeUp(people[0], form, fate, all, rng);

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "census/voter/text_damages.h"
#include "census/voter/voter.h"
#include "data/dataset.h"

namespace sfumato::census {

struct TextPerson {
  std::vector<std::string> sentences = {};  // as the references have them
  std::vector<std::string> tokens = {};     // the same, healthy
};

// All that the references have, at most a few thousand people and a few hundred
// sentences of each. A pool without users is cut into people.
std::vector<TextPerson> ReferencePeople(
    const data::FederatedDataset& reference);

// What happens to a made-up user.
struct Fate {
  std::vector<std::size_t> damages = {};  // of TextDamages(), in this order
  bool unlisted = false;                  // a damage that is in no catalogue
  double share = 1;                       // of sentences
  std::size_t least = 8;                  // sentences
  std::size_t most = 50;
  // For votes on what changed: a user has as many sentences again, of before
  // the damage; or it was there before, and nothing changed since.
  bool has_before = false;
  bool before_too = false;
};

struct MadeUpText {
  std::vector<std::string> sentences = {};  // as tokens
  std::vector<std::string> before = {};     // of them, if the fate has them
  // [damage of the fate]: sentences that it changed; of the last, the unlisted.
  std::vector<std::size_t> changed = {};
};

// REQUIRES: the person has `fate.least` sentences, twice that if it has_before.
MadeUpText MakeUp(const TextPerson& person, data::TextForm form,
                  const Fate& fate, const TextSource& source, base::Rng& rng);

}  // namespace sfumato::census

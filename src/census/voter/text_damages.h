// What tokenisers, encoders and keyboards do to text: the families that a text
// census asks about. This is the only list of them.
//
//   for (const TextDamage& damage : TextDamages()) {
//     const TextChange change = damage.draw(source, rng);  // one user's device
//     tokens = change("How can I?", data::TextForm::kRaw, rng);
//   }
//
// A device is broken in one way: which ending it changes, which language its
// owner writes, is drawn once for a user. What comes back is tokens, as the
// text pipeline (data/text.h) leaves them.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "census/voter/foreign_words.h"
#include "data/dataset.h"

namespace sfumato::census {

using TextChange = std::function<std::string(
    std::string_view sentence, data::TextForm form, base::Rng& rng)>;

// What a damage may need of the references.
struct TextSource {
  std::vector<std::string> sentences = {};    // as tokens, one at least
  bool capitals = false;                      // their case is not folded
  std::vector<const Language*> foreign = {};  // languages that are not theirs
};
// REQUIRES: one sentence at least.
TextSource SourceOf(std::vector<std::string> sentences, bool capitals);

struct TextDamage {
  std::string key;    // "cut"
  std::string words;  // "last letter of words cut off"
  std::string cause;  // where this usually comes from
  // Nothing of the sentence is left: with a second damage, this comes first.
  bool replaces = false;
  // `source` must outlive what comes back.
  std::function<TextChange(const TextSource& source, base::Rng& rng)> draw;
};

// Those of eval's catalogue (eval/text_traits.h) first, with its words.
const std::vector<TextDamage>& TextDamages();

// The pipeline without a damage.
std::string HealthyTokens(std::string_view sentence, data::TextForm form,
                          bool capitals);

// Letters of other scripts that look like Latin ones, as that; others as they
// are.
char32_t LatinLookOf(char32_t c);

}  // namespace sfumato::census

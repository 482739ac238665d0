// The examples in the headers of `census/voter`.

#include <string>
#include <vector>

#include "census/voter/foreign_words.h"
#include "census/voter/made_up_text.h"
#include "census/voter/mark_network.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_features.h"
#include "census/voter/text_fit.h"
#include "census/voter/text_margins.h"
#include "census/voter/text_voter.h"
#include "census/voter/text_words.h"
#include "census/voter/voter.h"

namespace sfumato::census {

using Rows = std::vector<std::vector<float>>;

void ForeignWordsExample(void Use(const Language& language)) {
#include "voter/foreign_words.example"
}

void MadeUpTextExample(const data::FederatedDataset& reference,
                       data::TextForm form, const TextSource& all,
                       base::Rng& rng) {
#include "voter/made_up_text.example"
}

void MarkNetworkExample(const Rows& rows, const Rows& marks,
                        const std::vector<float>& features) {
#include "voter/mark_network.example"
}

void TextDamagesExample(const TextSource& source, base::Rng& rng,
                        std::string tokens) {
#include "voter/text_damages.example"
}

void TextFeaturesExample(const TextWords& words,
                         const std::vector<std::string>& sentences) {
#include "voter/text_features.example"
}

void TextFitExample(const Rows& rows, const Rows& others,
                    const std::vector<float>& usual,
                    const std::vector<float>& features) {
#include "voter/text_fit.example"
}

void TextMarginsExample(const std::vector<Scored>& scored, std::size_t families,
                        const MarkNetwork& network,
                        const std::vector<float>& features) {
#include "voter/text_margins.example"
}

void TextWordsExample(const TextPeople& people, const Hidden& nobody) {
#include "voter/text_words.example"
}

void VoterExample(const data::FederatedDataset& reference,
                  const data::FederatedDataset& set,
                  const std::vector<std::int64_t>& users,
                  fed::WorkerPool& pool) {
#include "voter/voter.example"
}

}  // namespace sfumato::census

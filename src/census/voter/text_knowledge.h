// A text voter from within: what it has learned, for those who learn, store and
// read one. Others include text_voter.h.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "census/voter/mark_network.h"
#include "census/voter/strength_choice.h"
#include "census/voter/text_features.h"
#include "census/voter/text_fit.h"
#include "census/voter/text_margins.h"
#include "census/voter/text_words.h"
#include "census/voter/voter.h"
#include "nlohmann/json.hpp"

namespace sfumato::census {

// A family whose bars (text_cells.h) are answers of their own.
struct TextSplit {
  std::size_t family = 0;
  std::vector<std::int64_t> cells = {};  // [strength of the choice]
  StrengthChoice choice = {};
};

// Everything a vote depends on, besides the user's sentences.
struct TextKnowledge {
  std::unique_ptr<TextWords> words = nullptr;
  MarkNetwork network = {};
  TextMargins margins = {};
  std::vector<TextFit> fits = {};          // [family], then of the healthy
  std::vector<std::int64_t> cell_of = {};  // [family]; -1: not asked
  std::vector<TextSplit> splits = {};
  bool foreign = false;  // as VoterOptions
  bool change = false;
  std::int64_t least_examples = 8;
  std::int64_t most_examples = 50;
  nlohmann::json learned_from = {};

  // Of a user.
  std::size_t features() const {
    return change ? kChangeFeatures : kTextFeatures;
  }
};

class TextVoter final : public Voter {
 public:
  TextKnowledge& knowledge() { return knowledge_; }
  void Calibrate(Calibration calibration) {
    calibration_ = std::move(calibration);
  }

  // The cells that a user with these features marks.
  std::vector<std::int64_t> VoteOf(const std::vector<float>& features) const;

  bool Reads(const data::DatasetInfo& info) const override {
    return info.kind == data::Kind::kText;
  }
  bool on_change() const override { return knowledge_.change; }
  Votes VotesOf(const data::FederatedDataset& set,
                const std::vector<std::int64_t>& users,
                fed::WorkerPool& pool) const override;
  Votes VotesOnChange(const data::FederatedDataset& before,
                      const std::vector<std::int64_t>& user_before,
                      const data::FederatedDataset& now,
                      const std::vector<std::int64_t>& users,
                      fed::WorkerPool& pool) const override;
  void Write(const base::Path& folder) const override;

 private:
  // Sentences of a user as the voter reads them; none if they are too few.
  std::vector<std::string> SentencesOf(const data::FederatedDataset& set,
                                       std::int64_t user) const;
  // `read` (reader, user): the features, none of who cannot tell.
  using Read =
      std::function<std::vector<float>(TextReader& reader, std::size_t user)>;
  Votes Each(std::size_t users, const Read& read, fed::WorkerPool& pool) const;
  std::int64_t CellOf(std::size_t family,
                      const std::vector<float>& features) const;

  TextKnowledge knowledge_;
};

}  // namespace sfumato::census

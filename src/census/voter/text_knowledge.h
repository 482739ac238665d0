// A text voter from within: what it has learned, for those who learn, store and
// read one. Others include text_voter.h.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "census/voter/mark_network.h"
#include "census/voter/text_fit.h"
#include "census/voter/text_margins.h"
#include "census/voter/text_words.h"
#include "census/voter/voter.h"
#include "nlohmann/json.hpp"

namespace sfumato::census {

// Everything a vote depends on, besides the user's sentences.
struct TextKnowledge {
  std::unique_ptr<TextWords> words = nullptr;
  MarkNetwork network = {};
  TextMargins margins = {};
  std::vector<TextFit> fits = {};          // [family], then of the healthy
  std::vector<std::int64_t> cell_of = {};  // [family]; -1: not asked
  std::int64_t least_examples = 8;
  std::int64_t most_examples = 50;
  nlohmann::json learned_from = {};
};

class TextVoter final : public Voter {
 public:
  TextKnowledge& knowledge() { return knowledge_; }
  void Calibrate(Calibration calibration) {
    calibration_ = std::move(calibration);
  }

  // The cells that a user with these features marks.
  std::vector<std::int64_t> VoteOf(const std::vector<float>& features) const;

  Votes VotesOf(const data::FederatedDataset& set,
                const std::vector<std::int64_t>& users,
                fed::WorkerPool& pool) const override;
  void Write(const base::Path& folder) const override;

 private:
  TextKnowledge knowledge_;
};

}  // namespace sfumato::census

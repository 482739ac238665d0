// Language models: of sentences (word_lm), and of the bytes of unknown words
// (char_lm).

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "models/lstm.h"
#include "train/trained_model.h"

namespace sfumato::train {

class LanguageModel : public TrainedModel {
 public:
  LanguageModel(const config::TrainConfig& config, const ModelSize& size);

  const models::Lstm& network() const { return network_; }
  // REQUIRES: made with one.
  const data::Vocabulary& vocabulary() const { return vocabulary_.value(); }

  std::unique_ptr<fed::Algorithm> MakeAlgorithm(const Device&) const override;
  base::Metadata Metadata() const override;
  at::Tensor ParamsIn(const base::SafetensorsFile& file) const override;
  void CheckCheckpoint(const base::Metadata& metadata,
                       const std::string& run) const override;
  fed::Evaluation Judge(const at::Tensor& params,
                        const models::Examples& examples,
                        std::span<const std::int64_t> users,
                        fed::WorkerPool& pool) const override;
  // Sentences; or distinct unknown words with how often each was drawn, and the
  // likeliest with their probabilities.
  Drawn Draw(const at::Tensor& params,
             const DrawOptions& options) const override;

 private:
  bool words() const;  // it models sentences

  config::TrainConfig config_;
  std::int64_t width_ = 0;  // symbols of an example
  std::optional<data::Vocabulary> vocabulary_;
  models::Lstm network_;
};

// The number of symbols of a model whose vocabulary has `words` words.
std::int64_t SymbolsFor(Reads reads, std::int64_t words);

struct LikelyWords {
  std::vector<runs::RankedWord> words;  // the likeliest first
  bool exact = false;                   // no other is more likely
};
// The likeliest words of at most `longest` bytes, by the mean of the character
// models `params` [model, size].
LikelyWords MostLikelyWords(const models::Lstm& network,
                            const at::Tensor& params, std::int64_t longest,
                            std::int64_t count);

}  // namespace sfumato::train

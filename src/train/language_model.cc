#include "train/language_model.h"

#include <map>
#include <utility>

#include "algorithms/dp_fedavg.h"
#include "base/error.h"
#include "fmt/format.h"
#include "models/lstm_draw.h"
#include "models/lstm_loss.h"
#include "models/sequences.h"
#include "params/layout.h"
#include "train/federated_options.h"

namespace sfumato::train {
namespace {

constexpr const char* kSymbols = "symbols";
constexpr const char* kVocabularySum = "vocabulary";

models::Lstm NetworkFor(const config::TrainConfig& config,
                        std::int64_t symbols) {
  const bool words = config::ModelsWords(config);
  return models::Lstm(
      {.symbols = symbols,
       .embedding = config.lstm.embedding,
       .hidden = config.lstm.hidden,
       .layers = config.lstm.layers,
       .projection = config.lstm.projection,
       .tied = config.lstm.tied,
       .begin = words ? data::Vocabulary::kBegin : models::kByteBegin,
       .end = words ? data::Vocabulary::kEnd : models::kByteEnd});
}

std::string BytesOf(const std::vector<std::int32_t>& symbols) {
  std::string bytes;
  for (const std::int32_t symbol : symbols) {
    if (symbol < 256) bytes += static_cast<char>(symbol);
  }
  return bytes;
}

std::vector<std::vector<std::string>> SentencesOf(
    const std::vector<models::Sequence>& drawn,
    const data::Vocabulary& vocabulary) {
  std::vector<std::vector<std::string>> sentences;
  for (const models::Sequence& sequence : drawn) {
    std::vector<std::string>& sentence = sentences.emplace_back();
    for (const std::int32_t symbol : sequence.symbols) {
      sentence.push_back(symbol >= data::Vocabulary::kFirstWord
                             ? vocabulary.WordOf(symbol)
                             : "");
    }
  }
  return sentences;
}

// Without the empty word, which nobody wrote but a model gives some weight.
std::vector<runs::DrawnWord> WordsOf(
    const std::vector<models::Sequence>& drawn) {
  std::map<std::string, double> counts;
  for (const models::Sequence& sequence : drawn) {
    if (sequence.symbols.empty()) continue;
    counts[BytesOf(sequence.symbols)] += 1;
  }
  std::vector<runs::DrawnWord> words;
  words.reserve(counts.size());
  for (const auto& [word, count] : counts) words.push_back({word, count});
  return words;
}

}  // namespace

LanguageModel::LanguageModel(const config::TrainConfig& config,
                             const ModelSize& size)
    : config_(config),
      width_(size.shape.width),
      network_(NetworkFor(config, size.classes)) {
  if (size.vocabulary != nullptr) vocabulary_ = *size.vocabulary;
}

bool LanguageModel::words() const { return config::ModelsWords(config_); }

std::unique_ptr<fed::Algorithm> LanguageModel::MakeAlgorithm(
    const Device&) const {
  return std::make_unique<algorithms::DpFedAvg>(
      models::TrainableLanguageModel(network_, width_),
      DpFedAvgOptionsOf(config_));
}

base::Metadata LanguageModel::Metadata() const {
  base::Metadata metadata = {
      {kSymbols, std::to_string(network_.shape().symbols)}};
  if (vocabulary_) metadata[kVocabularySum] = vocabulary_->Sum();
  return metadata;
}

at::Tensor LanguageModel::ParamsIn(const base::SafetensorsFile& file) const {
  return params::FromFile(network_.layout(), file, "model");
}

void LanguageModel::CheckCheckpoint(const base::Metadata& metadata,
                                    const std::string& run) const {
  const auto says = metadata.find(kSymbols);
  const std::string symbols = std::to_string(network_.shape().symbols);
  if (says == metadata.end() || says->second != symbols) {
    throw BadInput(
        fmt::format("a model of {} symbols, where the vocabulary has {}",
                    says == metadata.end() ? "unknown" : says->second, symbols),
        run, "put the run's own vocabulary.txt back");
  }
  const auto sum = metadata.find(kVocabularySum);
  if (sum == metadata.end() || sum->second == vocabulary().Sum()) return;
  throw BadInput("a model that was trained with other words", run,
                 "put the run's own vocabulary.txt back");
}

fed::Evaluation LanguageModel::Judge(const at::Tensor& params,
                                     const models::Examples& examples,
                                     std::span<const std::int64_t> users,
                                     fed::WorkerPool& pool) const {
  const auto judge = [&](const at::Tensor& inputs, const at::Tensor& labels) {
    const models::SequencesJudged judged =
        models::JudgeSequences(network_, params, inputs, labels);
    return fed::UserScore{
        .examples = judged.predictions.sum().item<std::int64_t>(),
        .correct = judged.right.sum().item<std::int64_t>(),
        .loss = -judged.log_likelihood.sum().item<double>()};
  };
  return fed::Evaluate(judge, examples, users, pool);
}

Drawn LanguageModel::Draw(const at::Tensor& params,
                          const DrawOptions& options) const {
  models::DrawOptions draw{.seed = options.seed,
                           .count = options.count,
                           .longest = words() ? config_.text.longest_sentence
                                              : config_.text.longest_word,
                           .threads = options.threads};
  if (words()) draw.forbid = {data::Vocabulary::kPadding};
  const std::vector<models::Sequence> drawn =
      models::DrawSequences(network_, params, draw);
  runs::TextSamples samples{.round = options.round};
  if (words()) {
    samples.sentences = SentencesOf(drawn, vocabulary());
    return samples;
  }
  samples.words = WordsOf(drawn);
  if (options.top > 0) {
    samples.top = MostLikelyWords(network_, params, config_.text.longest_word,
                                  options.top)
                      .words;
  }
  return samples;
}

std::int64_t SymbolsFor(Reads reads, std::int64_t words) {
  return reads == Reads::kSentences ? words + data::Vocabulary::kFirstWord
                                    : models::kByteSymbols;
}

LikelyWords MostLikelyWords(const models::Lstm& network,
                            const at::Tensor& params, std::int64_t longest,
                            std::int64_t count) {
  const models::MostLikelySequences found = models::MostLikely(
      network, params, {.count = count + 1, .longest = longest});
  LikelyWords top{.words = {}, .exact = found.exact};
  for (const models::LikelySequence& sequence : found.sequences) {
    const bool room = std::ssize(top.words) < count;
    if (sequence.symbols.empty() || !room) continue;
    top.words.push_back({BytesOf(sequence.symbols), sequence.log_probability});
  }
  return top;
}

ModelKind LanguageKind() {
  return {
      .algorithms = {config::Algorithm::kFedAvg, config::Algorithm::kDpFedAvg},
      .networks = {"word_lm", "char_lm"},
      .traits =
          [](const config::TrainConfig& config) {
            return ModelTraits{.reads = config::ModelsWords(config)
                                            ? Reads::kSentences
                                            : Reads::kUnknownWords,
                               .labels = models::Labels::kUnused,
                               .judges = true,
                               .draws = true,
                               .sample_every = config.text.sample_every,
                               .sample_count = config.text.sample_count};
          },
      .make = [](const config::TrainConfig& config,
                 const ModelSize& size) -> std::unique_ptr<TrainedModel> {
        return std::make_unique<LanguageModel>(config, size);
      }};
}

}  // namespace sfumato::train

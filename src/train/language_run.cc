#include "train/language_run.h"

#include <map>

#include "base/error.h"
#include "fmt/format.h"
#include "models/lstm_draw.h"
#include "models/sequences.h"
#include "params/layout.h"
#include "plan/run_vocabulary.h"
#include "runs/checkpoint.h"
#include "runs/run.h"
#include "train/run_checkpoint.h"
#include "train/trained_model.h"

namespace sfumato::train {
namespace {

void CheckFits(const base::Metadata& metadata, std::int64_t symbols,
               const base::Path& vocabulary) {
  const auto says = metadata.find("symbols");
  if (says != metadata.end() && says->second == std::to_string(symbols)) return;
  throw BadInput(
      fmt::format("a model of {} symbols, where the vocabulary has {}",
                  says == metadata.end() ? "unknown" : says->second, symbols),
      vocabulary.string(), "put the run's own vocabulary back");
}

std::string BytesOf(const std::vector<std::int32_t>& symbols) {
  std::string bytes;
  for (const std::int32_t symbol : symbols) {
    if (symbol < 256) bytes += static_cast<char>(symbol);
  }
  return bytes;
}

std::vector<models::Sequence> Drawn(const LanguageRun& run,
                                    const TextDraw& draw,
                                    std::vector<std::int64_t> forbid) {
  const bool words = config::ModelsWords(run.config);
  return models::DrawSequences(
      run.model, run.params,
      {.seed = draw.seed,
       .count = draw.count,
       .longest = words ? run.config.text.longest_sentence
                        : run.config.text.longest_word,
       .temperature = draw.temperature,
       .forbid = std::move(forbid),
       .threads = draw.threads});
}

std::vector<std::vector<std::string>> Sentences(const LanguageRun& run,
                                                const TextDraw& draw) {
  std::vector<std::vector<std::string>> sentences;
  for (const models::Sequence& sequence :
       Drawn(run, draw, {data::Vocabulary::kPadding})) {
    std::vector<std::string>& sentence = sentences.emplace_back();
    for (const std::int32_t symbol : sequence.symbols) {
      sentence.push_back(symbol >= data::Vocabulary::kFirstWord
                             ? run.vocabulary.WordOf(symbol)
                             : "");
    }
  }
  return sentences;
}

// Without the empty word, which nobody wrote and a model gives some weight.
std::vector<runs::DrawnWord> Words(const LanguageRun& run,
                                   const TextDraw& draw) {
  std::map<std::string, double> counts;
  for (const models::Sequence& sequence : Drawn(run, draw, {})) {
    if (sequence.symbols.empty()) continue;
    counts[BytesOf(sequence.symbols)] += 1;
  }
  std::vector<runs::DrawnWord> words;
  for (const auto& [word, count] : counts) words.push_back({word, count});
  return words;
}

}  // namespace

void CheckVocabulary(const base::Metadata& metadata,
                     const data::Vocabulary& vocabulary,
                     const std::string& where) {
  const auto says = metadata.find(kVocabularySum);
  if (says == metadata.end() || says->second == vocabulary.Sum()) return;
  throw BadInput("a model that was trained with other words", where,
                 "put the run's own vocabulary.txt back");
}

LanguageRun ReadLanguageRun(const base::Path& folder, std::int64_t round) {
  config::TrainConfig config = runs::ReadRun(folder).config;
  if (!config::ModelsLanguage(config)) {
    throw BadInput(
        fmt::format("a run of {}, which models no language", config.model.name),
        folder.string(), "name a run of a language model");
  }
  const base::SafetensorsFile file(CheckpointOf(folder, round));
  data::Vocabulary vocabulary = plan::KeptVocabulary(folder);
  const std::int64_t symbols =
      config::ModelsWords(config) ? vocabulary.symbols() : models::kByteSymbols;
  CheckFits(file.metadata(), symbols, folder / plan::kVocabularyFile);
  CheckVocabulary(file.metadata(), vocabulary, folder.string());
  models::Lstm model = LstmFor(config, symbols);
  at::Tensor params = params::FromFile(model.layout(), file, "model");
  return {.config = std::move(config),
          .vocabulary = std::move(vocabulary),
          .model = std::move(model),
          .params = std::move(params),
          .metadata = file.metadata(),
          .round = runs::CheckpointRound(file.metadata(), folder.string())};
}

LikelyWords MostLikelyWords(std::span<const LanguageRun> runs,
                            std::int64_t count) {
  std::vector<at::Tensor> params;
  for (const LanguageRun& run : runs) params.push_back(run.params);
  const models::MostLikelySequences found = models::MostLikely(
      runs.front().model, at::cat(params),
      {.count = count + 1, .longest = runs.front().config.text.longest_word});
  LikelyWords top{.words = {}, .exact = found.exact};
  for (const models::LikelySequence& sequence : found.sequences) {
    const bool room = std::ssize(top.words) < count;
    if (sequence.symbols.empty() || !room) continue;
    top.words.push_back({BytesOf(sequence.symbols), sequence.log_probability});
  }
  return top;
}

runs::TextSamples DrawnFrom(const LanguageRun& run, const TextDraw& draw) {
  runs::TextSamples samples{.round = run.round, .label = run.metadata};
  if (config::ModelsWords(run.config)) {
    samples.sentences = Sentences(run, draw);
    return samples;
  }
  samples.words = Words(run, draw);
  if (draw.top > 0) samples.top = MostLikelyWords({&run, 1}, draw.top).words;
  return samples;
}

}  // namespace sfumato::train

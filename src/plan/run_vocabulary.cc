#include "plan/run_vocabulary.h"

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "plan/training_data.h"
#include "plan/vocabulary_source.h"

namespace sfumato::plan {
namespace {

data::VocabularyText ExactVocabulary(const config::TrainConfig& config) {
  RequireVocabulary(config,
                    FactsOf(config.data).origin != data::Origin::kPrivate, "");
  base::Note("Counting words …");
  const auto size = static_cast<std::size_t>(config.text.vocabulary_size);
  config::DataConfig before = config.data;
  if (config.select.by == config::By::kBeforeAfter &&
      !before.before_path.empty()) {
    before.path = before.before_path;  // a vocabulary is older than the bug
    before.generate = "";
  }
  data::VocabularyText text{
      .words = data::MostFrequent(WordsBeforeTheBug(before), size),
      .remarks = RemarksOf(
          {.remarks = {fmt::format("The {} most frequent words.", size)},
           .counted = std::string(data::Name(FactsOf(before).origin))})};
  return text;
}

}  // namespace

data::Vocabulary RunVocabulary(const config::TrainConfig& config,
                               const base::Path& run_folder) {
  const base::Path kept = run_folder / kVocabularyFile;
  const base::Path given = config.text.vocabulary;
  if (!std::filesystem::exists(kept)) {
    const data::VocabularyText text =
        given.empty()
            ? ExactVocabulary(config)
            : data::ParseVocabulary(base::ReadFile(given), given.string());
    data::Vocabulary words(text.words);  // refused before it is written
    base::WriteFileAtomically(kept, data::ToText(text));
    return words;
  }
  data::Vocabulary words = data::ReadVocabulary(kept);
  if (!given.empty() && std::filesystem::exists(given) &&
      data::ReadVocabulary(given).Sum() != words.Sum()) {
    throw BadInput("the vocabulary is not the one that the run began with",
                   given.string(),
                   fmt::format("put it back (the run's own is {}), or begin "
                               "anew with another --out",
                               kept.string()));
  }
  return words;
}

data::Vocabulary KeptVocabulary(const base::Path& run_folder) {
  const base::Path kept = run_folder / kVocabularyFile;
  if (std::filesystem::exists(kept)) return data::ReadVocabulary(kept);
  throw BadInput("the run's list of words is missing", kept.string(),
                 "put it back: without it nobody knows which number is which "
                 "word");
}

}  // namespace sfumato::plan

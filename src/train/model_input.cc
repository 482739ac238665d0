#include "train/model_input.h"

#include "base/error.h"
#include "fmt/format.h"
#include "models/sequences.h"
#include "plan/run_vocabulary.h"
#include "train/language_model.h"

namespace sfumato::train {

ModelInput::ModelInput(const config::TrainConfig& config,
                       const base::Path& run_folder)
    : ModelInput(config) {
  if (traits_.reads == Reads::kPixels) return;
  vocabulary_ = plan::RunVocabulary(config, run_folder);
  words_ = std::ssize(vocabulary_->words());
}

ModelInput ModelInput::OfSize(const config::TrainConfig& config) {
  ModelInput input(config);
  input.words_ =
      config.text.vocabulary.empty()
          ? config.text.vocabulary_size
          : std::ssize(data::ReadVocabulary(config.text.vocabulary).words());
  return input;
}

void ModelInput::CheckKind(const config::TrainConfig& config,
                           const data::DatasetInfo& info) {
  const bool text = info.kind == data::Kind::kText;
  if (text == (TraitsFor(config).reads != Reads::kPixels)) return;
  throw BadInput(
      fmt::format("{}, where {} takes {}", data::Name(info.kind),
                  config.model.name, text ? "images or features" : "text"),
      info.name,
      text ? "train a language model: model.name = \"word_lm\" or \"char_lm\""
           : "train a model of images or features, or give text");
}

std::unique_ptr<models::Examples> ModelInput::Read(
    const data::FederatedDataset& set) const {
  CheckKind(config_, set.info());
  switch (traits_.reads) {
    case Reads::kSentences:
      return models::SentencesOf(set, *vocabulary_,
                                 config_.text.longest_sentence);
    case Reads::kUnknownWords:
      return models::UnknownWordsOf(set, *vocabulary_,
                                    {.longest = config_.text.longest_word});
    case Reads::kPixels:
      break;
  }
  return models::ExamplesOf(set, traits_.pixels, traits_.labels);
}

std::unique_ptr<models::Examples> ModelInput::ReadOnDevices(
    const data::FederatedDataset& set) const {
  auto all = Read(set);
  if (set.info().origin != data::Origin::kPrivate) return all;
  return models::SilentExamples(std::move(all));
}

ModelSize ModelInput::SizeOf(const models::Examples& examples) const {
  return {.shape = examples.shape(),
          .classes = examples.classes(),
          .vocabulary = vocabulary()};
}

std::unique_ptr<models::Examples> ModelInput::MakeUp(
    const data::DatasetInfo& info, const MadeUp& people) const {
  if (traits_.reads != Reads::kPixels) {
    return models::SyntheticSequences(
        {.symbols = SymbolsFor(traits_.reads, words_),
         .longest = traits_.reads == Reads::kSentences
                        ? config_.text.longest_sentence
                        : config_.text.longest_word,
         .users = people.users,
         .user_size = people.user_size});
  }
  const bool labels = traits_.labels == models::Labels::kNeeded;
  if (labels && info.classes.empty()) {
    throw data::NoLabels(info, config_.data.path);
  }
  const bool images = info.kind == data::Kind::kImages;
  return models::SyntheticExamples(
      {.shape = images ? models::Shape{.height = info.image.height,
                                       .width = info.image.width,
                                       .channels = info.image.channels}
                       : models::Shape{.channels = info.feature_count},
       .classes = !config_.data.public_path.empty() ? 2
                  : labels ? static_cast<std::int64_t>(info.classes.size())
                           : 0,
       .users = people.users,
       .user_size = people.user_size});
}

}  // namespace sfumato::train

#include "train/model_input.h"

#include "base/error.h"
#include "fmt/format.h"
#include "models/sequences.h"
#include "plan/run_vocabulary.h"
#include "train/trained_model.h"

namespace sfumato::train {

ModelInput::ModelInput(const config::TrainConfig& config,
                       const base::Path& run_folder)
    : config_(config) {
  if (config::ModelsLanguage(config)) {
    vocabulary_ = plan::RunVocabulary(config, run_folder);
    words_ = static_cast<std::int64_t>(vocabulary_->words().size());
  }
}

ModelInput ModelInput::OfSize(const config::TrainConfig& config) {
  ModelInput input(config);
  input.words_ =
      config.text.vocabulary.empty()
          ? config.text.vocabulary_size
          : static_cast<std::int64_t>(
                data::ReadVocabulary(config.text.vocabulary).words().size());
  return input;
}

void ModelInput::CheckKind(const config::TrainConfig& config,
                           const data::DatasetInfo& info) {
  const bool text = info.kind == data::Kind::kText;
  if (text == config::ModelsLanguage(config)) return;
  throw BadInput(
      fmt::format("{}, where {} takes {}", data::Name(info.kind),
                  config.model.name, text ? "images or features" : "text"),
      info.name,
      text ? "train a language model: model.name = \"word_lm\" or \"char_lm\""
           : "train a model of images or features, or give text");
}

std::unique_ptr<models::Examples> ModelInput::Of(
    const data::FederatedDataset& set) const {
  CheckKind(config_, set.info());
  if (!vocabulary_) {
    return models::ExamplesOf(set, PixelsFor(config_), LabelsFor(config_));
  }
  return config::ModelsWords(config_)
             ? models::SentencesOf(set, *vocabulary_,
                                   config_.text.longest_sentence)
             : models::UnknownWordsOf(set, *vocabulary_,
                                      {.longest = config_.text.longest_word});
}

std::unique_ptr<models::Examples> ModelInput::OfDevices(
    const data::FederatedDataset& set) const {
  auto all = Of(set);
  if (set.info().origin != data::Origin::kPrivate) return all;
  return models::SilentExamples(std::move(all));
}

std::unique_ptr<models::Examples> ModelInput::Synthetic(
    const data::DatasetInfo& info, const MadeUp& people) const {
  if (config::ModelsLanguage(config_)) {
    const bool words = config::ModelsWords(config_);
    return models::SyntheticSequences(
        {.symbols = words ? words_ + data::Vocabulary::kFirstWord
                          : models::kByteSymbols,
         .longest =
             words ? config_.text.longest_sentence : config_.text.longest_word,
         .users = people.users,
         .user_size = people.user_size});
  }
  const bool labels = LabelsFor(config_) == models::Labels::kNeeded;
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

#include <filesystem>
#include <vector>

#include "app/torch/judging_model.h"
#include "app/torch/model_input.h"
#include "app/torch/place.h"
#include "app/torch/training.h"
#include "app/training_data.h"
#include "base/error.h"
#include "data/vocabulary.h"
#include "fmt/format.h"
#include "select/criterion.h"

namespace sfumato::app {
namespace {

// Sets beside the users' own, where those are not opened yet.
void CheckOtherSets(const runs::DataConfig& config,
                    const data::DatasetInfo& info) {
  if (!config.test_path.empty()) {
    CheckAlike(data::FederatedDataset(base::Path(config.test_path)).info(),
               info, "data.test_path");
  }
  if (!config.public_path.empty()) OpenPublicSet(config.public_path, info);
}

}  // namespace

void CheckSelection(const runs::TrainConfig& config,
                    const data::DatasetInfo& info) {
  const select::Criterion criterion = select::CriterionOf(config.select);
  if (runs::ModelsCharacters(config) && criterion.by != select::By::kEveryone) {
    throw Unsupported(
        fmt::format("unknown words of sentences chosen by {}",
                    config.select.by),
        "select.by",
        "use sfumato inspect, which chooses sentences before their words");
  }
  select::CheckCriterion(criterion, info);
}

extern "C" void SfumatoCheckTraining(const runs::TrainConfig* config) {
  CheckOrigins(config->data);
  PlaceFor(config->device);
  const data::DatasetInfo info = InfoOf(config->data);
  CheckBug(config->data, info);
  CheckOtherSets(config->data, info);
  ModelInput::CheckKind(*config, info);
  if (!config->text.vocabulary.empty() && runs::ModelsLanguage(*config)) {
    data::ReadVocabulary(config->text.vocabulary);
  }
  if (!runs::Selects(config->select)) return;
  CheckSelection(*config, info);
  if (runs::NeedsWordModel(config->select)) {
    ReadWordJudge(config->select.model);
  } else if (runs::NeedsModel(config->select)) {
    ReadJudge(config->select.model, info, config->select.by == "unlike_public");
  }
}

}  // namespace sfumato::app

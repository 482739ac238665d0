#include <filesystem>
#include <vector>

#include "base/error.h"
#include "data/vocabulary.h"
#include "fmt/format.h"
#include "plan/training_data.h"
#include "select/criterion.h"
#include "train/census_vote.h"
#include "train/device.h"
#include "train/judging_model.h"
#include "train/model_input.h"
#include "train/trained_model.h"
#include "train/training.h"

namespace sfumato::train {
namespace {

// Sets beside the users' own, where those are not opened yet.
void CheckOtherSets(const config::DataConfig& config,
                    const data::DatasetInfo& info) {
  if (!config.test_path.empty()) {
    plan::CheckAlike(
        data::FederatedDataset(base::Path(config.test_path)).info(), info,
        "data.test_path");
  }
  if (!config.public_path.empty())
    plan::OpenPublicSet(config.public_path, info);
}

}  // namespace

void CheckSelection(const config::TrainConfig& config,
                    const data::DatasetInfo& info) {
  const select::Criterion criterion = select::CriterionOf(config.select);
  if (TraitsFor(config).reads == Reads::kUnknownWords &&
      criterion.by != select::By::kEveryone) {
    throw Unsupported(
        fmt::format("unknown words of sentences chosen by {}",
                    config::Word(config.select.by)),
        "select.by",
        "use sfumato inspect, which chooses sentences before their words");
  }
  select::CheckCriterion(criterion, info);
}

extern "C" void SfumatoCheckTraining(const config::TrainConfig* config) {
  plan::CheckOrigins(config->data);
  DeviceFor(config->device);
  const data::DatasetInfo info = plan::InfoOf(config->data);
  plan::CheckBug(config->data, info);
  CheckOtherSets(config->data, info);
  ModelInput::CheckKind(*config, info);
  if (!config->text.vocabulary.empty() &&
      TraitsFor(*config).reads != Reads::kPixels) {
    data::ReadVocabulary(config->text.vocabulary);
  }
  if (!config::Selects(config->select)) return;
  CheckSelection(*config, info);
  if (config->select.by == config::By::kVote) {
    ReadCensusVoter(config->select, info);
  } else if (config::NeedsWordModel(config->select.by)) {
    ReadWordJudge(config->select.model);
  } else if (config::NeedsModel(config->select.by)) {
    ReadJudge(config->select.model, info,
              config->select.by == config::By::kUnlikePublic);
  }
}

}  // namespace sfumato::train

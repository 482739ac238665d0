#include "train/trained_model.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "fmt/format.h"

namespace sfumato::train {
namespace {

constexpr ModelKind (*kKinds[])() = {ClassifierKind, LanguageKind, GanKind};

ModelKind KindOf(const config::TrainConfig& config) {
  std::vector<std::string> networks;  // that the algorithm can train
  for (const auto& make_kind : kKinds) {
    ModelKind kind = make_kind();
    if (std::ranges::find(kind.algorithms, config.algorithm) ==
        kind.algorithms.end()) {
      continue;
    }
    if (std::ranges::find(kind.networks, config.model.name) !=
        kind.networks.end()) {
      return kind;
    }
    networks.insert(networks.end(), kind.networks.begin(), kind.networks.end());
  }
  throw BadInput(fmt::format("unknown model '{}' for {}", config.model.name,
                             config::Word(config.algorithm)),
                 "model.name", base::DidYouMean(config.model.name, networks));
}

}  // namespace

std::vector<ModelKind> ModelKinds() {
  std::vector<ModelKind> kinds;
  for (const auto& make_kind : kKinds) kinds.push_back(make_kind());
  return kinds;
}

ModelTraits TraitsFor(const config::TrainConfig& config) {
  return KindOf(config).traits(config);
}

std::unique_ptr<TrainedModel> ModelFor(const config::TrainConfig& config,
                                       const ModelSize& size) {
  return KindOf(config).make(config, size);
}

at::Tensor TrainedModel::Params(const fed::Algorithm& algorithm) const {
  return algorithm.Broadcast().unsqueeze(0);
}

void TrainedModel::CheckCheckpoint(const base::Metadata&,
                                   const std::string&) const {}

fed::Evaluation TrainedModel::Judge(const at::Tensor&, const models::Examples&,
                                    std::span<const std::int64_t>,
                                    fed::WorkerPool&) const {
  throw Error(ErrorKind::kBug, "a model that judges nothing was asked to");
}

Drawn TrainedModel::Draw(const at::Tensor&, const DrawOptions&) const {
  throw Error(ErrorKind::kBug, "a model that draws nothing was asked to");
}

std::optional<std::string> TrainedModel::Warning(
    std::span<const runs::Value>) const {
  return std::nullopt;
}

}  // namespace sfumato::train

// Classifiers of the users' own classes, and discriminators between public
// examples and the users' own (T6: data.public_path).

#include <utility>

#include "algorithms/dp_fedavg.h"
#include "models/classifier.h"
#include "params/layout.h"
#include "plan/class_names.h"
#include "train/federated_options.h"
#include "train/trained_model.h"

namespace sfumato::train {
namespace {

bool Discriminates(const config::TrainConfig& config) {
  return !config.data.public_path.empty();
}

class ClassifierModel : public TrainedModel {
 public:
  ClassifierModel(const config::TrainConfig& config, const ModelSize& size)
      : config_(config),
        class_names_(size.class_names),
        network_(models::ClassifierNamed(config.model.name, size.shape,
                                         size.classes)) {}

  std::unique_ptr<fed::Algorithm> MakeAlgorithm(const Device&) const override {
    return std::make_unique<algorithms::DpFedAvg>(
        models::TrainableClassifier(network_), DpFedAvgOptionsOf(config_));
  }

  base::Metadata Metadata() const override {
    base::Metadata metadata = {
        {"input", models::ToText(network_.input())},
        {"classes", std::to_string(network_.output().size())}};
    if (Discriminates(config_)) {
      metadata[kTask] = kPublicOrOwn;
    } else {
      metadata.merge(plan::ClassNamesFor(class_names_));
    }
    return metadata;
  }

  at::Tensor ParamsIn(const base::SafetensorsFile& file) const override {
    return params::FromFile(network_.layout(), file, "model");
  }

  fed::Evaluation Judge(const at::Tensor& params,
                        const models::Examples& examples,
                        std::span<const std::int64_t> users,
                        fed::WorkerPool& pool) const override {
    return fed::Evaluate(network_, params, examples, users, pool);
  }

 private:
  config::TrainConfig config_;
  std::vector<std::string> class_names_;
  models::Stack network_;
};

}  // namespace

ModelKind ClassifierKind() {
  return {
      .algorithms = {config::Algorithm::kFedAvg, config::Algorithm::kDpFedAvg},
      .networks = models::ClassifierNames(),
      .traits =
          [](const config::TrainConfig& config) {
            return ModelTraits{.labels = Discriminates(config)
                                             ? models::Labels::kUnused
                                             : models::Labels::kNeeded,
                               .judges = true};
          },
      .make = [](const config::TrainConfig& config,
                 const ModelSize& size) -> std::unique_ptr<TrainedModel> {
        return std::make_unique<ClassifierModel>(config, size);
      }};
}

}  // namespace sfumato::train

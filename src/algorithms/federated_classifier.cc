#include "algorithms/federated_classifier.h"

#include <utility>

namespace sfumato::algorithms {
namespace {

constexpr char kModel[] = "model";
constexpr char kServer[] = "server";

class SgdTrainer : public fed::LaneTrainer {
 public:
  SgdTrainer(const models::Stack& model, at::Device device, std::int64_t lanes,
             std::int64_t batch_size, const models::SgdOptions& options)
      : step_(model, device, lanes, batch_size, options) {}

  void Begin() override { step_.Begin(); }
  void Step(const at::Tensor& params, const models::Batch& batch) override {
    step_.Step(params, batch);
  }
  at::Tensor losses() const override { return step_.losses(); }

 private:
  models::ClassifierStep step_;
};

}  // namespace

FederatedClassifier::FederatedClassifier(FederatedClassifierOptions options)
    : options_(std::move(options)),
      params_(options_.model.Initial(options_.seed)),
      server_(options_.server, options_.model.layout().size()) {}

at::Tensor FederatedClassifier::Broadcast() const { return params_.squeeze(0); }

std::unique_ptr<fed::LaneTrainer> FederatedClassifier::MakeTrainer(
    at::Device device, std::int64_t lanes, std::int64_t batch_size) const {
  return std::make_unique<SgdTrainer>(options_.model, device, lanes, batch_size,
                                      options_.device);
}

void FederatedClassifier::Absorb(const dp::Released<std::vector<float>>& mean) {
  server_.Step(params_, mean.value());
}

params::NamedTensors FederatedClassifier::State() const {
  params::NamedTensors state =
      params::ToNamed(options_.model.layout(), params_, kModel);
  for (auto& moment : server_.State(kServer)) {
    state.push_back(std::move(moment));
  }
  return state;
}

void FederatedClassifier::Restore(const base::SafetensorsFile& file) {
  params_ = params::FromFile(options_.model.layout(), file, kModel);
  server_.Restore(file, kServer);
}

}  // namespace sfumato::algorithms

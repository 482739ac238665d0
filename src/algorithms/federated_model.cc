#include "algorithms/federated_model.h"

#include <utility>

#include "models/lstm_step.h"

namespace sfumato::algorithms {
namespace {

constexpr char kModel[] = "model";
constexpr char kServer[] = "server";

// A step class of models/ as a trainer.
template <typename LaneStep>
class SgdTrainer : public fed::LaneTrainer {
 public:
  template <typename... Arguments>
  explicit SgdTrainer(const Arguments&... arguments) : step_(arguments...) {}

  void Begin() override { step_.Begin(); }
  void Step(const at::Tensor& params, const models::Batch& batch) override {
    step_.Step(params, batch);
  }
  at::Tensor losses() const override { return step_.losses(); }

 private:
  LaneStep step_;
};

}  // namespace

FederatedModelOptions ClassifierTraining(const models::Stack& model,
                                         const TrainingOptions& options) {
  return {
      .layout = model.layout(),
      .initial = model.Initial(options.seed),
      .make_trainer =
          [model, device_options = options.device](
              at::Device device, std::int64_t lanes, std::int64_t batch_size) {
            return std::make_unique<SgdTrainer<models::ClassifierStep>>(
                model, device, lanes, batch_size, device_options);
          },
      .server = options.server};
}

FederatedModelOptions LanguageTraining(const models::Lstm& model,
                                       std::int64_t width,
                                       const TrainingOptions& options) {
  return {
      .layout = model.layout(),
      .initial = model.Initial(options.seed),
      .make_trainer =
          [model, width, device_options = options.device](
              at::Device device, std::int64_t lanes, std::int64_t batch_size) {
            return std::make_unique<SgdTrainer<models::LstmStep>>(
                model, device, lanes, batch_size, width, device_options);
          },
      .server = options.server};
}

FederatedModel::FederatedModel(FederatedModelOptions options)
    : options_(std::move(options)),
      params_(options_.initial.clone()),
      server_(options_.server, options_.layout.size()) {}

at::Tensor FederatedModel::Broadcast() const { return params_.squeeze(0); }

std::unique_ptr<fed::LaneTrainer> FederatedModel::MakeTrainer(
    at::Device device, std::int64_t lanes, std::int64_t batch_size) const {
  return options_.make_trainer(device, lanes, batch_size);
}

void FederatedModel::Absorb(const dp::Released<std::vector<float>>& mean) {
  server_.Step(params_, mean.value());
}

params::NamedTensors FederatedModel::State() const {
  params::NamedTensors state =
      params::ToNamed(options_.layout, params_, kModel);
  for (auto& moment : server_.State(kServer)) {
    state.push_back(std::move(moment));
  }
  return state;
}

void FederatedModel::Restore(const base::SafetensorsFile& file) {
  params_ = params::FromFile(options_.layout, file, kModel);
  server_.Restore(file, kServer);
}

}  // namespace sfumato::algorithms

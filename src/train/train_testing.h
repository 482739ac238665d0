// Tiny models of every kind, and runs of them, for tests.

#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/folder_testing.h"
#include "fed/mean_mechanism.h"
#include "models/sequences.h"
#include "runs/run.h"
#include "train/language_model.h"
#include "train/run_observer.h"
#include "train/trained_model.h"

namespace sfumato::train {

// A config of a kind, named by its network.
inline config::TrainConfig ConfigOf(const std::string& network) {
  config::TrainConfig config;
  config.model.name = network;
  const bool gan = network.starts_with("wgan");
  config.algorithm =
      gan ? config::Algorithm::kDpFedAvgGan : config::Algorithm::kFedAvg;
  config.rounds = 4;
  config.data.path = "people";
  config.lstm = {.embedding = 4, .hidden = 6, .layers = 1, .projection = 4};
  config.text.longest_sentence = 5;
  config.text.longest_word = 4;
  config.text.sample_count = 20;
  config.gan.latent = 4;
  config.gan.sample_count = 8;
  config.privacy.noise_multiplier = gan ? 1 : 0;
  config.device.threads = 1;
  return config;
}

inline const data::Vocabulary kVocabulary({"blue", "green", "red"});

inline ModelSize SizeFor(const config::TrainConfig& config) {
  const Reads reads = TraitsFor(config).reads;
  if (reads == Reads::kPixels) {
    return {
        .shape = {16, 16, 1}, .classes = 2, .class_names = {"left", "right"}};
  }
  return {.shape = {1, 7, 1},
          .classes = SymbolsFor(reads, std::ssize(kVocabulary.words())),
          .vocabulary = &kVocabulary};
}

// Users with examples of zeros and these labels.
class ZeroExamples : public models::Examples {
 public:
  ZeroExamples(models::Shape shape,
               std::vector<std::vector<std::int64_t>> labels)
      : shape_(shape), labels_(std::move(labels)) {}
  models::Shape shape() const override { return shape_; }
  std::int64_t classes() const override { return 2; }
  std::int64_t users() const override { return std::ssize(labels_); }
  std::int64_t user_size(std::int64_t user) const override {
    return std::ssize(labels_[static_cast<std::size_t>(user)]);
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    std::ranges::fill(values, 0.0f);
    return labels_[static_cast<std::size_t>(user)][static_cast<std::size_t>(i)];
  }

 private:
  models::Shape shape_;
  std::vector<std::vector<std::int64_t>> labels_;
};

// A run in a simulation without privacy, whose rounds are reported by hand.
class TinyRun {
 public:
  TinyRun(const std::string& folder, const config::TrainConfig& config)
      : run_(std::filesystem::exists(folder)
                 ? runs::Run::Open(folder)
                 : runs::Run::Create(folder, config, {.version = "test"})),
        model_(ModelFor(config, SizeFor(config))),
        algorithm_(model_->MakeAlgorithm({})),
        mechanism_(fed::MakeMeanMechanism(
            {.clipping = fed::Clipping::kUnprotected, .expected_cohort = 1})),
        observer_({.run = run_,
                   .plan = plan_,
                   .mechanism = *mechanism_,
                   .model = *model_,
                   .traits = TraitsFor(config),
                   .test = nobody_,
                   .threads = 1}) {
    runs::RunFacts facts = run_.facts();
    facts.simulation = true;
    run_.Start(facts);
    base::WriteFileAtomically(base::Path(folder) / "vocabulary.txt",
                              "blue\ngreen\nred\n");
  }

  std::int64_t Restore() { return observer_.Restore(*algorithm_, *mechanism_); }
  void Report(std::int64_t round) {
    observer_.AfterRound({.done = round,
                          .rounds = run_.config().rounds,
                          .released = round,
                          .clip_norm = 100,
                          .next_clip_norm = 42},
                         *algorithm_);
  }
  const TrainedModel& model() const { return *model_; }
  const fed::Algorithm& algorithm() const { return *algorithm_; }
  const fed::MeanMechanism& mechanism() const { return *mechanism_; }

 private:
  static plan::TrainPlan SimulatedPlan() {
    plan::TrainPlan plan;
    plan.simulation = true;
    return plan;
  }

  plan::TrainPlan plan_ = SimulatedPlan();
  ZeroExamples nobody_{{1, 1, 1}, {}};
  runs::Run run_;
  std::unique_ptr<TrainedModel> model_;
  std::unique_ptr<fed::Algorithm> algorithm_;
  std::unique_ptr<fed::MeanMechanism> mechanism_;
  RunObserver observer_;
};

}  // namespace sfumato::train

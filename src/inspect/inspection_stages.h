// The stages of every inspection: data, price, survey, models, contrast, page.
// What images and text do differently is left to image_inspection.cc and
// text_inspection.cc.
//
// A stage leaves what it found on disk before the next begins: whoever goes on
// after a stop asks, trains and pays for what is missing only.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dp/ledger/ledger.h"
#include "fed/release/survey.h"
#include "fed/worker_pool.h"
#include "inspect/inspection.h"
#include "models/batch.h"
#include "nlohmann/json.hpp"
#include "plan/inspect_ledger.h"
#include "plan/inspect_plan.h"
#include "plan/side_sizes.h"
#include "plan/training_data.h"
#include "runs/contrast.h"
#include "runs/inspection.h"
#include "select/criterion.h"
#include "train/device.h"
#include "train/training.h"

namespace sfumato::inspect {

class InspectionStages {
 public:
  InspectionStages(const InspectJob& job, InspectOutcome& outcome);
  virtual ~InspectionStages() = default;

  void Run();

 protected:
  // In the order in which they are called.

  // data_ are open: the rest of them, and a refusal of what cannot work.
  virtual void Open() = 0;
  // Every device judges its own examples, where the criterion asks for it.
  virtual void JudgeEverybody() {}
  // A sum of what decides who is on which side; empty: the data alone do.
  virtual std::string JudgeSum() const { return ""; }
  virtual const char* JudgeWords() const { return "the judging model is"; }
  // One number a user, of which thresholds are quantiles (ThresholdQuestion):
  // private data.
  virtual std::vector<double> NumbersOfUsers() const { return {}; }
  // How many users a side has: for simulations alone.
  virtual std::int64_t ExactUsers(config::Side side) const = 0;
  // What the sides are about: "images".
  virtual std::string Noun() const = 0;
  virtual void AskRest(fed::Survey& survey) = 0;
  // The examples that a model is trained on, and where its data are.
  virtual std::unique_ptr<models::Examples> TakingPart(
      config::Side side, std::int64_t half, const std::string& kind) const = 0;
  virtual void AdjustConfig(const plan::ModelPlan& model,
                            config::TrainConfig& own) const = 0;
  // Post-processing from here on: nothing costs anything. Fills contrast_.
  virtual void Compare() = 0;
  // What the models were to draw, for a page of a simulation.
  virtual nlohmann::json RealExamples() = 0;

  void SetStage(const std::string& stage);
  void Save() { runs::WriteInspection(job_.folder, record_); }
  bool Asked(std::string_view name) const;
  select::Criterion CriterionFor(config::Side side, std::int64_t half) const;
  // With thresholds that are not noisy, for simulations alone: the plan comes
  // before anybody is asked, and is the same after a resume.
  select::Criterion ExactCriterion(config::Side side) const;
  base::Path FolderOf(const plan::ModelPlan& model) const {
    return job_.folder / model.name;
  }

  const InspectJob& job_;
  config::TrainConfig config_;  // thresholds and data as they were settled
  runs::InspectionRecord& record_;
  runs::Contrast& contrast_;
  train::Device device_;
  fed::WorkerPool pool_;
  plan::TrainingData data_;
  plan::InspectPlan plan_;

 private:
  void Prepare();
  void PinInputs();
  void Price();
  void Reserve();
  void Survey();
  void AskThresholds(fed::Survey& survey);
  std::string Question() const;
  void FillWords();
  void FillSizes(fed::Survey& survey);
  void FillUncountedSizes(const models::Examples& a, const models::Examples& b);
  bool TooFewAreLeft();
  void EndWithoutModels(const plan::TooFew& few);
  void Train();
  void TrainModel(const plan::ModelPlan& model);
  train::Turn TurnOf(const plan::ModelPlan& model) const;
  void ReadEarlier();
  double PlannedUsers(config::Side side) const;
  // For simulations alone.
  double ExactQuantile(double quantile) const;
  std::string QuartilesText() const;

  std::optional<dp::Ledger> ledger_;
};

}  // namespace sfumato::inspect

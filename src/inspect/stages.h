// The stages of an inspection, as functions over one record, in this order:
//
//   OpenData       the people, and the criterion that divides them
//   Price          what everything will cost, and a yes
//   AskCensus      where there are references: one vote of everybody
//   Survey         thresholds and sizes, each a private question
//   TrainModels    one model per side and half, each a run of its own
//   Compare        what the models drew; costs nothing
//   WritePage      the record, and the report
//
// A stage leaves what it found on disk before the next begins. An inspection
// that resumes asks, trains and pays only for what is missing.
//
// What images and text do differently is a Medium: image_medium.cc and
// text_medium.cc.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dp/ledger/ledger.h"
#include "fed/worker_pool.h"
#include "inspect/inspection.h"
#include "models/batch.h"
#include "nlohmann/json.hpp"
#include "plan/inspect_plan.h"
#include "plan/training_data.h"
#include "runs/contrast.h"
#include "runs/inspection.h"
#include "select/criterion.h"
#include "train/census_vote.h"
#include "train/device.h"

namespace sfumato::inspect {

struct Inspection;

// How images, or text, are judged, chosen, modelled and compared.
class Medium {
 public:
  virtual ~Medium() = default;

  // The judging model runs on each device, where the criterion needs one. Fills
  // model_words and model_provenance of the record.
  virtual void Judge(Inspection& inspection) = 0;

  // What decides, besides the data, who is on which side: a checksum ("": the
  // data alone), and its name for an error ("the judging model is").
  struct Inputs {
    std::string sum = "";
    const char* what = "the judging model is";
  };
  virtual Inputs SideInputs() const = 0;

  // One number per user, NaN where there is none: the users' answers to a
  // question of the plan, by its name (plan::kThresholdAbove, …). Private data.
  virtual std::vector<double> Answers(std::string_view question) const = 0;

  // The examples that the criterion selects, for a model of this kind
  // (plan::ModelPlan::kind). Users keep their numbers. Private data.
  virtual std::unique_ptr<models::Examples> Chosen(
      const select::Criterion& criterion, const std::string& kind) const = 0;

  // Says where the data of one model are.
  virtual void Configure(const Inspection& inspection,
                         const plan::ModelPlan& model,
                         config::TrainConfig& own) const = 0;

  // Fills the contrast and, in simulations, real_examples.
  virtual void Compare(Inspection& inspection) const = 0;
};

struct Inspection {
  // Reads the record of an inspection that resumes. Both must outlive it.
  Inspection(const InspectJob& job, InspectOutcome& outcome);
  Inspection(const Inspection&) = delete;
  Inspection& operator=(const Inspection&) = delete;

  void Save() const { runs::WriteInspection(job.folder, record); }
  void SetStage(const std::string& stage);
  // Whether the plan asks it.
  bool Asks(std::string_view question) const;
  select::Criterion CriterionFor(config::Side side,
                                 std::int64_t half = 0) const;
  base::Path FolderOf(const plan::ModelPlan& model) const {
    return job.folder / model.name;
  }

  const InspectJob& job;
  config::TrainConfig config;  // with the thresholds that were released
  runs::InspectionRecord& record;
  runs::Contrast& contrast;
  train::Device device;
  fed::WorkerPool pool;
  plan::TrainingData data = {};
  plan::InspectPlan plan = {};
  std::optional<dp::Ledger> ledger = {};
  // Simulations: what the models were to draw, for the page.
  nlohmann::json real_examples = nlohmann::json::array();
  std::chrono::steady_clock::time_point begun =
      std::chrono::steady_clock::now();
  std::unique_ptr<Medium> medium = {};
};

void OpenData(Inspection& inspection);

// Every device votes again: select::Verdicts::marks, private data. Fills
// model_words and model_provenance of the record.
std::vector<std::vector<std::string>> MarksBy(const train::CensusVoter& voter,
                                              Inspection& inspection);

// Reserves the whole plan in the ledger. In simulations the sizes of the sides
// are known beforehand, so their devices judge before it.
void Price(Inspection& inspection);

// The voter of the plan's census, if it has one: a part of Price, before the
// yes, because references may be refused and nothing is reserved yet.
void LearnCensusVoter(Inspection& inspection);

// Nothing if the plan has none. Everything of it is in the folder `census`, and
// what it released is there before any model is trained.
std::optional<runs::CensusRecord> AskCensus(Inspection& inspection);

// Each answer is a release, and on disk before the next question.
void Survey(Inspection& inspection);

// Whether too few users are left on side b for any model, which is the finding
// of an inspection that verifies another: then it is the contrast. Throws
// BadInput where too few is a refusal. Either way the models' reservation is
// given back.
bool EndsWithTooFew(Inspection& inspection);

void TrainModels(Inspection& inspection);
void Compare(Inspection& inspection);
void WritePage(Inspection& inspection);

}  // namespace sfumato::inspect

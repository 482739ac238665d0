#include "train/run_observer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/ascii.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/safetensors.h"
#include "dp/accounting/event.h"
#include "fed/evaluate.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "report/number_text.h"

namespace sfumato::train {
namespace {

// Seconds since 1970. Of private data the day alone: when a round ended says
// how long it took, which depends on the data of those who were drawn.
double Now(const runs::Gate& gate) {
  using Seconds = std::chrono::duration<double>;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return gate.simulation()
             ? Seconds(now).count()
             : Seconds(std::chrono::floor<std::chrono::days>(now)).count();
}

// As text that reads back to the same number.
std::string Exact(double value) { return fmt::format("{}", value); }

}  // namespace

RunObserver::RunObserver(const ObserverParts& parts)
    : parts_(parts),
      pool_(parts.threads),
      checkpoints_(parts.run.checkpoints_path(),
                   {.keep_every = parts.run.config().checkpoint.keep_every}) {
  if (parts_.plan.protects) {
    meter_.emplace(parts_.mechanism.Event(""), parts_.plan.delta,
                   parts_.plan.before);
  }
  epsilon_ = parts_.plan.protects ? 0 : std::numeric_limits<double>::infinity();
}

std::int64_t RunObserver::Restore(fed::Algorithm& algorithm,
                                  fed::MeanMechanism& mechanism) {
  const auto& latest = checkpoints_.latest();
  if (latest) {
    const base::SafetensorsFile file(latest->path);
    parts_.model.CheckCheckpoint(file.metadata(), parts_.run.path().string());
    algorithm.Restore(file);
    const auto found = file.metadata().find("next_clip_norm");
    const auto clip_norm = found == file.metadata().end()
                               ? std::nullopt
                               : base::ParseNumber<double>(found->second);
    if (!clip_norm) {
      throw Corrupt("a checkpoint without its clip norm", latest->path.string(),
                    "delete it: the one before takes its place");
    }
    mechanism.Resume(*clip_norm);
    written_ = latest->round;
    last_.done = latest->round;
  }
  const runs::Run& run = parts_.run;
  metrics_.reset(new runs::Metrics(runs::Metrics::Open(
      run.metrics_path(), run.gate(), {.keep_up_to_round = written_})));
  if (parts_.tensorboard) {
    events_.emplace(run.tensorboard_path(), run.gate(),
                    runs::EventFileOptions{.seconds = Now(run.gate()),
                                           .after_round = written_});
  }
  const Turn& turn = parts_.turn;
  progress_.emplace(
      turn.of > 1 ? fmt::format("training model {} of {}", turn.number, turn.of)
                  : "training",
      static_cast<std::uint64_t>(run.config().rounds), "rounds",
      base::ProgressOptions{
          .begun = static_cast<std::uint64_t>(written_),
          .later = static_cast<std::uint64_t>(turn.later_rounds),
          .shows_time = run.gate().simulation()});
  return written_;
}

bool RunObserver::Due(std::int64_t every) const {
  return last_.done == parts_.run.config().rounds ||
         (every > 0 && last_.done % every == 0);
}

// What a crash repeats is paid again on private data: no more than is spare.
std::int64_t RunObserver::CheckpointEvery() const {
  const config::TrainConfig& config = parts_.run.config();
  if (parts_.plan.simulation) return config.checkpoint.every;
  return std::min(config.checkpoint.every,
                  std::max<std::int64_t>(1, config.privacy.spare_rounds));
}

void RunObserver::Judge(const fed::Algorithm& algorithm,
                        std::vector<runs::Value>& values) {
  const auto& config = parts_.run.config().evaluation;
  std::vector<std::int64_t> users(
      static_cast<std::size_t>(parts_.test.users()));
  std::iota(users.begin(), users.end(), 0);
  if (config.users > 0 && config.users < parts_.test.users()) {
    users.resize(static_cast<std::size_t>(config.users));
  }
  const fed::Evaluation found = parts_.model.Judge(
      parts_.model.Params(algorithm), parts_.test, users, pool_);
  accuracy_ = found.accuracy();
  values.push_back(runs::SimulationOnly("test_accuracy", found.accuracy()));
  values.push_back(runs::SimulationOnly("test_loss", found.mean_loss()));
}

// What a line of metrics.jsonl holds, each value with where it came from.
std::vector<runs::Value> RunObserver::ValuesOf(
    const fed::RoundReport& report, const fed::Algorithm& algorithm) const {
  const fed::CohortFacts& facts = report.simulation_only.facts;
  const double users =
      static_cast<double>(std::max<std::int64_t>(1, facts.users));
  const bool adaptive = report.share_within.has_value();
  std::vector<runs::Value> values;
  if (parts_.plan.protects) {
    values.push_back(
        runs::Public("noise_multiplier", parts_.plan.noise_multiplier));
    values.push_back(adaptive ? runs::Released("clip_norm", report.clip_norm)
                              : runs::Public("clip_norm", report.clip_norm));
    values.push_back(runs::Released("update_norm", report.mean_norm));
    if (!parts_.plan.simulation) {
      values.push_back(runs::Public("ledger_head", report.ledger_head));
    }
    // What is left of the released norm when the noise's share is taken off.
    const double noise =
        report.noise_deviation *
        std::sqrt(static_cast<double>(algorithm.Broadcast().numel()));
    const double signal = std::sqrt(
        std::max(0.0, report.mean_norm * report.mean_norm - noise * noise));
    values.push_back(runs::Released("signal_to_noise", signal / noise));
    if (adaptive) {
      values.push_back(runs::Released("share_within", *report.share_within));
    }
  } else {
    values.push_back(runs::SimulationOnly("update_norm", report.mean_norm));
  }
  values.push_back(runs::SimulationOnly(
      "loss", facts.trained > 0 ? facts.mean_loss()
                                : std::numeric_limits<double>::quiet_NaN()));
  values.push_back(runs::SimulationOnly("cohort", facts.users));
  values.push_back(runs::SimulationOnly("cohort_trained", facts.trained));
  values.push_back(runs::SimulationOnly(
      "clipped_share", static_cast<double>(facts.clipped) / users));
  values.push_back(runs::SimulationOnly("not_finite", facts.not_finite));
  values.push_back(runs::SimulationOnly("client_norm", facts.mean_norm()));
  values.push_back(
      runs::SimulationOnly("seconds", report.simulation_only.seconds));
  return values;
}

// In simulations alone: how many updates were finite is private.
void RunObserver::WarnWhenDiverged(const fed::RoundReport& report) {
  const fed::CohortFacts& facts = report.simulation_only.facts;
  if (warned_diverged_ || !parts_.run.gate().simulation() || facts.users == 0 ||
      facts.not_finite < facts.users) {
    return;
  }
  warned_diverged_ = true;
  base::Warning(fmt::format(
      "round {}: no update of {} users was finite, and none moves the model; "
      "lower local.learning_rate or server.learning_rate",
      report.done, facts.users));
}

void RunObserver::AfterRound(const fed::RoundReport& report,
                             const fed::Algorithm& algorithm) {
  last_ = report;
  WarnWhenDiverged(report);
  const config::TrainConfig& config = parts_.run.config();
  std::vector<runs::Value> values = ValuesOf(report, algorithm);
  const std::vector<runs::Value> figures = algorithm.Figures();
  WarnOfModel(figures);
  values.insert(values.end(), figures.begin(), figures.end());
  const bool write = Due(CheckpointEvery());
  const bool judge = parts_.traits.judges && Due(config.evaluation.every) &&
                     parts_.run.gate().simulation() && parts_.test.users() > 0;
  if (meter_ && (write || judge)) {
    values.push_back(runs::Public("epsilon", EpsilonOf(report.released)));
    values.push_back(runs::Public("delta", parts_.plan.delta));
  }
  if (judge) Judge(algorithm, values);
  metrics_->Append(report.done, values);
  if (events_) events_->Append(report.done, Now(parts_.run.gate()), values);
  const std::int64_t tenth = std::max<std::int64_t>(1, config.rounds / 10);
  const std::int64_t sample_every = parts_.traits.sample_every;
  try {
    // Before the checkpoint: a crash in between draws these samples again.
    if (parts_.traits.draws && Due(sample_every > 0 ? sample_every : tenth)) {
      Draw(algorithm);
    }
    if (write) Write(algorithm);
    if (last_.done == config.rounds) WaitForWriter();
    progress_->Advance(1, Detail(report));
  } catch (const base::Interrupted&) {
    Interrupted(algorithm);
    throw;
  }
}

// Between two rounds: nothing of the next was released.
void RunObserver::Interrupted(const fed::Algorithm& algorithm) {
  if (last_.done > written_) Write(algorithm);
  WaitForWriter();
}

// A person who stops a run may have looked at what it released, so on private
// data only the price of the whole plan is proven; repeated rounds are added to
// it.
double RunObserver::EpsilonOf(std::int64_t released) {
  const plan::TrainPlan& plan = parts_.plan;
  // What is paid for when the run has come to its end.
  const std::int64_t all = released + parts_.run.config().rounds - last_.done;
  if (meter_ && plan.simulation) {
    epsilon_ = meter_->After(released);
  } else if (meter_) {
    epsilon_ = all > plan.rounds().count
                   ? std::max(plan.epsilon, meter_->After(all))
                   : plan.epsilon;
  }
  epsilon_time_ = std::chrono::steady_clock::now();
  return epsilon_;
}

// What is said of a model wherever it goes.
base::Metadata RunObserver::Label() const {
  const plan::TrainPlan& plan = parts_.plan;
  base::Metadata metadata = parts_.model.Metadata();
  metadata.merge(base::Metadata{
      {"algorithm", config::Word(parts_.run.config().algorithm)},
      {"model", parts_.run.config().model.name},
      {"unit", std::string(dp::Name(plan.participants.unit))},
      {"adjacency", std::string(dp::Name(plan.participants.adjacency))},
      {"simulation", plan.simulation ? "true" : "false"}});
  if (plan.protects) {
    metadata["epsilon"] = Exact(epsilon_);
    metadata["delta"] = Exact(plan.delta);
    metadata["proof"] =
        std::string("privacy loss distributions, for the planned rounds") +
        (parts_.plan.before.empty() ? ""
                                    : " and the vocabulary, released before");
    if (!plan.simulation) metadata["ledger_head"] = last_.ledger_head;
    if (!plan.simulation && epsilon_ > plan.epsilon) {
      metadata["repeated"] = "true";
    }
  } else {
    metadata["epsilon"] = "unbounded";
  }
  return metadata;
}

void RunObserver::Draw(const fed::Algorithm& algorithm) {
  const config::TrainConfig& config = parts_.run.config();
  EpsilonOf(last_.released);
  Drawn drawn =
      parts_.model.Draw(parts_.model.Params(algorithm),
                        {.seed = static_cast<std::uint64_t>(config.seed),
                         .count = parts_.traits.sample_count,
                         .round = last_.done,
                         .threads = parts_.threads});
  const base::Path& folder = parts_.run.samples_path();
  if (auto* text = std::get_if<runs::TextSamples>(&drawn)) {
    text->label = Label();
    runs::WriteTextSamples(folder, *text, config.name);
  } else {
    runs::WriteSamples(folder, std::get<runs::ImageSamples>(drawn), Label());
  }
}

// The first rounds say little about a model.
void RunObserver::WarnOfModel(const std::vector<runs::Value>& figures) {
  if (warned_of_model_ || last_.done < 20) return;
  if (const auto warning = parts_.model.Warning(figures)) {
    warned_of_model_ = true;
    base::Warning(fmt::format("round {}: {}", last_.done, *warning));
  }
}

void RunObserver::Write(const fed::Algorithm& algorithm) {
  EpsilonOf(last_.released);
  base::Metadata metadata = Label();
  metadata["next_clip_norm"] = Exact(last_.next_clip_norm);
  metrics_->Sync();
  params::NamedTensors state = algorithm.State();
  for (auto& [name, tensor] : state) tensor = tensor.clone();
  WaitForWriter();
  writer_ = std::async(
      std::launch::async, [this, round = last_.done, state = std::move(state),
                           metadata = std::move(metadata)]() mutable {
        checkpoints_.Write(round, params::ToFile(state), std::move(metadata));
      });
  written_ = last_.done;
  // A round that is repeated after a crash is paid twice: no wider a gap there.
  if (!parts_.plan.simulation) WaitForWriter();
}

// Throws what the writing threw.
void RunObserver::WaitForWriter() {
  if (writer_.valid()) writer_.get();
}

std::string RunObserver::Detail(const fed::RoundReport& report) {
  // An answer takes milliseconds: anew each second at most.
  if (std::chrono::steady_clock::now() - epsilon_time_ >
      std::chrono::seconds(1)) {
    EpsilonOf(report.released);
  }
  std::string detail;
  if (parts_.plan.protects) {
    const char* whose = parts_.turn.of > 1 ? " of this model" : "";
    detail = parts_.plan.simulation
                 ? fmt::format("ε{} so far {} of {}", whose,
                               report::BoundText(epsilon_, 3),
                               report::BoundText(parts_.plan.epsilon, 3))
                 : fmt::format("ε{} {} for all rounds", whose,
                               report::BoundText(epsilon_, 3));
  } else {
    detail = "no privacy";
  }
  if (parts_.run.gate().simulation()) {
    const fed::CohortFacts& facts = report.simulation_only.facts;
    detail += facts.trained > 0
                  ? fmt::format(" · loss {:.4g}", facts.mean_loss())
                  : " · loss –";
    if (accuracy_) detail += fmt::format(" · accuracy {:.3f}", *accuracy_);
  }
  return detail;
}

}  // namespace sfumato::train

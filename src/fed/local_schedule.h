// Which examples a client sees at each step of its training.
//
//   LocalSchedule schedule;
//   schedule.Plan({.seed = 7, .round = 3, .local = local}, users, examples);
//   for (std::int64_t step = 0; step < schedule.steps(); ++step) {
//     Train(schedule.examples(step, lane), schedule.weights(step, lane));
//   }
//
// Every epoch goes through the user's examples once, in an order of its own,
// in batches of which the last may be smaller. The order is a function of
// (seed, round, user), so it does not depend on who trains beside whom.
//
// A user without examples takes no step: their update is zero, they count in
// the cohort like everybody else, and nobody learns of it.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fed/cohort.h"
#include "models/batch.h"

namespace sfumato::fed {

// How many steps a user with this number of examples takes.
std::int64_t StepsOf(std::int64_t examples, const LocalTraining& local);

// In a simulation, a batch larger than anybody's data becomes as large as the
// largest user's: no memory is taken for rows that nobody fills. On private
// data `local` stays as configured. Kernels round differently for batches of
// different shapes, so otherwise one user's size would move the updates of all
// the others, and nobody's contribution would be bounded by its clip norm.
LocalTraining FittedTo(const models::Examples& examples, LocalTraining local,
                       bool simulation);

struct ScheduleOptions {
  std::uint64_t seed = 1;
  std::uint64_t round = 0;
  LocalTraining local = {};
};

// The steps of a group of users that train in lockstep: [step, lane, batch].
// Keeps its memory from group to group.
class LocalSchedule {
 public:
  // Throws BadInput for a batch size or a number of epochs below 1.
  void Plan(const ScheduleOptions& options, std::span<const std::int64_t> users,
            const models::Examples& examples);

  std::int64_t steps() const { return steps_; }  // of the one with the most
  std::int64_t lanes() const { return lanes_; }
  std::int64_t batch() const { return batch_; }

  // Examples of the lane's user at this step; 0 where there is none.
  std::span<const std::int64_t> examples(std::int64_t step,
                                         std::int64_t lane) const;
  // 1 / examples of this step; 0 where there is none.
  std::span<const float> weights(std::int64_t step, std::int64_t lane) const;
  // Both as a whole, [step, lane, batch].
  std::span<const std::int64_t> examples() const { return examples_; }
  std::span<const float> weights() const { return weights_; }
  // How many examples the lane has at this step.
  std::int64_t rows(std::int64_t step, std::int64_t lane) const;

 private:
  void PlanLane(const ScheduleOptions& options, std::int64_t lane,
                std::int64_t user, const models::Examples& examples);

  std::int64_t steps_ = 0;
  std::int64_t lanes_ = 0;
  std::int64_t batch_ = 0;
  std::vector<std::int64_t> examples_;
  std::vector<float> weights_;
  std::vector<std::int64_t> order_;
};

}  // namespace sfumato::fed

#include "fed/local_schedule.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::fed {
namespace {

void Check(const LocalTraining& local) {
  if (local.epochs < 1 || local.batch_size < 1 || local.max_steps < 0) {
    throw BadInput(
        fmt::format("local training of {} epochs, batches of {}, at most {} "
                    "steps",
                    local.epochs, local.batch_size, local.max_steps),
        "local", "give 1 or more epochs and examples a batch");
  }
}

// The examples of a user that there is something to learn from.
void Gather(std::int64_t user, const models::Examples& examples,
            std::vector<std::int64_t>& chosen) {
  chosen.clear();
  for (std::int64_t i = 0; i < examples.user_size(user); ++i) {
    if (examples.labelled(user, i)) chosen.push_back(i);
  }
}

}  // namespace

std::int64_t StepsOf(std::int64_t examples, const LocalTraining& local) {
  const std::int64_t an_epoch =
      (examples + local.batch_size - 1) / local.batch_size;
  const std::int64_t most = local.max_steps > 0
                                ? local.max_steps
                                : std::numeric_limits<std::int64_t>::max();
  if (an_epoch == 0) return 0;
  // The product may not fit.
  return local.epochs > most / an_epoch
             ? most
             : std::min(most, an_epoch * local.epochs);
}

LocalTraining FittedTo(const models::Examples& examples, LocalTraining local,
                       bool simulation) {
  if (!simulation) return local;
  std::int64_t largest = 1;
  for (std::int64_t user = 0; user < examples.users(); ++user) {
    largest = std::max(largest, examples.user_size(user));
  }
  local.batch_size = std::min(local.batch_size, largest);
  return local;
}

void LocalSchedule::Plan(const ScheduleOptions& options,
                         std::span<const std::int64_t> users,
                         const models::Examples& examples) {
  Check(options.local);
  lanes_ = static_cast<std::int64_t>(users.size());
  batch_ = options.local.batch_size;
  steps_ = 0;
  for (const std::int64_t user : users) {
    Gather(user, examples, order_);
    steps_ = std::max(steps_, StepsOf(std::ssize(order_), options.local));
  }
  const auto places = static_cast<std::size_t>(steps_ * lanes_ * batch_);
  examples_.assign(places, 0);
  weights_.assign(places, 0.0f);
  for (std::int64_t lane = 0; lane < lanes_; ++lane) {
    const std::int64_t user = users[static_cast<std::size_t>(lane)];
    PlanLane(options, lane, user, examples);
  }
}

void LocalSchedule::PlanLane(const ScheduleOptions& options, std::int64_t lane,
                             std::int64_t user,
                             const models::Examples& examples) {
  base::Rng rng(options.seed, {base::Key("batches"), options.round,
                               static_cast<std::uint64_t>(user)});
  Gather(user, examples, order_);
  const std::int64_t size = std::ssize(order_);
  const std::int64_t steps = StepsOf(size, options.local);
  std::int64_t next = size;  // in order_
  for (std::int64_t step = 0; step < steps; ++step) {
    if (next == size) {  // an epoch begins
      rng.Shuffle(std::span(order_));
      next = 0;
    }
    const std::int64_t rows = std::min(batch_, size - next);
    const auto place = (step * lanes_ + lane) * batch_;
    std::copy_n(order_.begin() + next, rows, examples_.begin() + place);
    std::fill_n(weights_.begin() + place, rows,
                1.0f / static_cast<float>(rows));
    next += rows;
  }
}

std::span<const std::int64_t> LocalSchedule::examples(std::int64_t step,
                                                      std::int64_t lane) const {
  return std::span(examples_).subspan(
      static_cast<std::size_t>((step * lanes_ + lane) * batch_),
      static_cast<std::size_t>(batch_));
}

std::span<const float> LocalSchedule::weights(std::int64_t step,
                                              std::int64_t lane) const {
  return std::span(weights_).subspan(
      static_cast<std::size_t>((step * lanes_ + lane) * batch_),
      static_cast<std::size_t>(batch_));
}

std::int64_t LocalSchedule::rows(std::int64_t step, std::int64_t lane) const {
  const std::span<const float> all = weights(step, lane);
  return std::ranges::find(all, 0.0f) - all.begin();
}

}  // namespace sfumato::fed

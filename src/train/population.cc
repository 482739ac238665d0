#include "train/population.h"

namespace sfumato::train {

Population::Population(const plan::TrainingData& data, const ModelInput& input)
    : data_(data),
      all_(input.ReadOnDevices(*data.set)),
      train_(models::ChosenUsers(*all_, data.users)) {}

select::Verdicts Population::JudgedBy(const eval::Judge& judge,
                                      bool discriminator,
                                      fed::WorkerPool& pool) const {
  auto all = models::ExamplesOf(
      *data_.set, {},  // classifiers see 0 … 1
      discriminator ? models::Labels::kUnused : models::Labels::kNeeded);
  if (data_.set->info().origin == data::Origin::kPrivate) {
    all = models::SilentExamples(std::move(all));
  }
  const auto users = models::ChosenUsers(*all, data_.users);
  return discriminator
             ? select::ScoreAll(judge.model, judge.params, *users, pool)
             : select::JudgeAll(judge.model, judge.params, *users, pool);
}

std::unique_ptr<models::Examples> Population::Chosen(
    const select::Criterion& criterion,
    const select::Verdicts& verdicts) const {
  return select::Select(criterion, {.set = *data_.set,
                                    .users = data_.users,
                                    .examples = *train_,
                                    .verdicts = verdicts});
}

}  // namespace sfumato::train

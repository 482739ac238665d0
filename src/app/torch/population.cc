#include "app/torch/population.h"

namespace sfumato::app {

Population::Population(const TrainingData& data, models::PixelRange range)
    : data_(data),
      all_(Of(range)),
      train_(models::ChosenUsers(*all_, data.users)) {}

std::unique_ptr<models::Examples> Population::Of(
    models::PixelRange range) const {
  auto all = models::ExamplesOf(*data_.set, range);
  if (data_.set->info().origin == data::Origin::kPrivate) {
    all = models::SilentExamples(std::move(all));
  }
  return all;
}

select::Verdicts Population::JudgedBy(const eval::Judge& judge,
                                      bool discriminator,
                                      fed::WorkerPool& pool) const {
  const auto all = Of({});  // classifiers see 0 … 1
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

}  // namespace sfumato::app

#include "census/groups.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/interrupt.h"
#include "fmt/format.h"
#include "select/criterion.h"
#include "select/selection.h"
#include "train/judging_model.h"
#include "train/model_input.h"
#include "train/population.h"

namespace sfumato::census {
namespace {

select::Criterion SideOf(const config::TrainConfig& config, config::Side side) {
  config::SelectConfig select = config.select;
  select.side = side;
  select.half = 0;
  return select::CriterionOf(select);
}

runs::CensusGroup DescribeSide(const config::TrainConfig& config,
                               config::Side side) {
  const select::Criterion criterion = SideOf(config, side);
  const config::SelectConfig& select = config.select;
  const bool above = (side == config::Side::kA) !=
                     config::NeedsWordModel(select.by);  // little is good
  const double quantile = above ? select.above_quantile : select.below_quantile;
  if (!config::HasThresholds(select.by) || quantile == 0) {
    return {
        .words = select.by == config::By::kColumn
                     ? fmt::format("users whose {} {} {}", select.column,
                                   side == config::Side::kA ? "is not" : "is",
                                   select.value)
                     : select::Words(criterion),
        .rule = select::Rule(criterion)};
  }
  const std::string by = config::Word(select.by);
  const char* than = above ? "above" : "below";
  return {.words = fmt::format("users whose {} is {} quantile {:g} of all "
                               "users'",
                               by, than, quantile),
          .rule = fmt::format("{} {} quantile {:g}", by, above ? ">" : "<",
                              quantile)};
}

// The place of the column, and of the value in it.
struct Slice {
  std::size_t column = 0;
  std::int32_t value = 0;
};
Slice SliceOf(const config::SelectConfig& select,
              const data::DatasetInfo& info) {
  const auto column =
      std::ranges::find(info.columns, select.column, &data::Column::name);
  const auto value = std::ranges::find(column->values, select.value);
  return {.column = static_cast<std::size_t>(column - info.columns.begin()),
          .value = static_cast<std::int32_t>(value - column->values.begin())};
}

int GroupByColumn(const data::User& user, const Slice& slice) {
  std::size_t with = 0;
  for (std::size_t i = 0; i < user.size(); ++i) {
    with += user[i].columns[slice.column] == slice.value ? 1 : 0;
  }
  if (user.size() == 0) return kNoGroup;
  if (with == user.size()) return 1;
  return with == 0 ? 0 : kNoGroup;
}

std::vector<int> GroupsByColumn(const config::TrainConfig& config,
                                const plan::TrainingData& data) {
  const data::DatasetInfo& info = data.set->info();
  const Slice slice = SliceOf(config.select, info);
  std::vector<int> groups;
  groups.reserve(data.users.size());
  for (const std::int64_t user : data.users) {
    try {
      groups.push_back(
          GroupByColumn(data.set->user(static_cast<std::size_t>(user)), slice));
    } catch (const base::Interrupted&) {
      throw;
    } catch (const std::exception&) {
      if (info.origin != data::Origin::kPrivate) throw;
      groups.push_back(kNoGroup);
    }
  }
  return groups;
}

}  // namespace

Measured MeasuredOf(const config::TrainConfig& config, const base::Path& folder,
                    const train::Device& device, const plan::TrainingData& data,
                    fed::WorkerPool& pool) {
  const config::SelectConfig& select = config.select;
  if (config.census.groups != config::Groups::kSides ||
      !config::HasThresholds(select.by)) {
    return {};
  }
  if (select.by == config::By::kPerplexity) {
    const train::LanguageRun judge = train::ReadWordJudge(select.model);
    return {
        .numbers = select::LogPerplexities(train::JudgedBy(judge, data, pool)),
        .judge_sum = train::SumOf(judge)};
  }
  const train::ModelInput input(config, folder);
  const train::Population people(data, input);
  const eval::Judge judge =
      select.model.empty()
          ? train::TrainPrimary(config, folder / "primary", device)
          : train::ReadJudge(select.model, data.set->info(),
                             /*discriminator=*/false);
  return {.numbers = select::Accuracies(
              people.JudgedBy(judge, /*discriminator=*/false, pool)),
          .judge_sum = train::SumOf(judge.params)};
}

std::vector<int> GroupsOf(const config::TrainConfig& config,
                          const plan::TrainingData& data,
                          const std::vector<double>& measured) {
  if (config.census.groups != config::Groups::kSides) {
    return std::vector<int>(data.users.size(), 0);
  }
  if (config.select.by == config::By::kColumn) {
    return GroupsByColumn(config, data);
  }
  const bool logarithm = config.select.by == config::By::kPerplexity;
  const select::Criterion a = SideOf(config, config::Side::kA);
  const select::Criterion b = SideOf(config, config::Side::kB);
  std::vector<int> groups;
  groups.reserve(measured.size());
  for (const double own : measured) {
    const double number = logarithm ? std::exp(own) : own;
    groups.push_back(a.Holds(number) ? 0 : b.Holds(number) ? 1 : kNoGroup);
  }
  return groups;
}

void CheckGroups(const config::TrainConfig& config,
                 const data::DatasetInfo& info) {
  if (config.census.groups != config::Groups::kSides) return;
  select::CheckCriterion(select::CriterionOf(config.select), info);
  if (config.select.by == config::By::kPerplexity) {
    train::ReadWordJudge(config.select.model);
  } else if (config.select.by == config::By::kAccuracy) {
    train::ModelInput::CheckKind(config, info);
    if (!config.select.model.empty()) {
      train::ReadJudge(config.select.model, info, /*discriminator=*/false);
    }
  }
}

std::vector<runs::CensusGroup> DescribeGroups(
    const config::TrainConfig& config) {
  switch (config.census.groups) {
    case config::Groups::kEverybody:
      return {{.words = "everybody", .rule = ""}};
    case config::Groups::kBeforeAfter:
      return {{.words = "everybody: what turned their own examples before into "
                        "those now",
               .rule = ""}};
    case config::Groups::kSides:
      break;
  }
  std::vector<runs::CensusGroup> groups;
  for (const config::Side side : {config::Side::kA, config::Side::kB}) {
    groups.push_back(DescribeSide(config, side));
  }
  return groups;
}

}  // namespace sfumato::census

// Who votes in which group of a census: a function of the user's own data, the
// config and the judging model. Nobody is in two.

#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "config/train_config.h"
#include "fed/worker_pool.h"
#include "plan/training_data.h"
#include "runs/census.h"
#include "train/device.h"

namespace sfumato::census {

inline constexpr int kNoGroup = -1;

struct Measured {
  // One number per user, NaN where there is none: the accuracy, or the
  // logarithm of the perplexity, by which two groups are chosen. Private data.
  // Empty where the groups are not by a number.
  std::vector<double> numbers = {};
  std::string judge_sum = "";  // of the model that measured; "" for none
};

// `folder` is where a classifier for generated people is trained.
Measured MeasuredOf(const config::TrainConfig& config, const base::Path& folder,
                    const train::Device& device, const plan::TrainingData& data,
                    fed::WorkerPool& pool);

// [user of data.users]: private data. By column a user belongs to a group if
// all of their examples do; by accuracy or perplexity if their number is on
// that side of the threshold. Who is in no group votes nowhere. On private data
// nothing throws because of a user's data. REQUIRES: thresholds, not quantiles;
// `measured`
// as MeasuredOf gives it.
std::vector<int> GroupsOf(const config::TrainConfig& config,
                          const plan::TrainingData& data,
                          const std::vector<double>& measured);

// What can be known of the groups before anybody is asked. Throws as
// select::CheckCriterion, and BadInput for a judging model that does not read
// such data.
void CheckGroups(const config::TrainConfig& config,
                 const data::DatasetInfo& info);

// In words; one group has everybody. Thresholds that are not yet known are
// quantiles.
std::vector<runs::CensusGroup> DescribeGroups(
    const config::TrainConfig& config);

}  // namespace sfumato::census

#include "train/canaries.h"

namespace sfumato::train {

models::CanaryOptions CanaryOptionsOf(const config::TrainConfig& config) {
  return {.users = config.canary.users,
          .words = config.canary.words,
          .seed = static_cast<std::uint64_t>(config.seed)};
}

std::vector<models::Canary> CanariesOf(const config::TrainConfig& config,
                                       const data::Vocabulary& vocabulary,
                                       std::size_t users) {
  return models::DrawCanaries(CanaryOptionsOf(config), vocabulary,
                              static_cast<std::int64_t>(users));
}

}  // namespace sfumato::train

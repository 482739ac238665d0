#include "app/torch/canaries.h"

namespace sfumato::app {

models::CanaryOptions CanaryOptionsOf(const runs::TrainConfig& config) {
  return {.users = config.canary.users,
          .words = config.canary.words,
          .seed = static_cast<std::uint64_t>(config.seed)};
}

std::vector<models::Canary> CanariesOf(const runs::TrainConfig& config,
                                       const data::Vocabulary& vocabulary,
                                       std::size_t users) {
  return models::DrawCanaries(CanaryOptionsOf(config), vocabulary,
                              static_cast<std::int64_t>(users));
}

}  // namespace sfumato::app

#include "train/federated_options.h"

namespace sfumato::train {

fed::ServerOptions ServerOptionsOf(const config::ServerConfig& config) {
  return {.kind = fed::ServerKindNamed(config::Word(config.optimizer)),
          .learning_rate = config.learning_rate,
          .momentum = config.momentum,
          .beta2 = config.beta2,
          .epsilon = config.epsilon};
}

algorithms::DpFedAvgOptions DpFedAvgOptionsOf(
    const config::TrainConfig& config) {
  return {.device = {.learning_rate = config.local.learning_rate,
                     .momentum = config.local.momentum},
          .server = ServerOptionsOf(config.server),
          .seed = static_cast<std::uint64_t>(config.seed)};
}

}  // namespace sfumato::train

#include "train/federated_options.h"

#include "base/error.h"

namespace sfumato::train {
namespace {

fed::ServerKind KindOf(config::ServerRule rule) {
  switch (rule) {
    case config::ServerRule::kSgd:
      return fed::ServerKind::kSgd;
    case config::ServerRule::kMomentum:
      return fed::ServerKind::kMomentum;
    case config::ServerRule::kNesterov:
      return fed::ServerKind::kNesterov;
    case config::ServerRule::kAdam:
      return fed::ServerKind::kAdam;
    case config::ServerRule::kYogi:
      return fed::ServerKind::kYogi;
  }
  throw Error(ErrorKind::kBug, "a server optimizer without a kind");
}

}  // namespace

fed::ServerOptions ServerOptionsOf(const config::ServerConfig& config) {
  return {.kind = KindOf(config.optimizer),
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

// What a config says about devices and server, as algorithms take it.

#pragma once

#include "algorithms/dp_fedavg.h"
#include "config/train_config.h"
#include "fed/server_optimizer.h"

namespace sfumato::train {

fed::ServerOptions ServerOptionsOf(const config::ServerConfig& config);
algorithms::DpFedAvgOptions DpFedAvgOptionsOf(
    const config::TrainConfig& config);

}  // namespace sfumato::train

#include "algorithms/fedavg.h"

namespace sfumato::algorithms {

fed::MeanOptions FedAvgMean(fed::MeanOptions options) {
  options.clipping = fed::Clipping::kUnprotected;
  options.noise_multiplier = 0;
  return options;
}

}  // namespace sfumato::algorithms

#include "algorithms/dp_fedavg.h"

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::algorithms {

fed::MeanOptions DpFedAvgMean(fed::MeanOptions options) {
  if (!(options.noise_multiplier > 0)) {
    throw BadInput(
        fmt::format("dp_fedavg with noise multiplier {}",
                    options.noise_multiplier),
        "privacy.noise_multiplier",
        "give a number above 0, or an epsilon to find it for; training "
        "without privacy is algorithm fedavg");
  }
  if (options.clipping == fed::Clipping::kUnprotected) {
    options.clipping = fed::Clipping::kFixed;
  }
  return options;
}

}  // namespace sfumato::algorithms

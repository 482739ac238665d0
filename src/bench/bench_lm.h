// What language models do on this machine, measured, in the part that needs
// Torch.

#pragma once

#include <functional>

#include "bench/bench.h"

namespace sfumato::bench {

// Calls `row` for each figure as it is measured: word, char (training),
// draw.
extern "C" void SfumatoBenchLm(const BenchJob* job,
                               const std::function<void(const BenchRow&)>* row);

}  // namespace sfumato::bench

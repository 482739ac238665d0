// A run's checkpoint, by its round.

#pragma once

#include <cstdint>

#include "base/file.h"

namespace sfumato::train {

// The file of the checkpoint after `round` rounds; -1: of the last. Throws
// BadInput when there is none.
base::Path CheckpointOf(const base::Path& run, std::int64_t round);

}  // namespace sfumato::train

// Whether a run's folder can be made, before anything is.

#pragma once

#include "base/file.h"

namespace sfumato::runs {

// Throws Unavailable where no such folder can be made or written into, whether
// it is there or not. Makes nothing.
void RequirePlace(const base::Path& folder);

}  // namespace sfumato::runs

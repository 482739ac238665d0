// Checks that a run's folder can be written before any work begins.

#pragma once

#include "base/file.h"

namespace sfumato::runs {

// Throws Unavailable if `folder` cannot be written into, or does not exist and
// cannot be created. Creates nothing.
void RequireWritableFolder(const base::Path& folder);

}  // namespace sfumato::runs

// Whether a run's folder can be written, and is free, before any work begins.

#pragma once

#include "base/file.h"

namespace sfumato::runs {

// Throws Unavailable if `folder` cannot be written into, or does not exist and
// cannot be created. Creates nothing.
void RequireWritableFolder(const base::Path& folder);

// Whether files are in it that are nobody's to overwrite: any but `lock`, and a
// config that a killed process left beside it. False where there is no folder.
bool HoldsOtherFiles(const base::Path& folder, const char* lock);

}  // namespace sfumato::runs

// What an earlier inspection found, for one that verifies it.

#pragma once

#include "base/file.h"
#include "runs/inspection.h"

namespace sfumato::app {

// Throws BadInput where there is no such folder, no inspection in it, or one
// without its finding (then with the command that goes on with it).
runs::Earlier EarlierIn(const base::Path& folder);

}  // namespace sfumato::app

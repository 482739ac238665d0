// What an earlier inspection found, for one that verifies it.

#pragma once

#include "base/file.h"
#include "runs/inspection.h"

namespace sfumato::plan {

// Throws BadInput where there is no such folder, no inspection in it, or one
// without its finding (then with the command that resumes it), or one that
// compared images where `text` is to be compared, or the reverse.
runs::Earlier EarlierIn(const base::Path& folder, bool text);

}  // namespace sfumato::plan

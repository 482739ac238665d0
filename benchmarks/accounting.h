// The accountants against those that Python has.

#pragma once

#include "base/file.h"

namespace sfumato {

// Prints rows of the table. `python` has the packages of
// benchmarks/peers/requirements.txt; the right column stays empty where it
// does not exist.
void BenchAccounting(const base::Path& python, const base::Path& script);

}  // namespace sfumato

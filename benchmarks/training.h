// Training against pfl-research and against itself with more processes.

#pragma once

#include "base/file.h"

namespace sfumato {

// Prints rows of the table. `peers` holds the training rivals, with the
// packages of its requirements.txt in its .venv; without them, and without
// mpirun, those rows are left out.
void BenchTraining(const base::Path& program, const base::Path& peers);

}  // namespace sfumato

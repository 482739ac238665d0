// Whether an MPI launcher (mpirun, srun) started this process as one of
// several, read from the environment: MPI itself is not touched.

#pragma once

#include <optional>

namespace sfumato::base {

// This process's number among them, from 0; nothing without a launcher.
std::optional<int> LaunchedRank();

}  // namespace sfumato::base

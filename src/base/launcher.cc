#include "base/launcher.h"

#include <cstdlib>

#include "base/ascii.h"

namespace sfumato::base {

std::optional<int> LaunchedRank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* rank = std::getenv(name)) {
      return ParseNumber<int>(rank).value_or(0);
    }
  }
  return std::nullopt;
}

}  // namespace sfumato::base

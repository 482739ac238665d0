#include "runs/place.h"

#include <unistd.h>

#include <filesystem>

#include "base/error.h"

namespace sfumato::runs {

namespace fs = std::filesystem;

void RequirePlace(const base::Path& folder) {
  // The nearest that is there must take what is made in it.
  base::Path there = fs::absolute(folder).lexically_normal();
  std::error_code ignored;
  while (!fs::exists(there, ignored) && there.has_relative_path()) {
    there = there.parent_path();
  }
  if (fs::is_directory(there, ignored) && access(there.c_str(), W_OK) == 0) {
    return;
  }
  throw Unavailable("the folder cannot be made", folder.string(),
                    "choose another with --out");
}

}  // namespace sfumato::runs

#include "runs/writable_folder.h"

#include <unistd.h>

#include <filesystem>

#include "base/error.h"

namespace sfumato::runs {

namespace fs = std::filesystem;

void RequireWritableFolder(const base::Path& folder) {
  // The nearest folder that exists must be writable.
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

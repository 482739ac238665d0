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

bool HoldsOtherFiles(const base::Path& folder, const char* lock) {
  namespace fs = std::filesystem;
  if (!fs::exists(folder)) return false;
  if (!fs::is_directory(folder)) return true;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool left =
        fs::exists(folder / lock) && name.starts_with("config.toml");
    if (name != lock && !left) return true;
  }
  return false;
}

}  // namespace sfumato::runs

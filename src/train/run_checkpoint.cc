#include "train/run_checkpoint.h"

#include <filesystem>

#include "base/error.h"
#include "fmt/format.h"
#include "runs/checkpoint.h"

namespace sfumato::train {

base::Path CheckpointOf(const base::Path& run, std::int64_t round) {
  const base::Path folder = run / "checkpoints";
  if (round >= 0) {
    const base::Path path = runs::CheckpointPath(folder, round);
    if (!std::filesystem::exists(path)) {
      throw BadInput(fmt::format("no checkpoint of round {}", round),
                     folder.string(),
                     "leave --round out for the last; checkpoint.keep_every "
                     "keeps more of them");
    }
    return path;
  }
  const auto latest = runs::LatestCheckpoint(folder);
  if (!latest) {
    throw BadInput("a run without a checkpoint", run.string(),
                   "train it first: sfumato resume " + run.string());
  }
  return latest->path;
}

}  // namespace sfumato::train

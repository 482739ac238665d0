// checkpoints/: one safetensors file per checkpoint, whole or absent.
//
//   Checkpoints checkpoints(folder / "checkpoints", {.keep_every = 100});
//   if (const auto& last = checkpoints.latest()) Restore(last->path);
//   checkpoints.Write(121, tensors, {{"epsilon", "0.81"}});
//
// A file is named by the rounds it contains, round_000121.safetensors, so that
// names sort by round, and carries its own label as metadata: schema, round,
// and what the caller says of its privacy. Nothing in it comes from clock, host
// or attempt: equal runs write equal bytes. The newest one stays until the next
// is on the disk.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/file.h"
#include "base/safetensors.h"

namespace sfumato::runs {

struct Checkpoint {
  std::int64_t round = 0;
  base::Path path;
};

// Where the checkpoint after `round` rounds is, or would be.
base::Path CheckpointPath(const base::Path& folder, std::int64_t round);

// The newest checkpoint in `folder`; nothing when there is none. Throws Corrupt
// naming the file when the newest is damaged, Unsupported when a newer program
// wrote it.
std::optional<Checkpoint> LatestCheckpoint(const base::Path& folder);

// The round that a checkpoint's metadata names. Throws as above.
std::int64_t CheckpointRound(const base::Metadata& metadata,
                             const std::string& where);

struct CheckpointOptions {
  std::int64_t keep_every = 0;  // besides first and last; 0: only those
};

class Checkpoints {
 public:
  // Makes the folder when missing, and sweeps what a killed process left.
  // Throws as LatestCheckpoint. REQUIRES: nobody else writes there.
  explicit Checkpoints(base::Path folder,
                       const CheckpointOptions& options = {});

  const std::optional<Checkpoint>& latest() const { return latest_; }

  // Writes the checkpoint after `round` rounds, then removes what need not be
  // kept. Throws Unavailable when it cannot; latest() is then still whole.
  // REQUIRES: 0 <= round < 10^6, metadata without "schema", "round"
  // and "crc32c".
  void Write(std::int64_t round, std::span<const base::TensorOut> tensors,
             base::Metadata metadata);

 private:
  void RemoveOld() const;

  base::Path folder_;
  CheckpointOptions options_;
  std::optional<Checkpoint> latest_;
};

}  // namespace sfumato::runs

// Any bytes as a checkpoint: its round is read or it is refused, never worse.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "base/error.h"
#include "base/safetensors.h"
#include "runs/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  try {
    const auto index = sfumato::base::ParseSafetensors(
        std::as_bytes(std::span(data, size)), "fuzz");
    if (sfumato::runs::CheckpointRound(index.metadata, "fuzz") < 0) {
      std::abort();
    }
  } catch (const sfumato::Error&) {
  }
  return 0;
}

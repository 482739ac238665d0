// Images or text drawn from a run's model, in the part that needs Torch.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/safetensors.h"
#include "runs/samples.h"
#include "runs/text_samples.h"

namespace sfumato::train {

struct SampleJob {
  base::Path folder;        // the run's
  std::int64_t round = -1;  // of the checkpoint; -1: the last
  std::int64_t count = 256;
  std::string label = "";  // a class, by name or number; empty: of all
  std::uint64_t seed = 1;  // the same seed, the same images
};

struct SampleOutcome {
  // One of the two.
  runs::ImageSamples samples = {};
  std::optional<runs::TextSamples> text = {};
  base::Metadata metadata = {};           // what the checkpoint says of itself
  std::vector<std::string> classes = {};  // names, if the data is there
};

// Nothing but the checkpoint's released generator is used: it costs nothing.
// Throws BadInput for a run of a classifier, without a checkpoint, for a class
// that is unknown or cannot be asked for.
extern "C" void SfumatoSample(const SampleJob* job, SampleOutcome* outcome);

}  // namespace sfumato::train

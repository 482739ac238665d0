// Event files for TensorBoard, with values that passed the gate.
//
//   EventFile events(run.tensorboard_path(), run.gate(), {.seconds = now});
//   events.Append(12, now, {SimulationOnly("loss", 2.3),
//                           Released("samples", Png{bytes})});
//
// Numbers become scalars, pictures images, texts text. Each process writes a
// file of its own; one that resumes after round 120 says so at its start, and
// TensorBoard then forgets what an earlier file has of later rounds. Times are
// private: outside simulation every event carries the time of the first.
//
// Format: TFRecord framing (length, masked CRC-32C, bytes, masked CRC-32C)
// around tensorboard/compat/proto/{event,summary,tensor}.proto, written by
// hand: these messages have a dozen fields.

#pragma once

#include <cstdint>
#include <vector>

#include "base/file.h"
#include "runs/gate.h"

namespace sfumato::runs {

struct EventFileOptions {
  double seconds = 0;             // now, since 1970
  std::int64_t after_round = -1;  // of the checkpoint; -1: from the start
};

class EventFile {
 public:
  // Creates `folder` and events.out.tfevents.SECONDS.sfumato in it, with the
  // next second if that name is taken. Throws Unavailable.
  EventFile(const base::Path& folder, Gate gate,
            const EventFileOptions& options);

  // `seconds`: now, since 1970. Throws Unavailable. REQUIRES: every Png
  // holds a valid PNG file.
  void Append(std::int64_t round, double seconds,
              const std::vector<Value>& values);

  const base::Path& path() const { return file_.path(); }

 private:
  Gate gate_;
  double first_seconds_;
  base::OutputFile file_;
};

}  // namespace sfumato::runs

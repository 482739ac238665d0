// What `sfumato eval --exposure` says: a table of canaries, which is an
// estimate, and separately what is proven about the training.
//
//   return ExposureAnswer("runs/words", report);

#pragma once

#include <string>

#include "app/command.h"
#include "train/exposure.h"

namespace sfumato::app {

Answer ExposureAnswer(const std::string& run,
                      const train::ExposureReport& report);

}  // namespace sfumato::app

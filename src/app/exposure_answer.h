// What `sfumato eval --exposure` says: a table of canaries, which is an
// estimate, and apart from it what is proven of the training.
//
//   return ExposureAnswer(given.run, report);

#pragma once

#include <string>

#include "app/command.h"
#include "train/exposure.h"

namespace sfumato::app {

Answer ExposureAnswer(const std::string& run,
                      const train::ExposureReport& report);

}  // namespace sfumato::app

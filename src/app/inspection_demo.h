// A demo: a story, and the inspection of generated people that goes with it.
//
//   const Registration kDemo(InspectionDemo(
//       {.path = "demo images",
//        .summary = "Find what an update broke in images.",
//        .example = "sfumato demo images --out first_look",
//        .folder = "demo",
//        .story = kStory,
//        .config = kConfig}));

#pragma once

#include <functional>
#include <string>

#include "app/command.h"
#include "base/file.h"
#include "runs/contrast.h"

namespace sfumato::app {

struct DemoParts {
  std::string path;     // "demo images"
  std::string summary;  // one sentence
  std::string example;
  std::string folder;  // by default, or folder-2, …
  const char* story = "";
  const char* config = "";  // TOML
  // Shows what was found, before the answer; what it returns comes first in it.
  std::function<std::string(const base::Path& folder,
                            const runs::Contrast& contrast)>
      show = {};
};

Command InspectionDemo(const DemoParts& parts);

}  // namespace sfumato::app

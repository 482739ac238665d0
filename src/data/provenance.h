// What an importer notes about itself in the set's provenance.

#pragma once

#include <string_view>

#include "data/import.h"
#include "nlohmann/json.hpp"

namespace sfumato::data {

// {"step": "import", "format": …, "inputs": [names], "skipped": {…}}. Inputs
// are named without their folders: where they lay is nobody's business.
inline nlohmann::json ImportStep(std::string_view format,
                                 const ImportRequest& request,
                                 const ImportSummary& summary) {
  nlohmann::json step = {{"step", "import"},
                         {"format", format},
                         {"inputs", nlohmann::json::array()},
                         {"skipped", summary.skipped}};
  for (const base::Path& input : request.inputs) {
    const base::Path name = input.has_filename()
                                ? input.filename()
                                : input.parent_path().filename();
    step["inputs"].push_back(name.string());
  }
  return step;
}

}  // namespace sfumato::data

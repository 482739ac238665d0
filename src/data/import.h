// What all importers share: what goes in, what comes out, what was left out.
//
// An importer reads files of one foreign format and writes one dataset folder.
// Damaged input throws BadInput that names the file, the line or offset, and
// what was expected; nothing is then left under `out`.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "data/dataset.h"

namespace sfumato::data {

struct ImportRequest {
  std::vector<base::Path> inputs;  // files or folders, as the format says
  base::Path out;                  // the folder to make
  std::string name;                // empty: the name of `out`
  Origin origin = Origin::kPrivate;
};

struct ImportSummary {
  std::uint64_t users = 0;
  std::uint64_t examples = 0;
  // What was passed over, by reason: {"row without author", 12}.
  std::map<std::string, std::uint64_t> skipped;
};

}  // namespace sfumato::data

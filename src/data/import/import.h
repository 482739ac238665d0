// What all importers share: what goes in, what comes out, what was left out.
//
// An importer reads files of one foreign format and writes one dataset folder.
// Damaged input throws BadInput that names the file, the line or offset, and
// what was expected; nothing is then left under `out`.

#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "data/dataset.h"
#include "data/dataset_writer.h"

namespace sfumato::data {

struct ImportRequest {
  std::vector<base::Path> inputs;  // files or folders, as the format says
  base::Path out;                  // the folder to make
  std::string name = {};           // empty: the name of `out`
  Origin origin = Origin::kPrivate;
};

}  // namespace sfumato::data

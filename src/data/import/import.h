// What all importers share: what goes in, what comes out, what was left out.
//
// An importer reads files of one foreign format and writes one dataset folder.
// Damaged input throws BadInput that names the file, the line or offset, and
// what was expected, and never what a record says: it may be private. Nothing
// is then left under `out`.

#pragma once

#include <optional>
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
  // The declared classes: any other label becomes
  // none. Without them classes are collected from the records, but not from
  // private ones: which labels occur says who is there, so none are kept.
  std::optional<std::vector<std::string>> classes = {};

  bool keeps_labels() const {
    return classes.has_value() || origin != Origin::kPrivate;
  }
};

}  // namespace sfumato::data

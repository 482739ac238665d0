// Injected bugs: a part of a set's users (or examples) passes through a broken
// stage of the pipeline, seeded and on record, so that an experiment that looks
// for the bug can be scored.
//
//   data::ApplyBug(set, {.bug = "invert", .share = 0.5, .seed = 7}, "out");
//
// The new set has one more column, `bug_<name>` ("no", "yes"): the truth about
// every example. Its provenance names the bug, its parameters, the seed and the
// number of users and examples that were affected. Text always comes out as
// tokens: a text bug is a broken stage of the text pipeline, so the others pass
// through the whole one. What was not affected is otherwise unchanged.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "data/dataset.h"

namespace sfumato::data {

struct BugParameter {
  std::string name;
  std::string meaning;
  double value = 0;  // unless given
  double low = 0;
  double high = 0;
  bool whole = false;  // only whole numbers
};

struct BugInfo {
  std::string name;
  Kind kind = Kind::kImages;
  std::string description;  // one line
  std::vector<BugParameter> parameters = {};
};

// Every bug there is: those of images, then those of text.
const std::vector<BugInfo>& BugCatalogue();

// The catalogue's entry; '-' may stand for '_'. Throws BadInput with the
// nearest known name.
const BugInfo& FindBug(std::string_view name);
// The same; throws BadInput also for a bug of another kind of data.
const BugInfo& FindBug(std::string_view name, Kind kind);

// The value of every parameter of a bug.
using BugValues = std::map<std::string, double>;

enum class BugScope { kUsers, kExamples };

struct BugOptions {
  std::string bug;
  // Each user (or example) is affected on its own with this probability.
  double share = 0.5;
  BugScope of = BugScope::kUsers;
  // Affect the share itself, rounded to whole users (or examples).
  bool exact = false;
  BugValues parameters = {};  // those that shall differ from the catalogue's
  std::uint64_t seed = 0;
  std::string name = "";  // of the new set; empty: the folder's
};

struct BugSummary {
  std::string column;                   // where the truth is written
  std::uint64_t users_affected = 0;     // with at least one affected example
  std::uint64_t examples_affected = 0;  // through the broken stage
  // Affected examples that look different for it: a wrong encoding leaves an
  // ASCII sentence as it was.
  std::uint64_t examples_changed = 0;
};

// Writes `set` with the bug to the new folder `out`. The same options give the
// same bytes. Throws BadInput when the bug is unknown or made for another kind
// of data, the share is not in [0, 1], or a parameter is unknown, out of range
// or does not fit the images.
BugSummary ApplyBug(const FederatedDataset& set, const BugOptions& options,
                    const base::Path& out);

}  // namespace sfumato::data

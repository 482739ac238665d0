// Where the ledger of a private dataset lies when nobody names another: beside
// the dataset's folder.
//
//   const base::Path path = LedgerBeside("people/");   // "ledger.sqlite"
//   if (!std::filesystem::exists(path)) throw NoLedger(path, "people");

#pragma once

#include <string>

#include "base/error.h"
#include "base/file.h"
#include "config/train_config.h"
#include "data/dataset.h"
#include "dp/ledger/ledger.h"

namespace sfumato::plan {

// However the folder is written ("people", "people/", ".", a symbolic link to
// it), the file is the same: two ledgers of one dataset would be two budgets.
base::Path LedgerBeside(const base::Path& dataset);

// A private set is known to its ledger by its id. Throws Unsupported where it
// has none.
void RequireId(const data::DatasetInfo& info, const std::string& where);

// A private dataset keeps to the ledger that it was first charged to, by a file
// ledger.id in its folder: whoever makes a second ledger has no second budget,
// and looks at records are all in one place. Throws BadInput where it keeps to
// another.
void RequireOwnLedger(const base::Path& dataset, const dp::Ledger& ledger);
// The same; from here on it keeps to this one. Throws Unavailable where the
// file cannot be written.
void KeepToLedger(const base::Path& dataset, const dp::Ledger& ledger);
// Both for data.path and data.before_path. REQUIRES: private ones.
void RequireOwnLedger(const config::DataConfig& data, const dp::Ledger& ledger);
void KeepToLedger(const config::DataConfig& data, const dp::Ledger& ledger);

// A name for a run in the ledger, of the folder that it is in: without control
// characters, and not too long.
std::string LedgerNameOf(const base::Path& folder);

// Private data, and no ledger at `path`.
Error NoLedger(const base::Path& path, const std::string& population);

}  // namespace sfumato::plan

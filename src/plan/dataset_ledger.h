// The default ledger of a private dataset, beside the dataset's folder, and
// which ledger the dataset is bound to.
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

// The same file however the folder is written ("people", "people/", ".", a
// symbolic link to it): two ledgers of one dataset would be two budgets.
base::Path LedgerBeside(const base::Path& dataset);

// A ledger knows a private set by its id. Throws Unsupported if it has none.
void RequireId(const data::DatasetInfo& info, const std::string& where);

// A private dataset stays with the ledger it was first charged to; `ledger.id`
// in its folder records which. So a second ledger gives no second budget.
// Throws BadInput for a different ledger.
void RequireOwnLedger(const base::Path& dataset, const dp::Ledger& ledger);
// Checks the same, then records this ledger in `ledger.id`. Throws Unavailable
// if the file cannot be written.
void BindToLedger(const base::Path& dataset, const dp::Ledger& ledger);
// Do the same for data.path and data.before_path. REQUIRES: they are private.
void RequireOwnLedger(const config::DataConfig& data, const dp::Ledger& ledger);
void BindToLedger(const config::DataConfig& data, const dp::Ledger& ledger);

// A run's name in the ledger, from its folder: without control characters, and
// not too long.
std::string LedgerNameOf(const base::Path& folder);

// The error for private data without a ledger at `path`.
Error NoLedger(const base::Path& path, const std::string& population);

}  // namespace sfumato::plan

// Where the ledger of a private dataset lies when nobody names another: beside
// the dataset's folder.
//
//   const base::Path path = LedgerBeside("people/");   // "ledger.sqlite"
//   if (!std::filesystem::exists(path)) throw NoLedger(path, "people");

#pragma once

#include <string>

#include "base/error.h"
#include "base/file.h"
#include "data/dataset.h"

namespace sfumato::app {

// However the folder is written ("people", "people/", ".", a symbolic link to
// it), the file is the same: two ledgers of one dataset would be two budgets.
base::Path LedgerBeside(const base::Path& dataset);

// A private set is known to its ledger by its id. Throws Unsupported where it
// has none.
void RequireId(const data::DatasetInfo& info, const std::string& where);

// Private data, and no ledger at `path`.
Error NoLedger(const base::Path& path, const std::string& population);

}  // namespace sfumato::app

// A ledger's history read again from its first entry.
//
//   std::vector<Finding> findings = Audit(tables, key, heads);
//
// Computes every hash, checks every rule that a writer keeps (reserved before
// released, within the budget, no cohort twice), and compares what follows with
// the tables that spending relies on. What it cannot find is in
// docs/ledger_format.md.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dp/ledger/chain.h"
#include "dp/ledger/tables.h"

namespace sfumato::dp {

// Something that is not as it was written. `seq` 0: the ledger as a whole.
struct Finding {
  std::int64_t seq = 0;
  std::string what = "";
  bool unchecked = false;  // nothing wrong was seen, but not all was readable
};

// Empty when nothing is wrong; ends after a hundred findings. `heads` were kept
// elsewhere.
std::vector<Finding> Audit(Tables& tables, const std::string& key,
                           std::span<const Head> heads);

}  // namespace sfumato::dp

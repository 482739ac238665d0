// The census by whose votes users are chosen: select.by = "vote". Every device
// votes again, with the voter that the census stored.
//
//   const VoteSource source =
//       ReadVoteSource(config.select, /*simulation=*/false);
//   source.voter;        // a folder, for census::ReadVoter
//   source.not_counted;  // for the price and the page
//
// A vote is a function of the user's own examples and of a voter that is
// public, so a selection by it holds like any other by the user's own data:
// under add-remove alone, charged to the root population (rule 4 of
// docs/privacy_proofs.md). Whoever names an answer has usually looked at the
// census before: then this is a new plan, and the ledger's filter bounds both
// together (rule 3).

#pragma once

#include <string>

#include "base/file.h"
#include "config/train_config.h"

namespace sfumato::plan {

struct VoteSource {
  base::Path voter = {};         // folder
  std::string sum = "";          // of the voter
  std::string words = "";        // "the voter of the census votes"
  std::string not_counted = "";  // what ε does not have of the census itself
};

// Throws
//   bad_input    no census is named, or it is not one, or has no voter; an
//                answer that its voter does not have; a voter that was changed
//                since the census voted
//   unsupported  private data, and a voter that did not learn from public or
//                generated references (rule 5)
VoteSource ReadVoteSource(const config::SelectConfig& select, bool simulation);

}  // namespace sfumato::plan

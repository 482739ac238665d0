// Where a file of words came from, as its own remarks say: which event chose
// it, and which run of a ledger paid for that.
//
//   text.remarks = RemarksOf({.remarks = {"Chosen privately."},
//                             .event = event, .ledger_run = run,
//                             .sum = words.Sum()});
//   const VocabularySource source = SourceOf(text, "words.txt");
//   CheckInLedger(ledger, source, "people");     // or throws
//
// Which words people use is private, so whoever trains on private text says
// what its vocabulary is: public, or released (text.vocabulary_is).

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "config/train_config.h"
#include "data/vocabulary.h"
#include "dp/accounting/event.h"
#include "dp/ledger/ledger.h"

namespace sfumato::plan {

struct VocabularySource {
  std::vector<std::string> remarks = {};  // for people, a line each
  std::optional<dp::Event> event = {};    // none: not chosen by a mechanism
  std::string ledger_run = "";            // of private data
  std::string sum = "";                   // of the words that were chosen
  // Whose text it was counted in, without noise: "public", "generated"; "?"
  // where the file does not say. Empty: it was not counted so.
  std::string counted = "";
  bool operator==(const VocabularySource&) const = default;
};
std::vector<std::string> RemarksOf(const VocabularySource& source);
// Throws BadInput, naming `where`, for an event that is none.
VocabularySource SourceOf(const data::VocabularyText& text,
                          const std::string& where);

// Private data of a language model need a vocabulary, and whoever gives it says
// what it is: not public where its file says that this population paid for it,
// not released where another did ("": who pays is known elsewhere), and not
// counted exactly, unless in public text or in that of generated people, who
// are nobody: such a list has never met a private word. Throws Unsupported.
void RequireVocabulary(const config::TrainConfig& config, bool simulation,
                       const std::string& population);

// How the config's vocabulary was chosen from the users themselves, if it is
// declared released. A run's own copy, in its folder, counts before the file.
// Throws BadInput for a file that does not say how, or whose words are not the
// ones that were chosen.
std::optional<VocabularySource> ReleasedVocabulary(
    const config::TrainConfig& config, const base::Path& run_folder = {});

// Throws Unsupported where that choice was not paid by this population.
void CheckInLedger(dp::Ledger& ledger, const VocabularySource& source,
                   const std::string& population);

}  // namespace sfumato::plan

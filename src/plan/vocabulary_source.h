// Where a vocabulary file came from, by its own remarks: which event chose its
// words, and which run of a ledger paid for that.
//
//   text.remarks = RemarksOf({.remarks = {"Chosen privately."},
//                             .event = event, .ledger_run = run,
//                             .sum = words.Sum()});
//   const VocabularySource source = SourceOf(text, "words.txt");
//   CheckInLedger(ledger, source, "people");     // or throws
//
// Which words people use is private, so a config for private text declares its
// vocabulary public or released (text.vocabulary_is).

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
  std::vector<std::string> remarks = {};  // for people, one line each
  std::optional<dp::Event> event = {};    // none: not chosen by a mechanism
  std::string ledger_run = "";            // of private data
  std::string sum = "";                   // of the words that were chosen
  // The text it was counted in without noise: "public", "generated", or "?" if
  // the file does not say. Empty: it was not counted without noise.
  std::string counted = "";
  bool operator==(const VocabularySource&) const = default;
};
std::vector<std::string> RemarksOf(const VocabularySource& source);
// Throws BadInput, naming `where`, if the recorded event cannot be parsed.
VocabularySource SourceOf(const data::VocabularyText& text,
                          const std::string& where);

// A language model on private data needs a declared vocabulary. Throws
// Unsupported if it is missing; if it is declared public although this
// population paid for it; if it is declared released although another
// population paid (not checked if `population` is empty); or if it was counted
// exactly in anything but public or generated text.
void RequireVocabulary(const config::TrainConfig& config, bool simulation,
                       const std::string& population);

// How the config's vocabulary was chosen from the users themselves, if it is
// declared released. Reads the copy in `run_folder` if there is one. Throws
// BadInput if the file does not say how, or has other words than those chosen.
std::optional<VocabularySource> ReleasedVocabulary(
    const config::TrainConfig& config, const base::Path& run_folder = {});

// Throws Unsupported if this population did not pay for that choice.
void CheckInLedger(dp::Ledger& ledger, const VocabularySource& source,
                   const std::string& population);

}  // namespace sfumato::plan

// Looking at records of a private set as they are, which no ε covers: asked for
// by a flag that says so, and entered in the ledger before anything is shown.
//
//   AddLookOptions(app, given);
//   // After parsing, and before anything is shown:
//   EnterLook(given, set.info(), {.folder = "people", .most_records = 96,
//                                 .command = "data show"});

#pragma once

#include <cstdint>
#include <string>

#include "CLI/CLI.hpp"
#include "app/ledger_options.h"
#include "data/dataset.h"

namespace sfumato::app {

struct LookGiven {
  bool look = false;
  LedgerGiven ledger;  // empty: beside the data
};

void AddLookOptions(CLI::App& app, LookGiven& given);

// How many there are is private itself, in a ledger too.
inline constexpr std::int64_t kAllRecords = -1;

struct LookAt {
  std::string folder;
  std::int64_t most_records = 0;  // or kAllRecords
  std::string command;
};

// On disk when it returns. Does nothing for data that are not private. Throws
// BadInput without the flag, and where there is no ledger.
void EnterLook(const LookGiven& given, const data::DatasetInfo& info,
               const LookAt& at);

}  // namespace sfumato::app

// What the commands of a ledger share: its file and the key's.

#pragma once

#include <string>

#include "CLI/CLI.hpp"
#include "dp/ledger/ledger.h"
#include "plan/budget_text.h"

namespace sfumato::app {

struct LedgerGiven {
  std::string path;
  std::string key_file;  // empty: none

  dp::Ledger Open(dp::Ledger::Mode mode) const;
  std::string Key() const;
};

void AddLedger(CLI::App& app, LedgerGiven& given, const std::string& help);
void AddKeyFile(CLI::App& app, LedgerGiven& given);

}  // namespace sfumato::app

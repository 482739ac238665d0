#include "app/ledger_options.h"

namespace sfumato::app {

std::string LedgerGiven::Key() const {
  return key_file.empty() ? "" : dp::ReadChainKey(key_file);
}

dp::Ledger LedgerGiven::Open(dp::Ledger::Mode mode) const {
  return dp::Ledger::Open(path, Key(), mode);
}

void AddLedger(CLI::App& app, LedgerGiven& given, const std::string& help) {
  app.add_option("LEDGER", given.path, help)->required();
  AddKeyFile(app, given);
}

void AddKeyFile(CLI::App& app, LedgerGiven& given) {
  app.add_option("--key-file", given.key_file,
                 "A file with the secret key of the ledger's hashes.")
      ->envname("SFUMATO_LEDGER_KEY_FILE");
}

}  // namespace sfumato::app

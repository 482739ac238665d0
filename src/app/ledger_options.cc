#include "app/ledger_options.h"

#include <algorithm>
#include <cmath>

#include "fmt/format.h"

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

std::string Share(double share) {
  return std::isfinite(share) ? dp::ShareText(share) : "–";
}

std::string OddsSentence(const dp::Budget& budget, double right) {
  const bool user = budget.unit == dp::Unit::kUser;
  const char* guess =
      budget.adjacency == dp::Adjacency::kAddRemove
          ? (user ? "whether you took part" : "whether one example was there")
          : (user ? "which of two versions of your data was used"
                  : "which of two versions of an example was "
                    "used");
  const double times = std::min(100.0, std::ceil(100 * right - 1e-9));
  return fmt::format(
      "someone who guesses {}, from even odds and knowing everything else, is "
      "right at most {} times in 100",
      guess, times);
}

nlohmann::json ToJson(const dp::Budget& budget) {
  return {{"epsilon", budget.epsilon},
          {"delta", budget.delta},
          {"adjacency", dp::Name(budget.adjacency)},
          {"unit", dp::Name(budget.unit)},
          {"filter", dp::Name(budget.filter)}};
}

}  // namespace sfumato::app

#include "app/private_look.h"

#include <filesystem>

#include "base/error.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "plan/dataset_ledger.h"

namespace sfumato::app {
namespace {

constexpr char kFlag[] = "--look-at-private-records";

}  // namespace

void AddLookOptions(CLI::App& app, LookGiven& given) {
  app.add_flag(kFlag, given.look,
               "Private data: show the records themselves, without any "
               "protection, and enter in the ledger that this was done.");
  app.add_option("--ledger", given.ledger.path,
                 "Private data: the ledger's file (default: ledger.sqlite "
                 "beside the dataset).");
  AddKeyFile(app, given.ledger);
}

void EnterLook(const LookGiven& given, const data::DatasetInfo& info,
               const LookAt& at) {
  if (info.origin != data::Origin::kPrivate) return;
  if (!given.look) {
    throw BadInput("private records, which this would show as they are",
                   at.folder,
                   fmt::format("give {} if you may see them: it is entered in "
                               "the ledger",
                               kFlag));
  }
  plan::RequireId(info, at.folder);
  LedgerGiven ledger = given.ledger;
  if (ledger.path.empty()) ledger.path = plan::LedgerBeside(at.folder).string();
  if (!std::filesystem::exists(ledger.path)) {
    throw plan::NoLedger(ledger.path, info.name);
  }
  dp::Ledger opened = ledger.Open(dp::Ledger::Mode::kWrite);
  plan::BindToLedger(at.folder, opened);
  opened.EnterLook(info.id, at.most_records, at.command);
  base::Warning(fmt::format(
      "these are the records themselves, which no privacy bound covers; "
      "entered in {}",
      ledger.path));
}

}  // namespace sfumato::app

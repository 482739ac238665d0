// `sfumato ledger import`: a ledger from lines of JSON.

#include <memory>

#include "app/command.h"
#include "app/ledger_options.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

struct ImportGiven {
  std::string lines;
  LedgerGiven ledger;
};

Answer Import(const ImportGiven& given) {
  dp::Ledger ledger =
      dp::Ledger::Import(given.lines, given.ledger.path, given.ledger.Key());
  const dp::Head head = ledger.head();
  return {.text = fmt::format("{}: {} entries, verified; head {}\n  spend from "
                              "here on in one of the two ledgers only",
                              given.ledger.path, head.seq, dp::ToText(head)),
          .json = {{"ledger", given.ledger.path},
                   {"entries", head.seq},
                   {"head", dp::ToText(head)}}};
}

const Registration kImport(
    {.path = "ledger import",
     .summary = "Make a ledger from lines that 'ledger export' wrote, after "
                "checking all of them.",
     .example =
         "sfumato ledger create ledger.sqlite --population phones --epsilon 2 "
         "--delta 1e-6\n"
         "sfumato ledger export ledger.sqlite --output ledger.jsonl\n"
         "sfumato ledger import ledger.jsonl moved.sqlite",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<ImportGiven>();
       app.add_option("LINES", given->lines, "The lines' file.")->required();
       AddLedger(app, given->ledger, "The ledger's file to make.");
       return [given] { return Import(*given); };
     }});

}  // namespace
}  // namespace sfumato::app

// `sfumato ledger bind`: say whose records a dataset holds.

#include <memory>

#include "app/command.h"
#include "app/ledger_options.h"
#include "base/error.h"
#include "data/dataset.h"
#include "fmt/format.h"
#include "plan/dataset_ledger.h"

namespace sfumato::app {
namespace {

struct BindGiven {
  LedgerGiven ledger;
  std::string population;
  std::string folder;
};

Answer Bind(const BindGiven& given) {
  const data::FederatedDataset set{base::Path(given.folder)};
  const data::DatasetInfo& info = set.info();
  if (info.origin != data::Origin::kPrivate) {
    throw BadInput(fmt::format("{} data, on which nothing is spent",
                               data::Name(info.origin)),
                   given.folder, "bind private sets only");
  }
  plan::RequireId(info, given.folder);
  dp::Ledger ledger = given.ledger.Open(dp::Ledger::Mode::kWrite);
  plan::RequireOwnLedger(given.folder, ledger);
  const dp::Head head = ledger.Bind(given.population, info.id);
  plan::BindToLedger(given.folder, ledger);
  return {.text = fmt::format("{}: dataset {} ({}) is of '{}'\n  head {}",
                              given.ledger.path, info.id, info.name,
                              given.population, dp::ToText(head)),
          .json = {{"ledger", given.ledger.path},
                   {"population", given.population},
                   {"dataset", info.id},
                   {"head", dp::ToText(head)}}};
}

const Registration kBind(
    {.path = "ledger bind",
     .summary =
         "Declare that a private dataset holds records of a population's "
         "users, such as next month's records of the same people. The first "
         "dataset charged to a population is bound automatically.",
     .example =
         R"(echo '{"author": "ann", "body": "I have a question."}' > may.jsonl)"
         "\n"
         "sfumato data import text may.jsonl --user author --text body --out "
         "may\n"
         "sfumato ledger create ledger.sqlite --population authors --epsilon 2 "
         "--delta 1e-6\n"
         "sfumato ledger bind ledger.sqlite --population authors --dataset may",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<BindGiven>();
       AddLedger(app, given->ledger, "The ledger's file.");
       app.add_option("--population", given->population,
                      "Whose records they are.")
           ->required();
       app.add_option("--dataset", given->folder, "The dataset's folder.")
           ->required();
       return [given] { return Bind(*given); };
     }});

}  // namespace
}  // namespace sfumato::app

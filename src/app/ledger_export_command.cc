// `sfumato ledger export`: the history as lines of JSON.

#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/ledger_options.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

struct ExportGiven {
  LedgerGiven ledger;
  std::string output;
};

Answer Export(const ExportGiven& given, const Common& common) {
  if (!given.output.empty() &&
      std::filesystem::exists(std::filesystem::symlink_status(given.output))) {
    throw BadInput("already exists", given.output,
                   "choose another name, or remove it first");
  }
  dp::Ledger ledger = given.ledger.Open(dp::Ledger::Mode::kRead);
  std::string lines;
  nlohmann::json list = nlohmann::json::array();
  const bool as_list = common.json && given.output.empty();
  ledger.Export([&](const std::string& line) {
    if (as_list) {
      list.push_back(base::ParseJson(line));
    } else {
      lines += line + "\n";
    }
  });
  const dp::Head head = ledger.head();
  nlohmann::json json = {{"ledger", given.ledger.path},
                         {"entries", head.seq},
                         {"head", dp::ToText(head)}};
  if (given.output.empty()) {
    if (as_list) json["lines"] = list;
    return {.text = lines, .json = json};
  }
  base::WriteFileAtomically(given.output, lines);
  json["output"] = given.output;
  return {.text = fmt::format("{}: {} entries, head {}", given.output, head.seq,
                              dp::ToText(head)),
          .json = json};
}

const Registration kExport(
    {.path = "ledger export",
     .summary = "Write a ledger's history as lines of JSON, which any tool can "
                "read and 'ledger import' takes back.",
     .example =
         "sfumato ledger create ledger.sqlite --population phones --epsilon 2 "
         "--delta 1e-6\n"
         "sfumato ledger export ledger.sqlite --output ledger.jsonl",
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<ExportGiven>();
       app.add_option("LEDGER", given->ledger.path, "The ledger's file.")
           ->required();
       app.add_option("--output", given->output,
                      "The file to make; otherwise the lines are the answer.");
       return [given, &common] { return Export(*given, common); };
     }});

}  // namespace
}  // namespace sfumato::app

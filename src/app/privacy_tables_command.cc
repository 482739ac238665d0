// `sfumato privacy tables`: the papers' privacy numbers, and what holds.

#include "app/command.h"
#include "dp/accounting/published.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "report/paper_tables.h"
#include "report/text_table.h"

namespace sfumato::app {
namespace {

using nlohmann::json;

std::string TableText(const report::PaperTable& table) {
  std::vector<std::string> heads;
  for (const report::PaperColumn& column : table.columns)
    heads.push_back(column.head);
  report::TextTable text(heads);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const report::PaperCell& cell : row) cells.push_back(cell.text);
    text.Add(cells);
  }
  return fmt::format("{}\n\n{}\n{}\n", plan::Wrapped(table.title), text.Text(),
                     plan::Wrapped("Why they differ: " + table.why));
}

json TableJson(const report::PaperTable& table) {
  json rows = json::array();
  for (const auto& row : table.rows) {
    json object = json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      object[table.columns[i].key] = row[i].value;
    }
    rows.push_back(object);
  }
  return {{"title", table.title}, {"why", table.why}, {"rows", rows}};
}

// The columns that several tables have.
std::vector<plan::Fact> Legend() {
  return {
      {"printed", "by the paper"},
      {"reproduced", fmt::format("by the paper's own recipe; proof: {}",
                                 dp::kPublishedProof)},
      {"strict",
       "what holds for what ran: cohorts of fixed size, one user's data "
       "replaced, "
       "by privacy loss distributions"},
      {"Theorem 9",
       "the same by the paper's own theorem, with the right "
       "sensitivity"},
      {"ours",
       "the same noise, a private coin for each user, one user more or "
       "less"},
  };
}

Answer Tables() {
  Answer answer{.text = plan::FactsText(Legend()),
                .json = {{"reproduced_proof", dp::kPublishedProof},
                         {"columns", json::object()},
                         {"tables", json::array()}}};
  for (const plan::Fact& fact : Legend()) {
    answer.json["columns"][fact.first] = fact.second;
  }
  for (const report::PaperTable& table : report::PaperTables()) {
    answer.text += "\n" + TableText(table);
    answer.json["tables"].push_back(TableJson(table));
  }
  return answer;
}

const Registration kTables(
    {.path = "privacy tables",
     .summary = "Show every privacy number of the papers: printed, reproduced, "
                "strict, ours, and why they differ.",
     .example = "sfumato privacy tables",
     .define = [](CLI::App&, const Common&) -> Action { return Tables; }});

}  // namespace
}  // namespace sfumato::app

// Every privacy number of the papers beside what it is made of and what holds.
//
//   for (const PaperTable& table : PaperTables()) {
//     fmt::print("{}: {} rows\n", table.title, table.rows.size());
//   }
//
// Only what was printed and the settings are stored (dp/accounting/published.h
// and the top of paper_tables.cc); the rest is computed when asked for.
//
//   printed     as the paper rounds it
//   reproduced  by the paper's recipe; proof: none
//   strict      what holds for what ran: cohorts of fixed size, replace-one, by
//               privacy loss distributions and by the paper's own theorem
//   ours        the same noise with Poisson sampling, add-remove

#pragma once

#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace sfumato::report {

struct PaperCell {
  nlohmann::json value;  // null where there is none
  std::string text;
};

struct PaperColumn {
  std::string key;   // in JSON
  std::string head;  // for people
};

struct PaperTable {
  std::string title;
  std::string why;  // the numbers differ
  std::vector<PaperColumn> columns;
  std::vector<std::vector<PaperCell>> rows;
};

std::vector<PaperTable> PaperTables();

// Tables 3 and 13 of the first paper alone: what a population would get.
const PaperTable& UserLevelTable();

}  // namespace sfumato::report

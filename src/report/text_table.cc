#include "report/text_table.h"

#include <algorithm>

#include "base/utf8.h"

namespace sfumato::report {

TextTable::TextTable(std::vector<std::string> heads) {
  rows_.push_back(std::move(heads));
}

void TextTable::Add(std::vector<std::string> cells) {
  rows_.push_back(std::move(cells));
}

std::string TextTable::Text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], base::Letters(row[i]));
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blank(widths[i] - base::Letters(row[i]), ' ');
      text += i == 0 ? row[i] + blank : "  " + blank + row[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace sfumato::report

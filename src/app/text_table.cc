#include "app/text_table.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"

namespace sfumato::app {

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
      widths[i] = std::max(widths[i], Letters(row[i]));
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blank(widths[i] - Letters(row[i]), ' ');
      text += i == 0 ? row[i] + blank : "  " + blank + row[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::size_t Letters(std::string_view text) {
  std::size_t letters = 0;
  for (; !text.empty(); ++letters) {
    text.remove_prefix(base::DecodeUtf8(text).size);
  }
  return letters;
}

}  // namespace sfumato::app

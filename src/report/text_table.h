// A table for people: the first column flush left, the others flush right.
//
//   TextTable table({"row", "printed", "ours"});
//   table.Add({"Fig 3a", "2.38", "1.0325"});
//   std::string text = table.Text();

#pragma once

#include <string>
#include <vector>

namespace sfumato::report {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heads);

  // REQUIRES: as many cells as heads.
  void Add(std::vector<std::string> cells);

  // Lines that end in '\n', without spaces at their ends.
  std::string Text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the heads first
};

}  // namespace sfumato::report

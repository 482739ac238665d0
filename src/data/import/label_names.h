// The classes of a source that spells its labels, known once all are read.
//
//   LabelNames labels;
//   const std::int32_t code = labels.Code("cat");
//   const LabelNames::Numbering numbering = labels.Number("train.csv");
//   numbering.classes[numbering.of_code[code]]  // "cat"

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {

// Numbers for labels as they are spelled. Whole numbers from 0 on stand for
// themselves; anything else is a name, and names are numbered in sorted order
// (whole numbers by value) once all are known.
class LabelNames {
 public:
  // More different labels than this are taken for a mistake.
  static constexpr int kMaxClasses = 10000;

  // A code for the label, the same for the same spelling; -1 for "".
  std::int32_t Code(std::string_view label);

  struct Numbering {
    std::vector<std::string> classes;   // names of labels 0, 1, …
    std::vector<std::int32_t> of_code;  // the label of each code
  };
  // Throws BadInput with `where` when there are more than kMaxClasses.
  Numbering Number(const std::string& where) const;

 private:
  std::vector<std::string> spellings_;  // by code
  std::map<std::string, std::int32_t, std::less<>> codes_;
};

// "0", "1", … "count-1".
std::vector<std::string> NumberNames(int count);

}  // namespace sfumato::data

// The classes of a source that spells its labels: declared by the request, or
// known once all are read.
//
//   LabelNames labels(request);
//   const std::int32_t code = labels.Code("cat");
//   const LabelNames::Numbering numbering = labels.Number("train.csv");
//   // "cat", if the request keeps it:
//   const std::string& name = numbering.classes[numbering.of_code[code]];

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/import/import.h"

namespace sfumato::data {

// Numbers for labels as they are spelled. Whole numbers from 0 on stand for
// themselves; anything else is a name, and names are numbered in sorted order
// (whole numbers by value) once all are known.
class LabelNames {
 public:
  // Collects the classes.
  LabelNames() = default;
  // Takes the classes that the request declares, or none of private data, or
  // collects them.
  explicit LabelNames(const ImportRequest& request);

  // More different labels than this are taken for a mistake.
  static constexpr int kMaxClasses = 10000;

  // A code for the label, the same for the same spelling; -1 for "" and for
  // what is not among the declared classes, where "6.0" is the class "6".
  std::int32_t Code(std::string_view label);

  // Whether there was a label, and none is kept.
  bool dropped() const { return rule_ == Rule::kNone && outside_ > 0; }
  // How many labels were not among the declared classes.
  std::uint64_t outside() const {
    return rule_ == Rule::kDeclared ? outside_ : 0;
  }

  struct Numbering {
    std::vector<std::string> classes;   // names of labels 0, 1, …
    std::vector<std::int32_t> of_code;  // the label of each code
  };
  // Throws BadInput with `where` when there are more than kMaxClasses.
  Numbering Number(const std::string& where) const;

 private:
  enum class Rule { kCollected, kDeclared, kNone };
  Rule rule_ = Rule::kCollected;
  std::uint64_t outside_ = 0;
  std::vector<std::string> spellings_;  // by code
  std::map<std::string, std::int32_t, std::less<>> codes_;
};

// "0", "1", … "count-1".
std::vector<std::string> NumberNames(int count);

}  // namespace sfumato::data

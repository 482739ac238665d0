// Examples put together by user, for sources whose users are interleaved or
// whose class names are known only at the end.
//
//   LabelNames labels;
//   ExampleGroups groups;
//   while (…) groups.Add(user, {.features = row, .label = labels.Code("cat")});
//   const LabelNames::Numbering numbering = labels.Number("train.csv");
//   groups.WriteTo(writer, numbering.of_code);
//
// Everything is held in memory, in the form in which it will be written: a
// byte a pixel, four a feature.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "data/dataset_writer.h"

namespace sfumato::data {

class ExampleGroups {
 public:
  // Adds a copy of `example` to `user`. REQUIRES: all examples are of one kind,
  // with equally many pixels or features, and equally many columns.
  void Add(std::string_view user, const Example& example);

  std::size_t users() const { return groups_.size(); }
  std::size_t examples() const { return examples_; }

  // Writes users in the order of their first example, examples in the order
  // they came. A label c ≥ 0 becomes of_code[c], unless `of_code` is empty.
  void WriteTo(DatasetWriter& writer,
               std::span<const std::int32_t> of_code = {}) const;

 private:
  struct Group {
    std::string id;
    std::vector<std::uint8_t> pixels;
    std::vector<float> features;
    std::string text;
    std::vector<std::size_t> text_ends;
    std::vector<std::int32_t> labels;
    std::vector<std::int32_t> columns;
    Example At(std::size_t i) const;
  };
  Group& Find(std::string_view user);

  std::vector<Group> groups_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::size_t last_ = 0;  // most sources name a user many times in a row
  std::size_t examples_ = 0;
};

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

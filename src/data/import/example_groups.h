// Examples put together by user, for sources whose users are interleaved or
// whose classes are known only at the end.
//
//   LabelNames labels(request);
//   ExampleGroups groups(request.out);
//   while (csv.Next()) {
//     groups.Add(csv.fields()[0], {.text = csv.fields()[1],
//                                  .label = labels.Code(csv.fields()[2])});
//   }
//   const LabelNames::Numbering numbering = labels.Number("train.csv");
//   groups.WriteTo(writer, numbering.of_code);
//
// The examples wait in a Spool: memory holds the users' names and eight bytes
// per example. Reading and writing show their progress.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/progress.h"
#include "data/dataset.h"
#include "data/dataset_writer.h"
#include "data/import/spool.h"

namespace sfumato::data {

class ExampleGroups {
 public:
  // `target` and errors as for Spool.
  explicit ExampleGroups(const base::Path& target) : spool_(target) {}

  // Makes `user` known, who may never have an example.
  void AddUser(std::string_view user) { Find(user); }

  // Adds a copy of `example` to `user`.
  void Add(std::string_view user, const Example& example);

  std::size_t users() const { return groups_.size(); }
  std::size_t examples() const { return examples_; }

  // Writes users in the order they became known, examples in the order they
  // came. A label c ≥ 0 becomes of_code[c], unless `of_code` is empty. Returns
  // how many users were left out because they have no example.
  std::size_t WriteTo(DatasetWriter& writer,
                      std::span<const std::int32_t> of_code = {});

 private:
  struct Group {
    std::string id;
    std::vector<std::uint64_t> records;
  };
  Group& Find(std::string_view user);

  Spool spool_;
  std::vector<Group> groups_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::size_t last_ = 0;  // most sources name a user many times in a row
  std::size_t examples_ = 0;
  std::optional<base::Progress> reading_;
};

}  // namespace sfumato::data

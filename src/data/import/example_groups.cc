#include "data/import/example_groups.h"

namespace sfumato::data {

ExampleGroups::Group& ExampleGroups::Find(std::string_view user) {
  if (last_ < groups_.size() && groups_[last_].id == user) {
    return groups_[last_];
  }
  const auto found = index_.find(user);
  if (found != index_.end()) {
    last_ = found->second;
  } else {
    last_ = groups_.size();
    index_.emplace(user, last_);
    groups_.emplace_back().id = user;
  }
  return groups_[last_];
}

void ExampleGroups::Add(std::string_view user, const Example& example) {
  Find(user).records.push_back(spool_.Add(example));
  ++examples_;
  if (!reading_) reading_.emplace("reading", 0, "examples");
  reading_->Advance();
}

std::size_t ExampleGroups::WriteTo(DatasetWriter& writer,
                                   std::span<const std::int32_t> of_code) {
  reading_.reset();
  std::size_t left_out = 0;
  base::Progress progress("writing", examples_, "examples");
  for (const Group& group : groups_) {
    if (group.records.empty()) {
      ++left_out;
      continue;
    }
    writer.BeginUser(group.id);
    for (const std::uint64_t record : group.records) {
      Example example = spool_.Get(record);
      if (example.label >= 0 && !of_code.empty()) {
        example.label = of_code[example.label];
      }
      writer.Add(example);
      progress.Advance();
    }
  }
  return left_out;
}

}  // namespace sfumato::data

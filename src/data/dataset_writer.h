// Writes a federated dataset, user after user, in memory that grows by
// the users' ids alone.
//
//   data::DatasetWriter writer("out", info);
//   writer.BeginUser("alice");
//   writer.Add({.pixels = image, .label = 3});
//   writer.Finish();
//
// The folder appears, complete, at Finish; without it nothing stays.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/file.h"
#include "base/safetensors.h"
#include "data/dataset.h"

namespace sfumato::data {

// What a command that writes a set says about it.
struct DatasetSummary {
  std::uint64_t users = 0;
  std::uint64_t examples = 0;
  // What was passed over, by reason: {"row without author", 12}.
  std::map<std::string, std::uint64_t> skipped = {};
};

class DatasetWriter {
 public:
  // Throws BadInput when `folder` exists or cannot be made.
  DatasetWriter(const base::Path& folder, DatasetInfo info);

  // What is learnt while writing (class names, provenance) may be put in until
  // Finish; kind, shapes and the number of columns may not change.
  DatasetInfo& info() { return info_; }

  // Starts the next user. Throws BadInput when the id was used before, is
  // empty, or is not UTF-8.
  void BeginUser(std::string_view id);
  // Adds an example of the set's kind to the current user. Throws BadInput
  // when its shape is wrong, its text is not UTF-8 or a feature is not finite.
  void Add(const Example& example);

  std::uint64_t users() const { return users_; }
  std::uint64_t examples() const { return examples_; }

  // Throws BadInput when there is no example at all, or a label has no class.
  void Finish();

 private:
  DatasetInfo info_;
  base::StagedFolder folder_;
  base::SafetensorsWriter file_;
  base::SafetensorsWriter::Tensor* user_offsets_;
  base::SafetensorsWriter::Tensor* id_offsets_;
  base::SafetensorsWriter::Tensor* id_bytes_;
  base::SafetensorsWriter::Tensor* values_;  // images, text bytes or features
  base::SafetensorsWriter::Tensor* text_offsets_ = nullptr;
  base::SafetensorsWriter::Tensor* labels_;
  base::SafetensorsWriter::Tensor* columns_ = nullptr;
  std::unordered_set<std::string> ids_;
  std::uint64_t users_ = 0;
  std::uint64_t examples_ = 0;
  std::uint64_t id_size_ = 0;
  std::uint64_t text_size_ = 0;
  std::int32_t largest_label_ = -1;
};

}  // namespace sfumato::data

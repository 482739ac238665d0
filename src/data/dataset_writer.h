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
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/crc32c.h"
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
  // For public and generated sets with users: the ids of the first few.
  std::vector<std::string> first_users = {};
  // The source has labels, and none was kept: nobody declared classes.
  bool labels_dropped = false;
};

// Throws BadInput for what base::IsName refuses.
void CheckSetName(const std::string& name);

class DatasetWriter {
 public:
  // Throws BadInput when `folder` exists or cannot be made.
  DatasetWriter(const base::Path& folder, DatasetInfo info);

  // What is learnt while writing (class names, provenance) may be put in until
  // Finish; kind, shapes and the number of columns may not change.
  DatasetInfo& info() { return info_; }

  // Starts the next user. Throws BadInput when the id was used before, is
  // empty, or is not UTF-8; errors name the user's number, never the id.
  void BeginUser(std::string_view id);
  // Adds an example of the set's kind to the current user. Throws BadInput
  // when its shape is wrong, its text is not UTF-8 or a feature is not finite.
  void Add(const Example& example);

  std::uint64_t users() const { return users_; }
  std::uint64_t examples() const { return examples_; }
  // The ids of the first few users, where they may be shown.
  const std::vector<std::string>& first_users() const { return first_users_; }

  // Throws BadInput when there is no example at all, or a label has no class.
  void Finish();

  // Throws Unavailable when these users and bytes of examples cannot be
  // written to `folder`: memory holds the users' ids, the disk all the rest.
  static void RequireRoom(const base::Path& folder, double users, double bytes);

 private:
  // A tensor that is summed as it grows.
  struct Tensor {
    base::SafetensorsWriter::Tensor* file;
    std::uint32_t sum = 0;

    template <typename T>
    void Append(std::span<const T> values) {
      sum = base::Crc32c(
          {reinterpret_cast<const char*>(values.data()), values.size_bytes()},
          sum);
      file->Append(values);
    }
    template <typename T>
    void Append(const T& value) {
      Append(std::span<const T>(&value, 1));
    }
  };
  Tensor* Add(const std::string& name, base::DType type,
              std::vector<std::uint64_t> row_shape = {});

  DatasetInfo info_;
  base::StagedFolder folder_;
  base::SafetensorsWriter file_;
  std::map<std::string, Tensor> tensors_;
  Tensor* user_offsets_;
  Tensor* id_offsets_;
  Tensor* id_bytes_;
  Tensor* values_;  // images, text bytes or features
  Tensor* text_offsets_ = nullptr;
  Tensor* labels_;
  Tensor* columns_ = nullptr;
  std::unordered_set<std::string> ids_;
  std::vector<std::string> first_users_;
  std::uint64_t users_ = 0;
  std::uint64_t examples_ = 0;
  std::uint64_t id_size_ = 0;
  std::uint64_t text_size_ = 0;
  std::int32_t largest_label_ = -1;
};

}  // namespace sfumato::data

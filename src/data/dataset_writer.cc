#include "data/dataset_writer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/secure_random.h"
#include "base/utf8.h"
#include "fmt/format.h"

namespace sfumato::data {

using base::DType;

namespace {

std::string RandomId() {
  base::SecureRandom random;
  const std::uint64_t high = random();
  return fmt::format("{:016x}{:016x}", high, random());
}

}  // namespace

void CheckSetName(const std::string& name) {
  if (base::IsName(name)) return;
  throw BadInput("the set's name cannot be", "--name",
                 fmt::format("give 1 to {} bytes of UTF-8 without control "
                             "characters",
                             base::kLongestName));
}

DatasetWriter::DatasetWriter(const base::Path& folder, DatasetInfo info)
    : info_(std::move(info)),
      folder_(folder),
      file_(folder_.path() / "data.safetensors") {
  if (info_.name.empty()) {
    info_.name =
        base::NormalFolder(std::filesystem::absolute(folder)).filename();
  }
  CheckSetName(info_.name);
  user_offsets_ = Add("user_offsets", DType::kU64);
  id_offsets_ = Add("user_id_offsets", DType::kU64);
  id_bytes_ = Add("user_id_bytes", DType::kU8);
  labels_ = Add("labels", DType::kI32);
  id_offsets_->Append<std::uint64_t>(0);
  const auto side = [](int n) { return static_cast<std::uint64_t>(n); };
  switch (info_.kind) {
    case Kind::kImages:
      values_ = Add("images", DType::kU8,
                    {side(info_.image.height), side(info_.image.width),
                     side(info_.image.channels)});
      break;
    case Kind::kText:
      values_ = Add("text_bytes", DType::kU8);
      text_offsets_ = Add("text_offsets", DType::kU64);
      text_offsets_->Append<std::uint64_t>(0);
      break;
    case Kind::kFeatures:
      values_ = Add("features", DType::kF32, {side(info_.feature_count)});
      break;
  }
  if (!info_.columns.empty()) {
    columns_ = Add("columns", DType::kI32, {info_.columns.size()});
  }
}

DatasetWriter::Tensor* DatasetWriter::Add(
    const std::string& name, DType type, std::vector<std::uint64_t> row_shape) {
  base::SafetensorsWriter::Tensor& file =
      file_.Add(name, type, std::move(row_shape));
  return &tensors_.emplace(name, Tensor{.file = &file}).first->second;
}

void DatasetWriter::RequireRoom(const base::Path& folder, double users,
                                double bytes) {
  constexpr double kBytesPerUser = 100;  // an id, in a set of them
  base::RequireMemory(users * kBytesPerUser, folder.string());
  base::RequireSpace(folder, bytes);
}

void DatasetWriter::BeginUser(std::string_view id) {
  if (id.empty() || !base::IsUtf8(id)) {
    throw BadInput(fmt::format("user {} has an id that is {}", users_,
                               id.empty() ? "empty" : "not UTF-8"));
  }
  if (!ids_.emplace(id).second) {
    throw BadInput(fmt::format("user {} has an id that came before", users_),
                   "", "give every user one id");
  }
  user_offsets_->Append(examples_);
  id_bytes_->Append(
      std::span(reinterpret_cast<const std::uint8_t*>(id.data()), id.size()));
  id_offsets_->Append(id_size_ += id.size());
  constexpr std::size_t kShown = 5;
  if (info_.grouped && info_.origin != Origin::kPrivate &&
      first_users_.size() < kShown) {
    first_users_.emplace_back(id);
  }
  ++users_;
}

void DatasetWriter::Add(const Example& example) {
  assert(users_ > 0);
  base::CheckInterrupted();
  assert(example.columns.size() == info_.columns.size());
  switch (info_.kind) {
    case Kind::kImages:
      if (example.pixels.size() != info_.image.size()) {
        throw BadInput(fmt::format("an image of {} values where {} fit",
                                   example.pixels.size(), info_.image.size()));
      }
      values_->Append(example.pixels);
      break;
    case Kind::kText:
      if (!base::IsUtf8(example.text)) {
        throw BadInput(fmt::format("sentence {} is not UTF-8", examples_));
      }
      values_->Append(
          std::span(reinterpret_cast<const std::uint8_t*>(example.text.data()),
                    example.text.size()));
      text_offsets_->Append(text_size_ += example.text.size());
      break;
    case Kind::kFeatures:
      if (example.features.size() !=
          static_cast<std::size_t>(info_.feature_count)) {
        throw BadInput(fmt::format("{} features where {} fit",
                                   example.features.size(),
                                   info_.feature_count));
      }
      for (const float value : example.features) {
        if (!std::isfinite(value)) {
          throw BadInput(
              fmt::format("a feature of example {} is not finite", examples_));
        }
      }
      values_->Append(example.features);
      break;
  }
  labels_->Append(example.label);
  if (columns_ != nullptr) columns_->Append(example.columns);
  largest_label_ = std::max(largest_label_, example.label);
  ++examples_;
}

void DatasetWriter::Finish() {
  if (examples_ == 0) {
    throw BadInput("there is no example in it", "",
                   "give data that holds at least one");
  }
  if (!info_.classes.empty() &&
      largest_label_ >= static_cast<std::int32_t>(info_.classes.size())) {
    throw BadInput(fmt::format("label {} where there are {} classes",
                               largest_label_, info_.classes.size()));
  }
  user_offsets_->Append(examples_);
  file_.Finish({{"format", "sfumato.dataset/1"}});
  const bool is_private = info_.origin == Origin::kPrivate;
  if (!is_private || info_.id.empty()) info_.id = is_private ? RandomId() : "";
  info_.edition = is_private ? RandomId() : "";
  info_.sums.clear();
  for (const auto& [name, tensor] : tensors_) {
    info_.sums[name] = fmt::format("{:08x}", tensor.sum);
  }
  base::WriteFileAtomically(folder_.path() / "dataset.json",
                            ToJson(info_).dump(2) + "\n");
  folder_.Commit();
}

}  // namespace sfumato::data

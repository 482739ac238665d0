#include "runs/checkpoint.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/crc32c.h"
#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::runs {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kSchema = "sfumato.checkpoint/1";
constexpr std::string_view kSchemaStem = "sfumato.checkpoint/";
constexpr std::string_view kPrefix = "round_";
constexpr std::string_view kSuffix = ".safetensors";
constexpr std::size_t kDigits = 6;

std::optional<std::int64_t> WholeNumber(std::string_view digits) {
  std::int64_t value = 0;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc() || end != digits.data() + digits.size() ||
      value < 0) {
    return std::nullopt;
  }
  return value;
}

std::string FileName(std::int64_t round) {
  return fmt::format("{}{:0{}}{}", kPrefix, round, kDigits, kSuffix);
}

// The round in a file's name; nothing for other people's files.
std::optional<std::int64_t> RoundOfName(std::string_view name) {
  if (name.size() != kPrefix.size() + kDigits + kSuffix.size() ||
      !name.starts_with(kPrefix) || !name.ends_with(kSuffix)) {
    return std::nullopt;
  }
  return WholeNumber(name.substr(kPrefix.size(), kDigits));
}

// From the first round to the last.
std::vector<Checkpoint> List(const base::Path& folder) {
  std::vector<Checkpoint> found;
  std::error_code none;  // no folder, no checkpoints
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const auto round = RoundOfName(entry.path().filename().string());
    if (round) found.push_back({*round, entry.path()});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.round < b.round; });
  return found;
}

Error Damaged(const std::string& what, const std::string& where) {
  return Corrupt(what, where,
                 "delete the file: the checkpoint before it takes its place");
}

using Sums = std::map<std::string, std::uint32_t>;

// One sum over the tensors' own, by name.
std::string SumOf(const Sums& sums) {
  std::string all;
  for (const auto& [name, sum] : sums)
    all += fmt::format("{} {:08x}\n", name, sum);
  return fmt::format("{:08x}", base::Crc32c(all));
}

std::uint32_t SumOf(std::span<const std::byte> bytes) {
  return base::Crc32c(
      {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string SumOf(std::span<const base::TensorOut> tensors) {
  Sums sums;
  for (const base::TensorOut& tensor : tensors) {
    sums[tensor.name] = SumOf(tensor.bytes);
  }
  return SumOf(sums);
}

// Flipped bits inside a tensor. A file without a sum is taken as it is.
void CheckSum(const base::SafetensorsFile& file, const std::string& where) {
  const auto said = file.metadata().find("crc32c");
  if (said == file.metadata().end()) return;
  Sums sums;
  for (const auto& [name, tensor] : file.tensors()) {
    sums[name] = SumOf(tensor.bytes);
  }
  if (SumOf(sums) != said->second) throw Damaged("its sum is wrong", where);
}

void CheckWhole(const Checkpoint& checkpoint) {
  const std::string where = checkpoint.path.string();
  std::int64_t round = -1;
  try {
    const base::SafetensorsFile file(checkpoint.path);
    round = CheckpointRound(file.metadata(), where);
    CheckSum(file, where);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCorrupt) throw;
    throw Damaged(error.what(), where);
  }
  if (round != checkpoint.round) {
    throw Damaged(fmt::format("holds round {}", round), where);
  }
}

}  // namespace

std::int64_t CheckpointRound(const base::Metadata& metadata,
                             const std::string& where) {
  const std::string schema = base::ValueOf(metadata, "schema");
  if (schema != kSchema) {
    const auto version =
        schema.starts_with(kSchemaStem)
            ? WholeNumber(std::string_view(schema).substr(kSchemaStem.size()))
            : std::nullopt;
    if (version && *version > 1) {
      throw Unsupported(
          fmt::format("a newer program wrote it (schema {})", schema), where,
          "use that program");
    }
    throw Damaged(fmt::format("schema '{}' is not {}", schema, kSchema), where);
  }
  const auto round = WholeNumber(base::ValueOf(metadata, "round"));
  if (!round) throw Damaged("the metadata names no round", where);
  return *round;
}

base::Path CheckpointPath(const base::Path& folder, std::int64_t round) {
  return folder / FileName(round);
}

std::optional<Checkpoint> LatestCheckpoint(const base::Path& folder) {
  const std::vector<Checkpoint> found = List(folder);
  if (found.empty()) return std::nullopt;
  CheckWhole(found.back());
  return found.back();
}

Checkpoints::Checkpoints(base::Path folder, const CheckpointOptions& options)
    : folder_(std::move(folder)), options_(options) {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) {
    throw Unavailable(fmt::format("cannot make it: {}", failure.message()),
                      folder_.string(), "choose a place that can be written");
  }
  base::SweepPartialFiles(folder_);
  // Nothing is removed unless the newest is known to be whole.
  latest_ = LatestCheckpoint(folder_);
  RemoveOld();
}

void Checkpoints::Write(std::int64_t round,
                        std::span<const base::TensorOut> tensors,
                        base::Metadata metadata) {
  assert(round >= 0 && round < 1'000'000);
  [[maybe_unused]] const bool free =
      metadata.emplace("schema", kSchema).second &&
      metadata.emplace("round", std::to_string(round)).second &&
      metadata.emplace("crc32c", SumOf(tensors)).second;
  assert(free);
  const base::Path path = CheckpointPath(folder_, round);
  try {
    base::WriteSafetensors(path, tensors, metadata);
  } catch (const Error& error) {
    if (!latest_) throw;
    throw Error(error.kind(), error.what(), error.where(),
                fmt::format("{}; the run can resume from round {}",
                            error.todo(), latest_->round));
  }
  latest_ = {round, path};
  RemoveOld();
}

void Checkpoints::RemoveOld() const {
  const std::vector<Checkpoint> found = List(folder_);
  for (std::size_t i = 1; i + 1 < found.size(); ++i) {
    const bool kept =
        options_.keep_every > 0 && found[i].round % options_.keep_every == 0;
    std::error_code stays;  // costs room, nothing else
    if (!kept) fs::remove(found[i].path, stays);
  }
}

}  // namespace sfumato::runs

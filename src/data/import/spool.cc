#include "data/import/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/interrupt.h"

namespace sfumato::data {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

// A record: this, then the values of each kind, without gaps.
struct RecordHead {
  std::uint64_t text = 0;  // bytes; the others count values
  std::uint32_t pixels = 0;
  std::uint32_t features = 0;
  std::uint32_t columns = 0;
  std::int32_t label = 0;
};

std::string Reason() { return std::generic_category().message(errno); }

// Removed from its folder at once: only the descriptor keeps it.
int OpenNameless(const std::string& folder) {
  std::string name = folder + "/.sfumato-spool-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  return file;
}

}  // namespace

Spool::Spool(const base::Path& target) {
  // The target's folder may be made later; an ancestor lies on the same disk.
  std::error_code failed;
  base::Path folder = std::filesystem::absolute(target, failed).parent_path();
  while (!std::filesystem::is_directory(folder, failed) &&
         folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  folder_ = folder.empty() ? "." : folder.string();
  file_ = OpenNameless(folder_);
  if (file_ < 0) {
    throw Unavailable("no temporary file can be made here: " + Reason(),
                      folder_);
  }
}

Spool::~Spool() { close(file_); }

std::uint64_t Spool::Add(const Example& example) {
  base::CheckInterrupted();
  const std::uint64_t begin = flushed_ + pending_.size();
  const auto append = [&](const auto* values, std::size_t count) {
    if (count == 0) return;
    pending_.append(reinterpret_cast<const char*>(values),
                    count * sizeof(*values));
  };
  const RecordHead head = {
      .text = example.text.size(),
      .pixels = static_cast<std::uint32_t>(example.pixels.size()),
      .features = static_cast<std::uint32_t>(example.features.size()),
      .columns = static_cast<std::uint32_t>(example.columns.size()),
      .label = example.label};
  append(&head, 1);
  append(example.text.data(), example.text.size());
  append(example.pixels.data(), example.pixels.size());
  append(example.features.data(), example.features.size());
  append(example.columns.data(), example.columns.size());
  if (pending_.size() >= kBufferBytes) Flush();
  return begin;
}

Example Spool::Get(std::uint64_t record) {
  base::CheckInterrupted();
  if (!pending_.empty()) Flush();
  RecordHead head;
  ReadAt(record, &head, sizeof head);
  std::uint64_t at = record + sizeof head;
  const auto take = [&](auto& values, std::size_t count) {
    values.resize(count);
    ReadAt(at, values.data(), count * sizeof(values[0]));
    at += count * sizeof(values[0]);
  };
  take(text_, head.text);
  take(pixels_, head.pixels);
  take(features_, head.features);
  take(columns_, head.columns);
  return {.pixels = pixels_,
          .text = text_,
          .features = features_,
          .label = head.label,
          .columns = columns_};
}

void Spool::Flush() {
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const ssize_t written =
        pwrite(file_, rest.data(), rest.size(), static_cast<off_t>(flushed_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw Unavailable("a temporary file cannot be written: " + Reason(),
                        folder_);
    }
    flushed_ += static_cast<std::uint64_t>(written);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  pending_.clear();
}

void Spool::ReadAt(std::uint64_t offset, void* to, std::size_t size) {
  char* rest = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = pread(file_, rest, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Unavailable("a temporary file cannot be read: " + Reason(),
                        folder_);
    }
    offset += static_cast<std::uint64_t>(got);
    rest += got;
    size -= static_cast<std::size_t>(got);
  }
}

}  // namespace sfumato::data

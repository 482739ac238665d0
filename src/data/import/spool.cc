#include "data/import/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace sfumato::data {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

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
  base::Path folder = std::filesystem::absolute(target).parent_path();
  while (!std::filesystem::is_directory(folder) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  folder_ = folder.string();
  file_ = OpenNameless(folder_);
  if (file_ < 0) {
    throw Unavailable("no temporary file can be made here: " + Reason(),
                      folder_);
  }
}

Spool::~Spool() { close(file_); }

std::uint64_t Spool::Add(std::string_view record) {
  const std::uint64_t begin = flushed_ + pending_.size();
  const std::uint64_t size = record.size();
  pending_.append(reinterpret_cast<const char*>(&size), sizeof size);
  pending_.append(record);
  if (pending_.size() >= kBufferBytes) Flush();
  return begin;
}

std::string_view Spool::Get(std::uint64_t record, std::string& buffer) {
  if (!pending_.empty()) Flush();
  std::uint64_t size = 0;
  ReadAt(record, reinterpret_cast<char*>(&size), sizeof size);
  buffer.resize(size);
  ReadAt(record + sizeof size, buffer.data(), size);
  return buffer;
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

void Spool::ReadAt(std::uint64_t offset, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t got = pread(file_, to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Unavailable("a temporary file cannot be read: " + Reason(),
                        folder_);
    }
    offset += static_cast<std::uint64_t>(got);
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

}  // namespace sfumato::data

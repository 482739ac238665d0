#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/ascii.h"
#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::base {
namespace fs = std::filesystem;
namespace {

Error CannotRead(const Path& path) {
  const int reason = errno;
  return BadInput(reason == ENOENT
                      ? std::string("no such file")
                      : fmt::format("cannot read: {}", std::strerror(reason)),
                  path.string(), "check the path and its permissions");
}

Error CannotWrite(const Path& path, int reason) {
  return Unavailable(fmt::format("cannot write: {}", std::strerror(reason)),
                     path.string(),
                     reason == ENOSPC ? "free some disk space"
                                      : "choose a place that can be written");
}

void SyncPath(const Path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw CannotWrite(path, errno);
  const bool failed = fsync(descriptor) != 0 && errno != EINVAL;
  const int reason = errno;
  close(descriptor);
  if (failed) throw CannotWrite(path, reason);
}

Path Parent(const Path& path) {
  return path.has_parent_path() ? path.parent_path() : Path(".");
}

// `.name.partial-PID`, beside the target: the same file system, so that the
// final rename is one step.
Path StagingName(const Path& target) {
  return Parent(target) /
         fmt::format(".{}.partial-{}", target.filename().string(), getpid());
}

// Removes what killed processes left of earlier tries at `target`.
void SweepStale(const Path& target) {
  const std::string prefix =
      fmt::format(".{}.partial-", target.filename().string());
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(Parent(target), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const auto process =
        ParseNumber<int>(std::string_view(name).substr(prefix.size()));
    if (!process || *process == getpid()) continue;
    if (kill(*process, 0) == 0 || errno != ESRCH) continue;
    fs::remove_all(entry.path(), ignored);
  }
}

// "out/" and "out" are the same target.
Path WithoutTrailingSlash(const Path& path) {
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

std::string ReadFile(const Path& path, std::uint64_t limit) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw CannotRead(path);
  std::string content;
  char buffer[1 << 16];
  ssize_t n = 0;
  while ((n = read(descriptor, buffer, sizeof buffer)) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || content.size() + n > limit) break;
    content.append(buffer, static_cast<std::size_t>(n));
  }
  const Error unreadable = CannotRead(path);
  close(descriptor);
  if (n < 0) throw unreadable;
  if (n > 0) {
    throw BadInput(fmt::format("longer than {} bytes", limit), path.string(),
                   "give the file that was meant");
  }
  return content;
}

void WriteFileAtomically(const Path& path, std::string_view content) {
  const Path staging = StagingName(path);
  try {
    OutputFile file(staging);
    file.Write(content);
    file.Close();
    SyncPath(staging);
    if (std::rename(staging.c_str(), path.c_str()) != 0) {
      throw CannotWrite(path, errno);
    }
    SyncPath(Parent(path));
  } catch (...) {
    std::error_code ignored;
    fs::remove(staging, ignored);
    throw;
  }
}

StagedFolder::StagedFolder(const Path& target)
    : target_(WithoutTrailingSlash(target)) {
  if (target_.empty()) {
    throw BadInput("no output folder was given", "", "name one with --out");
  }
  if (fs::exists(fs::symlink_status(target_))) {
    throw BadInput("already exists", target_.string(),
                   "choose another name, or remove it first");
  }
  std::error_code failure;
  fs::create_directories(Parent(target_), failure);
  SweepStale(target_);
  staging_ = StagingName(target_);
  if (!failure) fs::create_directory(staging_, failure);
  if (failure) {
    throw BadInput(fmt::format("cannot make a folder: {}", failure.message()),
                   target_.string(), "choose a place that can be written");
  }
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(staging_, ignored);
}

void StagedFolder::Commit() {
  for (const auto& entry : fs::recursive_directory_iterator(staging_)) {
    SyncPath(entry.path());
  }
  SyncPath(staging_);
  // RENAME_NOREPLACE: two writers of the same name cannot both win.
  if (renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, target_.c_str(),
                RENAME_NOREPLACE) != 0) {
    throw CannotWrite(target_, errno);
  }
  committed_ = true;
  SyncPath(Parent(target_));
}

MappedFile::MappedFile(const Path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw CannotRead(path);
  struct stat status;
  const bool regular =
      fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  void* data = nullptr;
  if (regular && status.st_size > 0) {
    data = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ,
                MAP_SHARED, descriptor, 0);
  }
  const int reason = errno;
  close(descriptor);
  if (!regular) {
    throw BadInput("not a regular file", path.string(), "give a file");
  }
  if (data == MAP_FAILED) {
    errno = reason;
    throw CannotRead(path);
  }
  data_ = static_cast<const std::byte*>(data);
  size_ = static_cast<std::size_t>(status.st_size);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

OutputFile::OutputFile(const Path& path) : path_(path) {
  file_ = std::fopen(path.c_str(), "wbe");
  if (file_ == nullptr) throw CannotWrite(path, errno);
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, nullptr)) {}

void OutputFile::Write(const void* data, std::size_t size) {
  if (std::fwrite(data, 1, size, file_) != size) {
    throw CannotWrite(path_, errno);
  }
}

void OutputFile::Close() {
  std::FILE* file = std::exchange(file_, nullptr);
  if (file != nullptr && std::fclose(file) != 0)
    throw CannotWrite(path_, errno);
}

}  // namespace sfumato::base

#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
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

// ".name.partial-": beside the target, so on the same file system, so that the
// final rename is one step.
std::string StagingPrefix(const Path& target) {
  return fmt::format(".{}.partial-", target.filename().string());
}

bool IsStaging(const Path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') && name.find(".partial-") != std::string::npos;
}

// A name that no other process has: process numbers repeat in containers.
Path StagingName(const Path& target) {
  static std::atomic<int> count = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return Parent(target) / fmt::format("{}{:x}-{}-{}", StagingPrefix(target),
                                      now, getpid(), ++count);
}

// A descriptor of `folder` with an exclusive lock on it, or -1 when it could
// not be had within `tries` hundredths of a second.
int LockFolder(const Path& folder, int tries) {
  const int descriptor =
      open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  for (; tries > 0; --tries) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
    if (tries > 1) usleep(10'000);
  }
  close(descriptor);
  return -1;
}

void Unlock(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

// Removes what killed processes left of earlier tries at `target`: folders
// that nobody holds a lock on.
void SweepStale(const Path& target) {
  const std::string prefix = StagingPrefix(target);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(Parent(target), ignored)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const int lock = LockFolder(entry.path(), 1);
    if (lock < 0) continue;
    fs::remove_all(entry.path(), ignored);
    Unlock(lock);
  }
}

// Makes the folders that `path` needs and returns those that were not there.
std::vector<Path> MakeFolders(const Path& path, std::error_code& failure) {
  std::vector<Path> made;
  for (Path p = path; !p.empty() && !fs::exists(p, failure) && !failure;
       p = p.parent_path()) {
    made.insert(made.begin(), p);
  }
  if (!failure) fs::create_directories(path, failure);
  return made;
}

// One step where the file system can refuse to replace; otherwise a look and
// then the step (network file systems know no such flag).
int RenameToNew(const Path& from, const Path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                RENAME_NOREPLACE) == 0) {
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (fs::exists(fs::symlink_status(to))) return EEXIST;
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

// "out/" and "out" are the same target.
Path WithoutTrailingSlash(const Path& path) {
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

Path NormalFolder(const Path& folder) {
  const Path normal = folder.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

Path FreeName(const Path& wanted) {
  Path name = wanted;
  for (int i = 2; fs::exists(fs::symlink_status(name)); ++i) {
    name = wanted;
    name += fmt::format("-{}", i);
  }
  return name;
}

void RequireSpace(const Path& path, double bytes) {
  std::error_code unknown;
  Path place = fs::absolute(path, unknown);
  while (!unknown && !fs::exists(place, unknown) && place.has_relative_path()) {
    place = place.parent_path();
  }
  const fs::space_info space = fs::space(place, unknown);
  if (unknown || space.capacity == 0) return;  // no disk that could be full
  if (!(bytes > static_cast<double>(space.available))) return;
  throw Unavailable(
      fmt::format("about {} are needed and {} are free",
                  HumanBytes(static_cast<std::uint64_t>(std::min(bytes, 1e19))),
                  HumanBytes(space.available)),
      path.string(), "ask for less, or choose another disk");
}

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
  WriteFileAtomically(path, [&](OutputFile& file) { file.Write(content); });
}

void WriteFileAtomically(const Path& path,
                         const std::function<void(OutputFile&)>& write) {
  std::error_code unknown;
  const auto status = fs::symlink_status(path, unknown);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw BadInput("is not a file that could be replaced", path.string(),
                   "choose another name");
  }
  const Path staging = StagingName(path);
  try {
    OutputFile file(staging);
    write(file);
    file.Close();
    SyncPath(staging);
    if (std::rename(staging.c_str(), path.c_str()) != 0) {
      throw CannotWrite(path, errno);
    }
    SyncPath(Parent(path));
  } catch (const Error& error) {
    std::error_code ignored;
    fs::remove(staging, ignored);
    throw Error(error.kind(), error.what(), path.string(), error.todo());
  } catch (...) {
    std::error_code ignored;
    fs::remove(staging, ignored);
    throw;
  }
}

void SweepPartialFiles(const Path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (IsStaging(entry.path()) && entry.is_regular_file(ignored)) {
      fs::remove(entry.path(), ignored);
    }
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
  parents_ = MakeFolders(Parent(target_), failure);
  if (!failure) {
    // One process at a time sweeps and makes: a folder that is not locked yet
    // would look like one that was left behind. A folder inside a folder that
    // is itself being made has nobody to fear.
    const bool inside = IsStaging(Parent(target_));
    const int parent_lock = inside ? -1 : LockFolder(Parent(target_), 100);
    if (parent_lock >= 0) SweepStale(target_);
    staging_ = StagingName(target_);
    if (fs::create_directory(staging_, failure))
      lock_ = LockFolder(staging_, 1);
    Unlock(parent_lock);
  }
  if (failure) {
    RemoveParents();
    throw CannotWrite(target_, failure.value());
  }
}

StagedFolder::~StagedFolder() {
  if (!committed_) {
    std::error_code ignored;
    fs::remove_all(staging_, ignored);
    RemoveParents();
  }
  Unlock(lock_);
}

void StagedFolder::RemoveParents() {
  std::error_code ignored;  // one that others have used stays
  for (auto p = parents_.rbegin(); p != parents_.rend(); ++p) {
    fs::remove(*p, ignored);
  }
}

void StagedFolder::Commit() {
  for (const auto& entry : fs::recursive_directory_iterator(staging_)) {
    SyncPath(entry.path());
  }
  SyncPath(staging_);
  const int failure = RenameToNew(staging_, target_);
  if (failure == EEXIST || failure == ENOTEMPTY) {
    throw BadInput("somebody else has made it in the meantime",
                   target_.string(), "choose another name");
  }
  if (failure != 0) throw CannotWrite(target_, failure);
  committed_ = true;
  SyncPath(Parent(target_));
}

FileLock::FileLock(const Path& path) {
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw CannotWrite(path, errno);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  usleep(2000);  // IsHeld may have held it, for the moment of its look
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  close(descriptor_);
  if (reason != EWOULDBLOCK) {
    throw Unavailable(fmt::format("cannot lock: {}", std::strerror(reason)),
                      path.string(), "choose a disk that knows file locks");
  }
  throw Unavailable("another process is at work here", path.string(),
                    "wait for it or end it, then try again");
}

FileLock::~FileLock() { Unlock(descriptor_); }

FileLock::FileLock(FileLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

bool IsHeld(const Path& lock) {
  const int descriptor = open(lock.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno != ENOENT;
  const bool held = flock(descriptor, LOCK_SH | LOCK_NB) != 0;
  close(descriptor);
  return held;
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
  if (size == 0) return;  // nothing may be at no address
  if (std::fwrite(data, 1, size, file_) != size) {
    throw CannotWrite(path_, errno);
  }
}

void OutputFile::Flush() {
  if (std::fflush(file_) != 0) throw CannotWrite(path_, errno);
}

void OutputFile::Close() {
  std::FILE* file = std::exchange(file_, nullptr);
  if (file != nullptr && std::fclose(file) != 0)
    throw CannotWrite(path_, errno);
}

}  // namespace sfumato::base

// Files that are whole or absent.
//
//   base::WriteFileAtomically(path, bytes);  // one file
//   base::StagedFolder out("runs/first");    // a folder of files
//   base::WriteFileAtomically(out.path() / "notes.txt", notes);
//   out.Commit();  // now the folder is there
//
// Writers work beside the target and rename when everything is on disk; an
// error, an interrupt or a crash before that leaves nothing under the target's
// name. The unfinished folder that a killed process left is swept by the next
// writer of the same name; a living writer's is locked, and stays.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::base {

using Path = std::filesystem::path;

class OutputFile;

// The whole content. Throws BadInput when the file is missing or unreadable,
// or longer than `limit` bytes.
std::string ReadFile(const Path& path, std::uint64_t limit = 1ull << 32);

// `wanted`, or the first of wanted-2, wanted-3, … that is not there.
Path FreeName(const Path& wanted);

// "runs/first" of "runs/./first/": in its normal form, without a slash behind.
Path NormalFolder(const Path& folder);

// Throws Unavailable when fewer than `bytes` are free where `path` is to be.
void RequireSpace(const Path& path, double bytes);

// Throws Unavailable when it cannot be written, BadInput when `path` is there
// and no regular file.
void WriteFileAtomically(const Path& path, std::string_view content);
// The same for what is written piece by piece, without holding it in memory.
void WriteFileAtomically(const Path& path,
                         const std::function<void(OutputFile&)>& write);

// Removes the unfinished files that killed processes left in `folder`.
// REQUIRES: nobody else is writing there.
void SweepPartialFiles(const Path& folder);

// A folder that appears under its name, complete, when Commit is called.
class StagedFolder {
 public:
  // Throws BadInput when `target` exists, Unavailable when it cannot be made
  // where it is asked.
  explicit StagedFolder(const Path& target);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const Path& path() const { return staging_; }
  // Synchronises every file, then renames. Throws BadInput when somebody else
  // made the target in the meantime.
  void Commit();

 private:
  void RemoveParents();

  Path target_;
  Path staging_;
  std::vector<Path> parents_;  // folders made on the way, outermost first
  int lock_ = -1;              // on the staging folder, while it is one
  bool committed_ = false;
};

// Holds a file, made when missing, against every other holder until it is
// destroyed or its process ends, however it ends.
class FileLock {
 public:
  // Throws Unavailable when somebody holds it, or when it cannot be made.
  explicit FileLock(const Path& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

 private:
  int descriptor_ = -1;
};

// Whether somebody holds it now, in this process or another, or may: false only
// where there is no file, or it was seen to be free.
bool IsHeld(const Path& lock);

// A read-only view of a file in memory; nothing is read until it is touched.
class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const Path& path);  // throws BadInput
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// A buffered writer of one new file. Every failure (a full disk, say) throws
// Unavailable. Close() reports what the destructor must swallow.
class OutputFile {
 public:
  explicit OutputFile(const Path& path);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  void Write(const void* data, std::size_t size);
  void Write(std::string_view text) { Write(text.data(), text.size()); }
  void Flush();  // others can read it now; it may not be on the disk yet
  void Close();
  const Path& path() const { return path_; }

 private:
  Path path_;
  std::FILE* file_ = nullptr;
};

}  // namespace sfumato::base

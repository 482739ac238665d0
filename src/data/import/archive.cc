#include "data/import/archive.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "fmt/format.h"

#if SFUMATO_HAS_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

namespace sfumato::data {
namespace {

namespace fs = std::filesystem;

bool IsHidden(std::string_view name) {
  return name.starts_with('.') || name == "__MACOSX";
}

void CheckName(std::string_view path, const std::string& where) {
  if (!base::IsUtf8(path)) {
    throw BadInput("a file whose name is not UTF-8", where, "rename it");
  }
}

constexpr std::size_t kHeadBytes = 64;

bool IsWanted(const ArchiveLimits& limits, std::string_view head) {
  return !limits.wanted || limits.wanted(head);
}

std::string ReadHead(const base::Path& path) {
  std::string head(kHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), kHeadBytes);
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

void VisitFolder(const base::Path& folder, const FileVisitor& visit,
                 const ArchiveLimits& limits) {
  std::vector<std::pair<std::string, base::Path>> files;
  std::error_code error;
  std::error_code ignored;  // a broken link is not a file
  fs::recursive_directory_iterator walk(folder, error);
  for (; !error && walk != fs::recursive_directory_iterator();
       walk.increment(error)) {
    if (IsHidden(walk->path().filename().string())) {
      walk.disable_recursion_pending();
    } else if (walk->is_regular_file(ignored)) {
      files.emplace_back(
          walk->path().lexically_relative(folder).generic_string(),
          walk->path());
    }
    base::CheckInterrupted();
  }
  if (error) {
    throw BadInput("the folder cannot be read: " + error.message(),
                   folder.string());
  }
  std::sort(files.begin(), files.end());
  for (const auto& [relative, path] : files) {
    CheckName(relative, folder.string());
    base::CheckInterrupted();
    if (!IsWanted(limits, ReadHead(path))) continue;
    visit(relative, base::ReadFile(path, limits.entry_bytes));
  }
}

#if SFUMATO_HAS_ARCHIVE

class ArchiveReader {
 public:
  ArchiveReader(const base::Path& path, const ArchiveLimits& limits)
      : name_(path.string()), limits_(limits), archive_(archive_read_new()) {
    archive_read_support_format_zip(archive_.get());
    archive_read_support_format_tar(archive_.get());
    archive_read_support_filter_gzip(archive_.get());
    if (archive_read_open_filename(archive_.get(), name_.c_str(), 1 << 16) !=
        ARCHIVE_OK) {
      throw BadInput(
          "neither a folder nor a whole zip or tar archive" + Reason(), name_);
    }
  }

  void Visit(const FileVisitor& visit) {
    while (NextEntry()) {
      base::CheckInterrupted();
      if (!IsPlainFile()) continue;
      path_ = EntryPath();
      if (IsHiddenPath(path_)) continue;
      if (!seen_.insert(path_).second) throw Bad("the same entry twice");
      if (ReadContent()) visit(path_, content_);
    }
  }

 private:
  struct Free {
    void operator()(archive* a) const { archive_read_free(a); }
  };

  std::string Reason() const {
    const char* text = archive_error_string(archive_.get());
    return text == nullptr ? "" : fmt::format(" ({})", text);
  }

  std::string Where() const {
    return path_.empty() ? name_ : name_ + ":" + path_;
  }
  Error Bad(const std::string& what) const { return BadInput(what, Where()); }

  bool NextEntry() {
    const int status = archive_read_next_header(archive_.get(), &entry_);
    if (status == ARCHIVE_EOF) return false;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
      throw Bad((path_.empty() ? "a damaged archive"
                               : "the archive is damaged after this entry") +
                Reason());
    }
    if (++entries_ > limits_.entries) {
      throw BadInput(fmt::format("an archive of more than {} entries",
                                 base::HumanCount(limits_.entries)),
                     name_);
    }
    return true;
  }

  bool IsPlainFile() const {
    return archive_entry_filetype(entry_) == AE_IFREG &&
           archive_entry_hardlink(entry_) == nullptr;
  }

  // The name without "./" in front of it.
  std::string EntryPath() {
    const char* raw = archive_entry_pathname_utf8(entry_);
    if (raw == nullptr) raw = archive_entry_pathname(entry_);
    path_.clear();
    if (raw == nullptr) throw Bad("an entry whose name cannot be read");
    const base::Path path(raw);
    if (path.is_absolute()) {
      throw Bad(fmt::format("an entry with an absolute name, '{}'", raw));
    }
    base::Path clean;
    for (const base::Path& part : path) {
      if (part == "..") {
        throw Bad(fmt::format("an entry that climbs out, '{}'", raw));
      }
      if (!part.empty() && part != ".") clean /= part;
    }
    if (clean.empty()) throw Bad("an entry without a name");
    CheckName(raw, name_);
    return clean.generic_string();
  }

  static bool IsHiddenPath(const std::string& path) {
    const base::Path parts(path);
    return std::any_of(parts.begin(), parts.end(), [](const base::Path& part) {
      return IsHidden(part.string());
    });
  }

  // Fills content_; false, with only the beginning read, when the file is not
  // wanted.
  bool ReadContent() {
    content_.clear();
    while (content_.size() < kHeadBytes && ReadBlock()) continue;
    if (!IsWanted(limits_, content_)) return false;
    while (ReadBlock()) base::CheckInterrupted();
    if (archive_entry_size_is_set(entry_) &&
        static_cast<la_int64_t>(content_.size()) !=
            archive_entry_size(entry_)) {
      throw Bad(fmt::format("an entry of {} bytes that should have {}",
                            content_.size(), archive_entry_size(entry_)));
    }
    return true;
  }

  // Read in pieces: the size in the header is only a promise.
  bool ReadBlock() {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int status =
        archive_read_data_block(archive_.get(), &block, &size, &offset);
    if (status == ARCHIVE_EOF) return false;
    if (status != ARCHIVE_OK) throw Bad("a damaged entry" + Reason());
    Append(static_cast<const char*>(block), size,
           static_cast<std::uint64_t>(offset));
    return true;
  }

  void Append(const char* block, std::size_t size, std::uint64_t offset) {
    if (offset > limits_.entry_bytes || size > limits_.entry_bytes - offset) {
      throw Bad(fmt::format("an entry of more than {}",
                            base::HumanBytes(limits_.entry_bytes)));
    }
    total_ += size;
    if (total_ > limits_.total_bytes) {
      throw Bad(fmt::format("an archive of more than {}",
                            base::HumanBytes(limits_.total_bytes)));
    }
    content_.resize(offset, '\0');  // holes of a sparse file
    content_.append(block, size);
  }

  std::string name_;
  ArchiveLimits limits_;
  std::unique_ptr<archive, Free> archive_;
  archive_entry* entry_ = nullptr;
  std::uint64_t entries_ = 0;
  std::uint64_t total_ = 0;
  std::string path_;
  std::string content_;
  std::set<std::string> seen_;
};

#endif

}  // namespace

void ForEachFile(const base::Path& input, const FileVisitor& visit,
                 const ArchiveLimits& limits) {
  std::error_code error;
  const fs::file_status status = fs::status(input, error);
  if (!fs::exists(status)) {
    throw BadInput("no such file or folder", input.string());
  }
  if (fs::is_directory(status)) {
    VisitFolder(input, visit, limits);
    return;
  }
#if SFUMATO_HAS_ARCHIVE
  ArchiveReader(input, limits).Visit(visit);
#else
  throw Unsupported("this build cannot read zip and tar archives",
                    input.string(),
                    "unpack it and name the folder, or install libarchive "
                    "(libarchive-dev) and build again");
#endif
}

}  // namespace sfumato::data

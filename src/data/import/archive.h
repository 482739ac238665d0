// The files of a folder, or of a zip or tar archive that holds one.
//
//   data::ForEachFile("faces.zip",
//                     [](const std::string& path, std::string_view bytes) {
//                       Use(path, bytes);
//                     });
//
// Nothing is unpacked to disk; one file is in memory at a time.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/file.h"

namespace sfumato::data {

// What is read, and how much of it. A zip of a few kilobytes can promise
// petabytes.
struct ArchiveLimits {
  std::uint64_t entries = 20'000'000;
  std::uint64_t entry_bytes = std::uint64_t{1} << 28;
  std::uint64_t total_bytes = std::uint64_t{1} << 40;
  // Asked with the first 64 bytes or more of each file (all when it has fewer);
  // one that is not wanted is read no further, however long it is.
  std::function<bool(std::string_view head)> wanted = {};
};

// `path` is relative, with '/' between folders.
using FileVisitor =
    std::function<void(const std::string& path, std::string_view bytes)>;

// Visits every wanted regular file under `input`, a folder (all its folders
// included, in the order of their paths) or a zip, tar or tar.gz archive (in
// the order they are stored). Hidden files and folders (".git", "._x") and
// `__MACOSX` are passed over. Throws BadInput, naming the archive and the
// entry, when something cannot be read, is damaged or encrypted, has a name
// that is absolute, climbs with "..", is not UTF-8 or comes twice, or when a
// limit is passed; Unsupported for an archive when libarchive was not built in.
void ForEachFile(const base::Path& input, const FileVisitor& visit,
                 const ArchiveLimits& limits = {});

}  // namespace sfumato::data

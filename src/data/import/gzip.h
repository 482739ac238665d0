// Files that may be gzip-compressed, told by their first bytes and not by
// their name.
//
//   const std::string text = ReadMaybeGzip("train.csv.gz");
//
// A file of several gzip members (what `cat a.gz b.gz` makes) reads as their
// contents in a row. Zero bytes after the last member are padding.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"

namespace sfumato::data {

// The largest file an importer takes into memory, inflated.
inline constexpr std::uint64_t kImportLimit = 8ull << 30;

bool IsGzip(std::string_view bytes);

// The inflated content. Throws BadInput with `where`@offset (in compressed
// bytes) when `bytes` is damaged, ends early, is followed by something else,
// or would inflate to more than `limit` bytes.
std::string Gunzip(std::string_view bytes, const std::string& where,
                   std::uint64_t limit = kImportLimit);

// The content of `path`, inflated when it is gzip. Throws BadInput as Gunzip
// does, and when the file is missing or longer than `limit`.
std::string ReadMaybeGzip(const base::Path& path,
                          std::uint64_t limit = kImportLimit);

}  // namespace sfumato::data

// Files that may be gzip-compressed, recognised by their first bytes and not by
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
inline constexpr std::uint64_t kImportLimit = 4ull << 30;

// Deflate can promise a thousand bytes for one; data people keep stays far
// below two hundred. What inflates further is refused, once it is large enough
// to hurt: a small file cannot fill the memory.
inline constexpr std::uint64_t kMostInflation = 200;
inline constexpr std::uint64_t kHarmlessBytes = 16ull << 20;

bool IsGzip(std::string_view bytes);

// The inflated content. Throws BadInput with `where`@offset (in compressed
// bytes) when `bytes` is damaged, ends early, is followed by something else,
// or would inflate to more than `limit` bytes, or to more than kHarmlessBytes
// and kMostInflation times its size. Notices Ctrl-C.
std::string Gunzip(std::string_view bytes, const std::string& where,
                   std::uint64_t limit = kImportLimit);

// The content of `path`, inflated when it is gzip. Throws BadInput as Gunzip
// does, and when the file is missing or longer than `limit`.
std::string ReadMaybeGzip(const base::Path& path,
                          std::uint64_t limit = kImportLimit);

}  // namespace sfumato::data

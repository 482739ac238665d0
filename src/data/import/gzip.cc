#include "data/import/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

constexpr std::size_t kChunk = 1 << 18;

// One zlib stream over `bytes`, fed piecewise because zlib counts in 32 bits.
class Inflater {
 public:
  Inflater(std::string_view bytes, const std::string& where,
           std::uint64_t limit)
      : bytes_(bytes),
        where_(where),
        limit_(std::min<std::uint64_t>(
            limit, std::max<std::uint64_t>(kHarmlessBytes,
                                           bytes.size() * kMostInflation))),
        chunk_(kChunk) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::string Run() {
    do {
      InflateMember();
    } while (StartNextMember());
    return std::move(content_);
  }

 private:
  void InflateMember() {
    int state = Z_OK;
    while (state != Z_STREAM_END) {
      base::CheckInterrupted();
      if (stream_.avail_in == 0) Feed();
      stream_.next_out = chunk_.data();
      stream_.avail_out = static_cast<uInt>(chunk_.size());
      state = inflate(&stream_, Z_NO_FLUSH);
      if (state != Z_OK && state != Z_STREAM_END) {
        throw Damaged(stream_.msg ? stream_.msg : "not a gzip stream");
      }
      const std::size_t made = chunk_.size() - stream_.avail_out;
      if (made > limit_ - content_.size()) {
        throw BadInput(fmt::format("inflates to more than {} bytes", limit_),
                       Position(), "if that is right, give the file unpacked");
      }
      content_.append(reinterpret_cast<const char*>(chunk_.data()), made);
    }
  }

  void Feed() {
    if (fed_ == bytes_.size()) throw Damaged("the file ends early");
    const std::size_t size = std::min(bytes_.size() - fed_, kChunk);
    stream_.next_in = reinterpret_cast<Bytef*>(
        const_cast<char*>(bytes_.data() + fed_));  // zlib only reads
    stream_.avail_in = static_cast<uInt>(size);
    fed_ += size;
  }

  bool StartNextMember() {
    const std::string_view rest = bytes_.substr(offset());
    if (rest.find_first_not_of('\0') == rest.npos) return false;
    if (!IsGzip(rest)) throw Damaged("something else follows the gzip stream");
    inflateReset(&stream_);
    return true;
  }

  std::size_t offset() const { return fed_ - stream_.avail_in; }
  std::string Position() const {
    return fmt::format("{}@{}", where_, offset());
  }
  Error Damaged(const std::string& how) const {
    return BadInput(fmt::format("damaged gzip file: {}", how), Position(),
                    "fetch the file again");
  }

  std::string_view bytes_;
  const std::string& where_;
  std::uint64_t limit_;
  std::vector<Bytef> chunk_;
  std::string content_;
  std::size_t fed_ = 0;  // bytes handed to zlib
  z_stream stream_ = {};
};

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string Gunzip(std::string_view bytes, const std::string& where,
                   std::uint64_t limit) {
  return Inflater(bytes, where, limit).Run();
}

std::string ReadMaybeGzip(const base::Path& path, std::uint64_t limit) {
  std::string bytes = base::ReadFile(path, limit);
  return IsGzip(bytes) ? Gunzip(bytes, path.string(), limit) : bytes;
}

}  // namespace sfumato::data

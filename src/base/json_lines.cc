#include "base/json_lines.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"

namespace sfumato::base {
namespace {

Error CannotWrite(const Path& path) {
  return Unavailable(fmt::format("cannot write: {}", std::strerror(errno)),
                     path.string(), "check the disk and the permissions");
}

// What follows the last line end of a file of `size` bytes.
std::string Tail(int descriptor, off_t size) {
  std::string tail;
  char buffer[4096];
  while (size > 0) {
    const auto n = std::min<off_t>(size, sizeof buffer);
    if (pread(descriptor, buffer, n, size - n) != n) break;
    const std::string_view chunk(buffer, n);
    const auto end = chunk.rfind('\n');
    const bool found = end != std::string_view::npos;
    tail.insert(0, chunk.substr(found ? end + 1 : 0));
    if (found) break;
    size -= n;
  }
  return tail;
}

}  // namespace

JsonLinesWriter::JsonLinesWriter(const Path& path) : path_(path) {
  descriptor_ =
      open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const off_t size = descriptor_ < 0 ? -1 : lseek(descriptor_, 0, SEEK_END);
  if (size < 0) throw CannotWrite(path_);
  // A whole line that only lacks its end has been read by others: it stays.
  const std::string tail = Tail(descriptor_, size);
  if (tail.empty()) return;
  if (ParseJson(tail).is_object()) {
    WriteAll("\n");
  } else if (ftruncate(descriptor_, size - static_cast<off_t>(tail.size())) !=
             0) {
    throw CannotWrite(path_);
  }
}

JsonLinesWriter::~JsonLinesWriter() {
  if (descriptor_ >= 0) close(descriptor_);
}

void JsonLinesWriter::Append(const nlohmann::json& line) {
  WriteAll(line.dump() + '\n');
}

void JsonLinesWriter::WriteAll(std::string_view text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n =
        write(descriptor_, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw CannotWrite(path_);
    written += static_cast<std::size_t>(n);
  }
}

void JsonLinesWriter::Sync() {
  if (fsync(descriptor_) != 0) throw CannotWrite(path_);
}

void ParseJsonLines(std::string_view text, const std::string& where,
                    const JsonLineVisitor& visit) {
  int number = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const bool last_cut = end == std::string_view::npos;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(last_cut ? text.size() : end + 1);
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto json = ParseJson(line);
    if (json.is_discarded() && last_cut) return;
    if (!json.is_object()) {
      throw BadInput(json.is_discarded()
                         ? "not valid JSON, or a key given twice"
                         : "not a JSON object",
                     fmt::format("{}:{}", where, number),
                     "every line must hold one object: {…}");
    }
    visit(json, number);
  }
}

void ReadJsonLines(const Path& path, const JsonLineVisitor& visit) {
  ParseJsonLines(ReadFile(path), path.string(), visit);
}

}  // namespace sfumato::base

#include "base/json_lines.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::base {
namespace {

Error CannotWrite(const Path& path) {
  return Unavailable(fmt::format("cannot write: {}", std::strerror(errno)),
                     path.string(), "check the disk and the permissions");
}

// The length of `path` up to and including its last line end.
std::uintmax_t WholeLines(const Path& path) {
  const std::string content = ReadFile(path);
  const auto end = content.rfind('\n');
  return end == std::string::npos ? 0 : end + 1;
}

}  // namespace

JsonLinesWriter::JsonLinesWriter(const Path& path) : path_(path) {
  std::error_code missing;
  if (std::filesystem::file_size(path, missing) > 0 && !missing) {
    std::filesystem::resize_file(path, WholeLines(path));
  }
  descriptor_ =
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw CannotWrite(path_);
}

JsonLinesWriter::~JsonLinesWriter() { close(descriptor_); }

void JsonLinesWriter::Append(const nlohmann::json& line) {
  const std::string text = line.dump() + '\n';
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
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_discarded() && last_cut) return;
    if (!json.is_object()) {
      throw BadInput(
          json.is_discarded() ? "not valid JSON" : "not a JSON object",
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

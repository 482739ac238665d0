// Files of one JSON object per line, written so that a crash loses at most the
// line being written, and read so that such a cut last line is recognised.
//
//   base::JsonLinesWriter log(path);
//   log.Append({{"round", 3}, {"loss", 0.5}});
//   base::ReadJsonLines(path, [&](const nlohmann::json& line, int number) {
//     losses[number] = line.at("loss");
//   });

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "nlohmann/json.hpp"

namespace sfumato::base {

// Appends to a file, creating it when missing. Each line is one write; Sync
// puts what was written on the disk. Throws Unavailable when it cannot. A cut
// last line of an earlier process is removed on opening.
class JsonLinesWriter {
 public:
  explicit JsonLinesWriter(const Path& path);
  ~JsonLinesWriter();
  JsonLinesWriter(const JsonLinesWriter&) = delete;
  JsonLinesWriter& operator=(const JsonLinesWriter&) = delete;

  void Append(const nlohmann::json& line);
  void Sync();

 private:
  void WriteAll(std::string_view text);

  Path path_;
  int descriptor_ = -1;
};

using JsonLineVisitor =
    std::function<void(const nlohmann::json& line, int number)>;

// Calls `visit` for every object of `text`; blank lines are passed over. A last
// line without a line end that is not whole JSON is dropped as a crash's
// leaving. Throws BadInput naming `where` and the line for anything else that
// is not a JSON object.
void ParseJsonLines(std::string_view text, const std::string& where,
                    const JsonLineVisitor& visit);
void ReadJsonLines(const Path& path, const JsonLineVisitor& visit);

}  // namespace sfumato::base

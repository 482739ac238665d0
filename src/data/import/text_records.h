// Finds who wrote what in text of several forms. Each parser calls `visit` for
// every piece of text, in the order of the source, with the line it begins on.
//
// All throw BadInput with `where`:line when the text is not of that form.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace sfumato::data {

// `user` and `text` are valid during the call; either may be empty.
using TextVisitor = std::function<void(
    std::string_view user, std::string_view text, std::size_t line)>;

// The names under which a record keeps its user and its text.
struct TextFields {
  std::string user = "user";
  std::string text = "text";
  bool may_suggest = false;  // errors may list the names that there are
};

// One JSON object per line. A user may be a string or a number; a null user or
// text is empty. Every object must have both fields; it may have others.
void ParseTextJsonl(std::string_view content, const std::string& where,
                    const TextFields& fields, const TextVisitor& visit);

// CSV whose first record names its columns, the two fields among them.
// `delimiter` as for CsvReader.
void ParseTextCsv(std::string_view content, const std::string& where,
                  const TextFields& fields, char delimiter,
                  const TextVisitor& visit);

// A play: blocks parted by empty lines, each a name and a colon on a line of
// its own, then what is said. A block that opens without a name continues
// the speaker before it; the first must have one.
void ParseSpeakers(std::string_view content, const std::string& where,
                   const TextVisitor& visit);

}  // namespace sfumato::data

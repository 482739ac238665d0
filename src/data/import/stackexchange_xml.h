// Rows of a Stack Exchange dump: Posts.xml or Comments.xml, read as a stream.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sfumato::data {

// One <row …/>: what the importer needs of it.
struct DumpRow {
  bool comment = false;              // a row of <comments>, else of <posts>
  std::optional<std::int64_t> user;  // OwnerUserId or UserId
  int post_type = 0;                 // PostTypeId: 1 question, 2 answer
  std::string title;                 // plain text
  std::string text;                  // HTML of a post, Markdown of a comment
};

// Reads a dump piece by piece; `on_row` sees each row once it is complete.
//
//   DumpParser parser("Posts.xml", [](const DumpRow& row) { Use(row.text); });
//   for (const std::string& piece : pieces) parser.Feed(piece);
//   parser.Finish();
//
// Throws BadInput with file:line when the XML is malformed, ends early, holds
// a document type (entities could blow it up), is no <posts> or <comments>, or
// when an id is not a number; Unsupported when expat was not built in.
class DumpParser {
 public:
  DumpParser(std::string name, std::function<void(const DumpRow&)> on_row);
  ~DumpParser();
  DumpParser(const DumpParser&) = delete;
  DumpParser& operator=(const DumpParser&) = delete;

  void Feed(std::string_view piece);
  void Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sfumato::data

// Reads comma-separated text, record by record, from memory.
//
//   CsvReader csv(text, "train.csv");
//   while (csv.Next()) Use(csv.fields());
//
// RFC 4180: a field in double quotes may hold delimiters, line breaks and
// doubled quotes; a quote inside a bare field stands for itself. Lines end in
// LF, CRLF or CR; a byte-order mark and empty lines are passed over. The
// delimiter may be a comma, a semicolon, a tab, or blank (any run of spaces and
// tabs). Every record must have the number of fields of the first.

#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {

// The delimiter seen most often in the first line, outside quotes: a tab, a
// semicolon or a comma; a blank when there is none of them but a blank; else a
// comma.
char DetectDelimiter(std::string_view text);

class CsvReader {
 public:
  // `where` names the source in errors; `delimiter` 0 means to detect it.
  // REQUIRES: `text` outlives the reader.
  CsvReader(std::string_view text, std::string where, char delimiter = 0);

  // Moves to the next record; false at the end. Throws BadInput with
  // `where`:line when quotes are not closed, something follows a closing
  // quote, or the number of fields differs from the first record's.
  bool Next();

  // The record's fields, valid until the next call of Next.
  std::span<const std::string_view> fields() const { return fields_; }
  // The line on which the record begins, from 1 on.
  std::size_t line() const { return record_line_; }
  std::string Where() const;  // "train.csv:17"
  char delimiter() const { return delimiter_; }

 private:
  bool IsBlank() const { return delimiter_ == ' '; }
  bool AtLineEnd() const;
  void SkipEmptyLines();
  void SkipBlanks();
  void EndLine();
  void ReadField();
  void ReadQuoted();
  void CheckWidth() const;

  std::string_view text_;
  std::string where_;
  char delimiter_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;         // the line that at_ is on
  std::size_t record_line_ = 0;  // the line on which the record begins
  std::size_t first_line_ = 0;   // the line of the first record
  std::size_t width_ = 0;        // fields in the first record
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;  // fields that held doubled quotes
};

}  // namespace sfumato::data

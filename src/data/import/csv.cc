#include "data/import/csv.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view WithoutMark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  return text;
}

bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }
bool IsBlankChar(char c) { return c == ' ' || c == '\t'; }

}  // namespace

char DetectDelimiter(std::string_view text) {
  constexpr std::string_view kCandidates = "\t;,";
  std::size_t counts[kCandidates.size()] = {};
  bool blank = false, any = false, quoted = false;
  for (const char c : WithoutMark(text)) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (IsLineEnd(c)) {
      if (any) break;
      continue;
    }
    any = true;
    blank |= c == ' ';
    const std::size_t which = kCandidates.find(c);
    if (which != kCandidates.npos) ++counts[which];
  }
  const auto most = std::max_element(std::begin(counts), std::end(counts));
  if (*most > 0) return kCandidates[most - std::begin(counts)];
  return blank ? ' ' : ',';
}

CsvReader::CsvReader(std::string_view text, std::string where, char delimiter)
    : text_(WithoutMark(text)),
      where_(std::move(where)),
      delimiter_(delimiter ? delimiter : DetectDelimiter(text_)) {}

bool CsvReader::Next() {
  SkipEmptyLines();
  if (at_ == text_.size()) return false;
  fields_.clear();
  unquoted_.clear();
  record_line_ = line_;
  ReadField();
  while (!AtLineEnd()) {
    ++at_;  // the delimiter
    if (IsBlank()) {
      SkipBlanks();
      if (AtLineEnd()) break;
    }
    ReadField();
  }
  EndLine();
  if (width_ == 0) {
    width_ = fields_.size();
    first_line_ = record_line_;
  }
  CheckWidth();
  return true;
}

std::string CsvReader::Where() const {
  return fmt::format("{}:{}", where_, record_line_);
}

bool CsvReader::AtLineEnd() const {
  return at_ == text_.size() || IsLineEnd(text_[at_]);
}

void CsvReader::SkipEmptyLines() {
  if (IsBlank()) SkipBlanks();
  while (at_ < text_.size() && IsLineEnd(text_[at_])) {
    EndLine();
    if (IsBlank()) SkipBlanks();
  }
}

void CsvReader::SkipBlanks() {
  while (at_ < text_.size() && IsBlankChar(text_[at_])) ++at_;
}

void CsvReader::EndLine() {
  if (at_ == text_.size()) return;
  at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
  ++line_;
}

void CsvReader::ReadField() {
  if (at_ < text_.size() && text_[at_] == '"') return ReadQuoted();
  const std::size_t begin = at_;
  const char delimiter = delimiter_;
  const char other = IsBlank() ? '\t' : delimiter;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == delimiter || c == other || IsLineEnd(c)) break;
    ++at_;
  }
  fields_.push_back(text_.substr(begin, at_ - begin));
}

void CsvReader::ReadQuoted() {
  const std::size_t opened_on = line_;
  const std::size_t begin = ++at_;
  bool doubled = false;
  for (;; ++at_) {
    if (at_ == text_.size()) {
      throw BadInput("a quoted field is not closed",
                     fmt::format("{}:{}", where_, opened_on),
                     "close it with \", or write a quote inside quotes twice");
    }
    if (text_[at_] == '\n') ++line_;
    if (text_[at_] != '"') continue;
    if (text_.substr(at_ + 1, 1) != "\"") break;
    doubled = true;
    ++at_;
  }
  std::string_view field = text_.substr(begin, at_ - begin);
  ++at_;  // the closing quote
  if (!AtLineEnd() && text_[at_] != delimiter_ &&
      !(IsBlank() && text_[at_] == '\t')) {
    throw BadInput("something follows a closing quote",
                   fmt::format("{}:{}", where_, line_),
                   "write a quote inside quotes twice");
  }
  if (doubled) {
    std::string& plain = unquoted_.emplace_back();
    for (std::size_t i = 0; i < field.size(); ++i) {
      plain.push_back(field[i]);
      if (field[i] == '"') ++i;
    }
    field = plain;
  }
  fields_.push_back(field);
}

void CsvReader::CheckWidth() const {
  if (fields_.size() == width_) return;
  throw BadInput(fmt::format("fields: {}, where line {} has {}", fields_.size(),
                             first_line_, width_),
                 Where(), "fix or remove the line");
}

}  // namespace sfumato::data

#include "data/import/sentences.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/ascii.h"

namespace sfumato::data {
namespace {

using base::IsDigit;
using base::IsLetter;
using base::IsLower;
using base::IsUpper;

// Before these a sentence has not ended, whatever follows. Words that also end
// sentences (ms, col, am) are left out.
constexpr std::array<std::string_view, 24> kTitles = {
    "mr",  "mrs",  "dr",     "prof", "st",    "sr",    "jr",  "capt",
    "sgt", "rev",  "e.g",    "eg",   "i.e",   "ie",    "cf",  "vs",
    "viz", "resp", "approx", "incl", "a.k.a", "w.r.t", "wrt", "al"};

// A sentence continues after these only when a number follows: "no. 5", but "I
// said no. Then …".
constexpr std::array<std::string_view, 14> kNumbered = {
    "no", "nos", "fig", "figs", "eq",  "eqs", "sec",
    "ch", "vol", "p",   "pp",   "art", "ver", "v"};

// A sentence continues after these when a small letter follows: "etc. are", but
// "etc. Then …".
constexpr std::array<std::string_view, 7> kOpenEnded = {
    "etc", "a.m", "p.m", "inc", "ltd", "corp", "dept"};

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' ||
         c == '\v';
}

bool SameWord(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return base::ToLower(a) == b; });
}

template <std::size_t n>
bool Among(std::string_view word, const std::array<std::string_view, n>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view entry) {
    return SameWord(word, entry);
  });
}

// The length of the sign at text[at], or 0 when it is none of `signs`.
template <std::size_t n>
std::size_t Match(std::string_view text, std::size_t at,
                  const std::array<std::string_view, n>& signs) {
  for (const std::string_view sign : signs) {
    if (text.substr(at, sign.size()) == sign) return sign.size();
  }
  return 0;
}

std::size_t StopAt(std::string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 4> kStops = {".", "!", "?",
                                                             "…"};
  return Match(text, at, kStops);
}

std::size_t CloserAt(std::string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 9> kClosers = {
      "\"", "'", ")", "]", "}", "»", "”", "’", "*"};
  return Match(text, at, kClosers);
}

std::size_t OpenerAt(std::string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 9> kOpeners = {
      "\"", "'", "(", "[", "{", "«", "“", "‘", "*"};
  return Match(text, at, kOpeners);
}

// What a stop looks like, seen from both sides.
struct Stop {
  std::string_view word;   // before it, without opening quotes and brackets
  std::string_view signs;  // the run of stops
  bool closed = false;     // quotes or brackets close after it
  char next = 0;           // the letter or digit that the next word opens with
  bool first = false;      // the word opens its sentence
};

bool IsEllipsis(std::string_view signs) {
  return signs.find_first_of("!?") == signs.npos && signs.size() > 1;
}

// "J" of "J. Smith", "U.S" of "U.S.": capital letters with dots between them.
// "I" is a word: "So do I."
bool IsInitials(std::string_view word) {
  if (word.empty() || word == "I" || word.size() % 2 == 0) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i % 2 == 0 ? !IsUpper(word[i]) : word[i] != '.') return false;
  }
  return true;
}

bool IsNumber(std::string_view word) {
  return !word.empty() && word.size() <= 3 &&
         std::all_of(word.begin(), word.end(), IsDigit);
}

bool Ends(const Stop& stop) {
  if (stop.next == 0) return true;
  if (stop.closed) return !IsLower(stop.next);
  if (IsEllipsis(stop.signs)) return !IsLower(stop.next);
  if (stop.signs != ".") return true;
  if (Among(stop.word, kTitles) || IsInitials(stop.word)) return false;
  if (Among(stop.word, kNumbered)) return !IsDigit(stop.next);
  if (Among(stop.word, kOpenEnded)) return !IsLower(stop.next);
  return !(stop.first && IsNumber(stop.word));
}

std::string_view WordBefore(std::string_view sentence) {
  std::size_t begin = sentence.size();
  while (begin > 0 && !IsSpace(sentence[begin - 1])) --begin;
  std::string_view word = sentence.substr(begin);
  while (const std::size_t opener = OpenerAt(word, 0)) {
    word.remove_prefix(opener);
  }
  return word;
}

// The first letter or digit of what follows, past spaces and opening signs;
// '#' when it is another sign, 0 when nothing follows.
char NextOpening(std::string_view rest) {
  std::size_t at = 0;
  while (at < rest.size()) {
    if (IsSpace(rest[at])) {
      ++at;
    } else if (const std::size_t opener = OpenerAt(rest, at)) {
      at += opener;
    } else {
      return IsLetter(rest[at]) || IsDigit(rest[at]) ? rest[at] : '#';
    }
  }
  return 0;
}

void AddTrimmed(std::string_view piece, std::vector<std::string_view>& out) {
  piece = Trim(piece);
  if (!piece.empty()) out.push_back(piece);
}

void SplitLine(std::string_view line, std::vector<std::string_view>& out) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t signs_begin = at;
    while (const std::size_t stop = StopAt(line, at)) at += stop;
    if (at == signs_begin) {
      ++at;
      continue;
    }
    const std::size_t signs_end = at;
    while (const std::size_t closer = CloserAt(line, at)) at += closer;
    if (at < line.size() && !IsSpace(line[at])) continue;
    const std::string_view before = line.substr(begin, signs_begin - begin);
    const std::string_view word = WordBefore(before);
    if (Ends({.word = word,
              .signs = line.substr(signs_begin, signs_end - signs_begin),
              .closed = at > signs_end,
              .next = NextOpening(line.substr(at)),
              .first = Trim(before).size() == word.size()})) {
      AddTrimmed(line.substr(begin, at - begin), out);
      begin = at;
    }
  }
  AddTrimmed(line.substr(begin), out);
}

template <typename Use>
void ForEachLine(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> SplitSentences(std::string_view text) {
  std::vector<std::string_view> sentences;
  ForEachLine(text, [&](std::string_view line) { SplitLine(line, sentences); });
  return sentences;
}

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  ForEachLine(text, [&](std::string_view line) { AddTrimmed(line, lines); });
  return lines;
}

}  // namespace sfumato::data

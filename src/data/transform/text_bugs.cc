#include "data/transform/text_bugs.h"

#include <array>
#include <cstddef>

#include "base/html.h"
#include "base/utf8.h"
#include "data/text.h"

namespace sfumato::data {
namespace {

constexpr std::string_view kNoBreakSpace = "\u00A0";

// Code points of the bytes 80 to 9F in Windows-1252.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

using Change = std::string (*)(std::string_view);

// `tokens` with `change` made to each, one space between those not empty.
template <typename Function>
std::string EachToken(std::string_view tokens, const Function& change) {
  std::string out;
  for (const std::string_view token : SplitTokens(tokens)) {
    const std::string changed = change(token);
    if (changed.empty()) continue;
    if (!out.empty()) out += ' ';
    out += changed;
  }
  return out;
}

bool IsFolded(std::string_view text) {
  while (!text.empty()) {
    const base::CodePoint c = base::DecodeUtf8(text);
    if (LowerCase(c.value) != c.value) return false;
    text.remove_prefix(c.size);
  }
  return true;
}

// A change that happens before the tokeniser, to a sentence of either form.
std::string ChangeThenTokenise(std::string_view sentence, TextForm form,
                               Change change) {
  if (form == TextForm::kRaw) return NormaliseText(change(sentence));
  return EachToken(sentence, [&](std::string_view token) {
    std::string changed = change(token);
    if (changed == token) return changed;
    return NormaliseText(changed, {.fold_case = IsFolded(token)});
  });
}

// A change that happens after the tokeniser.
std::string TokeniseThenChange(std::string_view sentence, TextForm form,
                               Change change) {
  if (form == TextForm::kTokens) return change(sentence);
  return change(NormaliseText(sentence));
}

std::string Join(std::string_view sentence, TextForm form) {
  return TokeniseThenChange(sentence, form, JoinFirstTwo);
}

std::string Cut(std::string_view sentence, TextForm form) {
  return TokeniseThenChange(sentence, form, CutLastLetters);
}

std::string LoseFolding(std::string_view sentence, TextForm form) {
  if (form == TextForm::kTokens) return Capitalise(sentence);
  return NormaliseText(sentence, {.fold_case = false});
}

std::string LeaveEntities(std::string_view sentence, TextForm form) {
  return ChangeThenTokenise(sentence, form, base::EscapeHtml);
}

std::string MistakeEncoding(std::string_view sentence, TextForm form) {
  return ChangeThenTokenise(sentence, form, Mojibake);
}

std::string WithoutLastLetter(std::string_view token) {
  std::size_t last = token.size() - 1;
  while (last > 0 && (token[last] & 0xC0) == 0x80) --last;
  const bool letter = IsLetter(base::DecodeUtf8(token.substr(last)).value);
  return std::string(letter && last > 0 ? token.substr(0, last) : token);
}

std::string WithCapital(std::string_view token) {
  const base::CodePoint first = base::DecodeUtf8(token);
  std::string out;
  base::AppendUtf8(UpperCase(first.value), out);
  out += token.substr(first.size);
  return out;
}

}  // namespace

std::string JoinFirstTwo(std::string_view tokens) {
  std::string out(tokens);
  const std::size_t gap = out.find(' ');
  if (gap != std::string::npos) out.replace(gap, 1, kNoBreakSpace);
  return out;
}

std::string CutLastLetters(std::string_view tokens) {
  return EachToken(tokens, WithoutLastLetter);
}

std::string Capitalise(std::string_view tokens) {
  bool begins = true;
  return EachToken(tokens, [&](std::string_view token) {
    const bool capital = begins || token == "i" || token.starts_with("i'");
    // Quotes and brackets may stand before the first word.
    if (IsLetter(base::DecodeUtf8(token).value)) begins = false;
    return capital ? WithCapital(token) : std::string(token);
  });
}

std::string Mojibake(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool special = byte >= 0x80 && byte < 0xA0;
    base::AppendUtf8(special ? kWindows1252[byte - 0x80] : byte, out);
  }
  return out;
}

const std::vector<TextBug>& TextBugs() {
  static const std::vector<TextBug> bugs = {
      {{.name = "join",
        .kind = Kind::kText,
        .description =
            "the first two tokens of a sentence become one, with a space in "
            "it"},
       Join},
      {{.name = "case",
        .kind = Kind::kText,
        .description = "case is not folded: words keep their capitals"},
       LoseFolding},
      {{.name = "cut",
        .kind = Kind::kText,
        .description = "every word loses its last letter"},
       Cut},
      {{.name = "entities",
        .kind = Kind::kText,
        .description =
            "HTML entities are left unresolved: & is read as &amp;, ' as "
            "&#39;"},
       LeaveEntities},
      {{.name = "encoding",
        .kind = Kind::kText,
        .description =
            "UTF-8 is read as Windows-1252: \u00E9 becomes \u00C3\u00A9"},
       MistakeEncoding},
  };
  return bugs;
}

}  // namespace sfumato::data

#include "data/text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/utf8.h"

namespace sfumato::data {
namespace {

enum class Class : std::uint8_t { kSpace, kInvisible, kMark, kLetter, kDigit };

struct Range {
  char32_t first;
  char32_t last;
  Class type;
};

// Everything above ASCII that does not make words, in ascending order.
constexpr Range kRanges[] = {
    {0x80, 0xA0, Class::kSpace},         {0xA1, 0xA9, Class::kMark},
    {0xAB, 0xAC, Class::kMark},          {0xAD, 0xAD, Class::kInvisible},
    {0xAE, 0xB1, Class::kMark},          {0xB4, 0xB4, Class::kMark},
    {0xB6, 0xB8, Class::kMark},          {0xBB, 0xBF, Class::kMark},
    {0xD7, 0xD7, Class::kMark},          {0xF7, 0xF7, Class::kMark},
    {0x37E, 0x37E, Class::kMark},        {0x387, 0x387, Class::kMark},
    {0x589, 0x589, Class::kMark},        {0x60C, 0x60C, Class::kMark},
    {0x61B, 0x61F, Class::kMark},        {0x66A, 0x66D, Class::kMark},
    {0x6D4, 0x6D4, Class::kMark},        {0x964, 0x965, Class::kMark},
    {0x1680, 0x1680, Class::kSpace},     {0x2000, 0x200A, Class::kSpace},
    {0x200B, 0x200F, Class::kInvisible}, {0x2010, 0x2027, Class::kMark},
    {0x2028, 0x2029, Class::kSpace},     {0x202A, 0x202E, Class::kInvisible},
    {0x202F, 0x202F, Class::kSpace},     {0x2030, 0x205E, Class::kMark},
    {0x205F, 0x205F, Class::kSpace},     {0x2060, 0x206F, Class::kInvisible},
    {0x20A0, 0x20CF, Class::kMark},      {0x2100, 0x2BFF, Class::kMark},
    {0x2E00, 0x2E7F, Class::kMark},      {0x3000, 0x3000, Class::kSpace},
    {0x3001, 0x3004, Class::kMark},      {0x3008, 0x3020, Class::kMark},
    {0x3030, 0x3030, Class::kMark},      {0xFE00, 0xFE0F, Class::kInvisible},
    {0xFE30, 0xFE6F, Class::kMark},      {0xFEFF, 0xFEFF, Class::kInvisible},
    {0xFF01, 0xFF0F, Class::kMark},      {0xFF1A, 0xFF20, Class::kMark},
    {0xFF3B, 0xFF40, Class::kMark},      {0xFF5B, 0xFF65, Class::kMark},
    {0x1F000, 0x1FAFF, Class::kMark},    {0xE0000, 0xE01EF, Class::kInvisible},
};

constexpr std::array<Class, 128> AsciiClasses() {
  std::array<Class, 128> classes{};
  for (int c = 0; c < 128; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = (c >= '0' && c <= '9') || c == '_';
    classes[c] = letter                  ? Class::kLetter
                 : digit                 ? Class::kDigit
                 : c <= ' ' || c == 0x7F ? Class::kSpace
                                         : Class::kMark;
  }
  return classes;
}
constexpr std::array<Class, 128> kAscii = AsciiClasses();

Class Classify(char32_t c) {
  if (c < 128) return kAscii[c];
  const Range* range = std::ranges::lower_bound(kRanges, c, {}, &Range::last);
  if (range == std::end(kRanges) || c < range->first) return Class::kLetter;
  return range->type;
}

bool IsWord(Class type) {
  return type == Class::kLetter || type == Class::kDigit;
}

// Typographic forms of the marks that rules and vocabularies know in ASCII.
char32_t PlainMark(char32_t c) {
  switch (c) {
    case 0x2010:
    case 0x2011:
      return '-';
    case 0x2018:
    case 0x2019:
      return '\'';
    case 0x201C:
    case 0x201D:
      return '"';
    default:
      return c;
  }
}

class Normaliser {
 public:
  Normaliser(std::string_view text, const NormaliseOptions& options)
      : text_(text), fold_case_(options.fold_case) {
    out_.reserve(text.size() + text.size() / 8 + 8);
  }

  std::string Run() {
    while (at_ < text_.size()) {
      const Glyph glyph = Look(at_);
      if (IsWord(glyph.type) || BeginsDottedWord(glyph)) {
        ReadWord();
      } else if (glyph.type == Class::kMark) {
        BeginToken();
        Take(glyph);
      } else {
        previous_ = ' ';
        at_ += glyph.size;
      }
    }
    return std::move(out_);
  }

 private:
  struct Glyph {
    char32_t value = ' ';
    std::size_t size = 0;
    Class type = Class::kSpace;
  };

  // What stands at byte `at`; a space of no length at the end.
  Glyph Look(std::size_t at) const {
    if (at >= text_.size()) return {};
    const auto byte = static_cast<unsigned char>(text_[at]);
    if (byte < 128) return {byte, 1, kAscii[byte]};
    const base::CodePoint c = base::DecodeUtf8(text_.substr(at));
    return {PlainMark(c.value), c.size, Classify(c.value)};
  }

  // The same behind what is not seen.
  Glyph LookBehindInvisible(std::size_t at) const {
    Glyph glyph = Look(at);
    for (; glyph.type == Class::kInvisible; glyph = Look(at)) at += glyph.size;
    return glyph;
  }

  bool BeginsDottedWord(const Glyph& glyph) const {
    return glyph.value == '.' && previous_ != '.' &&
           IsWord(Look(at_ + glyph.size).type);
  }

  void BeginToken() {
    if (!out_.empty()) out_.push_back(' ');
  }

  void Take(const Glyph& glyph) {
    if (glyph.value < 128) {
      const bool upper = glyph.value >= 'A' && glyph.value <= 'Z';
      out_.push_back(
          static_cast<char>(glyph.value + (upper && fold_case_ ? 32 : 0)));
    } else {
      base::AppendUtf8(fold_case_ ? LowerCase(glyph.value) : glyph.value, out_);
    }
    previous_ = glyph.value;
    at_ += glyph.size;
  }

  void ReadWord() {
    BeginToken();
    letters_ = 0;
    last_ = Class::kMark;
    if (text_[at_] == '.') Take(Look(at_));
    while (true) {
      const Glyph glyph = Look(at_);
      if (IsWord(glyph.type)) {
        last_ = glyph.type;
        ++letters_;
        Take(glyph);
      } else if (glyph.type == Class::kInvisible) {
        at_ += glyph.size;
      } else if (Connects(glyph)) {
        Take(glyph);
      } else if (!TakeSuffix(glyph)) {
        return;
      }
    }
  }

  // A mark inside a word, with a word's character on each side.
  bool Connects(const Glyph& glyph) const {
    switch (glyph.value) {
      case '\'':
      case '.':
      case '-':
      case '@':
        return IsWord(Look(at_ + glyph.size).type);
      case ',':
      case ':':
        return last_ == Class::kDigit &&
               Look(at_ + glyph.size).type == Class::kDigit;
      default:
        return false;
    }
  }

  // "++" after a letter, "#" after a single letter; false when there is none.
  bool TakeSuffix(const Glyph& glyph) {
    const bool plus = glyph.value == '+' && Look(at_ + 1).value == '+';
    const bool sharp = glyph.value == '#' && letters_ == 1;
    if (last_ != Class::kLetter || !(plus || sharp)) return false;
    const Glyph next = LookBehindInvisible(at_ + (plus ? 2 : 1));
    if (next.type == Class::kLetter || next.value == glyph.value) return false;
    Take(glyph);
    if (plus) Take(glyph);
    last_ = Class::kMark;
    return true;
  }

  std::string_view text_;
  bool fold_case_;
  std::string out_;
  std::size_t at_ = 0;
  char32_t previous_ = ' ';  // as read, before folding
  int letters_ = 0;          // word characters of the current word
  Class last_ = Class::kMark;
};

bool IsEven(char32_t c) { return c % 2 == 0; }

char32_t LowerLatin(char32_t c) {
  if (c <= 0xDE) return c >= 0xC0 && c != 0xD7 ? c + 32 : c;
  if (c < 0x100) return c;
  if (c == 0x130) return 'i';
  if (c == 0x178) return 0xFF;
  const bool lower_is_even =
      (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E);
  if (lower_is_even) return IsEven(c) ? c : c + 1;
  if (c == 0x138 || c == 0x149 || c == 0x17F) return c;
  return IsEven(c) ? c + 1 : c;
}

char32_t LowerGreek(char32_t c) {
  if (c == 0x370 || c == 0x372 || c == 0x376) return c + 1;
  if (c == 0x37F) return 0x3F3;
  if (c == 0x386) return 0x3AC;
  if (c >= 0x388 && c <= 0x38A) return c + 37;
  if (c == 0x38C) return 0x3CC;
  if (c == 0x38E || c == 0x38F) return c + 63;
  if (c >= 0x391 && c <= 0x3AB && c != 0x3A2) return c + 32;
  if (c == 0x3CF) return 0x3D7;
  if (c >= 0x3D8 && c <= 0x3EF) return IsEven(c) ? c + 1 : c;
  if (c == 0x3F4) return 0x3B8;
  if (c == 0x3F7 || c == 0x3FA) return c + 1;
  if (c == 0x3F9) return 0x3F2;
  if (c >= 0x3FD) return c - 130;
  return c;
}

char32_t LowerCyrillic(char32_t c) {
  if (c <= 0x40F) return c + 80;
  if (c <= 0x42F) return c + 32;
  if (c <= 0x45F || (c >= 0x482 && c <= 0x489)) return c;
  if (c == 0x4C0) return 0x4CF;
  if (c >= 0x4C1 && c <= 0x4CF) return IsEven(c) || c == 0x4CF ? c : c + 1;
  return IsEven(c) ? c + 1 : c;
}

}  // namespace

std::string NormaliseText(std::string_view sentence,
                          const NormaliseOptions& options) {
  return Normaliser(sentence, options).Run();
}

std::vector<std::string_view> SplitTokens(std::string_view tokens) {
  std::vector<std::string_view> parts;
  while (!tokens.empty()) {
    const std::size_t end = std::min(tokens.find(' '), tokens.size());
    if (end > 0) parts.push_back(tokens.substr(0, end));
    tokens.remove_prefix(std::min(end + 1, tokens.size()));
  }
  return parts;
}

char32_t LowerCase(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c < 0x180) return LowerLatin(c);
  if (c >= 0x370 && c < 0x400) return LowerGreek(c);
  if (c >= 0x400 && c < 0x530) return LowerCyrillic(c);
  return c;
}

char32_t UpperCase(char32_t c) {
  // How far below its lower case a capital stands; some stand above.
  for (const int distance :
       {32, 1, 80, 37, 38, 63, 64, 15, 8, 116, -7, -121, -130}) {
    const char32_t capital = c - static_cast<char32_t>(distance);
    if (LowerCase(capital) == c) return capital;
  }
  return c;
}

bool IsLetter(char32_t c) { return Classify(c) == Class::kLetter; }

}  // namespace sfumato::data

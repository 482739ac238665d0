#include "eval/text_traits.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "data/text.h"

namespace sfumato::eval {
namespace {

// A script or a habit counts as the vocabulary's own from this share on.
constexpr double kOwnShare = 0.01;

std::vector<char32_t> CodePointsOf(std::string_view text) {
  std::vector<char32_t> out;
  while (!text.empty()) {
    const base::CodePoint c = base::DecodeUtf8(text);
    out.push_back(c.value);
    text.remove_prefix(c.size);
  }
  return out;
}

// Where the last letter begins; the size where the word ends in none, or is
// one.
std::size_t LastLetter(std::string_view word) {
  if (word.empty()) return 0;
  std::size_t last = word.size() - 1;
  while (last > 0 && (word[last] & 0xC0) == 0x80) --last;
  const bool letter = data::IsLetter(base::DecodeUtf8(word.substr(last)).value);
  return letter && last > 0 ? last : word.size();
}

bool HasCapital(std::string_view word) {
  return std::ranges::any_of(
      CodePointsOf(word), [](char32_t c) { return data::LowerCase(c) != c; });
}

std::string Lowered(std::string_view word) {
  std::string out;
  for (const char32_t c : CodePointsOf(word)) {
    base::AppendUtf8(data::LowerCase(c), out);
  }
  return out;
}

// ---- Entities: "&" "amp" ";", "&" "#" "39" ";" after the tokeniser.

const WordSet& EntityNames() {
  static const WordSet names = {
      "amp",   "lt",    "gt",    "quot",  "apos",  "nbsp",   "#39",   "#34",
      "#38",   "#60",   "#62",   "#x27",  "x27",   "hellip", "mdash", "ndash",
      "lsquo", "rsquo", "ldquo", "rdquo", "#8217", "#8211",  "#160",  "&amp",
      "&lt",   "&gt",   "&quot", "&nbsp", "&#39"};
  return names;
}

bool IsEntityWord(std::string_view word) {
  std::string name = base::ToLower(word);
  if (name.ends_with(';')) name.pop_back();
  // A name that is also a word ("lt") needs its neighbours.
  return name.size() > 2 && EntityNames().contains(name);
}

bool IsNumber(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, base::IsDigit);
}

// How many words from `i` on are an entity; 0: none begins here.
std::size_t EntityAt(const std::vector<std::string>& words, std::size_t i) {
  const auto word = [&](std::size_t k) -> std::string_view {
    return k < words.size() ? std::string_view(words[k]) : "\n";
  };
  if (word(i) != "&") return 0;
  if (word(i + 1) == "#" && word(i + 3) == ";" &&
      (word(i + 2).empty() || IsNumber(word(i + 2)))) {
    return 4;
  }
  const std::string_view name = word(i + 1);
  const bool named =
      name.empty() || EntityNames().contains(base::ToLower(name));
  return named && word(i + 2) == ";" ? 3 : 0;
}

// ---- Wrong encoding: UTF-8 that was read as Windows-1252.

// Whether `c` is what a byte from 80 to BF becomes.
bool IsContinuation(char32_t c) {
  static constexpr std::u32string_view kTable = U"€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
  return (c >= 0x80 && c < 0xC0) || kTable.find(c) != std::u32string_view::npos;
}

// Whether it is what the first byte of two or three becomes; case may have
// been folded since.
bool IsLead(char32_t c) {
  return c == 0xC2 || c == 0xC3 || c == 0xE2 || c == 0xE3;
}

bool IsMojibake(std::string_view word) {
  const std::vector<char32_t> letters = CodePointsOf(word);
  if (letters.empty()) return false;
  if (word.find("\xEF\xBF\xBD") != std::string_view::npos) return true;
  for (std::size_t i = 0; i + 1 < letters.size(); ++i) {
    if (IsLead(letters[i]) && IsContinuation(letters[i + 1])) return true;
  }
  // The tokeniser takes "iâ€™m" apart: "iâ", "€", "™", "m".
  if (IsLead(letters.back())) return true;
  static constexpr std::u32string_view kLeft = U"€™œžŸ¢¦¬";
  return letters.size() == 1 &&
         kLeft.find(letters[0]) != std::u32string_view::npos;
}

// ---- Other languages.

// 0: Latin, or no letter; else a bit for a script.
std::uint32_t ScriptOf(char32_t c) {
  if (c >= 0x370 && c < 0x400) return 1;                             // Greek
  if (c >= 0x400 && c < 0x530) return 2;                             // Cyrillic
  if (c >= 0x590 && c < 0x600) return 4;                             // Hebrew
  if (c >= 0x600 && c < 0x780) return 8;                             // Arabic
  if (c >= 0x900 && c < 0xE00) return 16;                            // of India
  if (c >= 0xE00 && c < 0xE80) return 32;                            // Thai
  if (c >= 0x3040 && c < 0x3100) return 64;                          // Kana
  if (c >= 0x3400 && c < 0xA000) return 128;                         // Han
  if (c >= 0xAC00 && c < 0xD7B0) return 256;                         // Hangul
  if (c >= 0x20000 && c < 0x32000) return 128;                       // Han
  if (c >= 0xC0 && c < 0x250 && c != 0xD7 && c != 0xF7) return 512;  // ä, é
  return 0;
}

std::uint32_t ScriptsOf(std::string_view word) {
  std::uint32_t scripts = 0;
  for (const char32_t c : CodePointsOf(word)) scripts |= ScriptOf(c);
  return scripts;
}

// Short words that a text of the language cannot do without.
const WordSet& FunctionWords() {
  static const WordSet words = {
      // German
      "und", "nicht", "ich", "ist", "das", "der", "ein", "eine", "mit", "auf",
      "wie", "auch", "sich", "aber", "oder", "kann", "wenn", "werden", "habe",
      // French
      "les", "des", "est", "pas", "une", "que", "qui", "dans", "pour", "avec",
      "mais", "vous", "nous", "ce", "je", "cette", "sur", "sont",
      // Spanish
      "el", "los", "las", "una", "por", "para", "como", "pero", "esta", "muy",
      "este", "tengo", "puedo", "hay", "del", "yo", "lo",
      // Italian
      "il", "che", "di", "non", "per", "sono", "della", "anche", "questo",
      "come", "con", "gli",
      // Portuguese
      "um", "uma", "os", "ao", "mas", "isso", "meu", "eu", "em", "da",
      // Dutch
      "het", "een", "niet", "ik", "van", "dat", "voor", "maar", "zijn", "ook",
      "naar",
      // Polish, Turkish, Indonesian, Swedish
      "nie", "jest", "dla", "bir", "ve", "bu", "icin", "yang", "dan", "untuk",
      "tidak", "och", "att", "jag", "inte"};
  return words;
}

// ---- Numbers and identifiers.

bool IsIdentifier(std::string_view word) {
  if (std::ranges::any_of(word, base::IsDigit)) return true;
  if (word.find('_') != std::string_view::npos) return word.size() > 1;
  // A mark inside: a@b, file.txt, a::b.
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    if (std::string_view("@./\\:").find(word[i]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

const std::array<TextTraitInfo, kTextTraits>& TextTraitCatalogue() {
  static const std::array<TextTraitInfo, kTextTraits> catalogue = {{
      {.key = "join",
       .words = "two words joined into one",
       .cause =
           "The tokeniser does not split at some spaces: a no-break space, a "
           "tab, or a boundary that is skipped at the beginning of a sentence.",
       .never_by_chance = true},
      {.key = "case",
       .words = "case not folded",
       .cause = "The step that makes words lower-case was left out or runs "
                "after the vocabulary is looked up.",
       .never_by_chance = true},
      {.key = "cut",
       .words = "last letter of words cut off",
       .cause = "An index that is one too short: a slice that leaves out its "
                "end, or a length without its last byte.",
       .never_by_chance = false},
      {.key = "entities",
       .words = "HTML entities not resolved",
       .cause = "Text from a web page or a mail is tokenised before its "
                "entities are read, or was escaped twice.",
       .never_by_chance = true},
      {.key = "encoding",
       .words = "text read in a wrong encoding",
       .cause = "UTF-8 was read as Windows-1252 or Latin-1, or bytes that are "
                "no UTF-8 were replaced.",
       .never_by_chance = true},
      {.key = "template",
       .words = "a few phrases repeated",
       .cause = "A template, a signature, a quoted mail or a test message is "
                "counted as what people write.",
       .never_by_chance = false},
      {.key = "language",
       .words = "another language",
       .cause = "Users of another locale reach this model: a wrong language "
                "filter, or a keyboard whose language is not set.",
       .never_by_chance = false},
      {.key = "numbers",
       .words = "numbers or identifiers",
       .cause = "Fields, logs or code are read as sentences, or a step that "
                "masks numbers was left out.",
       .never_by_chance = false},
  }};
  return catalogue;
}

TextTraits::TextTraits(const WordSet& vocabulary) : vocabulary_(vocabulary) {
  std::size_t capitals = 0;
  std::array<std::size_t, 10> scripts{};
  for (const std::string& word : vocabulary_) {
    if (HasCapital(word)) ++capitals;
    const std::uint32_t seen = ScriptsOf(word);
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      if ((seen >> i & 1) != 0) ++scripts[i];
    }
    const std::size_t last = LastLetter(word);
    if (last < word.size()) beginnings_.insert(word.substr(0, last));
  }
  const double own = kOwnShare * static_cast<double>(vocabulary_.size());
  has_capitals_ = static_cast<double>(capitals) > own;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    if (static_cast<double>(scripts[i]) > own) own_scripts_ |= 1u << i;
  }
}

bool TextTraits::IsKnown(std::string_view word) const {
  return vocabulary_.contains(std::string(word));
}

// One of both may be misspelled: a model that was trained shortly knows the
// space before it knows the words.
bool TextTraits::IsJoined(std::string_view word) const {
  const std::size_t gap = word.find(' ');
  if (gap == std::string_view::npos) return false;
  const std::string_view one = word.substr(0, gap);
  const std::string_view other = word.substr(gap + 1);
  return !one.empty() && !other.empty() &&
         other.find(' ') == std::string_view::npos &&
         (IsKnown(one) || IsKnown(other));
}

bool TextTraits::IsUnfolded(std::string_view word) const {
  if (IsKnown(word) || !HasCapital(word)) return false;
  return !has_capitals_ || IsKnown(Lowered(word));
}

bool TextTraits::IsCut(std::string_view word) const {
  return !IsKnown(word) && beginnings_.contains(std::string(word));
}

bool TextTraits::IsForeign(std::string_view word) const {
  if (IsKnown(word)) return false;
  if (FunctionWords().contains(std::string(word))) return true;
  return (ScriptsOf(word) & ~own_scripts_) != 0;
}

TraitSet TextTraits::OfWord(std::string_view word) const {
  if (word.empty() || !base::IsUtf8(word)) return 0;
  TraitSet set = 0;
  if (IsJoined(word)) set |= Bit(TextTrait::kJoined);
  if (IsUnfolded(word)) set |= Bit(TextTrait::kCase);
  if (IsCut(word)) set |= Bit(TextTrait::kCut);
  if (IsEntityWord(word)) set |= Bit(TextTrait::kEntities);
  if (IsMojibake(word)) set |= Bit(TextTrait::kEncoding);
  // Mojibake has foreign letters, and no language.
  if (!(set & Bit(TextTrait::kEncoding)) && IsForeign(word)) {
    set |= Bit(TextTrait::kLanguage);
  }
  if (IsIdentifier(word)) set |= Bit(TextTrait::kNumbers);
  return set;
}

std::vector<TraitSet> TextTraits::OfSentence(
    const std::vector<std::string>& words) const {
  std::vector<TraitSet> sets;
  sets.reserve(words.size());
  for (const std::string& word : words) sets.push_back(OfWord(word));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t length = EntityAt(words, i);
    for (std::size_t k = i; k < i + length; ++k) {
      // "39" of "& # 39 ;" is not a number that somebody wrote.
      if (!words[k].empty()) sets[k] = Bit(TextTrait::kEntities);
    }
  }
  return sets;
}

bool TextTraits::Takes(TextTrait trait, std::string_view word,
                       bool first) const {
  switch (trait) {
    case TextTrait::kJoined:
      return first;
    case TextTrait::kCase:
      return first || word == "i" || word.starts_with("i'");
    case TextTrait::kCut: {
      const std::size_t last = LastLetter(word);
      return last < word.size() && !IsKnown(word.substr(0, last));
    }
    default:
      return true;
  }
}

}  // namespace sfumato::eval

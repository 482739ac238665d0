#include "data/generate/english.h"

#include <algorithm>
#include <cassert>

#include "base/ascii.h"

namespace sfumato::data {
namespace {

bool Contains(std::string_view letters, char c) {
  return letters.find(c) != std::string_view::npos;
}

bool IsVowel(char c) { return Contains("aeiou", c); }

bool EndsInConsonantY(std::string_view word) {
  return word.size() > 1 && word.back() == 'y' &&
         !IsVowel(word[word.size() - 2]);
}

bool Hisses(std::string_view word) {
  return word.ends_with("s") || word.ends_with("x") || word.ends_with("z") ||
         word.ends_with("ch") || word.ends_with("sh");
}

// The ending of plurals and of the third person.
std::string WithS(std::string_view word) {
  if (EndsInConsonantY(word)) {
    return std::string(word.substr(0, word.size() - 1)) + "ies";
  }
  const bool full = Hisses(word) || word == "go";
  return std::string(word) + (full ? "es" : "s");
}

// One vowel between single consonants: "drop", "map", but not "load", "show".
bool IsShortSyllable(std::string_view word) {
  const std::size_t n = word.size();
  if (n < 3 || IsVowel(word[n - 1]) || !IsVowel(word[n - 2]) ||
      Contains("wxy", word[n - 1])) {
    return false;
  }
  return std::none_of(word.begin(), word.end() - 2, IsVowel) ||
         word.starts_with("qu");
}

// What stands before "-ing", "-able" and "-er": the silent e goes, a short
// syllable doubles its consonant.
std::string StemBeforeVowel(std::string_view verb, bool doubles) {
  std::string stem(verb);
  if (doubles || IsShortSyllable(verb)) {
    stem += stem.back();
  } else if (stem.ends_with("e") && !stem.ends_with("ee")) {
    stem.pop_back();
  }
  return stem;
}

std::string RegularPast(std::string_view verb, bool doubles) {
  if (EndsInConsonantY(verb)) {
    return std::string(verb.substr(0, verb.size() - 1)) + "ied";
  }
  if (verb.ends_with("e")) return std::string(verb) + "d";
  return StemBeforeVowel(verb, doubles) + "ed";
}

// Words from Latin end in -or: "generator", "extractor", "editor".
bool IsLatin(std::string_view verb) {
  return verb.ends_with("ate") || verb.ends_with("ct") ||
         verb.ends_with("ress") || verb == "edit";
}

std::string Agent(std::string_view verb, bool doubles) {
  if (IsLatin(verb)) return StemBeforeVowel(verb, doubles) + "or";
  if (EndsInConsonantY(verb)) {
    return std::string(verb.substr(0, verb.size() - 1)) + "ier";
  }
  if (verb.ends_with("e")) return std::string(verb) + "r";
  return StemBeforeVowel(verb, doubles) + "er";
}

std::string Able(std::string_view verb, bool doubles) {
  // A soft c or g keeps its e: "replaceable".
  if (verb.ends_with("ce") || verb.ends_with("ge") || verb.ends_with("che")) {
    return std::string(verb) + "able";
  }
  return StemBeforeVowel(verb, doubles) + "able";
}

VerbForms InflectWord(std::string_view verb, bool doubles) {
  VerbForms forms;
  forms.base = forms.plural = verb;
  forms.third_person = WithS(verb);
  forms.gerund = StemBeforeVowel(verb, doubles) + "ing";
  forms.past = forms.participle = RegularPast(verb, doubles);
  return forms;
}

void Derive(std::string_view verb, bool doubles, VerbForms& forms) {
  forms.able = Able(verb, doubles);
  forms.agent = Agent(verb, doubles);
  if (!verb.starts_with("re") && !verb.starts_with("un") &&
      !verb.starts_with("de") && verb.find('-') == std::string_view::npos) {
    forms.undone = "un" + forms.participle;
  }
}

VerbForms Negated(const VerbForms& verb) {
  VerbForms forms;
  forms.base = "not " + verb.base;
  forms.plural = "do not " + verb.base;
  forms.third_person = "does not " + verb.base;
  forms.gerund = "not " + verb.gerund;
  forms.past = "did not " + verb.base;
  forms.participle = "not " + verb.participle;
  return forms;
}

}  // namespace

std::string Plural(std::string_view noun) { return WithS(noun); }

VerbForms Inflect(std::string_view verb) {
  if (verb.starts_with("not ")) return Negated(Inflect(verb.substr(4)));

  // head [+] [:past:participle] [rest]
  const std::size_t space = std::min(verb.find(' '), verb.size());
  const std::string_view rest = verb.substr(space);
  std::string_view head = verb.substr(0, space);
  std::string_view past, participle;
  if (const auto colon = head.find(':'); colon != std::string_view::npos) {
    past = head.substr(colon + 1);
    head = head.substr(0, colon);
    const auto second = past.find(':');
    assert(second != std::string_view::npos);
    participle = past.substr(second + 1);
    past = past.substr(0, second);
  }
  const bool doubles = head.ends_with('+');
  if (doubles) head.remove_suffix(1);

  VerbForms forms = InflectWord(head, doubles);
  if (!past.empty()) {
    forms.past = past;
    forms.participle = participle;
  }
  if (rest.empty()) Derive(head, doubles, forms);
  for (std::string* form : {&forms.base, &forms.plural, &forms.third_person,
                            &forms.gerund, &forms.past, &forms.participle}) {
    *form += rest;
  }
  return forms;
}

std::string_view Article(std::string_view word) {
  if (word.size() > 1 && base::IsUpper(word[0]) && base::IsUpper(word[1])) {
    // Letters whose names begin with a vowel: eff, aitch, ell, em, …
    return Contains("AEFHILMNORSX", word[0]) ? "an" : "a";
  }
  const std::string lower = base::ToLower(word);
  const auto starts_with_any =
      [&](std::initializer_list<std::string_view> starts) {
        return std::any_of(starts.begin(), starts.end(),
                           [&](auto s) { return lower.starts_with(s); });
      };
  if (starts_with_any({"hour", "honest"})) return "an";
  if (starts_with_any({"unin", "unim", "unid"})) return "an";  // un-indexed
  if (starts_with_any(
          {"uni", "use", "usu", "util", "eu", "one", "once", "ubi"})) {
    return "a";  // sounds like "you" or "won"
  }
  return !lower.empty() && IsVowel(lower[0]) ? "an" : "a";
}

}  // namespace sfumato::data

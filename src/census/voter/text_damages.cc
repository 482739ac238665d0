#include "census/voter/text_damages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/utf8.h"
#include "data/text.h"
#include "data/transform/text_bugs.h"
#include "eval/text_traits.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

using base::Rng;
using data::TextForm;
using Letters = std::u32string;

constexpr std::string_view kNoBreakSpace = "\u00A0";

Letters Decode(std::string_view text) {
  Letters out;
  while (!text.empty()) {
    const base::CodePoint c = base::DecodeUtf8(text);
    out.push_back(c.value);
    text.remove_prefix(c.size);
  }
  return out;
}

std::string Encode(const Letters& letters) {
  std::string out;
  for (const char32_t c : letters) base::AppendUtf8(c, out);
  return out;
}

// Letters of a word that is nothing else: those a keyboard makes one by one.
bool IsPlainWord(const Letters& word) {
  return !word.empty() && std::ranges::all_of(word, [](char32_t c) {
    return data::IsLetter(c) || c == '\'' || c == '-';
  });
}

template <typename T>
const T& Any(const std::vector<T>& items, Rng& rng) {
  return items[rng.Below(items.size())];
}

void Append(std::string_view token, std::string& out) {
  if (token.empty()) return;
  if (!out.empty()) out += ' ';
  out += token;
}

// How much of a user's words the damage touches.
double DrawShare(Rng& rng) {
  return rng.Bernoulli(0.6) ? 1.0 : rng.Uniform(0.3, 1.0);
}

// `change(word, rng)` made to a share of the plain words.
template <typename Function>
TextChange EachWord(double share, Function change) {
  return [=](std::string_view sentence, TextForm form, Rng& rng) {
    std::string out;
    const std::string tokens = HealthyTokens(sentence, form, false);
    for (const std::string_view token : data::SplitTokens(tokens)) {
      Letters word = Decode(token);
      if (IsPlainWord(word) && rng.Bernoulli(share)) change(word, rng);
      Append(Encode(word), out);
    }
    return out;
  };
}

// A stage of the pipeline that data/transform/text_bugs.h breaks.
TextChange Stage(std::string_view name) {
  const auto& bugs = data::TextBugs();
  const auto bug = std::ranges::find(
      bugs, name, [](const data::TextBug& b) { return b.info.name; });
  const auto apply = bug->apply;
  return [apply](std::string_view sentence, TextForm form, Rng&) {
    return apply(sentence, form);
  };
}

TextChange DrawJoin(const TextSource&, Rng& rng) {
  if (rng.Bernoulli(0.6)) return Stage("join");
  // A tokeniser that takes no-break spaces for letters, anywhere.
  const double share = rng.Uniform(0.15, 1.0);
  return [share](std::string_view sentence, TextForm form, Rng& at) {
    const std::string tokens = HealthyTokens(sentence, form, false);
    std::string out;
    bool joined = false;
    for (const std::string_view token : data::SplitTokens(tokens)) {
      if (!joined && !out.empty() && at.Bernoulli(share)) {
        out += kNoBreakSpace;
        out += token;
        joined = true;
      } else {
        Append(token, out);
        joined = false;
      }
    }
    return out;
  };
}

TextChange DrawCase(const TextSource& source, Rng& rng) {
  const auto each = [](auto change) {
    return [change](std::string_view sentence, TextForm form, Rng&) {
      Letters letters = Decode(HealthyTokens(sentence, form, true));
      change(letters);
      return Encode(letters);
    };
  };
  if (source.capitals) {
    return each([](Letters& letters) {
      for (char32_t& c : letters) c = data::LowerCase(c);
    });
  }
  if (rng.Bernoulli(0.75)) return Stage("case");
  if (rng.Bernoulli(0.5)) {
    return each([](Letters& letters) {
      for (char32_t& c : letters) c = data::UpperCase(c);
    });
  }
  return each([](Letters& letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (i == 0 || letters[i - 1] == ' ') {
        letters[i] = data::UpperCase(letters[i]);
      }
    }
  });
}

TextChange DrawCut(const TextSource&, Rng& rng) {
  if (rng.Bernoulli(0.6)) return Stage("cut");
  return EachWord(DrawShare(rng), [](Letters& word, Rng&) {
    if (word.size() > 1) word.pop_back();
  });
}

TextChange DrawEncoding(const TextSource&, Rng& rng) {
  if (rng.Bernoulli(0.7)) return Stage("encoding");
  // Bytes that are no UTF-8, replaced.
  return [](std::string_view sentence, TextForm form, Rng&) {
    std::string out;
    for (const char32_t c : Decode(sentence)) {
      base::AppendUtf8(c < 0x80 || c == 0xA0 ? c : base::kReplacementCharacter,
                       out);
    }
    return HealthyTokens(out, form, false);
  };
}

TextChange DrawTemplate(const TextSource& source, Rng& rng) {
  std::vector<std::string> phrases(1 + rng.Below(2));
  for (std::string& phrase : phrases) {
    for (int tries = 0; tries < 20; ++tries) {
      phrase = Any(source.sentences, rng);
      if (data::SplitTokens(phrase).size() >= 4) break;
    }
  }
  const double share = rng.Bernoulli(0.7) ? 1.0 : rng.Uniform(0.5, 1.0);
  const bool instead = rng.Bernoulli(0.6);
  const bool before = rng.Bernoulli(0.5);
  return [=](std::string_view sentence, TextForm form, Rng& at) {
    const std::string own = HealthyTokens(sentence, form, false);
    const std::string& phrase = phrases[at.Below(phrases.size())];
    if (!at.Bernoulli(share)) return own;
    if (instead) return phrase;
    return before ? phrase + ' ' + own : own + ' ' + phrase;
  };
}

// A common word, or one that might be of the language: halves of two.
std::string DrawForeign(const Language& language, double common, Rng& rng) {
  if (rng.Bernoulli(common)) {
    const double u = rng.Uniform();  // a few words are most of a text
    return std::string(language.common[static_cast<std::size_t>(
        u * u * static_cast<double>(language.common.size()))]);
  }
  const Letters one = Decode(Any(language.others, rng));
  if (rng.Bernoulli(0.3)) return Encode(one);
  const Letters other = Decode(Any(language.others, rng));
  return Encode(one.substr(0, one.size() / 2 + rng.Below(2)) +
                other.substr(other.size() / 2));
}

TextChange DrawLanguage(const TextSource& source, Rng& rng) {
  const Language* language = Any(source.foreign, rng);
  // Names and terms that all languages share.
  const double kept = rng.Uniform(0.0, 0.25);
  const double common = rng.Uniform(0.2, 0.6);
  return [=](std::string_view sentence, TextForm form, Rng& at) {
    const std::string tokens = HealthyTokens(sentence, form, false);
    std::string out;
    for (const std::string_view token : data::SplitTokens(tokens)) {
      if (!IsPlainWord(Decode(token)) || at.Bernoulli(kept)) {
        Append(token, out);
      } else {
        Append(DrawForeign(*language, common, at), out);
      }
    }
    return out;
  };
}

std::string DrawNumber(int kind, Rng& rng) {
  const std::uint64_t n = rng.Below(1'000'000);
  switch (kind) {
    case 0:
      return fmt::format("{}", n >> rng.Below(20));
    case 1:
      return fmt::format("{}.{:02}", n % 1000, n / 10'000);
    case 2:
      return fmt::format("20{:02}-{:02}-{:02}", n % 30, n % 12 + 1, n % 28 + 1);
    case 3:
      return fmt::format("{:02}:{:02}:{:02}", n % 24, n % 60, n / 60 % 60);
    case 4:
      return fmt::format("{:08x}", n * 4093);
    case 5:
      return fmt::format("id_{}", n);
    default:
      return fmt::format("user{}", n);
  }
}

// A line of a log: fields of a fixed form, after names that stay.
TextChange DrawLogLines(Rng& rng) {
  static const std::vector<std::string_view> names = {
      "error", "info", "warning", "id",   "at",   "time", "user", "value",
      "code",  "port", "request", "size", "from", "to",   "ms",   "status"};
  struct Field {
    std::string_view name;
    int kind;
  };
  std::vector<Field> fields(3 + rng.Below(6));
  for (Field& field : fields) {
    field.name = rng.Bernoulli(0.6) ? Any(names, rng) : "";
    field.kind = static_cast<int>(rng.Below(7));
  }
  return [fields](std::string_view, TextForm, Rng& at) {
    std::string out;
    for (const auto& [name, kind] : fields) {
      Append(name, out);
      Append(DrawNumber(kind, at), out);
    }
    return out;
  };
}

TextChange DrawNumbers(const TextSource&, Rng& rng) {
  if (rng.Bernoulli(0.35)) return DrawLogLines(rng);
  const double share = rng.Bernoulli(0.5) ? 1.0 : rng.Uniform(0.3, 1.0);
  std::vector<int> kinds(1 + rng.Below(3));
  for (int& kind : kinds) kind = static_cast<int>(rng.Below(7));
  return [=](std::string_view sentence, TextForm form, Rng& at) {
    const std::string tokens = HealthyTokens(sentence, form, false);
    std::string out;
    for (const std::string_view token : data::SplitTokens(tokens)) {
      if (IsPlainWord(Decode(token)) && at.Bernoulli(share)) {
        Append(DrawNumber(kinds[at.Below(kinds.size())], at), out);
      } else {
        Append(token, out);
      }
    }
    return out;
  };
}

// Letters that one key would touch.
Letters DrawKeys(Rng& rng) {
  static constexpr std::u32string_view kCommon = U"etaoinshrdlu";
  Letters keys;
  const std::uint64_t count = 1 + rng.Below(3);
  while (keys.size() < count) keys += kCommon[rng.Below(kCommon.size())];
  return keys;
}

TextChange DrawDouble(const TextSource&, Rng& rng) {
  const double kind = rng.Uniform();
  if (kind < 0.25) {  // a key that bounces
    return EachWord(1.0, [keys = DrawKeys(rng)](Letters& word, Rng&) {
      Letters out;
      for (const char32_t c : word) {
        out.append(keys.find(c) == Letters::npos ? 1 : 2, c);
      }
      word = out;
    });
  }
  if (kind < 0.45) {
    return EachWord(DrawShare(rng), [](Letters& word, Rng&) {
      Letters out;
      for (const char32_t c : word) out.append(2, c);
      word = out;
    });
  }
  return EachWord(DrawShare(rng), [](Letters& word, Rng& at) {
    const std::size_t i = at.Below(word.size());
    word.insert(i, 1, word[i]);
  });
}

TextChange DrawDrop(const TextSource&, Rng& rng) {
  if (rng.Bernoulli(0.3)) {  // a key that is dead
    return EachWord(1.0, [keys = DrawKeys(rng)](Letters& word, Rng&) {
      std::erase_if(word,
                    [&](char32_t c) { return keys.find(c) != Letters::npos; });
    });
  }
  const bool first = rng.Bernoulli(0.2);
  return EachWord(DrawShare(rng), [first](Letters& word, Rng& at) {
    if (first && word.size() > 1) word.erase(0, 1);
    if (!first && word.size() > 2) word.erase(at.Below(word.size() - 1), 1);
  });
}

TextChange DrawSwap(const TextSource&, Rng& rng) {
  return EachWord(DrawShare(rng), [](Letters& word, Rng& at) {
    if (word.size() < 2) return;
    const std::size_t i = at.Below(word.size() - 1);
    std::swap(word[i], word[i + 1]);
  });
}

TextChange DrawSpaces(const TextSource&, Rng& rng) {
  const double share = rng.Bernoulli(0.6) ? 1.0 : rng.Uniform(0.3, 1.0);
  const bool marks = rng.Bernoulli(0.25);  // the tokeniser's spaces too
  return [share, marks](std::string_view sentence, TextForm form, Rng& at) {
    const std::string tokens = HealthyTokens(sentence, form, false);
    std::string out;
    bool after_word = false;
    for (const std::string_view token : data::SplitTokens(tokens)) {
      const bool word = marks || IsPlainWord(Decode(token));
      if (word && after_word && at.Bernoulli(share)) {
        out += token;
      } else {
        Append(token, out);
      }
      after_word = word;
    }
    return out;
  };
}

TextChange DrawSplit(const TextSource&, Rng& rng) {
  const bool all = rng.Bernoulli(0.3);
  return EachWord(DrawShare(rng), [all](Letters& word, Rng& at) {
    if (word.size() < 2) return;
    if (!all) {
      word.insert(1 + at.Below(word.size() - 1), 1, ' ');
      return;
    }
    for (std::size_t i = word.size() - 1; i > 0; --i) word.insert(i, 1, ' ');
  });
}

TextChange DrawBackwards(const TextSource&, Rng& rng) {
  const auto reverse = [](Letters& word, Rng&) { std::ranges::reverse(word); };
  if (rng.Bernoulli(0.6)) return EachWord(DrawShare(rng), reverse);
  return [reverse](std::string_view sentence, TextForm form, Rng& at) {
    Letters letters = Decode(HealthyTokens(sentence, form, false));
    reverse(letters, at);
    return Encode(letters);
  };
}

struct Look {
  char32_t latin;
  char32_t other;
};
constexpr std::array<Look, 22> kLooks = {{
    {'a', U'а'}, {'e', U'е'}, {'o', U'о'}, {'p', U'р'}, {'c', U'с'},
    {'x', U'х'}, {'y', U'у'}, {'i', U'і'}, {'j', U'ј'}, {'s', U'ѕ'},
    {'h', U'һ'}, {'d', U'ԁ'}, {'q', U'ԛ'}, {'w', U'ԝ'}, {'o', U'ο'},
    {'v', U'ν'}, {'i', U'ι'}, {'p', U'ρ'}, {'a', U'α'}, {'u', U'υ'},
    {'k', U'κ'}, {'n', U'η'},
}};
// Sound for sound.
constexpr std::u32string_view kCyrillic = U"абцдефгхийклмнопкрстувwхыз";
constexpr std::u32string_view kGreek = U"αβψδεφγηιξκλμνοπθρστυβωχυζ";

TextChange DrawScript(const TextSource&, Rng& rng) {
  const double share = DrawShare(rng);
  const double kind = rng.Uniform();
  if (kind < 0.5) {
    const bool greek = rng.Bernoulli(0.3);
    return EachWord(share, [greek](Letters& word, Rng&) {
      for (char32_t& c : word) {
        for (const auto& [latin, other] : kLooks) {
          if (c == latin && (other < 0x400) == greek) {
            c = other;
            break;
          }
        }
      }
    });
  }
  if (kind < 0.65) {  // full width
    return EachWord(share, [](Letters& word, Rng&) {
      for (char32_t& c : word) {
        if (c >= 'a' && c <= 'z') c += 0xFF41 - U'a';
      }
    });
  }
  const std::u32string_view table = rng.Bernoulli(0.7) ? kCyrillic : kGreek;
  return EachWord(share, [table](Letters& word, Rng&) {
    for (char32_t& c : word) {
      if (c >= 'a' && c <= 'z') c = table[c - 'a'];
    }
  });
}

bool IsMark(const Letters& token) {
  return std::ranges::none_of(token, [](char32_t c) {
    return data::IsLetter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

TextChange DrawPunctuation(const TextSource&, Rng& rng) {
  const bool apostrophes = rng.Bernoulli(0.7);
  return [=](std::string_view sentence, TextForm form, Rng&) {
    const std::string tokens = HealthyTokens(sentence, form, false);
    std::string out;
    for (const std::string_view token : data::SplitTokens(tokens)) {
      Letters word = Decode(token);
      if (IsMark(word)) continue;
      if (apostrophes) std::erase(word, U'\'');
      Append(Encode(word), out);
    }
    return out;
  };
}

TextChange DrawApostrophe(const TextSource&, Rng& rng) {
  const bool split = rng.Bernoulli(0.2);
  return [=](std::string_view sentence, TextForm form, Rng&) {
    const std::string tokens = HealthyTokens(sentence, form, false);
    std::string out;
    for (const std::string_view token : data::SplitTokens(tokens)) {
      Letters word = Decode(token);
      if (!IsMark(word)) {
        if (split) std::ranges::replace(word, U'\'', U' ');
        if (!split) std::erase(word, U'\'');
      }
      Append(Encode(word), out);
    }
    return out;
  };
}

TextChange DrawEnding(const TextSource&, Rng& rng) {
  static const std::vector<std::u32string> endings = {
      U"ing", U"ed", U"er", U"ly", U"s", U"e", U"t", U"n", U"y", U"d"};
  std::vector<std::u32string> touched;
  const bool all = rng.Bernoulli(0.3);
  const std::uint64_t count = 1 + rng.Below(5);
  while (touched.size() < count) touched.push_back(Any(endings, rng));
  // A letter too many, or a wrong one in its place.
  const bool repeat = rng.Bernoulli(0.5);
  const bool instead = !repeat && rng.Bernoulli(0.5);
  static constexpr std::u32string_view kExtra = U"aeghkmxz";
  const char32_t extra = kExtra[rng.Below(kExtra.size())];
  return EachWord(1.0, [=](Letters& word, Rng&) {
    if (word.size() < 3) return;
    if (!all && std::ranges::none_of(touched, [&](const Letters& ending) {
          return word.ends_with(ending);
        })) {
      return;
    }
    if (instead) word.pop_back();
    word += repeat ? word.back() : extra;
  });
}

// Words and cause of eval's catalogue.
TextDamage Of(eval::TextTrait trait, bool replaces,
              std::function<TextChange(const TextSource&, Rng&)> draw) {
  const eval::TextTraitInfo& info = eval::InfoOf(trait);
  return {info.key, info.words, info.cause, replaces, std::move(draw)};
}

// Whether its commonest words are not those of the references.
bool IsForeign(const Language& language,
               const std::vector<std::string>& sentences) {
  constexpr std::size_t kLooked = 500;
  std::size_t own = 0;
  std::size_t all = 0;
  const std::size_t step = sentences.size() / kLooked + 1;
  for (std::size_t i = 0; i < sentences.size(); i += step) {
    for (const std::string_view token : data::SplitTokens(sentences[i])) {
      ++all;
      own += std::ranges::find(language.common, token) != language.common.end();
    }
  }
  return 5 * own < all;
}

}  // namespace

TextSource SourceOf(std::vector<std::string> sentences, bool capitals) {
  TextSource source{.sentences = std::move(sentences), .capitals = capitals};
  for (const Language& language : Languages()) {
    if (IsForeign(language, source.sentences)) {
      source.foreign.push_back(&language);
    }
  }
  return source;
}

std::string HealthyTokens(std::string_view sentence, TextForm form,
                          bool capitals) {
  if (form == TextForm::kTokens) return std::string(sentence);
  return data::NormaliseText(sentence, {.fold_case = !capitals});
}

char32_t LatinLookOf(char32_t c) {
  if (c >= 0xFF41 && c <= 0xFF5A) return c - 0xFF41 + 'a';
  for (const auto& [latin, other] : kLooks) {
    if (c == other) return latin;
  }
  return c;
}

const std::vector<TextDamage>& TextDamages() {
  using enum eval::TextTrait;
  static const std::vector<TextDamage> damages = {
      Of(kJoined, false, DrawJoin),
      Of(kCase, false, DrawCase),
      Of(kCut, false, DrawCut),
      Of(kEntities, false,
         [](const TextSource&, Rng&) { return Stage("entities"); }),
      Of(kEncoding, false, DrawEncoding),
      Of(kTemplate, true, DrawTemplate),
      Of(kLanguage, true, DrawLanguage),
      Of(kNumbers, true, DrawNumbers),
      {"double", "letters doubled",
       "A key that bounces, a repeat rate set too high, or an edit that is "
       "applied twice.",
       false, DrawDouble},
      {"drop", "letters missing inside words",
       "A dead key, a filter that removes a character, or keystrokes lost "
       "under load.",
       false, DrawDrop},
      {"swap", "neighbouring letters swapped",
       "Keystrokes or bytes that arrive out of order.", false, DrawSwap},
      {"spaces", "words run together",
       "A space key or gesture that is not registered, or a join that leaves "
       "out its separator.",
       false, DrawSpaces},
      {"split", "words taken apart",
       "Pieces of words that are not put together again, a line break taken "
       "for a space, or a wrong segmentation.",
       false, DrawSplit},
      {"backwards", "spelled backwards",
       "Text of a right-to-left field that is stored in the order it is shown, "
       "or a cursor that does not advance.",
       false, DrawBackwards},
      {"script", "letters of another script",
       "A keyboard in another layout, transliteration, or letters that only "
       "look alike.",
       false, DrawScript},
      {"punctuation", "punctuation missing",
       "A cleaning step that removes too much, or a pipeline that keeps "
       "letters alone.",
       false, DrawPunctuation},
      {"apostrophe", "apostrophes missing",
       "Quotes that are escaped or removed before storing, or a typographic "
       "apostrophe that is not read.",
       false, DrawApostrophe},
      {"ending", "word endings changed",
       "An autocorrection or stemming rule that is wrong for some endings, or "
       "a last keystroke that counts twice.",
       false, DrawEnding},
  };
  return damages;
}

}  // namespace sfumato::census

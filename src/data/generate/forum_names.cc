#include "data/generate/forum_names.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/ascii.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

using Parts = std::vector<std::string>;

constexpr std::string_view kModifiers[] = {
    "new",   "old",    "current", "max",    "min",   "last",  "first",
    "user",  "raw",    "temp",    "cached", "total", "next",  "default",
    "local", "active", "pending", "shared", "inner", "outer", "sorted",
    "empty", "valid",  "base",    "target", "final"};
constexpr std::string_view kSuffixes[] = {
    "id",     "count", "list",    "name",   "size",    "path",     "map",
    "index",  "type",  "handler", "data",   "buffer",  "manager",  "factory",
    "helper", "state", "view",    "config", "options", "listener", "key",
    "width",  "queue", "flag",    "info",   "builder", "adapter",  "cache"};
constexpr std::string_view kMishaps[] = {
    "NotFound", "Locked",    "Timeout",  "Closed",      "Invalid",
    "Overflow", "Mismatch",  "Missing",  "Unavailable", "Denied",
    "Corrupt",  "Duplicate", "Exceeded", "Busy",        "Unsupported"};
constexpr std::string_view kProductStarts[] = {
    "Quill", "Tarn",    "Brim",   "Vexa",  "Lumen",  "Cobalt", "Fern",
    "Nimbu", "Osprey",  "Pivot",  "Rune",  "Slate",  "Terra",  "Umbra",
    "Vanta", "Willow",  "Zephyr", "Amber", "Birch",  "Crux",   "Delta",
    "Ember", "Flint",   "Glyph",  "Helio", "Indigo", "Jasper", "Kelp",
    "Loom",  "Marrow",  "Nectar", "Onyx",  "Plume",  "Quartz", "Raven",
    "Sable", "Thistle", "Ursa",   "Velo",  "Wren",   "Xeno",   "Yarrow",
    "Acorn", "Basalt",  "Cedar",  "Drift", "Echo",   "Fable"};
constexpr std::string_view kProductEnds[] = {
    "DB",    "Kit",   "JS",    "py",    "Flow",  "Grid", "lib",
    "Sync",  "Mesh",  "Cast",  "ware",  "Desk",  "Pipe", "Forge",
    "Lint",  "Hub",   "Query", "Bench", "Cloud", "base", "ly",
    "Scope", "Stack", "Port",  "Craft", "Vault"};

constexpr std::string_view kProductMiddles[] = {
    "",   "",    "",    "o",  "a",   "ix",  "en",  "ter", "va",  "lo",
    "ri", "net", "max", "go", "zen", "bit", "sky", "web", "dev", "nova"};
constexpr std::string_view kThingPrefixes[] = {
    "sub",   "meta",  "micro", "mini",  "multi", "super", "pseudo",  "auto",
    "mega",  "inter", "proto", "hyper", "nano",  "ultra", "counter", "cross",
    "extra", "macro", "under", "over",  "side",  "back",  "half",    "semi"};
constexpr std::string_view kActionPrefixes[] = {"re", "auto", "pre", "batch"};
constexpr std::string_view kTraitPrefixes[] = {
    "non",    "semi",  "super", "hyper", "quasi", "ultra", "over",
    "pseudo", "multi", "sub",   "near",  "extra", "omni",  "half"};

// Numbers keep their names for ever: the stream's seed is the site's, not the
// dataset's.
base::Rng StreamOf(std::string_view kind, const Topic& topic,
                   std::uint64_t number) {
  return base::Rng(0, {base::Key(kind), base::Key(topic.name), number});
}

template <std::size_t n>
std::string_view Any(const std::string_view (&words)[n], base::Rng& rng) {
  return words[rng.Below(n)];
}

// The words of "primary key" or "co-ordinate", in small letters.
void AppendWords(std::string_view phrase, Parts& parts) {
  parts.emplace_back();
  for (const char c : phrase) {
    if (c == ' ' || c == '-') {
      parts.emplace_back();
    } else {
      parts.back() += base::ToLower(c);
    }
  }
}

// Fills `parts` by what stands in `pattern`: m(odifier), t(hing), T(hings),
// a(ction), d(one), s(uffix).
Parts Compose(std::string_view pattern, const Topic& topic, base::Rng& rng) {
  Parts parts;
  const auto append = [&](WordClass word_class, WordForm form) {
    const WordList& list = *topic.list(word_class);
    AppendWords(list.words[list.by_rank(rng)].forms[form], parts);
  };
  for (const char c : pattern) {
    switch (c) {
      case 'm':
        parts.emplace_back(Any(kModifiers, rng));
        break;
      case 't':
        append(WordClass::kThing, kBase);
        break;
      case 'T':
        append(WordClass::kThing, kWithS);
        break;
      case 'a':
        append(WordClass::kAction, kBase);
        break;
      case 'd':
        append(WordClass::kAction, kParticiple);
        break;
      case 's':
        parts.emplace_back(Any(kSuffixes, rng));
        break;
    }
  }
  return parts;
}

std::string Spell(const Parts& parts, Spelling spelling) {
  std::string name;
  for (const std::string& part : parts) {
    const std::size_t start = name.size();
    if (spelling == Spelling::kSnake && start > 0) name += '_';
    name += part;
    if (spelling == Spelling::kCamel && start > 0) {
      name[start] = base::ToUpper(name[start]);
    }
  }
  return name;
}

std::string Capitalised(const Topic& topic, base::Rng& rng) {
  std::string name = Spell(Compose("t", topic, rng), Spelling::kCamel);
  name[0] = base::ToUpper(name[0]);
  return name;
}

}  // namespace

std::optional<NameKind> NameKindFromName(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames = {
      "ident", "call", "error", "file", "version", "number", "project"};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<NameKind>(found - kNames.begin());
}

std::string Identifier(const Topic& topic, std::uint64_t number,
                       Spelling spelling) {
  constexpr std::string_view kPatterns[] = {"mt", "ts", "mts", "tt", "Ts"};
  base::Rng rng = StreamOf("identifier", topic, number);
  const std::string_view pattern = Any(kPatterns, rng);
  return Spell(Compose(pattern, topic, rng), spelling);
}

std::string FunctionName(const Topic& topic, std::uint64_t number,
                         Spelling spelling) {
  constexpr std::string_view kPatterns[] = {"at", "aT", "amt", "ats", "amT"};
  base::Rng rng = StreamOf("function", topic, number);
  const std::string_view pattern = Any(kPatterns, rng);
  return Spell(Compose(pattern, topic, rng), spelling);
}

std::string ErrorName(const Topic& topic, std::uint64_t number) {
  base::Rng rng = StreamOf("error", topic, number);
  switch (rng.Below(8)) {
    case 0:
      return fmt::format("E{}", 1000 + rng.Below(9000));
    case 1:
      return fmt::format("0x{:08X}", 0x80070000u + rng.Below(0x4000));
    case 2:
      return fmt::format("error {}", 100 + rng.Below(900));
    case 3:
    case 4:
      return Capitalised(topic, rng) + std::string(Any(kMishaps, rng)) +
             "Exception";
    case 5:
      return std::string(Any(kMishaps, rng)) + Capitalised(topic, rng) +
             "Error";
    default:
      return Capitalised(topic, rng) + std::string(Any(kMishaps, rng)) +
             "Error";
  }
}

std::string FileName(const Topic& topic, std::uint64_t number) {
  base::Rng rng = StreamOf("file", topic, number);
  constexpr std::string_view kPatterns[] = {"t", "mt", "ts", "mts", "dt"};
  const std::string_view pattern = Any(kPatterns, rng);
  const Parts parts = Compose(pattern, topic, rng);
  const WordList& endings = *topic.list(WordClass::kExtension);
  return Spell(parts, Spelling::kSnake) + "." +
         endings.words[endings.by_rank(rng)].forms[0];
}

std::string ProductName(std::uint64_t number) {
  base::Rng rng(0, {base::Key("product"), number});
  std::string name(Any(kProductStarts, rng));
  name += Any(kProductMiddles, rng);
  name += Any(kProductEnds, rng);
  return name;
}

std::string Version(base::Rng& rng) {
  const std::uint64_t major = 1 + rng.Below(12);
  switch (rng.Below(3)) {
    case 0:
      return fmt::format("{}", major);
    case 1:
      return fmt::format("{}.{}", major, rng.Below(12));
    default:
      return fmt::format("{}.{}.{}", major, rng.Below(12), rng.Below(20));
  }
}

std::string Quantity(base::Rng& rng) {
  constexpr int kRound[] = {2,  3,  10, 5,  100, 4,   20,  1000, 50,   6,
                            12, 30, 8,  15, 200, 500, 300, 60,   2000, 10000};
  if (rng.Below(4) == 0) return fmt::format("{}", 2 + rng.Below(2048));
  return fmt::format("{}", kRound[std::min(rng.Below(20), rng.Below(20))]);
}

std::string Coin(const Topic& topic, WordClass word_class,
                 const std::string& word, base::Rng& rng) {
  const auto is_plain = [](std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), base::IsLower);
  };
  std::string_view prefix;
  if (word_class == WordClass::kThing && rng.Below(3) > 0) {
    const WordList& things = *topic.list(WordClass::kThing);
    prefix = things.words[things.by_rank(rng)].forms[kBase];
  } else if (word_class == WordClass::kThing) {
    prefix = Any(kThingPrefixes, rng);
  } else if (word_class == WordClass::kAction) {
    prefix = Any(kActionPrefixes, rng);
  } else if (word_class == WordClass::kTrait) {
    prefix = Any(kTraitPrefixes, rng);
  }
  // "preedit" and "rereload" are more than people put up with.
  if (!is_plain(prefix) || !is_plain(word) || prefix.back() == word[0] ||
      word.starts_with(prefix)) {
    return word;
  }
  return std::string(prefix) + word;
}

}  // namespace sfumato::data

#include "census/voter/made_up_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "data/text.h"

namespace sfumato::census {
namespace {

using base::Rng;
using data::TextForm;

constexpr std::size_t kMostPeople = 3000;
constexpr std::size_t kMostSentences = 300;
constexpr std::size_t kPoolPerson = 30;  // sentences of a pool's "person"

std::string Joined(const std::vector<std::string>& tokens) {
  std::string out;
  for (const std::string& token : tokens) {
    if (token.empty()) continue;
    if (!out.empty()) out += ' ';
    out += token;
  }
  return out;
}

using Words = std::vector<std::string>;
using Picks = std::function<bool(const Words&, std::size_t, Rng&)>;

// Some words of a sentence, by a rule drawn at random.
Picks DrawPicks(Rng& rng) {
  const double share = rng.Uniform(0.25, 1.0);
  const std::size_t size = 2 + rng.Below(5);
  const char letter = "etaoinsrhl"[rng.Below(10)];
  const std::size_t step = 2 + rng.Below(3);
  switch (rng.Below(7)) {
    case 0:
      return [](const Words&, std::size_t, Rng&) { return true; };
    case 1:
      return [=](const Words&, std::size_t, Rng& at) {
        return at.Bernoulli(share);
      };
    case 2:
      return [=](const Words& words, std::size_t i, Rng&) {
        return words[i].size() <= size;
      };
    case 3:
      return [=](const Words& words, std::size_t i, Rng&) {
        return words[i].size() > size;
      };
    case 4:
      return [=](const Words& words, std::size_t i, Rng&) {
        return words[i].find(letter) != std::string::npos;
      };
    case 5:
      return [=](const Words&, std::size_t i, Rng&) {
        return i % step == step - 1;
      };
    default:  // what comes after the first words
      return [=](const Words& words, std::size_t i, Rng&) {
        return static_cast<double>(i) >=
               (1 - share) * static_cast<double>(words.size());
      };
  }
}

using WordChange = std::function<void(std::string&, Rng&)>;

// What becomes of a word of ASCII.
WordChange DrawWordChange(const TextSource& source, Rng& rng) {
  static const std::vector<std::string> signs = {
      "*", "#", "/", "|", "<", "=", "~", "[", "_", "br", "unk", "x", "xxx"};
  const std::string sign = signs[rng.Below(signs.size())];
  const std::size_t size = 1 + rng.Below(5);
  switch (rng.Below(9)) {
    case 0:
    case 1:
      return [](std::string& word, Rng&) { word.clear(); };
    case 2:
      return [=](std::string& word, Rng&) { word = sign; };
    case 3:
      return [=](std::string& word, Rng&) {
        word.resize(std::min(word.size(), size));
      };
    case 4:  // letters for letters or signs
    case 5: {
      std::string table = "abcdefghijklmnopqrstuvwxyz";
      std::string order = table;
      std::string other = table;
      if (rng.Bernoulli(0.3)) other = "0123456789@$!+|#%*43175301";
      rng.Shuffle(std::span(other));
      rng.Shuffle(std::span(order));
      order.resize(2 + rng.Below(25));
      for (std::size_t i = 0; i < order.size(); ++i) {
        table[order[i] - 'a'] = other[i];
      }
      return [=](std::string& word, Rng&) {
        for (char& c : word) {
          if (c >= 'a' && c <= 'z') c = table[c - 'a'];
        }
      };
    }
    case 6: {  // many letters gone
      std::string gone = "abcdefghijklmnopqrstuvwxyz";
      rng.Shuffle(std::span(gone));
      gone.resize(5 + rng.Below(8));
      return [=](std::string& word, Rng&) {
        std::erase_if(
            word, [&](char c) { return gone.find(c) != std::string::npos; });
      };
    }
    case 7:
      return [=, in = rng.Below(3)](std::string& word, Rng& at) {
        word.insert(in == 0   ? 0
                    : in == 1 ? word.size()
                              : at.Below(word.size() + 1),
                    sign);
      };
    default:
      if (rng.Bernoulli(0.5)) {  // other letters
        return [](std::string& word, Rng& at) {
          for (std::size_t k = 0; k <= word.size() / 5; ++k) {
            word[at.Below(word.size())] = static_cast<char>('a' + at.Below(26));
          }
        };
      }
      return [&source](std::string& word, Rng& at) {
        const auto tokens = data::SplitTokens(
            source.sentences[at.Below(source.sentences.size())]);
        if (!tokens.empty()) word = tokens[at.Below(tokens.size())];
      };
  }
}

bool IsAsciiWord(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return base::IsLetter(c) || c == '\'';
  });
}

// Changes nobody has a name for: a rule that picks words, and what becomes of
// them. They teach that not every change is one of the catalogue; those that a
// census meets will be others.
TextChange DrawUnlisted(const TextSource& source, Rng& rng) {
  const auto of_words = [](auto change) -> TextChange {
    return [=](std::string_view sentence, TextForm form, Rng& at) {
      Words words;
      const std::string tokens = HealthyTokens(sentence, form, false);
      for (const std::string_view token : data::SplitTokens(tokens)) {
        words.emplace_back(token);
      }
      change(words, at);
      return Joined(words);
    };
  };
  const double order = rng.Uniform();
  if (order < 0.1) {
    return of_words(
        [](Words& words, Rng& at) { at.Shuffle(std::span(words)); });
  }
  if (order < 0.2) {  // words or signs between words
    const Picks picks = DrawPicks(rng);
    const bool again = rng.Bernoulli(0.5);
    const std::string sign(1, "*#/|<>=~[]_"[rng.Below(11)]);
    return of_words([=](Words& words, Rng& at) {
      Words out;
      for (std::size_t i = 0; i < words.size(); ++i) {
        out.push_back(words[i]);
        if (picks(words, i, at)) out.push_back(again ? words[i] : sign);
      }
      words = std::move(out);
    });
  }
  if (order < 0.35) {  // what comes after a few words, or at some place
    const double from = rng.Uniform(0.2, 0.8);
    const std::size_t most = rng.Bernoulli(0.4) ? 3 + rng.Below(5) : 1'000;
    const bool end = rng.Bernoulli(0.8);
    return of_words([=](Words& words, Rng&) {
      const auto share =
          static_cast<std::size_t>(from * static_cast<double>(words.size()));
      const std::size_t kept = std::max<std::size_t>(1, std::min(share, most));
      if (end) words.resize(std::min(words.size(), kept));
      if (!end) words.erase(words.begin(), words.end() - std::ssize(words) / 2);
    });
  }
  return of_words(
      [picks = DrawPicks(rng), change = DrawWordChange(source, rng)](
          Words& words, Rng& at) {
        const Words before = words;
        for (std::size_t i = 0; i < words.size(); ++i) {
          if (IsAsciiWord(words[i]) && picks(before, i, at))
            change(words[i], at);
        }
      });
}

// Neighbours, as of somebody who wrote little, or any of all.
std::vector<std::size_t> DrawSentences(std::size_t from, std::size_t count,
                                       Rng& rng) {
  std::vector<std::size_t> all(from);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (rng.Bernoulli(0.5)) {
    rng.Shuffle(std::span(all));
    all.resize(count);
    return all;
  }
  const auto begin = static_cast<std::ptrdiff_t>(rng.Below(from - count + 1));
  return {all.begin() + begin,
          all.begin() + begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

std::vector<TextPerson> ReferencePeople(
    const data::FederatedDataset& reference) {
  std::vector<TextPerson> people;
  const data::TextForm form = reference.info().text_form;
  const auto add = [&](TextPerson& person, std::string_view sentence) {
    std::string tokens = HealthyTokens(sentence, form, false);
    if (tokens.empty()) return;
    person.sentences.emplace_back(sentence);
    person.tokens.push_back(std::move(tokens));
  };
  const std::size_t users = std::min(reference.users(), kMostPeople);
  for (std::size_t k = 0; k < users; ++k) {
    const data::User user = reference.user(k * reference.users() / users);
    if (!reference.info().grouped) {
      const std::size_t cap = kMostPeople * kPoolPerson;
      for (std::size_t i = 0; i < std::min(user.size(), cap); ++i) {
        if (i % kPoolPerson == 0) people.emplace_back();
        add(people.back(), user[i].text);
      }
      continue;
    }
    people.emplace_back();
    const std::size_t read = std::min(user.size(), kMostSentences);
    for (std::size_t i = 0; i < read; ++i) {
      add(people.back(), user[i * user.size() / read].text);
    }
  }
  return people;
}

MadeUpText MakeUp(const TextPerson& person, data::TextForm form,
                  const Fate& fate, const TextSource& source, base::Rng& rng) {
  const std::size_t most =
      std::min(fate.most, person.tokens.size() / (fate.has_before ? 2 : 1));
  const auto draw_count = [&] {
    // Many users have few sentences.
    const double size =
        std::exp(rng.Uniform(std::log(static_cast<double>(fate.least)),
                             std::log(static_cast<double>(most) + 0.999)));
    return std::clamp(static_cast<std::size_t>(size), fate.least, most);
  };
  const std::size_t count = draw_count();
  const std::size_t before = fate.has_before ? draw_count() : 0;
  std::vector<TextChange> changes;
  for (const std::size_t damage : fate.damages) {
    changes.push_back(TextDamages()[damage].draw(source, rng));
  }
  if (fate.unlisted) changes.push_back(DrawUnlisted(source, rng));
  MadeUpText out{.changed = std::vector<std::size_t>(changes.size())};
  for (const std::size_t i :
       DrawSentences(person.tokens.size(), before + count, rng)) {
    const bool is_before = out.before.size() < before;
    std::string sentence = person.tokens[i];
    const bool is_damaged = !changes.empty() && (!is_before || fate.before_too);
    if (is_damaged && rng.Bernoulli(fate.share)) {
      for (std::size_t k = 0; k < changes.size(); ++k) {
        std::string changed =
            k == 0 ? changes[k](person.sentences[i], form, rng)
                   : changes[k](sentence, TextForm::kTokens, rng);
        // What was there before is no change.
        out.changed[k] += !fate.before_too && changed != sentence;
        sentence = std::move(changed);
      }
    }
    (is_before ? out.before : out.sentences).push_back(std::move(sentence));
  }
  return out;
}

}  // namespace sfumato::census

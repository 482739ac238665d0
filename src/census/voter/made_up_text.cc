#include "census/voter/made_up_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/utf8.h"
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

// Changes nobody has a name for. They teach that not every change is one of the
// catalogue; what a census meets will be others.
TextChange DrawUnlisted(const TextSource& source, Rng& rng) {
  using Words = std::vector<std::string>;
  const auto of_words = [](auto change) {
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
  const double share = rng.Uniform(0.25, 0.9);
  const double word_share = rng.Bernoulli(0.5) ? 1 : rng.Uniform(0.4, 1);
  switch (rng.Below(9)) {
    case 0:
    case 1: {  // letters for letters or signs
      std::u32string alphabet = U"abcdefghijklmnopqrstuvwxyz";
      std::u32string other = alphabet;
      if (rng.Bernoulli(0.3)) other = U"0123456789@$!+|#%*4317530126";
      rng.Shuffle(std::span(other));
      const std::size_t touched = 4 + rng.Below(23);
      std::u32string order = alphabet;
      rng.Shuffle(std::span(order));
      std::u32string table = alphabet;
      for (std::size_t i = 0; i < touched; ++i) {
        table[order[i] - 'a'] = other[order[i] - 'a'];
      }
      return of_words([=](Words& words, Rng& at) {
        for (std::string& word : words) {
          if (!at.Bernoulli(word_share)) continue;
          std::string out;
          for (const char c : word) {
            base::AppendUtf8(c >= 'a' && c <= 'z'
                                 ? table[c - 'a']
                                 : static_cast<unsigned char>(c),
                             out);
          }
          if (base::IsUtf8(word)) word = out;
        }
      });
    }
    case 2: {  // many letters gone
      std::string gone = "abcdefghijklmnopqrstuvwxyz";
      rng.Shuffle(std::span(gone));
      gone.resize(5 + rng.Below(8));
      return of_words([=](Words& words, Rng&) {
        for (std::string& word : words) {
          std::erase_if(word, [&](char c) {
            return gone.find(c) != std::string::npos;
          });
        }
      });
    }
    case 3:
      return of_words([](Words& words, Rng& at) {
        at.Shuffle(std::span(words));
      });
    case 4:  // words gone
      return of_words([share](Words& words, Rng& at) {
        std::erase_if(words, [&](const std::string&) {
          return at.Bernoulli(0.8 * share);
        });
      });
    case 5:  // the rest gone
      return of_words([share](Words& words, Rng&) {
        words.resize(std::max<std::size_t>(
            1, static_cast<std::size_t>(
                   std::ceil(share * 0.7 * static_cast<double>(words.size())))));
      });
    case 6: {  // words twice
      return of_words([share](Words& words, Rng& at) {
        Words out;
        for (const std::string& word : words) {
          out.push_back(word);
          if (at.Bernoulli(share)) out.push_back(word);
        }
        words = std::move(out);
      });
    }
    case 7: {  // signs between
      static const std::vector<std::string> signs = {
          "*", "#", "/", "|", "<", ">", "=", "~", "[", "]", "br", "unk", "\\"};
      const std::string sign = signs[rng.Below(signs.size())];
      const bool inside = rng.Bernoulli(0.3);
      return of_words([=](Words& words, Rng& at) {
        Words out;
        for (const std::string& word : words) {
          if (inside && word.size() > 2 && at.Bernoulli(share)) {
            const std::size_t i = 1 + at.Below(word.size() - 1);
            out.push_back(base::IsUtf8(word.substr(0, i))
                              ? word.substr(0, i) + sign + word.substr(i)
                              : word);
            continue;
          }
          out.push_back(word);
          if (!inside && at.Bernoulli(share)) out.push_back(sign);
        }
        words = std::move(out);
      });
    }
    default:  // other letters, or words of others in any order
      if (rng.Bernoulli(0.5)) {
        return of_words([=](Words& words, Rng& at) {
          for (std::string& word : words) {
            if (!at.Bernoulli(word_share) || !base::IsUtf8(word)) continue;
            const std::size_t times = 1 + word.size() / 5;
            for (std::size_t k = 0; k < times; ++k) {
              char& c = word[at.Below(word.size())];
              if (c >= 'a' && c <= 'z') {
                c = static_cast<char>('a' + at.Below(26));
              }
            }
          }
        });
      }
      return of_words([&source](Words& words, Rng& at) {
        for (std::string& word : words) {
          const std::string& other =
              source.sentences[at.Below(source.sentences.size())];
          const auto tokens = data::SplitTokens(other);
          if (!tokens.empty()) word = tokens[at.Below(tokens.size())];
        }
      });
  }
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
  const auto begin =
      static_cast<std::ptrdiff_t>(rng.Below(from - count + 1));
  return {all.begin() + begin,
          all.begin() + begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

std::vector<TextPerson> ReferencePeople(const data::FederatedDataset& reference,
                                        bool capitals) {
  std::vector<TextPerson> people;
  const data::TextForm form = reference.info().text_form;
  const auto add = [&](TextPerson& person, std::string_view sentence) {
    std::string tokens = HealthyTokens(sentence, form, capitals);
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
                                const Fate& fate, const TextSource& source,
                                base::Rng& rng) {
  const std::size_t most = std::min(fate.most, person.tokens.size());
  // Many users have few sentences.
  const double size = std::exp(
      rng.Uniform(std::log(static_cast<double>(fate.least)),
                  std::log(static_cast<double>(most) + 0.999)));
  const std::size_t count =
      std::clamp(static_cast<std::size_t>(size), fate.least, most);
  std::vector<TextChange> changes;
  for (const std::size_t damage : fate.damages) {
    changes.push_back(TextDamages()[damage].draw(source, rng));
  }
  if (fate.unlisted) changes.push_back(DrawUnlisted(source, rng));
  MadeUpText out{.changed = std::vector<std::size_t>(changes.size())};
  for (const std::size_t i :
       DrawSentences(person.tokens.size(), count, rng)) {
    std::string sentence = person.tokens[i];
    if (!changes.empty() && rng.Bernoulli(fate.share)) {
      for (std::size_t k = 0; k < changes.size(); ++k) {
        std::string changed =
            k == 0 ? changes[k](person.sentences[i], form, rng)
                   : changes[k](sentence, TextForm::kTokens, rng);
        out.changed[k] += changed != sentence;
        sentence = std::move(changed);
      }
    }
    out.sentences.push_back(std::move(sentence));
  }
  return out;
}

}  // namespace sfumato::census

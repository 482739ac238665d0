#include "data/generate/forum_typist.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "data/generate/english.h"

namespace sfumato::data {

Habits Habits::Draw(base::Rng& rng) {
  Habits habits;
  habits.lower_case = rng.Bernoulli(0.15);
  habits.curly = !habits.lower_case && rng.Bernoulli(0.15);
  habits.drops_apostrophes = rng.Bernoulli(habits.lower_case ? 0.5 : 0.05);
  habits.backquotes = rng.Bernoulli(0.3);
  habits.spelling = rng.Bernoulli(0.55) ? Spelling::kCamel : Spelling::kSnake;
  // Squares and cubes: most people do it seldom, a few all the time.
  const auto seldom = [&rng] {
    const double u = rng.Uniform();
    return u * u * u;
  };
  habits.contracts = seldom();
  habits.abbreviates = seldom();
  habits.dashes = rng.Bernoulli(0.2) ? rng.Uniform(0.1, 0.6) : 0.0;
  habits.typos = 0.05 * seldom();
  habits.polite = 0.3 * seldom();
  habits.greets = 0.1 * seldom();
  habits.connects = 0.25 * seldom();
  habits.drops_stop = habits.lower_case ? rng.Uniform() : 0.5 * seldom();
  habits.exclaims = 0.3 * seldom();
  return habits;
}

void Typist::Begin() {
  text_.clear();
  glued_ = article_ = false;
}

void Typist::Space() {
  if (!text_.empty() && !glued_) text_ += ' ';
  glued_ = false;
}

void Typist::Article() { article_ = true; }

void Typist::Write(std::string_view words) {
  const bool after_article = std::exchange(article_, false);
  if (after_article) {
    Space();
    text_ += data::Article(words);
  }
  Space();
  // Phrases and what follows an article are spared: an error must not put "an"
  // before what no longer asks for it.
  const bool single = !after_article && words.size() >= 5 &&
                      words.find(' ') == std::string_view::npos;
  if (single && rng_.Bernoulli(habits_.typos)) {
    for (const char c : WithTypo(words)) Type(c);
  } else {
    for (const char c : words) Type(c);
  }
}

void Typist::Paste(std::string_view text) {
  if (std::exchange(article_, false)) {
    Space();
    text_ += data::Article(text);
  }
  Space();
  text_ += text;
}

void Typist::Type(char c) {
  if (c == '\'') {
    if (habits_.curly) {
      text_ += "’";
    } else if (!habits_.drops_apostrophes) {
      text_ += c;
    }
  } else if (c == '"' && habits_.curly) {
    text_ += text_.empty() || text_.back() == ' ' ? "“" : "”";
  } else {
    text_ += habits_.lower_case ? base::ToLower(c) : c;
  }
}

// Two letters swapped, one lost or one doubled; never the first of a word.
std::string Typist::WithTypo(std::string_view word) {
  std::string typo(word);
  const std::size_t at = 1 + rng_.Below(word.size() - 2);
  const bool inside = base::IsLetter(typo[at - 1]) && base::IsLower(typo[at]) &&
                      base::IsLower(typo[at + 1]);
  if (!inside) return typo;
  switch (rng_.Below(3)) {
    case 0:
      std::swap(typo[at], typo[at + 1]);
      break;
    case 1:
      typo.erase(at, 1);
      break;
    default:
      typo.insert(at, 1, typo[at]);
  }
  return typo;
}

char Typist::TakeMark() {
  if (text_.empty() ||
      (text_.back() != '.' && text_.back() != '?' && text_.back() != '!')) {
    return '\0';
  }
  const char mark = text_.back();
  text_.pop_back();
  return mark;
}

std::string Typist::Finish() {
  if (!habits_.lower_case && !text_.empty()) text_[0] = base::ToUpper(text_[0]);
  const char mark = TakeMark();
  if (mark != '\0' && !rng_.Bernoulli(habits_.drops_stop)) {
    const bool loud = rng_.Bernoulli(habits_.exclaims);
    text_ += mark == '?' && loud   ? "??"
             : mark == '.' && loud ? "!"
                                   : std::string(1, mark);
  }
  return std::move(text_);
}

}  // namespace sfumato::data

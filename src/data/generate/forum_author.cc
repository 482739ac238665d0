#include "data/generate/forum_author.h"

#include <algorithm>
#include <cmath>

#include "base/ascii.h"
#include "base/portable_math.h"

namespace sfumato::data {
namespace {

constexpr double kFavouriteShare = 0.4;  // of words drawn from favourites
constexpr double kEverydayShare = 0.25;  // of words that any topic could have
constexpr double kInventedToolShare = 0.25;
constexpr double kCoinedShare = 0.1;  // "subtable" for "table"
constexpr double kTopicShares[] = {0.55, 0.25, 0.13, 0.07};

// Numbers of names, by the law of Zipf and Mandelbrot.
const base::Choice& NameRanks() {
  static const base::Choice ranks = [] {
    std::vector<double> weights(4000);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = 1.0 / (static_cast<double>(i) + 30.0);
    }
    return base::Choice(weights);
  }();
  return ranks;
}

// How much each opening is this person's: the site's weight, bent.
base::Choice OwnOpenings(base::Rng& rng) {
  std::vector<double> weights;
  for (const Opening& opening : ForumGrammar::Get().openings()) {
    weights.push_back(opening.weight * rng.Gamma(2.0));
  }
  return base::Choice(weights);
}

bool IsWordByte(char c) {
  return base::IsLetter(c) || base::IsDigit(c) || c == '_' || c == '\'' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Words, and marks one by one.
int CountTokens(std::string_view text) {
  int tokens = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool word = IsWordByte(c);
    if (c != ' ' && !(word && in_word)) ++tokens;
    in_word = word;
  }
  return tokens;
}

}  // namespace

ForumAuthor::ForumAuthor(std::uint64_t seed, std::uint64_t user)
    : rng_(seed, {base::Key("forum"), user}),
      habits_(Habits::Draw(rng_)),
      typist_(habits_, rng_),
      topic_choice_(kTopicShares),
      opening_choice_(OwnOpenings(rng_)) {
  const std::vector<Topic>& topics = ForumLexicon::Get().topics();
  interests_.push_back(Develop(topics[0]));
  std::vector<std::size_t> order(topics.size() - 1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i + 1;
  rng_.Shuffle(std::span(order));
  for (std::size_t i = 0; i < std::size(kTopicShares); ++i) {
    interests_.push_back(Develop(topics[order[i]]));
  }
  for (std::string& project : projects_) {
    project = ProductName(rng_());
  }
}

ForumAuthor::Interest ForumAuthor::Develop(const Topic& topic) {
  Interest interest{.topic = &topic, .words = {}, .names = {}};
  for (std::size_t c = 0; c < kWordClasses; ++c) {
    if (topic.lists[c] == nullptr) continue;
    for (auto& word : interest.words[c]) {
      word = static_cast<std::uint32_t>(topic.lists[c]->by_rank(rng_));
    }
  }
  for (auto& numbers : interest.names) {
    for (auto& number : numbers) number = rng_();
  }
  return interest;
}

// Most people write little more than the least, a few very much: 0.6 of the
// mean, and a log-normal share with mean 0.4.
std::size_t ForumAuthor::Count(double mean) {
  constexpr double kDeviation = 1.2;
  const double tail = base::PortableExp(
      rng_.Normal(-0.5 * kDeviation * kDeviation, kDeviation));
  return static_cast<std::size_t>(
      std::max(1.0, std::floor(mean * (0.6 + 0.4 * tail))));
}

std::string ForumAuthor::Sentence() {
  const ForumGrammar& grammar = ForumGrammar::Get();
  while (true) {
    interest_ = &interests_[1 + topic_choice_(rng_)];
    everyday_action_ = true;
    said_.clear();
    typist_.Begin();
    if (rng_.Bernoulli(habits_.greets)) {
      SayWord(WordClass::kGreet, kBase);
      typist_.Glue();
      typist_.Write(",");
    } else if (rng_.Bernoulli(habits_.connects)) {
      SayWord(WordClass::kSo, kBase);
    }
    Expand(grammar.rule(grammar.openings()[opening_choice_(rng_)].rule));
    if (rng_.Bernoulli(habits_.polite)) Close();
    std::string sentence = typist_.Finish();
    const int tokens = CountTokens(sentence);
    if (tokens >= 4 && tokens <= 30) return sentence;
  }
}

void ForumAuthor::Close() {
  const char mark = typist_.TakeMark();
  typist_.Glue();
  typist_.Write(",");
  SayWord(mark == '?' ? WordClass::kPlea : WordClass::kBye, kBase);
  typist_.Glue();
  typist_.Write(std::string_view(&mark, 1));
}

void ForumAuthor::Expand(const Rule& rule) {
  for (const Part& part : rule.expansions[rule.choice(rng_)]) {
    if (part.glued) typist_.Glue();
    Say(part);
    typist_.Unglue();  // an optional part may have said nothing
  }
}

void ForumAuthor::Say(const Part& part) {
  switch (part.kind) {
    case Part::Kind::kText:
      if (part.text == "," && rng_.Bernoulli(habits_.dashes)) {
        typist_.Unglue();
        typist_.Write("–");
      } else {
        typist_.Write(part.text);
      }
      break;
    case Part::Kind::kArticle:
      typist_.Article();
      break;
    case Part::Kind::kEither:
      typist_.Write(rng_.Bernoulli(habits_.contracts) ? part.brief : part.text);
      break;
    case Part::Kind::kWord:
      SayWord(part.word_class, part.form);
      break;
    case Part::Kind::kName:
      SayName(part.name);
      break;
    case Part::Kind::kRule:
      Expand(ForumGrammar::Get().rule(part.rule));
      break;
  }
}

void ForumAuthor::SayWord(WordClass word_class, WordForm form) {
  const Word& word = Draw(word_class, form);
  if (word_class == WordClass::kCode) return SayCode(word.forms[0]);
  if (word_class == WordClass::kTool && rng_.Bernoulli(kInventedToolShare)) {
    return typist_.Write(ProductName(NameRanks()(rng_)));
  }
  if (!word.brief.empty() && rng_.Bernoulli(habits_.abbreviates)) {
    return typist_.Write(word.brief[form]);
  }
  if (rng_.Bernoulli(kCoinedShare)) {
    return typist_.Write(
        Coin(*interest_->topic, word_class, word.forms[form], rng_));
  }
  typist_.Write(word.forms[form]);
}

void ForumAuthor::SayName(NameKind kind) {
  const Topic& topic = *interest_->topic;
  switch (kind) {
    case NameKind::kIdentifier:
      return SayCode(Identifier(topic, DrawNumber(kind), habits_.spelling));
    case NameKind::kCall:
      return SayCode(FunctionName(topic, DrawNumber(kind), habits_.spelling) +
                     "()");
    case NameKind::kError:
      return typist_.Paste(ErrorName(topic, DrawNumber(kind)));
    case NameKind::kFile:
      return typist_.Paste(FileName(topic, DrawNumber(kind)));
    case NameKind::kVersion:
      return typist_.Paste(Version(rng_));
    case NameKind::kNumber:
      return typist_.Paste(Quantity(rng_));
    case NameKind::kProject:
      return typist_.Write(projects_[rng_.Below(projects_.size())]);
  }
}

void ForumAuthor::SayCode(const std::string& code) {
  typist_.Paste(habits_.backquotes ? "`" + code + "`" : code);
}

// A word that this sentence has not said yet, if one is soon found.
const Word& ForumAuthor::Draw(WordClass word_class, WordForm form) {
  const auto said = [this](std::string_view base) {
    return std::any_of(said_.begin(), said_.end(), [&](std::string_view word) {
      return word.starts_with(base) || base.starts_with(word);
    });
  };
  for (int attempt = 0;; ++attempt) {
    const Word& word = DrawOnce(word_class);
    if (word.forms[form].empty()) continue;  // nobody says "log-inable"
    if (attempt < 4 && said(word.forms[kBase])) continue;
    said_.push_back(word.forms[kBase]);
    return word;
  }
}

const Word& ForumAuthor::DrawOnce(WordClass word_class) {
  const Interest& everyday = interests_[0];
  const bool has_own = interest_->topic->list(word_class) != nullptr;
  const bool has_everyday = everyday.topic->list(word_class) != nullptr;
  // One can open anything, but queries only what can be queried.
  const bool fits_everyday =
      has_everyday && (word_class != WordClass::kThing || everyday_action_);
  const bool is_everyday =
      !has_own || (fits_everyday && rng_.Bernoulli(kEverydayShare));
  if (word_class == WordClass::kAction) everyday_action_ = is_everyday;

  const Interest& interest = is_everyday ? everyday : *interest_;
  const WordList& list = *interest.topic->list(word_class);
  const auto& favourites = interest.words[static_cast<std::size_t>(word_class)];
  return list.words[rng_.Bernoulli(kFavouriteShare)
                        ? favourites[rng_.Below(kFavourites)]
                        : list.by_rank(rng_)];
}

std::uint64_t ForumAuthor::DrawNumber(NameKind kind) {
  if (rng_.Bernoulli(kFavouriteShare)) {
    return interest_
        ->names[static_cast<std::size_t>(kind)][rng_.Below(kFavourites)];
  }
  return NameRanks()(rng_);
}

}  // namespace sfumato::data

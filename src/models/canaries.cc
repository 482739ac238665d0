#include "models/canaries.h"

#include <numeric>
#include <span>
#include <unordered_map>

#include "base/error.h"
#include "base/random.h"
#include "fmt/format.h"
#include "models/sequences.h"

namespace sfumato::models {
namespace {

WordNumbers RandomSentence(base::Rng random, std::int64_t words,
                           const data::Vocabulary& vocabulary) {
  WordNumbers sentence;
  for (std::int64_t i = 0; i < words; ++i) {
    sentence.push_back(
        data::Vocabulary::kFirstWord +
        static_cast<std::int64_t>(random.Below(vocabulary.words().size())));
  }
  return sentence;
}

void CheckWords(std::int64_t words) {
  if (words >= 1) return;
  throw BadInput(fmt::format("canaries of {} words", words), "canary.words",
                 "give at least one");
}

class Canaries : public Examples {
 public:
  Canaries(const Examples& all, const std::vector<Canary>& canaries,
           std::int64_t repeats)
      : all_(all), repeats_(repeats) {
    for (const Canary& canary : canaries) words_[canary.user] = canary.words;
  }

  Shape shape() const override { return all_.shape(); }
  std::int64_t classes() const override { return all_.classes(); }
  std::int64_t users() const override { return all_.users(); }
  std::int64_t user_size(std::int64_t user) const override {
    return all_.user_size(user) + (words_.contains(user) ? repeats_ : 0);
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    return i < all_.user_size(user) ? all_.Read(user, i, values)
                                    : WriteSentence(words_.at(user), values);
  }

 private:
  const Examples& all_;
  std::int64_t repeats_;
  std::unordered_map<std::int64_t, WordNumbers> words_;  // by user
};

}  // namespace

std::vector<Canary> DrawCanaries(const CanaryOptions& options,
                                 const data::Vocabulary& vocabulary,
                                 std::int64_t users) {
  if (!(options.users >= 0 && options.users <= users)) {
    throw BadInput(fmt::format("canaries for {} users, where there are {}",
                               options.users, users),
                   "canary.users", "give at most the users that train");
  }
  CheckWords(options.words);
  std::vector<std::int64_t> order(static_cast<std::size_t>(users));
  std::iota(order.begin(), order.end(), 0);
  base::Rng(options.seed, {base::Key("users with a canary")})
      .Shuffle(std::span(order));
  std::vector<Canary> canaries;
  for (std::int64_t i = 0; i < options.users; ++i) {
    const auto number = static_cast<std::size_t>(i);
    canaries.push_back(
        {.user = order[number],
         .words = RandomSentence(
             base::Rng(options.seed, {base::Key("canary"), number}),
             options.words, vocabulary)});
  }
  return canaries;
}

std::vector<WordNumbers> DrawAlternatives(const CanaryOptions& options,
                                          const data::Vocabulary& vocabulary,
                                          std::int64_t count) {
  CheckWords(options.words);
  std::vector<WordNumbers> alternatives;
  for (std::int64_t i = 0; i < count; ++i) {
    alternatives.push_back(RandomSentence(
        base::Rng(options.seed, {base::Key("alternative to canaries"),
                                 static_cast<std::uint64_t>(i)}),
        options.words, vocabulary));
  }
  return alternatives;
}

std::unique_ptr<Examples> WithCanaries(const Examples& all,
                                       const std::vector<Canary>& canaries,
                                       std::int64_t repeats) {
  const std::int64_t longest = all.shape().width - 2;
  for (const Canary& canary : canaries) {
    const auto words = static_cast<std::int64_t>(canary.words.size());
    if (words > longest) {
      throw BadInput(fmt::format("a canary of {} words, where sentences are "
                                 "cut after {}",
                                 words, longest),
                     "canary.words", "give fewer words");
    }
    if (canary.user < 0 || canary.user >= all.users()) {
      throw BadInput(
          fmt::format("a canary for user {} of {}", canary.user, all.users()),
          "canary.users", "give at most the users that train");
    }
  }
  return std::make_unique<Canaries>(all, canaries, repeats);
}

}  // namespace sfumato::models

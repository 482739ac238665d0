// One user of the forum: topics, favourite words and habits, and the sentences
// that come of them.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/generate/forum_grammar.h"
#include "data/generate/forum_lexicon.h"
#include "data/generate/forum_typist.h"

namespace sfumato::data {

class ForumAuthor {
 public:
  // The author is a function of (seed, user) alone.
  ForumAuthor(std::uint64_t seed, std::uint64_t user);
  ForumAuthor(const ForumAuthor&) = delete;  // the typist refers to it

  // How many sentences this user wrote, on average `mean` over users.
  std::size_t Count(double mean);
  // The next sentence: 4 to 30 tokens, words and marks counted.
  std::string Sentence();

 private:
  static constexpr std::size_t kFavourites = 5;
  static constexpr std::size_t kNameKinds = 4;  // those made from numbers

  // What the author knows best of a topic: words by class, and the author's
  // own names by kind, which nobody else uses.
  struct Interest {
    const Topic* topic;
    std::array<std::array<std::uint32_t, kFavourites>, kWordClasses> words;
    std::array<std::array<std::uint64_t, kFavourites>, kNameKinds> names;
  };

  Interest Develop(const Topic& topic);

  void Expand(const Rule& rule);
  void Say(const Part& part);
  void SayWord(WordClass word_class, WordForm form);
  void SayName(NameKind kind);
  void SayCode(const std::string& code);
  void Close();  // "please", "thanks", for those who are polite

  const Word& Draw(WordClass word_class, WordForm form);
  const Word& DrawOnce(WordClass word_class);
  std::uint64_t DrawNumber(NameKind kind);

  base::Rng rng_;
  Habits habits_;
  Typist typist_;
  std::vector<Interest> interests_;  // everyday talk first
  base::Choice topic_choice_;
  base::Choice opening_choice_;
  std::array<std::string, 2> projects_;

  const Interest* interest_ = nullptr;  // of the sentence being written
  bool everyday_action_ = true;         // the last action fits any thing
  std::vector<std::string_view> said_;  // in it so far
};

}  // namespace sfumato::data

// The built-in text dataset: users of a technical question site.
//
//   data::Forum forum({.seed = 7});
//   for (const std::string& sentence : forum.Sentences(17)) Use(sentence);
//
// Each user has topics, favourite words and habits; sentences are readable
// English as people type it, from a grammar (forum_grammar.h) and a vocabulary
// (forum_lexicon.h) whose frequencies follow Zipf's law far beyond the 10,000
// most frequent words. A user is a function of (seed, user) alone, the same
// bytes on every machine.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "data/dataset_writer.h"

namespace sfumato::data {

struct ForumOptions {
  std::uint64_t users = 100;
  std::uint64_t seed = 1;
  double mean_sentences = 150;  // a user; most have somewhat fewer, some many
};

class Forum {
 public:
  // Raised whenever the same options would give other sentences.
  static constexpr int kVersion = 1;

  // Throws BadInput when there is no user, or less than one sentence per user.
  explicit Forum(const ForumOptions& options);

  // REQUIRES: user < users.
  std::vector<std::string> Sentences(std::uint64_t user) const;

 private:
  ForumOptions options_;
};

// What such a set is called and holds, without how it came to be.
DatasetInfo ForumInfo(const std::string& name);

// Writes the whole forum as a dataset of users "user_000000", … under `out`.
DatasetSummary MakeForum(const ForumOptions& options, const base::Path& out,
                         const std::string& name);

}  // namespace sfumato::data

#include "data/generate/forum.h"

#include <cassert>

#include "base/error.h"
#include "base/progress.h"
#include "data/dataset_writer.h"
#include "data/generate/forum_author.h"
#include "fmt/format.h"

namespace sfumato::data {

Forum::Forum(const ForumOptions& options) : options_(options) {
  if (options.users == 0) {
    throw BadInput("a forum without users", "users", "ask for at least one");
  }
  if (!(options.mean_sentences >= 1 && options.mean_sentences <= 1e6)) {
    throw BadInput(fmt::format("{} sentences a user", options.mean_sentences),
                   "mean_sentences", "give a number from 1 to 1,000,000");
  }
}

std::vector<std::string> Forum::Sentences(std::uint64_t user) const {
  assert(user < options_.users);
  ForumAuthor author(options_.seed, user);
  std::vector<std::string> sentences(author.Count(options_.mean_sentences));
  for (std::string& sentence : sentences) sentence = author.Sentence();
  return sentences;
}

DatasetInfo ForumInfo(const std::string& name) {
  DatasetInfo info;
  info.name = name;
  info.kind = Kind::kText;
  info.origin = Origin::kGenerated;
  info.text_form = TextForm::kRaw;
  return info;
}

DatasetSummary MakeForum(const ForumOptions& options, const base::Path& out,
                         const std::string& name) {
  constexpr double kSentenceBytes = 72;  // about, with label and offset
  const double users = static_cast<double>(options.users);
  DatasetWriter::RequireRoom(out, users,
                             users * options.mean_sentences * kSentenceBytes);
  const Forum forum(options);
  DatasetInfo info = ForumInfo(name);
  info.provenance.push_back({{"step", "make"},
                             {"generator", "forum"},
                             {"version", Forum::kVersion},
                             {"users", options.users},
                             {"seed", options.seed},
                             {"mean_sentences", options.mean_sentences}});
  DatasetWriter writer(out, info);
  base::Progress progress("writing", options.users, "users");
  for (std::uint64_t user = 0; user < options.users; ++user) {
    writer.BeginUser(fmt::format("user_{:06}", user));
    for (const std::string& sentence : forum.Sentences(user)) {
      writer.Add({.text = sentence});
    }
    progress.Advance();
  }
  writer.Finish();
  return {
      .users = writer.users(), .examples = writer.examples(), .skipped = {}};
}

}  // namespace sfumato::data

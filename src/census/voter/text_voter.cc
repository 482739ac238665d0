#include "census/voter/text_voter.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_features.h"
#include "census/voter/text_knowledge.h"
#include "data/text.h"

namespace sfumato::census {
namespace {

constexpr std::size_t kLongestText = 20'000;  // bytes of a sentence that count

// Sentences of a user as the voter reads them: `most` at most, spread over all.
// Empty ones do not count.
std::vector<std::string> SentencesOf(const data::User& user,
                                     data::TextForm form, bool capitals,
                                     std::size_t most) {
  std::vector<std::string> out;
  const std::size_t read = std::min(user.size(), most);
  for (std::size_t i = 0; i < read; ++i) {
    std::string_view text = user[i * user.size() / read].text;
    if (text.size() > kLongestText) {
      std::size_t end = kLongestText;
      while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
      text = text.substr(0, end);
    }
    std::string tokens = HealthyTokens(text, form, capitals);
    if (!data::SplitTokens(tokens).empty()) out.push_back(std::move(tokens));
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> TextVoter::VoteOf(
    const std::vector<float>& features) const {
  const Verdict verdict =
      knowledge_.margins.Judge(knowledge_.network.Logits(features));
  const auto cells = static_cast<std::int64_t>(calibration_.cells.size());
  switch (verdict.kind) {
    case Verdict::kHealthy:
      return {knowledge_.fits.back().IsLike(features) ? 0 : cells - 1};
    case Verdict::kUnexplained:
      return {cells - 2};
    case Verdict::kUndecided:
      return {cells - 1};
    case Verdict::kDamaged:
      break;
  }
  // Pairs are too many, and reference users with each too few, to say what a
  // user with both is like.
  const bool one = verdict.families.size() == 1 || calibration_.marks == 1;
  const std::size_t first = verdict.families.front();
  if (one && !knowledge_.fits[first].IsLike(features)) return {cells - 2};
  std::vector<std::int64_t> marks;
  for (const std::size_t family : verdict.families) {
    const std::int64_t cell = knowledge_.cell_of[family];
    if (cell < 0 || std::ranges::find(marks, cell) != marks.end()) continue;
    if (std::ssize(marks) < calibration_.marks) marks.push_back(cell);
  }
  if (marks.empty()) return {cells - 2};
  std::ranges::sort(marks);
  return marks;
}

Votes TextVoter::VotesOf(const data::FederatedDataset& set,
                         const std::vector<std::int64_t>& users,
                         fed::WorkerPool& pool) const {
  const auto cannot_tell =
      static_cast<std::int64_t>(calibration_.cells.size()) - 1;
  Votes votes(users.size(), std::vector<std::int64_t>{cannot_tell});
  if (set.info().kind != data::Kind::kText) return votes;
  std::vector<std::optional<TextReader>> readers(pool.size());
  pool.Run(users.size(), [&](int worker, std::size_t i) {
    auto& reader = readers[worker];
    if (!reader) reader.emplace(*knowledge_.words);
    try {
      const std::vector<std::string> sentences =
          SentencesOf(set.user(static_cast<std::size_t>(users[i])),
                      set.info().text_form, knowledge_.words->capitals(),
                      static_cast<std::size_t>(knowledge_.most_examples));
      if (std::ssize(sentences) < knowledge_.least_examples) return;
      votes[i] = VoteOf(reader->Features(sentences));
    } catch (const Error&) {
      // A damaged record is one user's, and is not spoken of.
    }
  });
  return votes;
}

}  // namespace sfumato::census

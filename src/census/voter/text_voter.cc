#include "census/voter/text_voter.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "census/voter/text_damages.h"
#include "census/voter/text_features.h"
#include "census/voter/text_knowledge.h"
#include "data/text.h"

namespace sfumato::census {
namespace {

constexpr std::size_t kLongestText = 20'000;  // bytes of a sentence that count
// How many times the limit of fit a user may lie off, if the references are of
// another kind than the users.
constexpr double kForeignSlack = 2;

}  // namespace

// Those `most` are spread over all. Empty ones do not count.
std::vector<std::string> TextVoter::SentencesOf(
    const data::FederatedDataset& set, std::int64_t number) const {
  const data::User user = set.user(static_cast<std::size_t>(number));
  std::vector<std::string> out;
  const std::size_t read =
      std::min(user.size(), static_cast<std::size_t>(knowledge_.most_examples));
  for (std::size_t i = 0; i < read; ++i) {
    std::string_view text = user[i * user.size() / read].text;
    if (text.size() > kLongestText) {
      std::size_t end = kLongestText;
      while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
      text = text.substr(0, end);
    }
    std::string tokens =
        HealthyTokens(text, set.info().text_form, knowledge_.words->capitals());
    if (!data::SplitTokens(tokens).empty()) out.push_back(std::move(tokens));
  }
  if (std::ssize(out) < knowledge_.least_examples) out.clear();
  return out;
}

std::int64_t TextVoter::CellOf(std::size_t family,
                               const std::vector<float>& features) const {
  for (const TextSplit& split : knowledge_.splits) {
    if (split.family == family) {
      return split.cells[split.choice.Choose(features)];
    }
  }
  return knowledge_.cell_of[family];
}

std::vector<std::int64_t> TextVoter::VoteOf(
    const std::vector<float>& features) const {
  const Verdict verdict =
      knowledge_.margins.Judge(knowledge_.network.Logits(features));
  const auto cells = static_cast<std::int64_t>(calibration_.cells.size());
  switch (verdict.kind) {
    case Verdict::kHealthy:
      // Healthy users need not look like references of another kind.
      if (knowledge_.foreign) return {0};
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
  const double slack = knowledge_.foreign ? kForeignSlack : 1;
  if (one && !knowledge_.fits[first].IsLike(features, slack)) {
    return {cells - 2};
  }
  std::vector<std::int64_t> marks;
  for (const std::size_t family : verdict.families) {
    const std::int64_t cell = CellOf(family, features);
    if (cell < 0 || std::ranges::find(marks, cell) != marks.end()) continue;
    if (std::ssize(marks) < calibration_.marks) marks.push_back(cell);
  }
  if (marks.empty()) return {cells - 2};
  std::ranges::sort(marks);
  return marks;
}

Votes TextVoter::Each(std::size_t users, const Read& read,
                      fed::WorkerPool& pool) const {
  const auto cannot_tell =
      static_cast<std::int64_t>(calibration_.cells.size()) - 1;
  Votes votes(users, std::vector<std::int64_t>{cannot_tell});
  std::vector<std::optional<TextReader>> readers(pool.size());
  pool.Run(users, [&](int worker, std::size_t i) {
    auto& reader = readers[worker];
    if (!reader) reader.emplace(*knowledge_.words);
    try {
      const std::vector<float> features = read(*reader, i);
      if (!features.empty()) votes[i] = VoteOf(features);
    } catch (const base::Interrupted&) {
      throw;
    } catch (const std::exception&) {
      // A damaged record is one user's, and is not spoken of.
    }
  });
  return votes;
}

Votes TextVoter::VotesOf(const data::FederatedDataset& set,
                         const std::vector<std::int64_t>& users,
                         fed::WorkerPool& pool) const {
  assert(!on_change());
  const bool reads = Reads(set.info());
  return Each(
      users.size(),
      [&](TextReader& reader, std::size_t i) -> std::vector<float> {
        if (!reads) return {};
        const auto sentences = SentencesOf(set, users[i]);
        if (sentences.empty()) return {};
        return reader.Features(sentences);
      },
      pool);
}

Votes TextVoter::VotesOnChange(const data::FederatedDataset& before,
                               const std::vector<std::int64_t>& user_before,
                               const data::FederatedDataset& now,
                               const std::vector<std::int64_t>& users,
                               fed::WorkerPool& pool) const {
  if (!on_change()) {
    throw BadInput("a voter that did not learn what changes look like",
                   "census.voter", "let the census learn its own voter");
  }
  const bool reads = Reads(before.info()) && Reads(now.info());
  return Each(
      users.size(),
      [&](TextReader& reader, std::size_t i) -> std::vector<float> {
        if (!reads || user_before[i] < 0) return {};
        const auto then = SentencesOf(before, user_before[i]);
        const auto sentences = SentencesOf(now, users[i]);
        if (then.empty() || sentences.empty()) return {};
        return reader.ChangeFeatures(then, sentences);
      },
      pool);
}

}  // namespace sfumato::census

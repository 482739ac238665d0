#include "census/voter/text_cells.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "census/voter/same_answer.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::census {
namespace {

// What a family, or a bar, must be noticed in to be an answer.
constexpr double kLeastSeen = 0.05;

Shares TakenFor(std::span<const FamilyVotes> votes) {
  Shares taken_for;
  for (const FamilyVotes& one : votes) taken_for.push_back(one.taken_for);
  return taken_for;
}

class Chooser {
 public:
  Chooser(std::span<const TextDamage> damages,
          std::span<const FamilyVotes> votes)
      : damages_(damages), votes_(votes) {
    out_.cell_of.assign(damages.size(), -1);
    out_.bars.resize(damages.size());
  }

  TextCells Choose() {
    out_.cells.push_back({kAsItShouldBe, "as it should be", ""});
    const std::vector<std::size_t> first_of = FirstOfSame(TakenFor(votes_));
    for (std::size_t first = 0; first < damages_.size(); ++first) {
      if (first_of[first] != first) continue;
      std::vector<std::size_t> same;
      for (std::size_t k = first; k < damages_.size(); ++k) {
        if (first_of[k] == first) same.push_back(k);
      }
      if (same.size() == 1) AddOne(first);
      if (same.size() > 1) AddJoined(same);
    }
    out_.cells.push_back({kNoneOfThese, "none of these", ""});
    out_.cells.push_back({kCannotTell, "cannot tell", ""});
    return std::move(out_);
  }

 private:
  double Seen(std::size_t k) const { return votes_[k].taken_for[k]; }

  std::int64_t Add(Cell cell) {
    out_.cells.push_back(std::move(cell));
    return std::ssize(out_.cells) - 1;
  }

  void AddOne(std::size_t k) {
    const TextDamage& damage = damages_[k];
    if (!votes_[k].seen_at.empty()) {
      Split(k);
    } else if (Seen(k) < kLeastSeen) {
      NotAsked(damage.words, Seen(k));
    } else {
      out_.cell_of[k] = Add({damage.key, damage.words, damage.cause});
    }
  }

  void AddJoined(const std::vector<std::size_t>& same) {
    std::vector<std::string> keys;
    std::vector<std::string> words;
    std::vector<std::string> causes;
    double seen = 0;
    for (const std::size_t k : same) {
      keys.push_back(damages_[k].key);
      words.push_back(damages_[k].words);
      causes.push_back(damages_[k].cause);
      seen = std::max(seen, Seen(k));
    }
    const std::string all = fmt::format("{}", fmt::join(words, " or "));
    if (seen < kLeastSeen) {
      NotAsked(all, seen);
      return;
    }
    const std::int64_t cell =
        Add({fmt::format("{}", fmt::join(keys, "_or_")), all,
             fmt::format("{}", fmt::join(causes, "; or "))});
    Remark("One answer, because these references cannot tell them apart: {}.",
           fmt::join(words, ", "));
    for (const std::size_t k : same) {
      out_.cell_of[k] = cell;
      if (votes_[k].seen_at.empty()) continue;
      Remark(
          "“{}” is not split by how many sentences have it, because it is "
          "one answer with others.",
          damages_[k].words);
    }
  }

  void Split(std::size_t k) {
    const TextDamage& damage = damages_[k];
    std::vector<std::string> unseen;
    for (std::size_t bar = 0; bar < TextBars().size(); ++bar) {
      const std::string& values = TextBars()[bar].values;
      if (votes_[k].seen_at[bar] < kLeastSeen) {
        unseen.push_back(values);
        continue;
      }
      const std::int64_t cell =
          Add({fmt::format("{}={}", damage.key, values),
               fmt::format("{}: {}", damage.words, values), damage.cause});
      out_.bars[k].push_back({bar, cell});
    }
    if (out_.bars[k].size() < 2) {
      throw BadInput(
          fmt::format("'{}' cannot be split: with these references {} of its "
                      "strengths is seen",
                      damage.key, out_.bars[k].empty() ? "none" : "only one"),
          "census.split", "leave it out of census.split");
    }
    out_.cell_of[k] = out_.bars[k].front().cell;
    if (!unseen.empty()) {
      Remark("Too mild for these references: {} ({}).", damage.words,
             fmt::join(unseen, "; "));
    }
  }

  void NotAsked(const std::string& words, double seen) {
    Remark(
        "“{}” is not asked: {:.0f} % of the reference users who have it vote "
        "for it.",
        words, 100 * seen);
  }

  template <typename... Values>
  void Remark(fmt::format_string<Values...> text, Values&&... values) {
    out_.remarks.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  std::span<const TextDamage> damages_;
  std::span<const FamilyVotes> votes_;
  TextCells out_;
};

}  // namespace

const std::vector<TextBar>& TextBars() {
  static const std::vector<TextBar> bars = {{1.0, "all sentences"},
                                            {0.3, "30 % of sentences"},
                                            {0.1, "10 % of sentences"}};
  return bars;
}

TextCells ChooseTextCells(std::span<const TextDamage> damages,
                          std::span<const FamilyVotes> votes) {
  return Chooser(damages, votes).Choose();
}

void CheckSplit(std::span<const TextDamage> damages,
                std::span<const std::string> split) {
  std::vector<std::string> keys;
  for (const TextDamage& damage : damages) keys.push_back(damage.key);
  for (const std::string& family : split) {
    if (std::ranges::find(keys, family) != keys.end()) continue;
    throw BadInput(fmt::format("unknown family '{}'", family), "census.split",
                   fmt::format("text has {}", fmt::join(keys, ", ")));
  }
}

}  // namespace sfumato::census

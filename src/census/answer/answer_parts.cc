#include "census/answer/answer_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "census/answer/share_text.h"
#include "census/answer/shares.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

std::vector<GroupCounts> GroupsOf(const Counts& counts) {
  std::vector<GroupCounts> groups;
  for (std::size_t g = 0; g < counts.counts.size(); ++g) {
    GroupCounts group{.counts = counts.counts[g], .noise = counts.noise};
    group.summed = counts.asked.empty();
    if (group.summed) {
      for (const double count : group.counts) group.users += count;
    } else {
      group.users = counts.asked[g];
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

ThresholdQuestion QuestionOf(const Counts& counts,
                             const Calibration& calibration,
                             const AnswerOptions& options) {
  return {.groups = GroupsOf(counts),
          .placebo = GroupsOf(options.placebo),
          .level = options.level,
          .cells_tested = calibration.families() + 1};
}

CensusAnswer Begun(const ThresholdQuestion& question, const Counts& counts,
                   const Calibration& calibration,
                   const AnswerOptions& options) {
  CensusAnswer answer{.about = calibration.about,
                      .level = options.level,
                      .design = options.design,
                      .groups = options.groups,
                      .remarks = calibration.remarks};
  answer.groups.resize(question.groups.size());
  for (const GroupCounts& group : question.groups) {
    answer.users.push_back(group.users);
  }
  if (counts.asked.empty()) {
    answer.users_deviation =
        std::sqrt(static_cast<double>(calibration.cells.size())) *
        DeviationOf(counts.noise);
  }
  for (std::size_t a = 0; a < calibration.cells.size(); ++a) {
    const Cell& cell = calibration.cells[a];
    CellAnswer one{.key = cell.key, .words = cell.words, .cause = cell.cause};
    one.low = question.groups.size() == 2 ? -1 : 0;
    for (const GroupCounts& group : question.groups) {
      one.counts.push_back(group.counts[a]);
    }
    answer.answers.push_back(std::move(one));
  }
  return answer;
}

// Of an interval of 95 %.
constexpr double kUpperEnd = 0.975;

bool SomebodyAnswered(const ThresholdQuestion& question) {
  const auto many = [](const std::vector<GroupCounts>& groups) {
    return std::ranges::all_of(
        groups, [](const GroupCounts& group) { return group.users >= 1; });
  };
  return many(question.groups) && many(question.placebo);
}

void AddShares(const ThresholdQuestion& question, const Confusion& confusion,
               const AnswerOptions& options, CensusAnswer& answer) {
  const std::vector<ShareInterval> shares =
      EstimateShares(question, confusion, options.draws, options.seed);
  const bool two = question.groups.size() == 2;
  const double least = two ? -1 : 0;
  // What noise alone may hide of a share that cannot be below 0 or above 1.
  const double hidden = std::min(
      1.0,
      static_cast<double>(QuantileOf(question.groups[0].noise, kUpperEnd)) /
          std::max(1.0, question.groups.back().users));
  for (std::size_t a = 0; a < answer.answers.size(); ++a) {
    CellAnswer& one = answer.answers[a];
    one.share = std::clamp(shares[a].share, least, 1.0);
    one.low = std::clamp(shares[a].low, least, 1 - hidden);
    one.high = std::clamp(shares[a].high, least + hidden, 1.0);
    if (!two) continue;
    const auto rate = [&](const GroupCounts& group) {
      return std::clamp(group.counts[a] / std::max(1.0, group.users), 0.0, 1.0);
    };
    one.share_a = rate(question.groups[0]);
    one.share_b = rate(question.groups[1]);
  }
}

void CannotSay(std::string sentence, std::string next, CensusAnswer& answer) {
  answer.verdict = CensusVerdict::kCannotSay;
  answer.sentence = std::move(sentence);
  answer.next = std::move(next);
  for (CellAnswer& one : answer.answers) one.supported = false;
}

std::string GroupText(const CensusAnswer& answer, std::size_t group) {
  if (!answer.groups[group].empty()) return "“" + answer.groups[group] + "”";
  return group == 0 ? "the first group" : "the second group";
}

std::string HowMany(const CellAnswer& one, const CensusAnswer& answer,
                    const std::string& people) {
  const bool two = answer.groups.size() == 2;
  const bool fewer = two && one.share < 0;
  return fmt::format(
      "about {} of {}{} ({})", ShareText(std::abs(one.share)), people,
      two ? " more in " + GroupText(answer, fewer ? 0 : 1) : "",
      fewer ? RangeText(-one.high, -one.low) : RangeText(one.low, one.high));
}

}  // namespace sfumato::census

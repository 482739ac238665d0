#include "census/answer/power.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "census/answer/share_text.h"
#include "census/answer/threshold.h"
#include "fmt/format.h"

namespace sfumato::census {

std::vector<LeastSeen> PowerOf(const PowerQuestion& question,
                               const Calibration& calibration) {
  const Confusion confusion(calibration);
  if (calibration.cells.size() < 4 || question.users.empty() ||
      question.users.size() > 2) {
    throw Error(ErrorKind::kBug, "power of no question", "census");
  }
  // Of two groups, counts as they are expected to be.
  ThresholdQuestion thresholds{.level = question.level,
                               .cells_tested = calibration.families() + 1};
  const Tried& healthy = confusion.Healthy();
  for (const double users : question.users) {
    GroupCounts group{.users = users, .noise = question.noise};
    for (const std::int64_t votes : healthy.votes) {
      group.counts.push_back(healthy.users > 0
                                 ? users * static_cast<double>(votes) /
                                       static_cast<double>(healthy.users)
                                 : 0);
    }
    thresholds.groups.push_back(std::move(group));
  }
  std::vector<LeastSeen> seen;
  const double users = std::max(1.0, question.users.back());
  const bool nobody = std::ranges::any_of(
      question.users, [](double asked) { return !(asked >= 1); });
  const Thresholds of(thresholds, confusion);
  for (std::size_t a = 1; a + 1 < calibration.cells.size(); ++a) {
    seen.push_back(
        {.key = calibration.cells[a].key,
         .words = calibration.cells[a].words,
         .share = nobody ? 2 : of.LeastSeen(a, of.Of(a, {}), 0.95) / users});
  }
  return seen;
}

double LeastShare(const PowerQuestion& question, std::size_t families) {
  Calibration calibration{.cells = {{.key = kAsItShouldBe}}};
  for (std::size_t i = 0; i < std::max<std::size_t>(1, families); ++i) {
    calibration.cells.push_back({.key = fmt::format("family {}", i)});
  }
  calibration.cells.push_back({.key = kNoneOfThese});
  calibration.cells.push_back({.key = kCannotTell});
  return PowerOf(question, calibration)[0].share;
}

std::string PowerText(double share) {
  return share <= 1 ? fmt::format("damage on {} of users would be seen",
                                  ShareText(share))
                    : "no damage would be seen, not even on all users";
}

std::string PowerText(const std::vector<LeastSeen>& seen) {
  if (seen.empty()) return "";
  double least = 2;
  double most = 0;
  for (const LeastSeen& one : seen) {
    if (one.key == kNoneOfThese) continue;
    least = std::min(least, one.share);
    most = std::max(most, one.share);
  }
  if (most > 1 && least <= 1) {
    return PowerText(least) + "; some kinds not on any number of users";
  }
  if (least > 1 || ShareText(least) == ShareText(most)) return PowerText(most);
  return fmt::format(
      "damage on {} of users would be seen, depending on its kind",
      RangeText(least, most));
}

}  // namespace sfumato::census

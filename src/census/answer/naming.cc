#include "census/answer/naming.h"

#include <optional>

namespace sfumato::census {
namespace {

struct Passed {
  Named named;
  double by = 0;
};

// One cell in the direction in which it may pass.
std::optional<Passed> PassedBy(CellAnswer& answer, std::size_t cell,
                               const Thresholds& thresholds,
                               const std::vector<Named>& named,
                               const LeaksInto& leaks_into) {
  std::optional<Passed> passed;
  const double statistic = thresholds.StatisticOf(cell);
  answer.threshold = 0;
  for (const bool more : {true, false}) {
    if (!more && !thresholds.two()) continue;
    const double reached = more ? statistic : -statistic;
    // A threshold is above 0: what is far below has not to be compared.
    const bool asked =
        !thresholds.two() || reached > 0 || (more && statistic == 0);
    if (!asked) continue;
    const double least =
        thresholds.Of(cell, leaks_into(named, cell, more), more);
    answer.threshold = more ? least : -least;
    if (reached < least) continue;
    passed = {.named = {.cell = cell, .more = more, .reached = reached},
              .by = reached - least};
  }
  return passed;
}

}  // namespace

std::vector<Named> NameCells(std::vector<CellAnswer>& answers,
                             const Thresholds& thresholds, std::size_t first,
                             const LeaksInto& leaks_into) {
  std::vector<Named> named;
  for (;;) {
    std::optional<Passed> best;
    for (std::size_t a = first; a + 1 < answers.size(); ++a) {
      if (answers[a].supported) continue;
      const std::optional<Passed> passed =
          PassedBy(answers[a], a, thresholds, named, leaks_into);
      if (passed && (!best || passed->by > best->by)) best = passed;
    }
    if (!best) return named;
    answers[best->named.cell].supported = true;
    // The upper end of a count: what noise and chance may have hidden of it.
    best->named.reached +=
        thresholds.Hidden(best->named.cell, best->named.more, kLeakChance);
    named.push_back(best->named);
  }
}

}  // namespace sfumato::census

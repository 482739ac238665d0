#include "bench/census_damages.h"

#include <algorithm>
#include <utility>

#include "bench/outside_damages.h"

namespace sfumato::bench {
namespace {

// Reference users of a strength of whom fewer mark it: declared too mild.
constexpr double kLeastSeen = 0.5;

}  // namespace

std::vector<Damage> DamagesInCatalogue(const data::DatasetInfo& people,
                                       std::int64_t classes,
                                       const census::TextSource& source) {
  std::vector<Damage> all;
  if (people.kind == data::Kind::kText) {
    for (const census::TextDamage& damage : census::TextDamages()) {
      for (const auto& [share, values] :
           {std::pair{1.0, "all sentences"}, {0.3, "30 % of sentences"}}) {
        all.push_back(
            {.key = damage.key,
             .words = damage.words,
             .values = values,
             .text = [&source, draw = damage.draw](
                         base::Rng& rng) { return draw(source, rng); },
             .share = share,
             .first = damage.replaces});
      }
    }
    return all;
  }
  for (const census::ImageFamily& family :
       census::ImageFamilies(people.image, classes)) {
    for (const census::NamedDamage& strength : family.strengths) {
      all.push_back({.key = family.key,
                     .words = family.words,
                     .values = strength.values,
                     .images = strength.damage});
    }
  }
  return all;
}

std::vector<Damage> DamagesOutside(data::Kind kind, bool fresh) {
  std::vector<Damage> all;
  if (kind == data::Kind::kText) {
    for (const OutsideText& one : OutsideTexts()) {
      if (one.fresh != fresh) continue;
      all.push_back(
          {.words = one.words,
           .text = [change = one.change](base::Rng&) { return change; }});
    }
  } else {
    for (const OutsideImage& one : OutsideImages()) {
      if (one.fresh != fresh) continue;
      all.push_back({.words = one.words, .images = one.change});
    }
  }
  return all;
}

std::optional<std::size_t> CellOf(const census::Calibration& calibration,
                                  const Damage& damage) {
  for (std::size_t c = 1; c <= calibration.families(); ++c) {
    const census::Cell& cell = calibration.cells[c];
    const std::string keys = "_or_" + cell.key + "_or_";
    if (keys.find("_or_" + damage.key + "_or_") != std::string::npos ||
        cell.words.find(damage.words) != std::string::npos) {
      return c;
    }
  }
  return {};
}

double ReferencesRight(const census::Calibration& calibration,
                       const Damage& damage) {
  const auto cell = CellOf(calibration, damage);
  if (!cell) return 0;
  double best = 0;
  for (const census::State& state : calibration.states) {
    if (state.key != calibration.cells[*cell].key) continue;
    for (const census::Tried& tried : state.tried) {
      if (tried.values != damage.values || tried.users == 0) continue;
      best = std::max(best, static_cast<double>(tried.votes[*cell]) /
                                static_cast<double>(tried.users));
    }
  }
  return best;
}

bool IsPromised(const census::Calibration& calibration, const Damage& damage) {
  return ReferencesRight(calibration, damage) >= kLeastSeen;
}

double PeopleRight(const census::Calibration& calibration, const Damage& damage,
                   const census::Votes& votes) {
  const auto cell = CellOf(calibration, damage);
  if (!cell) return 0;
  const auto right = std::ranges::count_if(votes, [&](const auto& marks) {
    return std::ranges::find(marks, static_cast<std::int64_t>(*cell)) !=
           marks.end();
  });
  return static_cast<double>(right) / static_cast<double>(votes.size());
}

}  // namespace sfumato::bench

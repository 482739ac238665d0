#include "report/census_words.h"

#include <algorithm>
#include <cmath>

#include "census/answer/share_text.h"
#include "fmt/format.h"
#include "report/number_text.h"

namespace sfumato::report {
namespace {

using census::CellAnswer;
using census::CensusAnswer;
using census::CensusVerdict;
using runs::CensusRecord;

constexpr std::size_t kMostUnnamed = 3;   // in the chart, if nothing is named
constexpr std::size_t kMostClasses = 20;  // in the chart

// Of classes as many as one can read, in their own order, and those that differ
// between groups in any case.
std::vector<CellAnswer> ShownClasses(const CensusAnswer& answer) {
  std::vector<CellAnswer> shown;
  std::size_t classes = 0;
  for (const CellAnswer& one : answer.answers) {
    const bool named = one.supported && answer.groups.size() == 2;
    if (!IsFamily(one) || named || classes++ < kMostClasses) {
      shown.push_back(one);
    }
  }
  return shown;
}

}  // namespace

bool IsTwo(const CensusRecord& record) {
  return record.design != census::Design::kEverybody;
}

bool IsOfClasses(const CensusAnswer& answer) {
  return answer.about == census::About::kClasses;
}

bool IsOfClasses(const CensusRecord& record) {
  return record.calibration.about == census::About::kClasses;
}

bool IsFamily(const CellAnswer& one) {
  return one.key != census::kAsItShouldBe && one.key != census::kNoneOfThese &&
         one.key != census::kCannotTell;
}

std::string CountText(double count) {
  return EstimateText(std::round(count * 10) / 10);
}

std::string IntervalText(const CellAnswer& one) {
  return census::RangeText(one.low, one.high);
}

std::string GroupName(const CensusRecord& record, std::size_t group) {
  return group < record.groups.size() && !record.groups[group].words.empty()
             ? record.groups[group].words
         : group == 0 ? "the first group"
                      : "the second group";
}

VerdictText VerdictOf(const CensusRecord& record) {
  switch (record.answer->verdict) {
    case CensusVerdict::kDiffers:
      return {"✗", IsTwo(record) ? "The groups differ" : "Damage was found",
              "differs"};
    case CensusVerdict::kHealthy:
      return {"✓",
              IsOfClasses(record) ? "The groups have the same classes"
                                  : "As it should be",
              "same"};
    case CensusVerdict::kCounted:
      return {"#", "Counted, not compared", "unsure"};
    case CensusVerdict::kCannotSay:
      break;
  }
  return {"?", "Cannot say", "unsure"};
}

std::string CaseOf(const CensusRecord& record) {
  return census::CaseText(record.design, record.calibration.about);
}

std::string SeenText(const CensusRecord& record) {
  double least = 2;
  double most = 0;
  const auto add = [&](double share) {
    least = std::min(least, share);
    most = std::max(most, share);
  };
  if (record.answer) {
    for (const CellAnswer& one : record.answer->answers) {
      if (IsFamily(one) && one.seen_from > 0 && !one.supported) {
        add(one.seen_from);
      }
    }
  } else {
    for (const census::LeastSeen& one : record.power) add(one.share);
  }
  const bool no_verdict =
      record.answer &&
      record.answer->verdict == census::CensusVerdict::kCannotSay;
  if (!(most > 0) || no_verdict) return "";
  const bool found = record.answer &&
                     record.answer->verdict == census::CensusVerdict::kDiffers;
  const std::string of =
      IsTwo(record) ? "of “" + GroupName(record, 1) + "”" : "of users";
  if (IsOfClasses(record) && !IsTwo(record)) return "";
  if (least > 1) {
    return fmt::format("With this noise and so few users, no {} would be seen.",
                       IsOfClasses(record) ? "difference" : "damage");
  }
  std::string text = fmt::format(
      "{} is named 95 times of 100 when {} {} {}have it",
      IsOfClasses(record) ? "A class"
      : found             ? "Other damage"
                          : "Damage",
      most > 1 || census::ShareText(least) == census::ShareText(most)
          ? census::ShareText(least)
          : census::RangeText(least, most),
      of, IsOfClasses(record) ? "more " : "");
  if (most > 1) return text + "; some kinds not on any number of users.";
  return text + (census::ShareText(least) == census::ShareText(most) ? "."
                 : IsOfClasses(record) ? ", the rarer it is the less."
                                       : ", depending on its kind.");
}

std::vector<CellAnswer> Shown(const CensusAnswer& answer) {
  if (IsOfClasses(answer)) return ShownClasses(answer);
  std::vector<CellAnswer> shown;
  std::vector<CellAnswer> last;
  std::size_t unnamed = 0;
  const bool named = std::ranges::any_of(
      answer.answers, [](const CellAnswer& one) { return one.supported; });
  for (const CellAnswer& one : runs::Ranked(answer)) {
    if (one.supported) {
      shown.push_back(one);
    } else if (one.key == census::kNoneOfThese ||
               one.key == census::kCannotTell) {
      last.push_back(one);
    } else if (IsFamily(one) && !named && unnamed < kMostUnnamed) {
      shown.push_back(one);
      ++unnamed;
    }
  }
  shown.insert(shown.end(), last.begin(), last.end());
  return shown;
}

std::size_t FoldedOf(const CensusAnswer& answer) {
  const std::vector<CellAnswer> shown = Shown(answer);
  const auto families = [](const std::vector<CellAnswer>& answers) {
    return static_cast<std::size_t>(std::ranges::count_if(answers, IsFamily));
  };
  return families(answer.answers) - families(shown);
}

}  // namespace sfumato::report

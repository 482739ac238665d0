#include "census/voter/image_cells.h"

#include <algorithm>
#include <utility>

#include "census/voter/same_answer.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::census {
namespace {

// A strength that is not seen as itself, and that many take for another family,
// is said.
constexpr double kTakenForAnother = 0.25;

class Chooser {
 public:
  Chooser(std::span<const ImageFamily> families,
          std::span<const std::string> split, std::span<const Tally> tallies)
      : families_(families),
        split_(split),
        tallies_(tallies),
        seen_(families.size()),
        hidden_(families.size()) {}

  ImageCells Choose() {
    const std::vector<std::size_t> first_of = FirstOfSame(Compare());
    Add({.key = kAsItShouldBe, .words = "as it should be"});
    out_.cell_of_family.assign(families_.size(), -1);
    for (std::size_t first = 0; first < families_.size(); ++first) {
      if (first_of[first] != first) continue;
      std::vector<std::size_t> same;
      for (std::size_t k = first; k < families_.size(); ++k) {
        if (first_of[k] == first) same.push_back(k);
      }
      AddAnswer(same);
    }
    Add({.key = kNoneOfThese, .words = "none of these damages"});
    const std::int64_t cannot_tell =
        Add({.key = kCannotTell, .words = "cannot tell"});
    for (std::size_t k = 0; k < families_.size(); ++k) {
      if (out_.cell_of_family[k] < 0) {
        out_.cell_of_family[k] = cannot_tell;
      } else if (!hidden_[k].empty()) {
        Remark("Too mild for these references: {} ({}).", families_[k].words,
               fmt::join(hidden_[k], "; "));
      }
    }
    return std::move(out_);
  }

 private:
  using Texts = std::vector<std::string>;

  // Which strengths are seen, and what they are taken for.
  Shares Compare() {
    Shares taken_for(families_.size(), std::vector<double>(families_.size()));
    for (const Tally& tally : tallies_) {
      if (tally.family < 0) continue;
      const auto k = static_cast<std::size_t>(tally.family);
      const bool seen = IsSeen(tally);
      (seen ? seen_ : hidden_)[k].push_back(tally.values);
      if (!seen) RemarkIfTakenForAnother(tally);
      for (std::size_t other = 0; other < families_.size(); ++other) {
        taken_for[k][other] +=
            ShareThatMark(tally, static_cast<std::int64_t>(other)) /
            static_cast<double>(families_[k].strengths.size());
      }
    }
    return taken_for;
  }

  void RemarkIfTakenForAnother(const Tally& tally) {
    for (std::size_t other = 0; other < families_.size(); ++other) {
      const auto mark = static_cast<std::int64_t>(other);
      if (mark == tally.family ||
          ShareThatMark(tally, mark) < kTakenForAnother) {
        continue;
      }
      Remark("With these references {} ({}) is often taken for: {}.",
             families_[static_cast<std::size_t>(tally.family)].words,
             tally.values, families_[other].words);
      return;
    }
  }

  // For families that are taken for each other; often just one.
  void AddAnswer(const std::vector<std::size_t>& same) {
    std::size_t visible = 0;
    for (const std::size_t k : same) visible += seen_[k].size();
    const Texts words = Each(same, &ImageFamily::words);
    if (visible == 0) {
      Remark("Not seen with these references, and so not asked: {}.",
             fmt::join(words, ", "));
      return;
    }
    for (const std::size_t k : same) {
      out_.cell_of_family[k] = std::ssize(out_.cells);
    }
    const bool alone = same.size() == 1;
    if (alone && visible > 1 && IsToSplit(same.front())) {
      AddStrengths(same.front());
      return;
    }
    for (const std::size_t k : same) {
      if (!IsToSplit(k)) continue;
      Remark("Not split by strength: {}, {}.", families_[k].words,
             alone ? "of which these references show one strength"
                   : "which is one answer with others");
    }
    if (!alone) {
      Remark("One answer, because these references cannot tell them apart: {}.",
             fmt::join(words, ", "));
    }
    const Texts keys = Each(same, &ImageFamily::key);
    const Texts causes = Each(same, &ImageFamily::cause);
    Add({.key = fmt::format("{}", fmt::join(keys, "_or_")),
         .words = fmt::format("{}", fmt::join(words, " or ")),
         .cause = fmt::format("{}", fmt::join(causes, "; or "))});
  }

  void AddStrengths(std::size_t k) {
    const ImageFamily& family = families_[k];
    StrengthCells split{.family = static_cast<std::int64_t>(k),
                        .values = seen_[k]};
    for (const std::string& values : split.values) {
      split.cells.push_back(
          Add({.key = StrengthKey(family, values),
               .words = fmt::format("{}: {}", family.words, values),
               .cause = family.cause}));
    }
    out_.splits.push_back(std::move(split));
  }

  std::int64_t Add(Cell cell) {
    out_.cells.push_back(std::move(cell));
    return std::ssize(out_.cells) - 1;
  }

  template <typename... Values>
  void Remark(fmt::format_string<Values...> text, Values&&... values) {
    out_.remarks.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  Texts Each(const std::vector<std::size_t>& same,
             std::string ImageFamily::* text) const {
    Texts all;
    for (const std::size_t k : same) all.push_back(families_[k].*text);
    return all;
  }

  bool IsToSplit(std::size_t k) const {
    return std::ranges::find(split_, families_[k].key) != split_.end();
  }

  std::span<const ImageFamily> families_;
  std::span<const std::string> split_;
  std::span<const Tally> tallies_;
  std::vector<Texts> seen_;    // [family]: strengths
  std::vector<Texts> hidden_;  // [family]
  ImageCells out_;
};

}  // namespace

ImageCells ChooseImageCells(std::span<const ImageFamily> families,
                            std::span<const std::string> split,
                            std::span<const Tally> tallies) {
  return Chooser(families, split, tallies).Choose();
}

std::string StrengthKey(const ImageFamily& family, const std::string& values) {
  return fmt::format("{}={}", family.key, values);
}

}  // namespace sfumato::census

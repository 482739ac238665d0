// Which answers a text census offers: one for each family of damages that
// reference users notice, one for families that they take for each other, and
// one for each strength of a family that is split.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "census/answer/calibration.h"
#include "census/voter/text_damages.h"

namespace sfumato::census {

// Of a user's sentences, how many are damaged.
struct TextBar {
  double share = 1;
  std::string values = "";  // "30 % of sentences"
};
// From all sentences down.
const std::vector<TextBar>& TextBars();

// How reference users in a family's damage vote.
struct FamilyVotes {
  // [family]: of users with all sentences damaged, the share that marks it.
  std::vector<double> taken_for = {};
  // [bar]: the share that marks their own family. Empty: not to be split.
  std::vector<double> seen_at = {};
};

// A bar that is an answer of its own.
struct BarCell {
  std::size_t bar = 0;  // of TextBars()
  std::int64_t cell = 0;
};

struct TextCells {
  std::vector<Cell> cells = {};  // in the order of calibration.h
  // [family]: its cell, the first of them if it is split; -1: not asked.
  std::vector<std::int64_t> cell_of = {};
  std::vector<std::vector<BarCell>> bars = {};  // [family]; empty: not split
  std::vector<std::string> remarks = {};
};

// Throws BadInput for a family that is to be split and of which fewer than two
// bars are seen. REQUIRES: votes of every damage, in this order.
TextCells ChooseTextCells(std::span<const TextDamage> damages,
                          std::span<const FamilyVotes> votes);

// Throws BadInput, with the keys there are, for a family that is not among
// `damages`.
void CheckSplit(std::span<const TextDamage> damages,
                std::span<const std::string> split);

}  // namespace sfumato::census

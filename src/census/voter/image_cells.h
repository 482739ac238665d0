// Which answers an image census offers: one for each family of damages that
// reference users notice, one for families that they take for each other, and
// one for each strength of a family that is split.
//
//   const ImageCells chosen = ChooseImageCells(families, split, tallies);
//   chosen.cells[chosen.cell_of_family[4]].words;  // "turned"

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "census/answer/calibration.h"
#include "census/voter/image_families.h"
#include "census/voter/image_tallies.h"

namespace sfumato::census {

// A family whose strengths are answers of their own.
struct StrengthCells {
  std::int64_t family = 0;
  std::vector<std::string> values = {};  // of the strengths
  std::vector<std::int64_t> cells = {};  // of each
};

struct ImageCells {
  std::vector<Cell> cells = {};  // in the order of calibration.h
  // [family]: its cell, the first of them if it is split; kCannotTell's for a
  // family that is not asked about.
  std::vector<std::int64_t> cell_of_family = {};
  std::vector<StrengthCells> splits = {};
  std::vector<std::string> remarks = {};
};

// `split`: keys of families. REQUIRES: tallies of every strength.
ImageCells ChooseImageCells(std::span<const ImageFamily> families,
                            std::span<const std::string> split,
                            std::span<const Tally> tallies);

// Of the cell for a strength of a family that is split: "rotate=30°".
std::string StrengthKey(const ImageFamily& family, const std::string& values);

}  // namespace sfumato::census

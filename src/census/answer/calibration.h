// What a census can be answered with, and how reference users answer: who votes
// for what, given what was done to their data.
//
//   Calibration calibration = CalibrationFromJson(json, "voter.json");
//   calibration.CellOf("rotate");
//
// A vote is one or more cells (`marks`) of the histogram. Of damage, cells are
// in this order: kAsItShouldBe, one for each family of damages, kNoneOfThese,
// kCannotTell. A state is what is true of a user: nothing was done, or a damage
// of a family, in some strengths; how reference users in that state voted is
// the confusion that an answer corrects for. Of classes there is one cell for
// each class, then the last two; who has a class knows it, so there is no
// confusion, and no class is as it should be.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nlohmann/json.hpp"

namespace sfumato::census {

inline constexpr const char* kAsItShouldBe = "as_it_should_be";
inline constexpr const char* kNoneOfThese = "none_of_these";
inline constexpr const char* kCannotTell = "cannot_tell";

enum class About { kDamage, kClasses };
std::string_view Name(About about);  // "damage", "classes"

struct Cell {
  std::string key = "";    // "rotate", "class=7"
  std::string words = "";  // "turned by an angle", "class 7"
  std::string cause = "";  // where this usually comes from; "" for no family
};

// Reference users of one state with one strength of the damage.
struct Tried {
  std::string values = "";  // "30°"; "" where there is nothing to choose
  std::int64_t users = 0;
  std::vector<std::int64_t> votes = {};  // [cell]: users who marked it
  // [cell]: independent users that these are worth, where several are made of
  // one person (worth.h) or of few examples; empty: all of them.
  std::vector<std::int64_t> worth = {};
  // They also have another damage; marks for that one are left out of `votes`.
  // `values` says which ones: "beside “turned”, “moved”".
  bool beside = false;
};

// What they are worth for the rate of this cell.
std::int64_t WorthOf(const Tried& tried, std::size_t cell);

struct State {
  std::string key = "";  // of the cell that would be right
  std::vector<Tried> tried = {};
};

struct Calibration {
  About about = About::kDamage;
  std::vector<Cell> cells = {};
  std::vector<State> states = {};  // kAsItShouldBe, then families; of classes
                                   // none
  std::int64_t marks = 1;
  // Families whose strengths were to be answers of their own.
  std::vector<std::string> split = {};
  // Families that references cannot tell apart are one cell, and what they
  // cannot tell from healthy data has no cell: said in words, for the page.
  std::vector<std::string> remarks = {};

  // Throws Error(kBug) for an unknown key.
  std::size_t CellOf(std::string_view key) const;
  // The first cell that may be named: a family's, or a class's.
  std::size_t first() const { return about == About::kDamage ? 1 : 0; }
  // Families, or classes.
  std::size_t families() const { return cells.size() - 2 - first(); }
};

nlohmann::json ToJson(const Calibration& calibration);
// Throws Corrupt, naming `where`, for what ToJson does not write: a cell or
// state twice, counts below zero, votes of another length than cells.
Calibration CalibrationFromJson(const nlohmann::json& json,
                                const std::string& where);

}  // namespace sfumato::census

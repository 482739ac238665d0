#include "census/answer/calibration.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/error_testing.h"
#include "census/answer/answer_testing.h"

namespace sfumato::census {
namespace {

Calibration Made() {
  base::Rng rng(1);
  const TrueVoter voter = MakeVoter(0.002, rng, 3);
  Calibration calibration = Calibrate(voter, rng, 200, 40);
  calibration.remarks = {"“a” and “b” are one answer."};
  return calibration;
}

TEST(CalibrationTest, ComesBackFromJson) {
  const Calibration made = Made();
  const Calibration back = CalibrationFromJson(ToJson(made), "voter.json");
  EXPECT_EQ(ToJson(back), ToJson(made));
  EXPECT_EQ(back.families(), 3u);
  EXPECT_EQ(back.CellOf("family_1"), 2u);
  EXPECT_EQ(back.states[1].tried[0].votes, made.states[1].tried[0].votes);
}

TEST(CalibrationTest, WithoutCellsItIsOneThatIsNotThereYet) {
  EXPECT_TRUE(CalibrationFromJson(ToJson(Calibration{}), "x").cells.empty());
}

TEST(CalibrationTest, RefusesWhatNoVoterWrites) {
  using Change = std::function<void(nlohmann::json&)>;
  const std::pair<const char*, Change> changes[] = {
      {"not an object", [](auto& json) { json = 3; }},
      {"no cells", [](auto& json) { json.erase("cells"); }},
      {"a cell twice", [](auto& json) { json["cells"][2] = json["cells"][1]; }},
      {"another order",
       [](auto& json) { std::swap(json["cells"][0], json["cells"][1]); }},
      {"a state twice",
       [](auto& json) { json["states"][2] = json["states"][1]; }},
      {"a state without a cell",
       [](auto& json) { json["states"][2]["key"] = "other"; }},
      {"a state of nothing known",
       [](auto& json) { json["states"][2]["key"] = kNoneOfThese; }},
      {"votes of another length",
       [](auto& json) { json["states"][1]["tried"][0]["votes"].push_back(0); }},
      {"a count below zero",
       [](auto& json) { json["states"][1]["tried"][0]["votes"][0] = -1; }},
      {"a broken count",
       [](auto& json) { json["states"][1]["tried"][0]["votes"][0] = 0.5; }},
      {"more votes than users",
       [](auto& json) { json["states"][1]["tried"][0]["users"] = 3; }},
      {"fewer votes than users",
       [](auto& json) { json["states"][1]["tried"][0]["users"] = 50; }},
      {"worth more users than there are",
       [](auto& json) {
         json["states"][1]["tried"][0]["worth"] = {41, 1, 1, 1, 1};
       }},
      {"worth of another length than cells",
       [](auto& json) { json["states"][1]["tried"][0]["worth"] = {1}; }},
      {"worth nothing",
       [](auto& json) {
         json["states"][1]["tried"][0]["worth"] = {1, 1, 0, 1, 1};
       }},
      {"no list of what is split", [](auto& json) { json.erase("split"); }},
      {"no worth",
       [](auto& json) { json["states"][1]["tried"][0].erase("worth"); }},
      {"two damages where one is marked",
       [](auto& json) { json["states"][1]["tried"][0]["beside"] = true; }},
      {"no marks", [](auto& json) { json["marks"] = 0; }},
      {"remarks of another kind", [](auto& json) { json["remarks"] = 3; }}};
  for (const auto& [what, change] : changes) {
    nlohmann::json json = ToJson(Made());
    change(json);
    const Error error =
        Thrown([&] { CalibrationFromJson(json, "voter.json"); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << what;
    EXPECT_EQ(error.where(), "voter.json") << what;
  }
}

}  // namespace
}  // namespace sfumato::census

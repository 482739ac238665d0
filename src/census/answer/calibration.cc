#include "census/answer/calibration.h"

#include <set>

#include "base/error.h"
#include "census/answer/named_in.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

void Require(bool holds, const char* what, const std::string& where) {
  if (holds) return;
  throw Corrupt(fmt::format("not a voter's calibration: {}", what), where,
                "the file was changed by hand, or cut");
}

std::string Word(const nlohmann::json& json, const char* key) {
  return json.at(key).get<std::string>();
}

std::int64_t Count(const nlohmann::json& json, const std::string& where) {
  Require(
      json.is_number_integer() && json >= 0 && json <= std::int64_t{1} << 53,
      "a count that cannot be", where);
  return json.get<std::int64_t>();
}

void ReadCells(const nlohmann::json& json, Calibration& calibration,
               const std::string& where) {
  std::set<std::string> keys;
  for (const nlohmann::json& cell : json) {
    calibration.cells.push_back({.key = Word(cell, "key"),
                                 .words = Word(cell, "words"),
                                 .cause = Word(cell, "cause")});
    Require(keys.insert(calibration.cells.back().key).second, "a cell twice",
            where);
  }
  const std::vector<Cell>& cells = calibration.cells;
  if (cells.empty()) return;
  const bool healthy = cells.front().key == kAsItShouldBe;
  Require(cells.size() >= 3 &&
              healthy == (calibration.about == About::kDamage) &&
              cells[cells.size() - 2].key == kNoneOfThese &&
              cells.back().key == kCannotTell,
          "cells in another order", where);
}

Tried ReadTried(const nlohmann::json& json, const Calibration& calibration,
                const std::string& where) {
  Tried tried{.values = Word(json, "values"),
              .users = Count(json.at("users"), where)};
  Require(json.at("votes").is_array() &&
              json.at("votes").size() == calibration.cells.size(),
          "votes of another length than cells", where);
  std::int64_t sum = 0;
  for (const nlohmann::json& votes : json.at("votes")) {
    tried.votes.push_back(Count(votes, where));
    Require(tried.votes.back() <= tried.users, "more votes than users", where);
    sum += tried.votes.back();
  }
  tried.beside = json.value("beside", false);
  Require(!tried.beside || calibration.marks > 1,
          "two damages, of which a user may mark one", where);
  Require((tried.beside || sum >= tried.users) &&
              sum <= calibration.marks * tried.users,
          "more or fewer votes than users may cast", where);
  Require(json.at("worth").is_array() &&
              (json.at("worth").empty() ||
               json.at("worth").size() == tried.votes.size()),
          "worth of another length than cells", where);
  for (const nlohmann::json& worth : json.at("worth")) {
    tried.worth.push_back(Count(worth, where));
    Require(tried.worth.back() > 0 && tried.worth.back() <= tried.users,
            "users worth more than they are, or nothing", where);
  }
  return tried;
}

}  // namespace

std::string_view Name(About about) {
  return about == About::kDamage ? "damage" : "classes";
}

std::int64_t WorthOf(const Tried& tried, std::size_t cell) {
  return tried.worth.empty() ? tried.users : tried.worth[cell];
}

std::size_t Calibration::CellOf(std::string_view key) const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].key == key) return i;
  }
  throw Error(ErrorKind::kBug, fmt::format("no cell '{}'", key), "census");
}

nlohmann::json ToJson(const Calibration& calibration) {
  nlohmann::json json = {
      {"about", Name(calibration.about)},  {"cells", nlohmann::json::array()},
      {"states", nlohmann::json::array()}, {"marks", calibration.marks},
      {"split", calibration.split},        {"remarks", calibration.remarks}};
  for (const Cell& cell : calibration.cells) {
    json["cells"].push_back(
        {{"key", cell.key}, {"words", cell.words}, {"cause", cell.cause}});
  }
  for (const State& state : calibration.states) {
    nlohmann::json all = nlohmann::json::array();
    for (const Tried& tried : state.tried) {
      all.push_back({{"values", tried.values},
                     {"users", tried.users},
                     {"votes", tried.votes},
                     {"worth", tried.worth}});
      if (tried.beside) all.back()["beside"] = true;
    }
    json["states"].push_back({{"key", state.key}, {"tried", all}});
  }
  return json;
}

Calibration CalibrationFromJson(const nlohmann::json& json,
                                const std::string& where) {
  try {
    Require(json.is_object(), "no JSON object", where);
    Calibration calibration;
    calibration.about =
        NamedIn({About::kDamage, About::kClasses}, Word(json, "about"), where);
    calibration.marks = Count(json.at("marks"), where);
    Require(json.at("cells").is_array() && json.at("states").is_array(),
            "no lists", where);
    ReadCells(json.at("cells"), calibration, where);
    Require(calibration.marks >= 1, "no marks", where);
    Require(calibration.about == About::kDamage || json.at("states").empty(),
            "reference users, in a question about classes", where);
    std::set<std::string> keys;
    for (const nlohmann::json& one : json.at("states")) {
      State state{.key = Word(one, "key")};
      Require(keys.insert(state.key).second, "a state twice", where);
      bool known = false;
      for (std::size_t i = 0; i + 2 < calibration.cells.size(); ++i) {
        known = known || calibration.cells[i].key == state.key;
      }
      Require(known, "a state without a cell", where);
      Require(one.at("tried").is_array(), "no lists", where);
      for (const nlohmann::json& tried : one.at("tried")) {
        state.tried.push_back(ReadTried(tried, calibration, where));
      }
      calibration.states.push_back(std::move(state));
    }
    json.at("split").get_to(calibration.split);
    json.at("remarks").get_to(calibration.remarks);
    return calibration;
  } catch (const nlohmann::json::exception& error) {
    Require(false, error.what(), where);
    throw;
  }
}

}  // namespace sfumato::census

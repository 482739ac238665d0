#include "eval/lineup.h"

#include <algorithm>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::eval {

int Lineup::Add(std::string name) {
  names.push_back(std::move(name));
  return static_cast<int>(names.size()) - 1;
}

Lineup LineUp(const std::vector<std::string>& a,
              const std::vector<std::string>& b) {
  Lineup lineup;
  const auto add = [&](const std::vector<std::string>& side,
                       std::vector<int>& numbers) {
    if (side.empty() || side.size() > 2) {
      throw BadInput(fmt::format("{} models on a side", side.size()), "",
                     "give one, or two twins");
    }
    for (const std::string& name : side) numbers.push_back(lineup.Add(name));
    if (side.size() == 2) lineup.alike.emplace_back(numbers[0], numbers[1]);
  };
  add(a, lineup.sides.from);
  add(b, lineup.sides.to);
  if (!lineup.alike.empty()) lineup.floor_source = "twins";
  return lineup;
}

std::vector<Pairing> BothWays(const std::vector<std::pair<int, int>>& pairs) {
  std::vector<Pairing> ways;
  for (const auto& [one, other] : pairs) {
    ways.push_back({.from = {one}, .to = {other}});
    ways.push_back({.from = {other}, .to = {one}});
  }
  return ways;
}

std::vector<Trial> AcrossSides(const Lineup& lineup) {
  const auto [a1, a2] = lineup.alike.at(0);
  const auto [b1, b2] = lineup.alike.at(1);
  return {{{a1, b1}, {a2, b2}},
          {{a2, b2}, {a1, b1}},
          {{a1, b2}, {a2, b1}},
          {{a2, b1}, {a1, b2}}};
}

std::vector<Trial> AcrossTwins(const Lineup& lineup) {
  const std::pair<int, int> a = lineup.alike.at(0);
  const std::pair<int, int> b = lineup.alike.at(1);
  return {{a, b}, {b, a}};
}

void Separation::RaiseFloor(double chance) {
  floor = std::max({floor, chance, 1 - chance});
}

runs::Estimate EstimateOf(double value, std::vector<double> draws) {
  if (draws.empty()) return {value, value, value};
  std::ranges::sort(draws);
  const auto at = [&](double share) {
    return draws[static_cast<std::size_t>(
        share * static_cast<double>(draws.size() - 1))];
  };
  return {value, std::min(value, at(0.05)), std::max(value, at(0.95))};
}

}  // namespace sfumato::eval

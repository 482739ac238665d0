// The damages that a measurement of the census tries: those of the catalogue in
// every strength, and those outside of it (outside_damages.h).

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "census/answer/calibration.h"
#include "census/voter/image_families.h"
#include "census/voter/text_damages.h"
#include "census/voter/voter.h"
#include "data/dataset.h"
#include "fmt/format.h"

namespace sfumato::bench {

// What one device does to its own examples.
struct Damage {
  std::string key = "";    // of a family; "" outside the catalogue
  std::string words = "";  // of the family
  std::string values = "";
  census::ImageDamage images = {};
  std::function<census::TextChange(base::Rng&)> text = {};
  double share = 1;  // of sentences
  bool first = false;

  std::string Text() const {
    const std::string& name = key.empty() ? words : key;
    return values.empty() ? name : fmt::format("{}, {}", name, values);
  }
};

// Every strength of every family, for people with such data; with `classes` of
// labels also those of labels. `source` must outlive what comes back.
std::vector<Damage> DamagesInCatalogue(const data::DatasetInfo& people,
                                       std::int64_t classes,
                                       const census::TextSource& source);

// Those of images or of text that are fresh, or those that are not.
std::vector<Damage> DamagesOutside(data::Kind kind, bool fresh);

// Where the cell of a family is; none if the voter does not ask for it.
std::optional<std::size_t> CellOf(const census::Calibration& calibration,
                                  const Damage& damage);

// The share of reference users with that strength who mark it; 0 if it was left
// out of the calibration as too mild.
double ReferencesRight(const census::Calibration& calibration,
                       const Damage& damage);

// Whether the voter promises to see it, by its own reference users.
bool IsPromised(const census::Calibration& calibration, const Damage& damage);

// The share of damaged people who mark it; `votes` are theirs.
double PeopleRight(const census::Calibration& calibration, const Damage& damage,
                   const census::Votes& votes);

}  // namespace sfumato::bench

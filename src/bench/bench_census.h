// How often the answers of a census are right, in the part that needs Torch.
//
// Voters are learned from references, some people vote with and without
// damages, and many censuses are made up of these votes with the noise that a
// real one would add.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "config/train_config.h"

namespace sfumato::bench {

struct CensusBench {
  // Datasets, or generators: handwriting, forum.
  std::string people = "handwriting";
  // Empty: generated people of another seed; of a dataset, half of its users.
  std::string reference = "";
  std::string figure = "all";  // healthy, catalogue, outside, pairs, speed
  // everybody; two_groups: only the second one has damages; change: each device
  // has examples from before, and only those of now are damaged.
  std::string design = "everybody";
  bool foreign = false;  // references of another kind than the people
  double epsilon = 0.5;
  std::int64_t seeds = 3;  // voters, each learned with a seed of its own
  double effort = 1;       // as census.effort
  bool quick = false;      // fewer censuses for each damage
  std::uint64_t seed = 1;
  config::DeviceConfig device = {};
};

// Censuses of one kind, and what they answered.
struct CensusTally {
  std::int64_t censuses = 0;
  std::int64_t differs = 0;
  std::int64_t cannot_say = 0;
  std::int64_t named = 0;    // all that is right is supported
  std::int64_t partly = 0;   // some of it is
  std::int64_t covered = 0;  // the shares lie in their intervals
  std::int64_t none = 0;     // none_of_these is supported
  std::int64_t open = 0;     // that, or cannot_say
  std::int64_t wrong = 0;    // a family is supported that is not right
  // One for each of them in each census.
  std::vector<std::string> wrong_names = {};

  void Add(const CensusTally& other);
};

struct CensusFigure {
  std::string question = "";  // "damage of the catalogue on 5 % of 600"
  std::string damage = "";    // "rotate, 30°"; "" for all of them
  std::string ask = "";       // what is promised
  bool met = true;
  CensusTally tally = {};
  // Of one damage of the catalogue: damaged people who mark it, and reference
  // users who do; shares, −1: not known.
  double people_right = -1;
  double references_right = -1;
  // What damaged people mark: shares of them, in percent, by answer.
  std::map<std::string, double> marked = {};
  bool resampled = false;  // users vote several times in one census
  bool is_time = false;
  double seconds = 0;
  std::string note = "";  // instead of figures
};

// Calls `row` for each figure as it is measured. Throws as LearnVoter and as
// opening a dataset does; BadInput for people and references of two kinds;
// Unsupported for private people: what they vote is shown without noise.
extern "C" void SfumatoBenchCensus(
    const CensusBench* job,
    const std::function<void(const CensusFigure&)>* row);

}  // namespace sfumato::bench

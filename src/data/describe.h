// What there is in a dataset: who owns how much of what.
//
//   const data::Description d = data::Describe(set);
//   std::cout << data::ToText(d);
//
// Reads everything once and so also finds damage (FederatedDataset::Verify).
// The numbers are exact: they are for data that one is allowed to see.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace sfumato::data {

struct HistogramBar {
  std::uint64_t from = 0;  // users with from … to examples
  std::uint64_t to = 0;
  std::uint64_t users = 0;
};

struct Description {
  DatasetInfo info;
  std::uint64_t users = 0;
  std::uint64_t examples = 0;
  std::uint64_t unlabelled = 0;
  std::uint64_t bytes = 0;  // of pixels, text or features
  // Examples per user.
  double mean = 0;
  std::uint64_t smallest = 0;
  std::uint64_t quartiles[3] = {0, 0, 0};
  std::uint64_t largest = 0;
  std::vector<HistogramBar> histogram;
  std::vector<std::uint64_t> label_counts;                // by label
  std::vector<std::vector<std::uint64_t>> column_counts;  // by column, value
  // Text: words are runs between white space.
  std::uint64_t words = 0;
};

Description Describe(const FederatedDataset& set);

nlohmann::json ToJson(const Description& description);
// `utf8` false draws bars in ASCII.
std::string ToText(const Description& description, bool utf8 = true);

}  // namespace sfumato::data

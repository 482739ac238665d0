#include "data/picture.h"

#include <algorithm>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "base/suggest.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

// Which value of which column an example must have.
struct Filter {
  std::size_t column = 0;
  std::int32_t value = 0;
};

Filter FindFilter(const DatasetInfo& info, const LookOptions& options) {
  std::vector<std::string> names;
  for (const Column& column : info.columns) names.push_back(column.name);
  const auto column = std::ranges::find(names, options.only_column);
  if (column == names.end()) {
    throw BadInput(fmt::format("there is no column '{}'", options.only_column),
                   "", base::DidYouMean(options.only_column, names));
  }
  const auto index = static_cast<std::size_t>(column - names.begin());
  const auto& values = info.columns[index].values;
  const auto value = std::ranges::find(values, options.only_value);
  if (value == values.end()) {
    throw BadInput(fmt::format("column '{}' has no value '{}'", *column,
                               options.only_value),
                   "", base::DidYouMean(options.only_value, values));
  }
  return {index, static_cast<std::int32_t>(value - values.begin())};
}

// The first examples of a user that pass; all pass without a filter.
std::vector<std::size_t> Passing(const User& user, const Filter* filter,
                                 std::size_t most) {
  std::vector<std::size_t> examples;
  for (std::size_t i = 0; i < user.size() && examples.size() < most; ++i) {
    base::CheckInterrupted();
    if (filter == nullptr || user[i].columns[filter->column] == filter->value) {
      examples.push_back(i);
    }
  }
  return examples;
}

}  // namespace

void CheckFilter(const DatasetInfo& info, const LookOptions& options) {
  if (!options.only_column.empty()) FindFilter(info, options);
}

std::vector<Look> ChooseLooks(const FederatedDataset& set,
                              const LookOptions& options) {
  Filter found;
  const bool filtered = !options.only_column.empty();
  if (filtered) found = FindFilter(set.info(), options);
  const Filter* const filter = filtered ? &found : nullptr;

  std::vector<std::size_t> candidates;
  for (std::size_t u = 0; u < set.users(); ++u) {
    if (!filtered || !Passing(set.user(u), filter, 1).empty()) {
      candidates.push_back(u);
    }
  }
  if (candidates.empty()) {
    throw BadInput(fmt::format("no example has {}={}", options.only_column,
                               options.only_value));
  }
  std::vector<Look> looks;
  base::Rng rng(options.seed, {base::Key("looks")});
  // One pass: each is taken with the chance that the places left need.
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::size_t left = candidates.size() - i;
    if (rng.Below(left) >= options.users - looks.size()) continue;
    const std::size_t u = candidates[i];
    looks.push_back({u, Passing(set.user(u), filter, options.per_user)});
    if (looks.size() == options.users) break;
  }
  return looks;
}

base::Image DrawLooks(const FederatedDataset& set,
                      const std::vector<Look>& looks, int columns, int scale) {
  const ImageShape& shape = set.info().image;
  const base::GridOptions options = {.columns = columns, .scale = scale};
  std::vector<base::Image> cells;
  for (const Look& look : looks) {
    const User user = set.user(look.user);
    for (std::size_t i = 0; i < static_cast<std::size_t>(columns); ++i) {
      base::Image cell = base::BlankImage(shape.width, shape.height,
                                          shape.channels, options.background);
      if (i < look.examples.size()) {
        const auto pixels = user[look.examples[i]].pixels;
        cell.pixels.assign(pixels.begin(), pixels.end());
      }
      cells.push_back(std::move(cell));
    }
  }
  return base::ImageGrid(cells, options);
}

}  // namespace sfumato::data

#include "data/transform/split.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/suggest.h"
#include "data/dataset_writer.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

using nlohmann::json;

std::size_t ColumnNumber(const DatasetInfo& info, std::string_view name) {
  const auto found = std::ranges::find(info.columns, name, &Column::name);
  if (found != info.columns.end()) {
    return static_cast<std::size_t>(found - info.columns.begin());
  }
  std::vector<std::string> names;
  for (const Column& column : info.columns) names.push_back(column.name);
  throw BadInput(fmt::format("the set has no column '{}'", name), "",
                 names.empty() ? "this set has no columns at all"
                               : base::DidYouMean(name, names));
}

std::int32_t ValueNumber(const Column& column, std::string_view value) {
  const auto found = std::ranges::find(column.values, value);
  if (found == column.values.end()) {
    throw BadInput(
        fmt::format("column '{}' has no value '{}'", column.name, value), "",
        base::DidYouMean(value, column.values));
  }
  return static_cast<std::int32_t>(found - column.values.begin());
}

// Where an example is: user number and place within the user.
struct Place {
  std::uint32_t user = 0;
  std::uint32_t index = 0;
};

// The examples to be split, and what the partition looks at.
struct Pool {
  std::vector<Place> places;
  std::vector<std::int32_t> labels;  // or the values of the splitting column
};

Pool Gather(const FederatedDataset& set, const PartitionOptions& options) {
  const DatasetInfo& info = set.info();
  const bool by_column = options.scheme == PartitionScheme::kColumn;
  const bool selects = !options.only_column.empty();
  const std::size_t by = by_column ? ColumnNumber(info, options.column) : 0;
  const std::size_t only =
      selects ? ColumnNumber(info, options.only_column) : 0;
  const std::int32_t wanted =
      selects ? ValueNumber(info.columns[only], options.only_value) : 0;
  Pool pool;
  for (std::size_t u = 0; u < set.users(); ++u) {
    const User user = set.user(u);
    for (std::size_t i = 0; i < user.size(); ++i) {
      base::CheckInterrupted();
      const Example example = user[i];
      if (selects && example.columns[only] != wanted) continue;
      pool.places.push_back(
          {static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(i)});
      pool.labels.push_back(by_column ? example.columns[by] : example.label);
      if (by_column &&
          std::cmp_greater_equal(static_cast<std::uint32_t>(pool.labels.back()),
                                 info.columns[by].values.size())) {
        throw Corrupt(fmt::format("example {} of user {} has a value without "
                                  "a name in column '{}'",
                                  i, u, options.column),
                      "", "make or import the set again");
      }
    }
  }
  return pool;
}

json Step(const FederatedDataset& set, const PartitionOptions& o,
          const SplitSummary& summary) {
  json step = {{"step", "split"},          {"from", set.info().name},
               {"scheme", Name(o.scheme)}, {"users", summary.users},
               {"unused", summary.unused}, {"left_out", summary.left_out}};
  if (o.scheme == PartitionScheme::kColumn) {
    step["column"] = o.column;
  } else {
    step["sizes"] = Name(o.sizes);
    step["mean_size"] = o.mean_size;
    step["minimum_size"] = o.minimum_size;
    step["seed"] = o.seed;
  }
  if (o.scheme == PartitionScheme::kClasses) {
    step["classes_per_user"] = o.classes_per_user;
  }
  if (o.scheme == PartitionScheme::kDirichlet) step["alpha"] = o.alpha;
  if (!o.only_column.empty()) {
    step["only"] = {{"column", o.only_column}, {"value", o.only_value}};
  }
  if (set.info().grouped) step["regrouped_users"] = set.users();
  return step;
}

// The id of user number `u` in the new set.
std::string UserId(const DatasetInfo& info, const PartitionOptions& options,
                   std::size_t u, std::size_t users) {
  if (options.scheme == PartitionScheme::kColumn) {
    return info.columns[ColumnNumber(info, options.column)].values.at(u);
  }
  const int digits =
      std::max(4, static_cast<int>(fmt::formatted_size("{}", users)));
  return fmt::format("user_{:0{}}", u + 1, digits);
}

void WriteUser(const FederatedDataset& set, const Pool& pool,
               std::span<const std::uint64_t> rows, DatasetWriter& writer,
               base::Progress& progress) {
  for (const std::uint64_t row : rows) {
    const Place place = pool.places[row];
    writer.Add(set.user(place.user)[place.index]);
    progress.Advance();
  }
}

}  // namespace

SplitSummary SplitDataset(const FederatedDataset& set,
                          const PartitionOptions& options,
                          const base::Path& out) {
  if (set.info().origin == Origin::kPrivate) {
    throw Unsupported(
        "private examples given to users who are made up", "",
        "privacy for each user would protect nobody: import the set with the "
        "users that its examples belong to");
  }
  if (set.info().grouped && !options.regroup) {
    throw BadInput(
        fmt::format("the set has {} already",
                    base::HumanCount(set.users(), "user")),
        "",
        "split a pool without users, or ask to regroup (--regroup) if its "
        "examples shall be taken from the users they have");
  }
  const Pool pool = Gather(set, options);
  const Partition partition = PartitionRows(pool.labels, options);

  DatasetInfo info = set.info();
  info.name.clear();
  info.grouped = true;
  DatasetWriter writer(out, std::move(info));
  SplitSummary summary{.unused = partition.unused,
                       .left_out = set.examples() - pool.places.size(),
                       .smallest = pool.places.size()};
  base::Progress progress("splitting", pool.places.size() - partition.unused,
                          "examples");
  for (std::size_t u = 0; u < partition.users.size(); ++u) {
    const auto& rows = partition.users[u];
    if (rows.empty()) continue;  // a value of the column without examples
    writer.BeginUser(UserId(set.info(), options, u, partition.users.size()));
    WriteUser(set, pool, rows, writer, progress);
    summary.smallest = std::min<std::uint64_t>(summary.smallest, rows.size());
    summary.largest = std::max<std::uint64_t>(summary.largest, rows.size());
  }
  summary.users = writer.users();
  summary.examples = writer.examples();
  writer.info().provenance.push_back(Step(set, options, summary));
  writer.Finish();
  return summary;
}

}  // namespace sfumato::data

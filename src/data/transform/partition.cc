#include "data/transform/partition.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

using base::Key;
using base::Rng;
using Rows = std::vector<std::uint64_t>;
using Sizes = std::vector<std::uint64_t>;

void CheckCounts(const PartitionOptions& o, std::uint64_t rows) {
  if (o.users == 0) {
    throw BadInput("the number of users is missing", "users",
                   "say how many there shall be");
  }
  if (o.users > rows) {
    throw BadInput(
        fmt::format("{} cannot share {}", base::HumanCount(o.users, "user"),
                    base::HumanCount(rows, "example")),
        "users", "ask for fewer users");
  }
  if (o.mean_size > rows / o.users) {
    throw BadInput(fmt::format("{} of {} each, where there are {}",
                               base::HumanCount(o.users, "user"),
                               base::HumanCount(o.mean_size, "example"), rows),
                   "mean size",
                   fmt::format("ask for at most {}", rows / o.users));
  }
  if (o.minimum_size == 0) {
    throw BadInput("the minimum size is 0", "minimum size",
                   "give at least 1: every user has examples");
  }
  const std::uint64_t mean = o.mean_size > 0 ? o.mean_size : rows / o.users;
  if (o.minimum_size > mean) {
    throw BadInput(
        fmt::format(
            "the minimum of {} is above the mean of {} examples per user",
            o.minimum_size, mean),
        "minimum size", "lower the minimum, or ask for fewer users");
  }
}

Sizes EqualSizes(const PartitionOptions& o, std::uint64_t rows) {
  if (o.mean_size > 0) return Sizes(o.users, o.mean_size);
  Sizes sizes(o.users, rows / o.users);
  std::fill_n(sizes.begin(), rows % o.users, rows / o.users + 1);
  return sizes;
}

Sizes UniformSizes(const PartitionOptions& o, std::uint64_t rows) {
  const std::uint64_t mean = o.mean_size > 0 ? o.mean_size : rows / o.users;
  Rng rng(o.seed, {Key("split sizes")});
  Sizes sizes(o.users);
  std::uint64_t above = 0;  // what all have beyond the minimum
  for (std::uint64_t& size : sizes) {
    size = o.minimum_size + rng.Below(2 * (mean - o.minimum_size) + 1);
    above += size - o.minimum_size;
  }
  // Luck may have drawn more than there is: everybody gives up the same part
  // of what lies above the minimum.
  const std::uint64_t room = rows - o.users * o.minimum_size;
  if (above > room) {
    const double part = static_cast<double>(room) / static_cast<double>(above);
    for (std::uint64_t& size : sizes) {
      size = o.minimum_size +
             static_cast<std::uint64_t>(
                 part * static_cast<double>(size - o.minimum_size));
    }
  }
  return sizes;
}

Sizes DrawSizes(const PartitionOptions& o, std::uint64_t rows) {
  return o.sizes == SizeRule::kEqual ? EqualSizes(o, rows)
                                     : UniformSizes(o, rows);
}

// The rows of every label there is, shuffled; taken from the back.
std::vector<Rows> RowsByLabel(std::span<const std::int32_t> labels,
                              const PartitionOptions& o) {
  std::map<std::int32_t, Rows> by_label;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    by_label[std::max(labels[row], -1)].push_back(row);
  }
  if (by_label.contains(-1)) {
    throw BadInput(fmt::format("{} of {} examples have no label",
                               by_label.at(-1).size(), labels.size()),
                   "", "split iid or by a column, which need none");
  }
  std::vector<Rows> shuffled;
  for (auto& [label, rows] : by_label) {
    Rng rng(o.seed, {Key("split rows"), static_cast<std::uint64_t>(label)});
    rng.Shuffle(std::span(rows));
    shuffled.push_back(std::move(rows));
  }
  return shuffled;
}

void MoveRows(Rows& from, std::uint64_t count, Rows& to) {
  const auto begin = from.end() - static_cast<std::ptrdiff_t>(count);
  to.insert(to.end(), begin, from.end());
  from.erase(begin, from.end());
}

std::vector<Rows> Iid(std::size_t rows, const PartitionOptions& o) {
  Rows pool(rows);
  std::iota(pool.begin(), pool.end(), 0);
  Rng rng(o.seed, {Key("split rows")});
  rng.Shuffle(std::span(pool));
  std::vector<Rows> users;
  for (const std::uint64_t size : DrawSizes(o, rows)) {
    MoveRows(pool, size, users.emplace_back());
  }
  return users;
}

// How many users see each class: users · k places, shared among the classes by
// their number of rows (Webster's method), at most one place a user.
Sizes PlacesPerClass(const std::vector<Rows>& by_label,
                     const PartitionOptions& o) {
  Sizes places(by_label.size());
  const auto claim = [&](std::size_t label) {
    return std::pair(static_cast<double>(by_label[label].size()) /
                         static_cast<double>(2 * places[label] + 1),
                     by_label.size() - label);
  };
  std::priority_queue<std::pair<double, std::size_t>> claims;
  for (std::size_t label = 0; label < by_label.size(); ++label) {
    claims.push(claim(label));
  }
  std::uint64_t left = o.users * static_cast<std::uint64_t>(o.classes_per_user);
  for (; left > 0; --left) {
    const std::size_t label = by_label.size() - claims.top().second;
    claims.pop();
    if (++places[label] < o.users) claims.push(claim(label));
  }
  return places;
}

// k different classes for one user, drawn by the places left. A class with as
// many places left as there are users to come must be among them; that keeps
// the rest possible.
std::vector<std::size_t> DrawClasses(Sizes& places, std::uint64_t users_left,
                                     std::size_t k, Rng& rng) {
  std::vector<std::size_t> chosen;
  Sizes weights = places;
  const auto choose = [&](std::size_t label) {
    chosen.push_back(label);
    weights[label] = 0;
    --places[label];
  };
  for (std::size_t label = 0; label < weights.size(); ++label) {
    if (weights[label] == users_left) choose(label);
  }
  while (chosen.size() < k) {
    const std::uint64_t total =
        std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    std::uint64_t ticket = rng.Below(total);
    std::size_t label = 0;
    while (ticket >= weights[label]) ticket -= weights[label++];
    choose(label);
  }
  return chosen;
}

void CheckClasses(std::size_t present, const PartitionOptions& o) {
  if (o.classes_per_user < 1 || std::cmp_greater(o.classes_per_user, present)) {
    throw BadInput(fmt::format("{} classes per user, where there are {}",
                               o.classes_per_user, present),
                   "classes per user",
                   fmt::format("give a number from 1 to {}", present));
  }
}

// What each user would take of each of its classes: equal parts of its size.
using Wish = std::pair<std::size_t, std::uint64_t>;  // class, rows
std::vector<std::vector<Wish>> Wishes(const std::vector<Rows>& by_label,
                                      const Sizes& sizes,
                                      const PartitionOptions& o) {
  Sizes places = PlacesPerClass(by_label, o);
  Rng rng(o.seed, {Key("split classes")});
  const auto k = static_cast<std::size_t>(o.classes_per_user);
  std::vector<std::vector<Wish>> wishes(sizes.size());
  for (std::size_t u = 0; u < sizes.size(); ++u) {
    const auto classes = DrawClasses(places, sizes.size() - u, k, rng);
    for (std::size_t i = 0; i < k; ++i) {
      wishes[u].emplace_back(classes[i],
                             sizes[u] / k + (i < sizes[u] % k ? 1 : 0));
    }
  }
  return wishes;
}

std::vector<Rows> ByClasses(std::vector<Rows> by_label,
                            const PartitionOptions& o, std::uint64_t rows) {
  CheckClasses(by_label.size(), o);
  const Sizes sizes = DrawSizes(o, rows);
  const auto wishes = Wishes(by_label, sizes, o);
  Sizes wished(by_label.size());
  for (const auto& of_user : wishes) {
    for (const auto& [label, count] : of_user) wished[label] += count;
  }
  Sizes supply;
  for (const Rows& of_label : by_label) supply.push_back(of_label.size());

  std::vector<Rows> users(sizes.size());
  for (std::size_t u = 0; u < users.size(); ++u) {
    for (const auto& [label, count] : wishes[u]) {
      const std::uint64_t share = wished[label] <= supply[label]
                                      ? count
                                      : count * supply[label] / wished[label];
      MoveRows(by_label[label], share, users[u]);
    }
  }
  // Who got less of one class may have more of another that is left over.
  for (std::size_t u = 0; u < users.size(); ++u) {
    for (const auto& [label, count] : wishes[u]) {
      const std::uint64_t missing = sizes[u] - users[u].size();
      MoveRows(by_label[label],
               std::min<std::uint64_t>(missing, by_label[label].size()),
               users[u]);
    }
    if (users[u].size() < o.minimum_size) {
      throw BadInput(
          fmt::format("a user's classes hold only {} examples for it, fewer "
                      "than the minimum of {}",
                      users[u].size(), o.minimum_size),
          "minimum size",
          "ask for fewer users, a smaller mean or more classes per user");
    }
  }
  return users;
}

// The class of the next row: by the user's mix among the classes that still
// have rows; where that mix has nothing left, the class with most rows.
std::size_t NextClass(std::span<const double> mix,
                      const std::vector<Rows>& by_label, Rng& rng) {
  double total = 0;
  std::size_t fullest = 0;
  for (std::size_t label = 0; label < mix.size(); ++label) {
    if (!by_label[label].empty()) total += mix[label];
    if (by_label[label].size() > by_label[fullest].size()) fullest = label;
  }
  double ticket = rng.Uniform() * total;
  for (std::size_t label = 0; label < mix.size(); ++label) {
    if (by_label[label].empty()) continue;
    if (ticket < mix[label]) return label;
    ticket -= mix[label];
  }
  return fullest;
}

std::vector<Rows> ByDirichlet(std::vector<Rows> by_label,
                              const PartitionOptions& o, std::uint64_t rows) {
  const Sizes sizes = DrawSizes(o, rows);
  const std::size_t classes = by_label.size();
  std::vector<double> mixes;  // [user, class]
  mixes.reserve(sizes.size() * classes);
  for (std::size_t u = 0; u < sizes.size(); ++u) {
    Rng rng(o.seed, {Key("split mix"), u});
    const auto mix = rng.Dirichlet(static_cast<int>(classes), o.alpha);
    mixes.insert(mixes.end(), mix.begin(), mix.end());
  }
  // One row a turn, so that nobody is left with what the others did not want.
  Rng rng(o.seed, {Key("split turns")});
  std::vector<Rows> users(sizes.size());
  const std::uint64_t turns = std::ranges::max(sizes);
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    base::CheckInterrupted();
    for (std::size_t u = 0; u < users.size(); ++u) {
      if (turn >= sizes[u]) continue;
      const auto mix = std::span(mixes).subspan(u * classes, classes);
      MoveRows(by_label[NextClass(mix, by_label, rng)], 1, users[u]);
    }
  }
  return users;
}

std::vector<Rows> ByValue(std::span<const std::int32_t> values) {
  std::vector<Rows> users;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row] < 0) continue;
    const auto value = static_cast<std::size_t>(values[row]);
    if (value >= users.size()) users.resize(value + 1);
    users[value].push_back(row);
  }
  return users;
}

std::vector<Rows> Deal(std::span<const std::int32_t> labels,
                       const PartitionOptions& o) {
  switch (o.scheme) {
    case PartitionScheme::kIid:
      return Iid(labels.size(), o);
    case PartitionScheme::kClasses:
      return ByClasses(RowsByLabel(labels, o), o, labels.size());
    case PartitionScheme::kDirichlet:
      return ByDirichlet(RowsByLabel(labels, o), o, labels.size());
    case PartitionScheme::kColumn:
      return ByValue(labels);
  }
  return {};
}

}  // namespace

std::string_view Name(PartitionScheme scheme) {
  switch (scheme) {
    case PartitionScheme::kIid:
      return "iid";
    case PartitionScheme::kClasses:
      return "classes";
    case PartitionScheme::kDirichlet:
      return "dirichlet";
    case PartitionScheme::kColumn:
      return "column";
  }
  return "";
}

std::string_view Name(SizeRule rule) {
  return rule == SizeRule::kEqual ? "equal" : "uniform";
}

Partition PartitionRows(std::span<const std::int32_t> labels,
                        const PartitionOptions& options) {
  const bool deals = options.scheme != PartitionScheme::kColumn;
  if (deals) CheckCounts(options, labels.size());
  if (options.scheme == PartitionScheme::kDirichlet &&
      !(options.alpha > 0 && std::isfinite(options.alpha))) {
    throw BadInput(fmt::format("alpha is {}", options.alpha), "alpha",
                   "give a positive number; 0.1 is one or two classes a user, "
                   "100 nearly iid");
  }
  Partition partition{.users = Deal(labels, options), .unused = labels.size()};
  for (std::size_t u = 0; u < partition.users.size(); ++u) {
    Rows& rows = partition.users[u];
    partition.unused -= rows.size();
    // Rows were taken class by class; training takes batches in order.
    Rng rng(options.seed, {Key("split order"), u});
    if (deals) rng.Shuffle(std::span(rows));
  }
  return partition;
}

}  // namespace sfumato::data

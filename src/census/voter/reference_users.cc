#include "census/voter/reference_users.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::census {
namespace {

// With fewer users a pool says more about users than they do.
constexpr std::size_t kLeastUsers = 24;
constexpr double kShares[kParts] = {0.4, 0.2, 0.4};

// Which part the i-th of n shuffled things belongs to.
std::size_t PartOf(std::size_t i, std::size_t n) {
  const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  return place < kShares[0] ? 0 : place < kShares[0] + kShares[1] ? 1 : 2;
}

Error TooFew(const data::FederatedDataset& set, const std::string& what) {
  return BadInput(
      fmt::format("{} has too few references: {}", set.info().name, what),
      "census.reference", "give more examples of the kind that is asked about");
}

void RequireTwoOfEachClass(const data::FederatedDataset& set,
                           const std::map<std::int32_t, std::size_t>& counts,
                           bool labels) {
  for (const auto& [label, count] : counts) {
    if (label < 0 && count < 2) throw TooFew(set, "one example");
  }
  const std::vector<std::string>& classes = set.info().classes;
  // Without any label nothing is learned about classes.
  const bool all = labels && !counts.empty() && counts.rbegin()->first >= 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto found = counts.find(static_cast<std::int32_t>(c));
    if (found == counts.end() ? !all : found->second >= 2) continue;
    throw TooFew(
        set, fmt::format("{} of class '{}'",
                         found == counts.end() ? "no example" : "one example",
                         classes[c]));
  }
}

}  // namespace

ReferenceUsers::ReferenceUsers(const data::FederatedDataset& set,
                               const ReferenceOptions& options)
    : options_(options) {
  base::Rng rng(options.seed, {base::Key("reference users")});
  const auto least = static_cast<std::size_t>(options.least);
  std::vector<Rows> users;
  std::map<std::int32_t, Rows> classes;
  for (std::size_t u = 0; u < set.users(); ++u) {
    const data::User user = set.user(u);
    Rows rows;
    for (std::size_t i = 0; i < user.size(); ++i) {
      rows.push_back(
          {static_cast<std::int64_t>(u), static_cast<std::int64_t>(i)});
      classes[user[i].label].push_back(rows.back());
    }
    if (rows.size() >= least) users.push_back(std::move(rows));
  }
  std::map<std::int32_t, std::size_t> counts;
  for (const auto& [label, rows] : classes) counts[label] = rows.size();
  RequireTwoOfEachClass(set, counts, options.labels);
  grouped_ = set.info().grouped && users.size() >= kLeastUsers;
  if (grouped_) {
    rng.Shuffle(std::span(users));
    for (std::size_t i = 0; i < users.size(); ++i) {
      groups_[PartOf(i, users.size())].push_back(std::move(users[i]));
    }
  } else {
    for (auto& [label, rows] : classes) {
      rng.Shuffle(std::span(rows));
      Rows parts[kParts];
      for (std::size_t i = 0; i < rows.size(); ++i) {
        parts[PartOf(i, rows.size())].push_back(rows[i]);
      }
      for (std::size_t p = 0; p < kParts; ++p) {
        if (!parts[p].empty()) groups_[p].push_back(std::move(parts[p]));
      }
    }
  }
  for (const auto& part : groups_) {
    std::size_t rows = 0;
    for (const Rows& group : part) rows += group.size();
    if (rows < 2 * least) {
      throw TooFew(set, fmt::format("{} in a part, where a user may have {}",
                                    rows, least));
    }
  }
}

std::vector<ReferenceRow> ReferenceUsers::All(Part part) const {
  Rows all;
  for (const Rows& rows : groups_[static_cast<std::size_t>(part)]) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

// As likely between 8 and 16 as between 16 and 32.
std::size_t ReferenceUsers::Size(std::size_t available, base::Rng& rng) const {
  const double least = static_cast<double>(options_.least);
  const double most =
      std::max(least, static_cast<double>(std::min<std::size_t>(
                          available, static_cast<std::size_t>(options_.most))));
  const double size =
      std::exp(rng.Uniform(std::log(least), std::log(most + 1)));
  return std::min(available, static_cast<std::size_t>(size));
}

std::vector<ReferenceRow> ReferenceUsers::Some(Rows rows,
                                               base::Rng& rng) const {
  rng.Shuffle(std::span(rows));
  rows.resize(Size(rows.size(), rng));
  return rows;
}

std::vector<ReferenceRow> ReferenceUsers::DrawOf(Part part, std::size_t person,
                                                 base::Rng& rng) const {
  return Some(groups_[static_cast<std::size_t>(part)][person], rng);
}

std::vector<std::int64_t> ReferenceUsers::Round(Part part, std::size_t count,
                                                base::Rng& rng) const {
  std::vector<std::int64_t> round(count, -1);
  const std::size_t all = persons(part);
  if (all == 0) return round;
  const std::size_t first = rng.Below(all);
  for (std::size_t i = 0; i < count; ++i) {
    round[i] = static_cast<std::int64_t>((first + i) % all);
  }
  return round;
}

std::vector<ReferenceRow> ReferenceUsers::Draw(Part part, base::Rng& rng,
                                               std::int64_t classes) const {
  const std::vector<Rows>& groups = groups_[static_cast<std::size_t>(part)];
  if (grouped_) return DrawOf(part, rng.Below(groups.size()), rng);
  if (classes == 0) classes = options_.classes;
  const std::size_t wanted =
      classes > 0 ? std::min(static_cast<std::size_t>(classes), groups.size())
                  : 1 + rng.Below(groups.size());
  std::vector<std::size_t> order(groups.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  rng.Shuffle(std::span(order));
  Rows all;
  // Classes that are rare make a user too small: then more of them.
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i >= wanted && all.size() >= static_cast<std::size_t>(options_.least)) {
      break;
    }
    // A class has a weight of its own for this user.
    Rows rows = groups[order[i]];
    rng.Shuffle(std::span(rows));
    const auto keep = std::min<std::size_t>(
        rows.size(), 1 + rng.Below(static_cast<std::uint64_t>(options_.most)));
    all.insert(all.end(), rows.begin(),
               rows.begin() + static_cast<std::ptrdiff_t>(keep));
  }
  return Some(std::move(all), rng);
}

}  // namespace sfumato::census

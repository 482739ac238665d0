// Users made of reference examples: those of the reference set where it has
// users, made-up ones of a class mix of their own where it is a pool.
//
//   const ReferenceUsers all(set, {.least = 8, .most = 50, .seed = 7});
//   const std::vector<ReferenceRow> rows = all.Draw(Part::kLearn, rng);
//
// The set is cut in parts that share no example (and no user, where there are
// users), so that margins and confusions are not measured on what the network
// learned from.

#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "data/dataset.h"

namespace sfumato::census {

enum class Part { kLearn, kMargins, kConfusion };
inline constexpr std::size_t kParts = 3;

struct ReferenceOptions {
  std::int64_t least = 8;  // examples of a user
  std::int64_t most = 50;
  std::int64_t classes = 0;  // of a made-up user; 0: one to all
  // Whether it matters what labels mean: then every class needs examples.
  bool labels = true;
  std::uint64_t seed = 1;
};

// An example of the reference set.
struct ReferenceRow {
  std::int64_t user = 0;
  std::int64_t example = 0;
};

class ReferenceUsers {
 public:
  // Throws BadInput for one example of a class; with options.labels, unless no
  // example has a label, also for no example of a class; and where a part has
  // fewer examples than two users of `least`.
  ReferenceUsers(const data::FederatedDataset& set,
                 const ReferenceOptions& options);

  // Whether users are those of the set.
  bool grouped() const { return grouped_; }
  // All examples of a part.
  std::vector<ReferenceRow> All(Part part) const;
  // Users of the set in this part; 0 where it is a pool.
  std::size_t persons(Part part) const {
    return grouped_ ? groups_[static_cast<std::size_t>(part)].size() : 0;
  }
  // The examples of a user drawn from this part; of a pool, of `classes`
  // classes, 0: as the options say.
  std::vector<ReferenceRow> Draw(Part part, base::Rng& rng,
                                 std::int64_t classes = 0) const;
  // Examples of one user of the set. REQUIRES: person < persons(part).
  std::vector<ReferenceRow> DrawOf(Part part, std::size_t person,
                                   base::Rng& rng) const;
  // Users of the set, for DrawOf: each as often as the others, or once more.
  // Of a pool: −1.
  std::vector<std::int64_t> Round(Part part, std::size_t count,
                                  base::Rng& rng) const;

 private:
  using Rows = std::vector<ReferenceRow>;

  std::size_t Size(std::size_t available, base::Rng& rng) const;
  Rows Some(Rows rows, base::Rng& rng) const;

  ReferenceOptions options_;
  bool grouped_ = false;
  // Per part: its users; or, of a pool, its classes.
  std::vector<Rows> groups_[kParts];
};

}  // namespace sfumato::census

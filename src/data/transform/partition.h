// Gives examples that nobody owns to users.
//
//   const Partition parts = PartitionRows(
//       labels, {.scheme = PartitionScheme::kClasses, .users = 120,
//                .classes_per_user = 2, .sizes = SizeRule::kUniform,
//                .mean_size = 500, .minimum_size = 100, .seed = 1});
//
//   kIid        every user draws from all examples alike
//   kClasses    every user has a few classes only, the same number of each
//   kDirichlet  every user has a mix of classes of its own, Dirichlet(alpha):
//               alpha small is one class, alpha large is iid
//   kColumn     every value of a column is a user
//
// Sources: k = 2 classes and sizes uniform around a mean with a minimum of 100,
// "Federated Generative Privacy"; k = 6, "Voting-based Approaches for
// Differentially Private Federated Learning"; Dirichlet, Hsu et al. 2019,
// "Measuring the Effects of Non-Identical Data Distribution".

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {

enum class PartitionScheme { kIid, kClasses, kDirichlet, kColumn };

// kEqual: the same for all, to within one. kUniform: drawn uniformly from
// minimum … 2·mean − minimum.
enum class SizeRule { kEqual, kUniform };

std::string_view Name(PartitionScheme scheme);  // "iid", "classes", …
std::string_view Name(SizeRule rule);           // "equal", "uniform"

struct PartitionOptions {
  PartitionScheme scheme = PartitionScheme::kIid;
  std::uint64_t users = 0;   // kColumn: as many as there are values
  int classes_per_user = 2;  // kClasses
  double alpha = 0.5;        // kDirichlet
  std::string column = {};   // kColumn

  SizeRule sizes = SizeRule::kEqual;
  std::uint64_t mean_size = 0;  // examples per user; 0: all there are
  std::uint64_t minimum_size = 1;

  // Take only the examples that have this value in this column ("split",
  // "train"); empty: take all.
  std::string only_column = {};
  std::string only_value = {};

  // Take the examples away from the users they have, if any.
  bool regroup = false;
  std::uint64_t seed = 0;
};

struct Partition {
  // The rows of every user, in random order (kColumn: in theirs). No row is
  // there twice.
  std::vector<std::vector<std::uint64_t>> users = {};
  std::uint64_t unused = 0;  // rows that nobody got
};

// Gives the rows 0 … labels.size() - 1 to users. `labels` holds each row's
// label (-1: none; kIid does not look at them), for kColumn its value.
//
// Every user gets the size drawn for it, with one exception: classes that are
// in short supply (kClasses, when nearly everything is given away) are shared
// among their users in proportion, and those stay smaller.
//
// Throws BadInput when there are more users than rows, more classes per user
// than classes, rows without label where labels are needed, alpha not positive,
// or sizes that cannot be had.
Partition PartitionRows(std::span<const std::int32_t> labels,
                        const PartitionOptions& options);

}  // namespace sfumato::data

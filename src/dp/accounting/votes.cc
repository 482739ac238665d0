#include "dp/accounting/votes.h"
namespace sfumato::dp {
double VoteSensitivitySquared(const Vote& vote, Adjacency adjacency) {
  if (vote.level == Vote::Level::kAgent) {
    return adjacency == Adjacency::kAddRemove ? 1 : 2;
  }
  const double k =
      vote.neighbours > 0 ? static_cast<double>(vote.neighbours) : 1;
  return 2 / (k * k);
}
}  // namespace sfumato::dp

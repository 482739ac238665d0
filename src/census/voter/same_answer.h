// Which families are one answer, because references cannot separate them.
//
//   const Shares taken_for = {{0.6, 0.3}, {0.2, 0.7}};  // [has, marks]
//   FirstOfSame(taken_for);                             // {0, 0}
//
// Two families are one answer where reference users of each mark the other that
// often, both ways together; so are all that such pairs connect.

#pragma once

#include <cstddef>
#include <vector>

namespace sfumato::census {

// [family][family]: of the users who have the one, the share that marks the
// other.
using Shares = std::vector<std::vector<double>>;

// [family]: the first of those that are one answer with it.
std::vector<std::size_t> FirstOfSame(const Shares& taken_for);

}  // namespace sfumato::census

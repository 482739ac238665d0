// Whether a user looks like the reference users of a state: the test that makes
// "none of these" an answer.
//
//   Fit fit(vectors, states, /*healthy=*/0);           // of reference users
//   fit.SetScatter(healthy_users, sizes);
//   fit.Admit(state, others, sizes_of_others, 0.98);
//   fit.Fits(state, vector, examples);
//
// A user is a vector (mean and deviation of its points). It is as far from a
// state as from the nearest reference users in it, measured in deviations of
// healthy users. Small users scatter more: the distance is divided by what is
// expected of users in that state with as many examples. A threshold is a
// quantile of reference users that the test did not learn from.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "params/layout.h"

namespace sfumato::census {

class Fit {
 public:
  // `vectors` [user, number]; state_of_user: −1 for users in no state, which
  // only say in which directions users can differ. `healthy`: the state whose
  // scatter is the measure.
  Fit(const at::Tensor& vectors, const std::vector<std::int64_t>& state_of_user,
      std::int64_t healthy);

  // How far healthy users lie from each other, by their number of examples.
  // REQUIRES: users [user, number] that it did not learn from, and their
  // examples [user].
  void SetScatter(const at::Tensor& healthy,
                  const std::vector<std::int64_t>& examples);
  // Sets the state's threshold so that a share `quantile` of these users fit;
  // called again for users of another kind, it is raised if they need it.
  // REQUIRES: users of that state, after SetScatter.
  void Admit(std::int64_t state, const at::Tensor& vectors,
             const std::vector<std::int64_t>& examples, double quantile);
  // `slack`: how many times the threshold a user may lie off.
  bool Fits(std::int64_t state, const at::Tensor& vector, std::int64_t examples,
            double slack = 1) const;

  params::NamedTensors State() const;
  // Of so many states, and vectors of so many numbers. Throws Corrupt.
  Fit(const base::SafetensorsFile& file, std::int64_t states,
      std::int64_t numbers);

 private:
  // The squared distance of a user is expected to be fixed + scatter /
  // examples: the scatter is that of the healthy, the rest is what reference
  // users in that state lie apart.
  double Expected(std::int64_t state, std::int64_t examples) const {
    return fixed_[static_cast<std::size_t>(state)] +
           scatter_ / static_cast<double>(examples);
  }
  double SquaredDistance(std::int64_t state, const at::Tensor& vector) const;

  at::Tensor centre_;      // [number]
  at::Tensor directions_;  // [number, direction], in deviations of the healthy
  std::vector<at::Tensor> users_;  // per state: [user, direction]
  std::int64_t healthy_ = 0;
  double scatter_ = 0;
  std::vector<float> fixed_;       // per state
  std::vector<float> thresholds_;  // per state: of distance over expectation
};

}  // namespace sfumato::census

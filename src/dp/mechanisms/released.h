// A value that a privacy mechanism made, with what it cost.
//
//   Released<std::vector<float>> mean =
//       mechanism.ReleaseMean(std::move(sum), 1000, noise);
//   Released<double> norm = mean.Map([](const auto& m) { return NormOf(m); });
//
// Only the mechanisms of this room can make one (ReleaseKey has the list), so a
// function that takes a Released<T> cannot be handed private data by mistake.
// Whatever is computed from a released value alone costs nothing more: Map
// keeps the event. A function given to Map must not look at private records.

#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "dp/accounting/event.h"

namespace sfumato::dp {

template <typename T>
class Released;

// Who holds a key may release. Its friends are all who do.
class ReleaseKey {
 private:
  ReleaseKey() = default;

  template <typename T>
  friend class Released;  // Map
  friend class GaussianMechanism;
  friend class AdaptiveClip;
  friend class PlainMean;
  friend class PrivateCount;
  friend class PrivateHistogram;
  friend class KeyHistogram;
  friend class PrivateQuantile;
  friend class NoisyVote;
  friend class VoteHistogram;
};

template <typename T>
class Released {
 public:
  // `simulated`: the noise came from a seed, or there was none, so the value
  // protects nobody.
  Released(ReleaseKey, T value, Event event, bool simulated)
      : value_(std::move(value)),
        event_(std::move(event)),
        simulated_(simulated) {}

  const T& value() const& { return value_; }
  T value() && { return std::move(value_); }
  const Event& event() const { return event_; }
  bool simulated() const { return simulated_; }

  template <typename F>
  Released<std::invoke_result_t<F, const T&>> Map(F&& f) const {
    return {ReleaseKey(), std::invoke(std::forward<F>(f), value_), event_,
            simulated_};
  }

 private:
  T value_;
  Event event_;
  bool simulated_;
};

}  // namespace sfumato::dp

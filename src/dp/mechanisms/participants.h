// Who is asked, and how they were drawn: the part of an event that is the same
// for every mechanism.
//
//   const Participants phones{.sampling = Poisson{.rate = 0.01},
//                             .population = {.name = "phones"}};
//   Event event = EventOf(Gaussian{.noise_multiplier = 1}, phones, "round 7");

#pragma once

#include <string>
#include <utility>

#include "dp/accounting/event.h"

namespace sfumato::dp {

struct Participants {
  Sampling sampling = All{};
  Adjacency adjacency = Adjacency::kAddRemove;
  Unit unit = Unit::kUser;
  Population population = {};
};

// One occurrence. Throws as CheckEvent.
inline Event EventOf(Mechanism mechanism, const Participants& participants,
                     std::string cohort) {
  Event event{.mechanism = std::move(mechanism),
              .sampling = participants.sampling,
              .adjacency = participants.adjacency,
              .unit = participants.unit,
              .population = participants.population,
              .cohort = std::move(cohort)};
  CheckEvent(event);
  return event;
}

}  // namespace sfumato::dp

// Who is asked, and how they were drawn: the part of an event that is the same
// for every mechanism.
//
//   const Participants phones{.sampling = Poisson{.rate = 0.01},
//                             .population = {.name = "phones"}};
//   Event event = EventOf(Gaussian{.noise_multiplier = 1}, phones, "round 7");

#pragma once

#include <string>
#include <utility>
#include <variant>

#include "dp/accounting/event.h"

namespace sfumato::dp {

struct Participants {
  Sampling sampling = All{};
  Adjacency adjacency = Adjacency::kAddRemove;
  Unit unit = Unit::kUser;
  Population population = {};
};

// Users drawn like this, with the adjacency that has a proof: replace-one for a
// fixed size, else add-remove.
inline Participants ParticipantsOf(const Sampling& sampling,
                                   const Population& population = {}) {
  return {.sampling = sampling,
          .adjacency = std::holds_alternative<FixedSize>(sampling)
                           ? Adjacency::kReplaceOne
                           : Adjacency::kAddRemove,
          .population = population};
}

// One occurrence. Throws as CheckEvent.
inline Event EventOf(const Mechanism& mechanism,
                     const Participants& participants, std::string cohort) {
  Event event{.mechanism = mechanism,
              .sampling = participants.sampling,
              .adjacency = participants.adjacency,
              .unit = participants.unit,
              .population = participants.population,
              .cohort = std::move(cohort)};
  CheckEvent(event);
  return event;
}

}  // namespace sfumato::dp

// How many independent users are worth what made-up users of fewer people said.
//
//   const std::vector<PersonAnswers> people = {{.asked = 32, .odd = 0},
//                                              {.asked = 32, .odd = 30}};
//   WorthOf(people);  // 2, not 64
//
// A reference person may be asked several times, with other examples each time.
// If these answers were independent, a rate would be known as well as from that
// many people; if a person always answers alike, only as well as from the
// people that there are. How alike is measured on the odd answers: given one of
// a person's answers is odd, how likely is another one? One pair more than was
// seen is counted, so that people who are never odd are worth one user each.
//
// With that chance as r and m answers per person, users are worth users /
// (1 + (m - 1) r): the design effect of samples in clusters (Kish 1965, Survey
// Sampling).

#pragma once

#include <cstdint>
#include <span>

namespace sfumato::census {

struct PersonAnswers {
  std::int64_t asked = 0;
  std::int64_t odd = 0;  // of them: anything but as it should be
};

// At least the number of people who were asked, at most their answers.
std::int64_t WorthOf(std::span<const PersonAnswers> people);

}  // namespace sfumato::census

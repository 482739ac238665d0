// How many independent users are worth what made-up users of fewer people said.
//
//   // Of each person: users asked, and how many of them marked each cell.
//   const PersonAnswers one = {.asked = 32, .marks = {32, 0}};
//   const PersonAnswers two = {.asked = 32, .marks = {2, 30}};
//   const std::vector<PersonAnswers> people = {one, two};
//   WorthsOf(people, 2);  // 2 for each cell, not 64
//
// A reference person may be asked several times, with other examples each time.
// If these answers were independent, a rate would be known as well as from that
// many people; if a person always answers alike, only as well as from the
// people that there are. How alike is measured for each cell by itself, on
// whatever is rarer, marking it or not: given one of a person's answers is so,
// how likely is another one? One pair more than was seen is counted, so that a
// cell that nobody marked is known from the people alone.
//
// With that chance as r and m answers per person, users are worth users /
// (1 + (m - 1) r): the design effect of samples in clusters (Kish 1965, Survey
// Sampling).

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sfumato::census {

struct PersonAnswers {
  std::int64_t asked = 0;
  std::vector<std::int64_t> marks = {};  // [cell]: of them, who marked it
};

// [cell]: at least the number of people who were asked, at most their answers;
// nothing if nobody was.
std::vector<std::int64_t> WorthsOf(std::span<const PersonAnswers> people,
                                   std::size_t cells);

// The same for users made of `each` out of a pool of examples, which are of
// nobody: two of them share examples, and answer alike by the share of them.
std::int64_t WorthOfPool(std::int64_t users, double each,
                         std::int64_t examples);

}  // namespace sfumato::census

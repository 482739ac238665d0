#include "census/answer/worth.h"

#include <algorithm>
#include <cmath>

namespace sfumato::census {
namespace {

std::int64_t WorthOf(std::span<const PersonAnswers> people, std::size_t cell,
                     bool marked) {
  double persons = 0;
  double answers = 0;
  double squares = 0;
  double alike_pairs = 0;  // ordered pairs of one person's rare answers
  double pairs = 0;        // that begin with a rare answer
  for (const PersonAnswers& one : people) {
    if (one.asked == 0) continue;
    const auto asked = static_cast<double>(one.asked);
    const auto marks = static_cast<double>(one.marks[cell]);
    const double rare = marked ? marks : asked - marks;
    ++persons;
    answers += asked;
    squares += asked * asked;
    alike_pairs += rare * (rare - 1);
    pairs += rare * (asked - 1);
  }
  // Answers of whoever a user of the references is likely to be.
  const double one_more = squares / answers - 1;
  if (one_more <= 0) return static_cast<std::int64_t>(answers);
  const double alike =
      std::min(1.0, (alike_pairs + one_more) / (pairs + one_more));
  const double worth = answers / (1 + one_more * alike);
  return static_cast<std::int64_t>(std::clamp(worth, persons, answers));
}

}  // namespace

std::vector<std::int64_t> WorthsOf(std::span<const PersonAnswers> people,
                                   std::size_t cells) {
  std::int64_t answers = 0;
  for (const PersonAnswers& one : people) answers += one.asked;
  if (answers == 0) return {};
  std::vector<std::int64_t> worths;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::int64_t marks = 0;
    for (const PersonAnswers& one : people) {
      if (one.asked > 0) marks += one.marks[cell];
    }
    worths.push_back(WorthOf(people, cell, 2 * marks <= answers));
  }
  return worths;
}

std::int64_t WorthOfPool(std::int64_t users, double each,
                         std::int64_t examples) {
  // Scores that are means of examples correlate by the share of them that is
  // common. With normal scores, and a margin that one user in 2,000 exceeds,
  // two users do so together more often than by chance by about this times the
  // correlation's square (numerically; it is 0.07 at 0.6, 0.009 at 0.3).
  constexpr double kTogether = 0.15;
  const double common =
      std::min(1.0, each / std::max(1.0, static_cast<double>(examples)));
  const auto n = static_cast<double>(users);
  const double worth = n / (1 + (n - 1) * kTogether * common * common);
  return std::max<std::int64_t>(1, std::llround(worth));
}

}  // namespace sfumato::census

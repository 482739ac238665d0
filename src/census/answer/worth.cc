#include "census/answer/worth.h"

#include <algorithm>
#include <cmath>

namespace sfumato::census {

std::int64_t WorthOf(std::span<const PersonAnswers> people) {
  double persons = 0;
  double answers = 0;
  double squares = 0;
  double odd_pairs = 0;  // ordered pairs of one person's odd answers
  double pairs = 0;      // that begin with an odd answer
  for (const PersonAnswers& one : people) {
    if (one.asked == 0) continue;
    const auto asked = static_cast<double>(one.asked);
    const auto odd = static_cast<double>(one.odd);
    ++persons;
    answers += asked;
    squares += asked * asked;
    odd_pairs += odd * (odd - 1);
    pairs += odd * (asked - 1);
  }
  if (answers == 0) return 0;
  // Answers of whoever a user of the references is likely to be.
  const double each = squares / answers;
  const double one_more = each - 1;
  if (one_more <= 0) return static_cast<std::int64_t>(answers);
  const double alike =
      std::min(1.0, (odd_pairs + one_more) / (pairs + one_more));
  const double worth = answers / (1 + one_more * alike);
  return static_cast<std::int64_t>(std::clamp(worth, persons, answers));
}

}  // namespace sfumato::census

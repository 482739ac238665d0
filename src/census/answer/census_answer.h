// What the noisy counts of a census say: a share of users for every answer,
// with its interval, and a verdict whose false-alarm level is computed.
//
//   const CensusAnswer answer = AnswerOf(
//       {.counts = {{571, 2, -1, 31, 0, 4}},
//        .noise = {.kind = NoiseKind::kLaplace, .parameter = 2}},
//       calibration, {.design = Design::kEverybody});
//   answer.verdict;   // differs
//   answer.sentence;  // "About 5 % of users (4–7 %): turned by an angle."
//
// Shares. Of N users the share s is in a state; voters answer by the confusion
// C that reference users showed, so counts are Σ N s C and noise. Inverting C
// gives the shares (label shift: Lipton et al. 2018). The interval is of 95 %:
// it draws the noise from its law, the voters' chance, and C's rows from a
// posterior given the reference users, for each strength of the damage that was
// tried; it reaches from the least to the greatest. `none_of_these` and
// `cannot_tell` are taken as they are counted.
//
// Verdict. If everybody is as it should be, N users mark cell a as healthy
// reference users did: its count is beta-binomial given their votes (without
// noise, Fisher's exact test), and noise, by exact convolution. Of `level` a
// tenth pays for not knowing N, the rest for the tails, by the union over the
// cells. What damages that were already named leak into a cell is added before
// that cell is judged. Two groups: an exact test of whether they share a rate
// (difference.h), in either direction.
//
// About classes: class_answer.h.
//
// Nothing here reads data or spends: it is arithmetic on released counts.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "census/answer/calibration.h"
#include "census/answer/noise_law.h"
#include "nlohmann/json.hpp"

namespace sfumato::census {

// Who was asked, and so what the level holds for.
enum class Design {
  kEverybody,    // one group, against references of the same kind
  kTwoGroups,    // drawn alike but for what is in question
  kOwnAccuracy,  // sides chosen by the users' own examples: needs a placebo
};
std::string_view Name(Design design);  // "everybody", "two_groups", …
std::string CaseText(Design design, About about);  // for the page, a sentence

// kCounted: everybody's classes, where there is nothing to compare with.
enum class CensusVerdict { kHealthy, kDiffers, kCannotSay, kCounted };
std::string_view Name(CensusVerdict verdict);  // "as_it_should_be", …

// Released: [group][cell].
struct Counts {
  std::vector<std::vector<double>> counts = {};
  NoiseLaw noise = {};
  // [group]: users asked, where that is known (given or released otherwise).
  // Empty: the sum of the noisy cells. With more than one mark that sum counts
  // a user as often as they marked, so a number should be given.
  std::vector<double> asked = {};
};

struct AnswerOptions {
  Design design = Design::kEverybody;
  // References of the users' own kind. Of others nobody knows how often they
  // take healthy users for damaged ones, so one group gets no verdict.
  bool alike = true;
  double level = 0.01;                   // false alarms of the whole question
  std::vector<std::string> groups = {};  // in words: "before", "now"
  // The same rule on reference users, for kOwnAccuracy; without counts there
  // is none. Two groups; noise kNone where references are public.
  Counts placebo = {};
  std::string people = "users";  // in sentences
  std::int64_t draws = 2000;     // behind an interval
  std::uint64_t seed = 1;
};

struct CellAnswer {
  std::string key = "";
  std::string words = "";
  std::string cause = "";
  std::vector<double> counts = {};  // [group], noisy; may be negative
  // Of users: 0 … 1. Of two groups: how much more of the second (beside a
  // placebo: more than there), -1 … 1.
  double share = 0;
  double low = 0;
  double high = 1;
  double share_a = 0;  // of two groups: who answered so, of those who did
  double share_b = 0;  // answer; corrected for nothing
  bool supported = false;
  // What the count (two groups: the difference of counts, as users of the
  // second) had to reach; negative in the direction of the first group.
  double threshold = 0;
  // The least share that is supported 95 times of 100; above 1: not even
  // everybody.
  double seen_from = 0;
};

struct CensusAnswer {
  About about = About::kDamage;
  CensusVerdict verdict = CensusVerdict::kCannotSay;
  std::string sentence = "";
  std::string next = "";  // what to do now; `…` marks commands
  double level = 0.01;
  Design design = Design::kEverybody;
  std::vector<std::string> groups = {};  // in words; one is empty
  std::vector<double> users = {};        // [group], as counted or given
  double users_deviation = 0;            // of its noise; 0: given
  std::vector<CellAnswer> answers = {};  // as Calibration::cells
  std::vector<std::string> remarks = {};
};

// Throws BadInput for counts of other sizes than the calibration's cells, of
// other groups than the design's, or that are not finite; for a level outside
// 0 … 0.5. A calibration without reference users gives kCannotSay.
CensusAnswer AnswerOf(const Counts& counts, const Calibration& calibration,
                      const AnswerOptions& options);

nlohmann::json ToJson(const CensusAnswer& answer);
// Throws Corrupt, naming `where`.
CensusAnswer CensusAnswerFromJson(const nlohmann::json& json,
                                  const std::string& where);

}  // namespace sfumato::census

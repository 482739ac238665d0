// What is asked of all users before a model is trained: thresholds, sizes,
// how accuracy is spread, how many correct often. Each answer is a release.
//
//   Survey survey(ledger, {.run = "2026-11-15_0319_phones/survey",
//                          .population = "phones",
//                          .randomness = {.simulation = true, .seed = 7},
//                          .questions = questions});
//   const SurveyAnswer low = survey.Ask("threshold_below", [&] {
//     return select::Accuracies(verdicts);
//   });
//   Keep(low.values[0]);                          // on disk
//   survey.Finish();
//
// Ask is the whole privacy path, in the order of entered.h: the price is in the
// ledger, on disk, before the users' numbers are collected; then comes the
// noise, then the value.
//
// After a crash. The caller keeps an answer on disk, and does not ask again
// what it has. In a simulation asking again gives the same answer and costs
// nothing more (noise follows from the seed and the question's name). Outside
// one it is another release with other noise: it enters as another attempt;
// where nothing like it is reserved any more, it is reserved again as another
// part of the run (Ledger::ReserveMore), or is budget_spent.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dp/ledger/ledger.h"
#include "dp/mechanisms/question.h"
#include "fed/release/entered.h"

namespace sfumato::fed {

struct SurveyOptions {
  std::string run = "";         // unique in the ledger
  std::string population = "";  // of the ledger: who is asked
  Randomness randomness = {};
  std::vector<dp::Question> questions = {};  // names differ
  // Outside simulations, before a question that was lost is reserved again and
  // paid again. It may throw, and then nothing is reserved.
  std::function<void(const dp::Event&)> before_more = {};
};

struct SurveyAnswer {
  std::string name = "";
  std::vector<double> values = {};  // a quantile, or one per bar
  double deviation = 0;             // of the noise on each; 0 for a quantile
  dp::Event event = {};
  bool simulated = false;  // the noise came from a seed: it protects nobody
  std::string ledger_head = "";
};

class Survey {
 public:
  // One number per user, NaN for users without one: private data.
  using Numbers = std::function<std::vector<double>()>;

  // Reserves all questions, unless that was done before under the same name.
  // Throws BadInput for two questions of one name, and as Ledger::Reserve.
  Survey(dp::Ledger& ledger, SurveyOptions options);

  // Throws BadInput when there is no such question, and as Ledger::Release;
  // then nothing was collected.
  SurveyAnswer Ask(std::string_view name, const Numbers& numbers);

  // Gives back what was reserved and not asked.
  void Finish();

 private:
  std::size_t Find(std::string_view name) const;
  void ReserveAll();
  Entered Enter(std::size_t question, const dp::Event& event);
  std::string PartFor(const dp::Event& event);
  std::string CohortOf(const std::string& question) const;

  dp::Ledger& ledger_;
  SurveyOptions options_;
  std::string nonce_;  // of this process, outside simulations
};

// The correction rate as a survey reports it: the share of users who correct
// often, of all who have anything to correct.
struct NoisyShare {
  double value = 0;  // within 0 … 1; 0 when the noise leaves nobody
  double deviation = 0;
};
// Of an answer with two bars, those below the level and the others: the second
// over the sum. Computed from the answer alone, so it costs nothing.
NoisyShare ShareOfSecondBar(const SurveyAnswer& answer);

}  // namespace sfumato::fed

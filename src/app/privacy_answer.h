// The answer that commands about one kind of round share.
//
//   const dp::Event round = RoundOf(options);
//   const plan::Spent spent = SpentBy(round, options);
//   return RoundAnswer("ε 1.04 at δ 1e-6", spent, round, options);

#pragma once

#include <string>

#include "app/command.h"
#include "app/privacy_options.h"
#include "plan/guarantee_text.h"

namespace sfumato::app {

// What all rounds of `round` cost at the options' delta, with warnings on it.
plan::Spent SpentBy(const dp::Event& round, const PrivacyOptions& options);

// The headline, what it means, the settings and the proof. The JSON has the
// guarantee and echoes noise, rounds, rate and, where known, the cohort and the
// population.
Answer RoundAnswer(const std::string& headline, const plan::Spent& spent,
                   const dp::Event& round, const PrivacyOptions& options);

}  // namespace sfumato::app

// The sections of a report page, each a function from findings to HTML.
//
// Order of every section: what was found, then the evidence, then the method.
// A proven number is in class `proven`, an estimate in class `estimate`: never
// in one column, never in one colour.

#pragma once

#include <string>

#include "report/findings.h"
#include "report/pictures.h"

namespace sfumato::report {

struct Page {
  const Findings& findings;
  const Pictures& pictures;
};

// The verdict as a sign and a few words: "✗", "A differs from B".
struct VerdictText {
  std::string sign;
  std::string words;
  std::string style;  // differs, same, unsure
};
VerdictText VerdictOf(const Findings& findings);

// What would help now; text in which `…` marks commands.
std::string NextStep(const Findings& findings);

// "ε 1.94 (δ 1e-6, user); of the ε 4 granted, 34 % is left": spent, or what it
// would cost. In a simulation nobody granted anything.
// Whether a price is known: before, nothing was asked or trained.
bool IsPriced(const Findings& findings);
std::string PriceText(const Findings& findings);
// What all inspections of a series cost together; text, empty where it is
// alone.
std::string SeriesText(const Findings& findings);
// What the judging model itself cost, where it was released before; text, empty
// where it was not.
std::string JudgeText(const Findings& findings);
// "34 %", "12.5 %": a share of a budget, as the ledger has it.
std::string BudgetShareText(double share);
// "31 % (± 0.6) of users correct at least 20 % of their examples"; text, empty
// where nobody was asked.
std::string CorrectionText(const runs::InspectionRecord& record);
// "Of a user's words 9.8 % (± 0.2) are unknown on A, 11 % (± 0.2) on B"; empty
// where nobody was asked.
std::string UnknownText(const runs::InspectionRecord& record);
// The odds, or why there are none; text.
std::string OddsText(const Findings& findings);
// What a bound supposes that counts what was repeated.
std::string RepeatedText();
// The sentence that may be quoted; text.
std::string StatementText(const Findings& findings);

// "about 412 (released, ± 20)".
std::string SourcedText(const runs::Sourced& sourced, int digits = 4);

// "0.31", "1,204", "−0.04": an estimate, to three digits.
std::string EstimateText(double value);
// A side's number; "–" where the measure is of the pair.
std::string SideText(const runs::Measure& measure, double value);
// "91 % (84–95)", "0 % (−1 to 1)".
std::string ShareText(const runs::Estimate& share);

std::string Kicker(const Findings& findings);  // above everything
std::string Masthead(const Page& page);
std::string AnswerSection(const Page& page);
std::string HypothesesSection(const Page& page);
std::string NumbersSection(const Page& page);
std::string MapSection(const Page& page);
std::string BeliefSection(const Page& page);
std::string PrivacySection(const Page& page);
std::string ReproduceSection(const Page& page);

// "draws plain images" of "draws plain images: it learned nothing, or …": the
// whole is said once, where the verdict has its reason.
std::string HeadOf(const std::string& words);

// For text: the charts and tables of the answer, the phrases, the words that a
// hypothesis explains, the models' state; empty where models drew images.
std::string TextEvidence(const Page& page);
std::string PhrasesSection(const Page& page);
std::string ExampleWords(const runs::Hypothesis& hypothesis);
std::string TextHealthTable(const runs::Contrast& contrast);
// A drawn word without what could harm (base/printable.h); not yet escaped.
std::string ShownWord(const std::string& word);

// The bar of what was granted, as the ledger has it: spent before, by this
// inspection, set aside, left. Empty when nothing was granted.
std::string PrivacyMeter(const Findings& findings);

}  // namespace sfumato::report

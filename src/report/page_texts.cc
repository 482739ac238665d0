// The sentences that page, terminal and Markdown share.

#include <algorithm>
#include <cmath>

#include "base/percent.h"
#include "base/progress.h"
#include "dp/accounting/accountant.h"
#include "fmt/format.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

using runs::Status;
using runs::Verdict;

// "6 rounds" of training whose price no checkpoint has yet; "" for none.
std::string UnpricedRounds(const Findings& findings) {
  std::int64_t rounds = 0;
  for (const RunFindings& run : findings.runs) rounds += run.rounds_done;
  if (rounds == 0) return "";
  return fmt::format("{} {}",
                     base::HumanCount(static_cast<std::uint64_t>(rounds)),
                     rounds == 1 ? "round" : "rounds");
}

const runs::Hypothesis* Winner(const Findings& findings) {
  if (!findings.contrast) return nullptr;
  for (const runs::Hypothesis& hypothesis : findings.contrast->hypotheses) {
    if (hypothesis.supported) return &hypothesis;
  }
  return nullptr;
}

VerdictText Unfinished(const Findings& findings) {
  const std::string& stage = findings.record.stage;
  const std::string at = stage.empty() ? "" : ": " + stage;
  switch (findings.record.status) {
    case Status::kInterrupted:
      return {"…", "Stopped before the answer" + at, "unsure"};
    case Status::kFailed:
      return {"!", "Failed before the answer" + at, "failed"};
    default:
      return {"…", "Still running" + at, "unsure"};
  }
}

VerdictText OfRun(const Findings& findings) {
  switch (findings.record.status) {
    case Status::kFinished:
      return {"•", "Training is finished", "plain"};
    case Status::kInterrupted:
      return {"…", "Training was stopped", "unsure"};
    case Status::kFailed:
      return {"!", "Training failed", "failed"};
    default:
      return {"…", "Training is still running", "unsure"};
  }
}

std::string AdjacencyWords(const runs::PrivacyRecord& privacy) {
  const bool user = privacy.unit != "example";
  if (privacy.adjacency == "replace-one") {
    return user ? "when one user's data is exchanged for other data"
                : "when one example is exchanged for another";
  }
  return user ? "whether or not that user took part at all"
              : "whether or not that example was there at all";
}

// Backticks mark code in NextStep, and nothing else may.
std::string WithoutTicks(std::string text) {
  std::erase(text, '`');
  return text;
}

std::string WithoutEnd(std::string sentence) {
  while (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

// "6.96 (that is e^ε)".
std::string FactorText(double epsilon) {
  return epsilon < 20
             ? fmt::format("{} (that is e^ε)", BoundText(std::exp(epsilon), 3))
             : std::string("e^ε");
}

}  // namespace

VerdictText VerdictOf(const Findings& findings) {
  if (!findings.inspection) return OfRun(findings);
  if (!findings.contrast) return Unfinished(findings);
  if (!findings.contrast->compared &&
      findings.contrast->verdict == Verdict::kSame) {
    return {"✓", "Gone: nobody is left to compare", "same"};
  }
  switch (findings.contrast->verdict) {
    case Verdict::kDiffers:
      return {"✗", "A differs from B", "differs"};
    case Verdict::kSame:
      return {"✓", "Nothing above the floor", "same"};
    case Verdict::kCannotSay:
      break;
  }
  return {"?", "Cannot say", "unsure"};
}

std::string NextStep(const Findings& findings) {
  const std::string folder = WithoutTicks(findings.folder);
  const std::string resume = fmt::format("sfumato resume {}", folder);
  switch (findings.record.status) {
    case Status::kInterrupted:
    case Status::kFailed:
      return fmt::format(
          "What was released is kept and paid for. `{}` resumes from the last "
          "checkpoint; rounds after it are made again, and of private data "
          "paid again.",
          resume);
    case Status::kCreated:
    case Status::kRunning:
      return "Wait for it, and make the page again.";
    case Status::kFinished:
      break;
  }
  if (!findings.inspection) {
    const config::TrainConfig& config = findings.runs.front().record.config;
    return config::Draws(config)
               ? fmt::format(
                     "`sfumato sample {}` draws from the model; that "
                     "costs no privacy.",
                     folder)
               : fmt::format(
                     "`sfumato eval {}` judges the model, on data "
                     "that may be seen.",
                     folder);
  }
  if (!findings.contrast) {
    return fmt::format(
        "The comparison is missing: `{}` makes it again, at no cost.", resume);
  }
  switch (findings.contrast->verdict) {
    case Verdict::kDiffers:
      if (const runs::Hypothesis* winner = Winner(findings)) {
        return fmt::format(
            "Look where this usually comes from{0}{1}. When it is fixed, "
            "`sfumato inspect {2}/config.toml --verify {2}` asks again and "
            "says whether the difference is gone; that is a new inspection "
            "with a price of its "
            "own.",
            winner->cause.empty() ? "" : ": ",
            WithoutEnd(WithoutTicks(winner->cause)), folder);
      }
      return fmt::format(
          "The sides differ in a way that no hypothesis of the catalogue "
          "explains. Look at {} and at the largest differences in the table of "
          "numbers.",
          findings.contrast->text ? "where the unknown words are, what they "
                                    "look like"
                                  : "the grids");
    case Verdict::kSame:
      if (!findings.contrast->compared) {
        return "The number of users in question is that low now; whether they "
               "were fixed or went away, only you can know.";
      }
      return "Either nothing is wrong with what these users see, or too few "
             "of them are affected for this much noise to show it. Do not read "
             "this as proof that nothing is wrong.";
    case Verdict::kCannotSay:
      break;
  }
  if (!findings.contrast->compared) {
    return "Count with less noise (survey.count_noise), or compare fewer users "
           "per round: those who are left may still be in question.";
  }
  return "Fix the reason first: more rounds, a larger cohort or less noise "
         "give models that can be compared.";
}

bool IsPriced(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  return findings.unprotected || privacy.epsilon > 0 || privacy.delta > 0;
}

std::string PriceText(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  if (!IsPriced(findings)) {
    const std::string rounds = UnpricedRounds(findings);
    return rounds.empty() ? "nothing was asked or trained yet, and the price "
                            "is not known yet"
                          : rounds +
                                " before the first checkpoint; the ledger "
                                "knows their price";
  }
  if (findings.unprotected || !std::isfinite(privacy.epsilon)) {
    return "no bound: trained without noise";
  }
  const std::string spent = fmt::format("ε {}", BoundText(privacy.epsilon, 3));
  const bool simulation = findings.record.simulation;
  const std::string left =
      privacy.granted_epsilon > 0 && !simulation
          ? fmt::format("; of the ε {} granted, {} is left",
                        NumberText(privacy.granted_epsilon),
                        BudgetShareText(privacy.left))
          : "";
  return fmt::format("{}{} (δ {}, {}){}", simulation ? "would cost " : "",
                     spent, SmallText(privacy.delta), privacy.unit, left);
}

std::string SeriesText(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  if (privacy.series_inspections < 2) return "";
  return fmt::format(
      "This is one of {} inspections of the same people that are paid for "
      "together: all of them {} ε {} at δ {}, and that is what somebody in the "
      "population {}.",
      privacy.series_inspections,
      findings.record.simulation ? "would cost" : "cost at most",
      BoundText(privacy.series_epsilon, 3), SmallText(privacy.delta),
      findings.record.simulation ? "would pay" : "pays");
}

std::string JudgeText(const Findings& findings) {
  const runs::InspectionRecord& record = findings.record;
  const runs::PrivacyRecord& privacy = record.privacy;
  const runs::PriceRecord& judge = privacy.judge;
  if (!findings.inspection || record.model_provenance != "released") return "";
  std::string text = fmt::format(
      "Who is on which side was decided by {}, which was released before",
      record.model_words.empty() ? "a model" : record.model_words);
  if (judge.what.empty()) {
    return text +
           "; what that cost is not known here, and is not in the ε above.";
  }
  text += fmt::format(
      ": that {} ε {} at δ {} by itself ({}{}). It is not in the ε above and "
      "{} on top for users who were in both.",
      record.simulation ? "would have cost" : "cost",
      BoundText(judge.epsilon, 3), SmallText(privacy.delta), judge.events,
      record.simulation ? ""
                        : fmt::format("; run “{}” in the ledger", judge.what),
      record.simulation ? "would come" : "comes");
  if (!record.simulation && privacy.granted_epsilon > 0) {
    text += fmt::format(
        " What the ledger grants, ε {}, bounds both together, with all else "
        "that was released from these people.",
        NumberText(privacy.granted_epsilon));
  }
  return text;
}

std::string BudgetShareText(double share) {
  const double percent = 100 * std::clamp(share, 0.0, 1.0);
  return percent > 0 && percent < 0.1 ? std::string("under 0.1 %")
                                      : fmt::format("{:.3g} %", percent);
}

std::string CorrectionText(const runs::InspectionRecord& record) {
  if (!record.correction_rate) return "";
  const runs::Sourced& rate = *record.correction_rate;
  return fmt::format("{:.3g} %{} of users {}", 100 * rate.value,
                     rate.deviation > 0
                         ? fmt::format(" (± {:.2g})", 100 * rate.deviation)
                         : "",
                     runs::CorrectingText(record.correction_level));
}

std::string UnknownText(const runs::InspectionRecord& record) {
  if (!record.unknown_a || !record.unknown_b) return "";
  const auto share = [](const runs::HistogramRecord& bars) {
    const runs::Sourced mean = runs::MeanOf(bars);
    return fmt::format("{:.3g} %{}", 100 * mean.value,
                       mean.deviation > 0
                           ? fmt::format(" (± {:.2g})", 100 * mean.deviation)
                           : "");
  };
  return fmt::format("Of a user's words {} are unknown on A, {} on B",
                     share(*record.unknown_a), share(*record.unknown_b));
}

std::string OddsText(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  if (!IsPriced(findings)) return "";
  if (findings.unprotected || privacy.published) {
    return "Nothing is proven here, so no odds follow.";
  }
  const double right = privacy.guessed_right > 0
                           ? privacy.guessed_right
                           : dp::GuessedRight(privacy.epsilon, privacy.delta);
  const bool user = privacy.unit != "example";
  const std::string question =
      privacy.adjacency == "replace-one"
          ? (user ? "which of two versions of your data was used"
                  : "which of two versions of an example was used")
          : (user ? "whether you took part" : "whether one example was there");
  return fmt::format(
      "{} guesses {}, from even odds and knowing everything else, {} right {}.",
      findings.record.simulation ? "Were these people real, someone who"
                                 : "Someone who",
      question, findings.record.simulation ? "would be" : "is", Times(right));
}

std::string RepeatedText() {
  return "That counts what was lost in a stop, done again and paid again; it "
         "was not in the plan, so that what holds without that condition is "
         "the budget that the ledger grants.";
}

std::string StatementText(const Findings& findings) {
  const runs::PrivacyRecord& privacy = findings.record.privacy;
  const char* what = findings.census       ? "census"
                     : findings.inspection ? "inspection"
                                           : "training";
  if (!IsPriced(findings)) {
    if (const std::string rounds = UnpricedRounds(findings); !rounds.empty()) {
      return fmt::format(
          "Released so far, and counted: {} of this training. What they cost "
          "is in the ledger, and is shown here from the first checkpoint on.",
          rounds);
    }
    return fmt::format(
        "This {} has asked {}nothing yet. What it costs is computed before it "
        "does.",
        what, findings.census ? "" : "and trained ");
  }
  if (findings.unprotected) {
    return fmt::format(
        "This {} was done without noise. Nothing is proven about the privacy "
        "of those whose data it used.",
        what);
  }
  if (privacy.published) {
    return fmt::format(
        "The number ε = {} follows a published recipe that does not prove it "
        "for "
        "what ran. Nothing is guaranteed.",
        NumberText(privacy.epsilon, 4));
  }
  std::string text = fmt::format(
      "Everything that this {0} released from users' data {1} "
      "(ε = {2}, δ = {3})-differentially private for each {4}: the chance of "
      "anything that was released changes by a factor of at most {5}, up to "
      "δ, {6}.",
      what, findings.record.simulation ? "would be" : "is",
      BoundText(privacy.epsilon, 3), SmallText(privacy.delta), privacy.unit,
      FactorText(privacy.epsilon), AdjacencyWords(privacy));
  if (!privacy.against.empty()) {
    text += fmt::format(" It holds against {}.", privacy.against);
  }
  if (privacy.repeated) text += " " + RepeatedText();
  if (privacy.seeded) {
    text +=
        " The noise of this run came from a seed that is written down, so this "
        "run itself protects nobody; with noise from a secure source the "
        "statement holds.";
  }
  return text;
}

std::string SourcedText(const runs::Sourced& sourced, int digits) {
  if (!std::isfinite(sourced.value)) return "not released";
  const bool count = std::abs(sourced.value) >= 1000 &&
                     std::abs(sourced.value) < kLargestCount;
  const std::string value =
      count ? (sourced.value < 0 ? "−" : "") +
                  base::HumanCount(static_cast<std::uint64_t>(
                      std::llround(std::abs(sourced.value))))
      : sourced.value < 0 ? EstimateText(sourced.value)
                          : NumberText(sourced.value, digits);
  if (sourced.deviation > 0) {
    return fmt::format("about {} ({}, ± {})", value, sourced.source,
                       NumberText(sourced.deviation, 2));
  }
  return fmt::format(
      "{} ({})", value,
      sourced.source == "simulation_only" ? "simulation only" : sourced.source);
}

std::string EstimateText(double value) {
  if (!std::isfinite(value)) return "–";
  if (std::abs(value) >= 1e4 && std::abs(value) < kLargestCount) {
    return (value < 0 ? "−" : "") +
           base::HumanCount(static_cast<std::uint64_t>(std::abs(value) + 0.5));
  }
  std::string text = SmallText(std::stod(fmt::format("{:.3g}", value)));
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

std::string HeadOf(const std::string& words) {
  return words.substr(0, words.find(':'));
}

std::string SideText(const runs::Measure& measure, double value) {
  return measure.distance ? "–" : EstimateText(value);
}

std::string ShareText(const runs::Estimate& share) {
  const std::string low = base::PercentNumber(share.low);
  return fmt::format("{} % ({}{}{})", base::PercentNumber(share.value), low,
                     low.starts_with("−") ? " to " : "–",
                     base::PercentNumber(share.high));
}

}  // namespace sfumato::report

#include "app/exposure_answer.h"

#include <numbers>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "report/number_text.h"
#include "report/text_table.h"

namespace sfumato::app {
namespace {

bool FitHolds(const eval::ExposureTable& table) {
  return table.fitted && table.fit_distance <= table.fit_limit;
}

std::string RowsText(const train::ExposureReport& report) {
  report::TextTable rows({"canary", "rank", "exposure", "extrapolated"});
  for (std::size_t i = 0; i < report.users.size(); ++i) {
    const eval::CanaryExposure& found = report.table.canaries[i];
    rows.Add({base::Printable(report.users[i].sentence, {.most = 50}),
              base::HumanCount(static_cast<std::uint64_t>(found.rank)),
              fmt::format("{:.2f}", found.exposure),
              report.table.fitted ? fmt::format("~{:.1f}", found.extrapolated)
                                  : "-"});
  }
  return rows.Text();
}

std::string FitText(const eval::ExposureTable& table) {
  if (!table.fitted) {
    return "no extrapolation: all alternatives are equally likely";
  }
  return fmt::format(
      "extrapolated by a skew normal, {} (distance {:.4f}, limit {:.4f})",
      FitHolds(table) ? "which fits what was sampled"
                      : "which does not fit: do not rely on it",
      table.fit_distance, table.fit_limit);
}

std::string ChancesText(const train::ExposureReport& report) {
  std::string text;
  for (const auto& [exposure, at_most] : report.chances) {
    if (at_most >= 1) continue;
    text += fmt::format("{}{:.1f} or more with chance {} at most",
                        text.empty() ? "" : ", ", exposure,
                        report::BoundText(at_most, 2));
  }
  if (text.empty()) {
    return fmt::format(
        "at this ε nothing about exposure: the bound begins at about {:.3g} "
        "bits, a canary has {:.1f}",
        report.epsilon / std::numbers::ln2, report.form_bits);
  }
  return fmt::format("one canary: {}; on average {} at most", text,
                     report::BoundText(report.mean_at_most, 3));
}

std::vector<plan::Fact> ProvenFacts(const train::ExposureReport& report) {
  if (!report.protects) {
    return {{"Proven", "nothing: trained without privacy"}};
  }
  return {{"Proven", fmt::format("ε {} at δ {} ({}, {}; would cost)",
                                 report::BoundText(report.epsilon),
                                 report::SmallText(report.delta), report.unit,
                                 report.adjacency)},
          {"", ChancesText(report)}};
}

std::string Text(const train::ExposureReport& report) {
  const eval::ExposureTable& table = report.table;
  std::vector<plan::Fact> facts = {
      {"Estimate",
       fmt::format("mean exposure {:.2f} bits, largest {:.2f}. {:.2f} is the "
                   "most that can be measured so, {:.2f} the mean by chance. "
                   "Not a bound",
                   table.mean, table.largest, table.most, table.by_chance)},
      {"", FitText(table)}};
  for (plan::Fact& fact : ProvenFacts(report)) facts.push_back(std::move(fact));
  return plan::FactsText(
             {{"Judged",
               fmt::format(
                   "round {}: {} canaries, each {} times in the data of one "
                   "user of '{}', among {} random sentences of the same form",
                   report.round, report.users.size(), report.repeats,
                   report.data,
                   base::HumanCount(
                       static_cast<std::uint64_t>(table.alternatives)))}}) +
         RowsText(report) + plan::FactsText(facts);
}

nlohmann::json CanariesJson(const train::ExposureReport& report) {
  nlohmann::json canaries = nlohmann::json::array();
  for (std::size_t i = 0; i < report.users.size(); ++i) {
    const eval::CanaryExposure& found = report.table.canaries[i];
    canaries.push_back(
        {{"user", report.users[i].user},
         {"sentence", report.users[i].sentence},
         {"log_perplexity_bits", found.log_perplexity},
         {"rank", found.rank},
         {"exposure_bits", found.exposure},
         {"extrapolated_bits", report::Finite(found.extrapolated)}});
  }
  return canaries;
}

nlohmann::json EstimateJson(const train::ExposureReport& report) {
  const eval::ExposureTable& table = report.table;
  nlohmann::json fit = nullptr;
  if (table.fitted) {
    fit = {{"family", "skew_normal"},        {"location", table.fit.location},
           {"scale", table.fit.scale},       {"shape", table.fit.shape},
           {"distance", table.fit_distance}, {"limit", table.fit_limit},
           {"fits", FitHolds(table)}};
  }
  return {{"alternatives", table.alternatives},
          {"mean_bits", table.mean},
          {"largest_bits", table.largest},
          {"most_measurable_bits", table.most},
          {"mean_by_chance_bits", table.by_chance},
          {"fit", fit},
          {"canaries", CanariesJson(report)}};
}

nlohmann::json ProvenJson(const train::ExposureReport& report) {
  if (!report.protects) return nullptr;
  nlohmann::json chances = nlohmann::json::array();
  for (const auto& [exposure, at_most] : report.chances) {
    chances.push_back({{"exposure_bits", exposure}, {"at_most", at_most}});
  }
  return {{"epsilon", report::Finite(report.epsilon)},
          {"delta", report.delta},
          {"unit", report.unit},
          {"adjacency", report.adjacency},
          {"chance_of_exposure", chances},
          {"mean_at_most_bits", report.mean_at_most}};
}

}  // namespace

Answer ExposureAnswer(const std::string& run,
                      const train::ExposureReport& report) {
  Answer answer{.text = Text(report)};
  answer.text.pop_back();
  answer.json = {{"run", run},
                 {"round", report.round},
                 {"data", report.data},
                 {"repeats", report.repeats},
                 {"estimate", EstimateJson(report)},
                 {"proven", ProvenJson(report)}};
  return answer;
}

}  // namespace sfumato::app

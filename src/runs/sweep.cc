#include "runs/sweep.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"
#include "runs/json_record.h"

namespace sfumato::runs {
namespace {

constexpr const char* kSchema = "sfumato.sweep/1";
constexpr double kNormal = 1.96;  // 95 %

bool IsVerdict(const std::string& word) {
  return word == "differs" || word == "same" || word == "cannot_say" ||
         word == kRefused;
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SweepTrial, bug, share, seed,
                                                folder, verdict, why, key,
                                                words, right, explained,
                                                affected, floor, seconds, a, b,
                                                census_verdict, census_words,
                                                census_right)

SharesInterval WilsonInterval(std::int64_t hits, std::int64_t of) {
  if (of <= 0) return {};
  const auto n = static_cast<double>(of);
  const double share = static_cast<double>(hits) / n;
  const double square = kNormal * kNormal;
  const double middle = share + square / (2 * n);
  const double width =
      kNormal * std::sqrt(share * (1 - share) / n + square / (4 * n * n));
  const double whole = 1 + square / n;
  return {.low = hits == 0 ? 0 : std::max(0.0, (middle - width) / whole),
          .high = hits == of ? 1 : std::min(1.0, (middle + width) / whole)};
}

std::vector<SweepRate> RatesOf(const std::vector<SweepTrial>& trials) {
  std::vector<SweepRate> rates;
  std::vector<std::string> bugs = {""};
  for (const SweepTrial& trial : trials) {
    if (std::find(bugs.begin(), bugs.end(), trial.bug) == bugs.end()) {
      bugs.push_back(trial.bug);
    }
  }
  for (const std::string& bug : bugs) {
    const std::size_t first = rates.size();
    for (const SweepTrial& trial : trials) {
      if (trial.bug != bug) continue;
      auto rate = std::find_if(
          rates.begin() + static_cast<std::ptrdiff_t>(first), rates.end(),
          [&](const SweepRate& one) { return one.share == trial.share; });
      if (rate == rates.end()) {
        rates.push_back({.bug = bug, .share = trial.share});
        rate = rates.end() - 1;
      }
      ++rate->of;
      if (trial.verdict == kRefused) ++rate->refused;
      if (trial.noticed()) ++rate->noticed;
      if (!bug.empty() && trial.found()) ++rate->found;
      if (trial.voted()) ++rate->voted;
      if (trial.census_verdict == "differs") ++rate->census_noticed;
      if (!bug.empty() && trial.named()) ++rate->named;
    }
    std::sort(rates.begin() + static_cast<std::ptrdiff_t>(first), rates.end(),
              [](const SweepRate& one, const SweepRate& other) {
                return one.share < other.share;
              });
  }
  return rates;
}

std::vector<PowerRow> PowerOf(const Sweep& sweep) {
  std::vector<PowerRow> power;
  for (const SweepRate& rate : RatesOf(sweep.trials)) {
    power.push_back(
        {.bug = rate.bug,
         .share = rate.share,
         .found = rate.bug.empty() ? rate.noticed : rate.found,
         .of = rate.of,
         .bug_of = sweep.bug_of,
         .named = rate.bug.empty() ? rate.census_noticed : rate.named,
         .voted = rate.voted});
  }
  return power;
}

// The catalogues call a bug and its hypothesis the same; a bug whose hypothesis
// has another name goes here.
std::string HypothesisFor(std::string_view bug) {
  std::string key(bug);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

void Enter(const Contrast& contrast, SweepTrial& trial) {
  trial.verdict = Name(contrast.verdict);
  trial.separation = contrast.separation.value;
  trial.floor = contrast.separation_floor;
  if (!contrast.hypotheses.empty() && contrast.hypotheses[0].supported) {
    const Hypothesis& first = contrast.hypotheses[0];
    trial.key = first.key;
    trial.words = first.words;
    trial.right = !trial.bug.empty() && first.key == HypothesisFor(trial.bug);
    trial.explained = first.explained.value;
    trial.affected = first.affected;
  }
  if (!contrast.steps.empty()) {
    trial.a = contrast.steps.back().a;
    trial.b = contrast.steps.back().b;
  }
}

void Enter(const CensusRecord& census, SweepTrial& trial) {
  if (!census.answer) return;
  trial.census_verdict = census::Name(census.answer->verdict);
  trial.census_words = NamedText(*census.answer);
  const std::vector<std::string> keys = NamedKeys(*census.answer);
  trial.census_right =
      !trial.bug.empty() &&
      std::ranges::find(keys, HypothesisFor(trial.bug)) != keys.end();
}

nlohmann::json ToJson(const Sweep& sweep) {
  nlohmann::json json = {
      {"schema", kSchema},
      {"name", sweep.name},
      {"version", sweep.version},
      {"config_crc32c", sweep.config_crc32c},
      {"bug_of", sweep.bug_of},
      {"noticed_means", "the verdict is that the sides differ"},
      {"found_means",
       "noticed, and the first supported hypothesis is the injected bug"},
      {"trials", sweep.trials},
      {"rates", nlohmann::json::array()}};
  for (std::size_t i = 0; i < sweep.trials.size(); ++i) {
    json["trials"][i]["told_apart"] = sweep.trials[i].separation;
  }
  for (const SweepRate& rate : RatesOf(sweep.trials)) {
    const bool none = rate.bug.empty();
    const std::int64_t hits = none ? rate.noticed : rate.found;
    const SharesInterval interval = WilsonInterval(hits, rate.of);
    nlohmann::json row = {{"share", rate.share},     {"of", rate.of},
                          {"refused", rate.refused}, {"noticed", rate.noticed},
                          {"low", interval.low},     {"high", interval.high}};
    if (rate.voted > 0) {
      row["census"] = {{"of", rate.voted}, {"noticed", rate.census_noticed}};
      if (!none) row["census"]["named"] = rate.named;
    }
    if (none) {
      json["false_alarms"] = row;
    } else {
      row["bug"] = rate.bug;
      row["found"] = rate.found;
      json["rates"].push_back(row);
    }
  }
  return json;
}

Sweep SweepFromJson(const nlohmann::json& whole, const std::string& where) {
  const auto read = [&](const nlohmann::json& json) {
    Sweep sweep;
    json.at("name").get_to(sweep.name);
    json.at("version").get_to(sweep.version);
    json.at("config_crc32c").get_to(sweep.config_crc32c);
    if (json.contains("bug_of")) json.at("bug_of").get_to(sweep.bug_of);
    json.at("trials").get_to(sweep.trials);
    for (std::size_t i = 0; i < sweep.trials.size(); ++i) {
      SweepTrial& trial = sweep.trials[i];
      trial.separation = json.at("trials").at(i).value("told_apart", 0.0);
      if (!(trial.share >= 0 && trial.share <= 1) ||
          !IsVerdict(trial.verdict)) {
        throw Corrupt("a sweep with an inspection that cannot be", where,
                      "the file was changed by hand");
      }
    }
    return sweep;
  };
  return ReadRecord(whole, {"a sweep", kSchema}, where, read);
}

Sweep ReadSweep(const base::Path& path) {
  return SweepFromJson(base::ParseJson(base::ReadFile(path)), path.string());
}

}  // namespace sfumato::runs

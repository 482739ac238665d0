#include "runs/inspection.h"

#include <filesystem>

#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"
#include "runs/contrast.h"
#include "runs/json_record.h"

namespace sfumato::runs {
namespace {

constexpr const char* kSchema = "sfumato.inspection/1";
constexpr const char* kFile = "inspection.json";

Status StatusNamed(const std::string& word, const std::string& where) {
  for (const Status status :
       {Status::kCreated, Status::kRunning, Status::kFinished,
        Status::kInterrupted, Status::kFailed}) {
    if (Name(status) == word) return status;
  }
  throw Corrupt(fmt::format("'{}' is not a status", word), where,
                "the file was changed by hand");
}

template <typename T>
void Put(nlohmann::json& json, const char* key, const std::optional<T>& value) {
  if (value) json[key] = *value;
}

template <typename T>
void Get(const nlohmann::json& json, const char* key, std::optional<T>& value) {
  if (json.contains(key)) value = json.at(key).get<T>();
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Sourced, value, source,
                                                deviation)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SideRecord, words, rule, users,
                                                runs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(HistogramRecord, edges, counts,
                                                source, deviation)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PriceRecord, what, epsilon,
                                                events)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(LedgerEntry, run, population,
                                                released, reserved, finished)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(
    PrivacyRecord, epsilon, delta, unit, adjacency, proof, against,
    guessed_right, seeded, published, pays_once, repeated, parts,
    taken_as_fixed, judge, population, granted_epsilon, used_before, used_after,
    set_aside, left, ledger_head, entries, series_inspections, series_epsilon,
    noise_multiplier, cohort, rounds, character_rounds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PowerRow, bug, share, found, of,
                                                bug_of, named, voted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Earlier, folder, verdict,
                                                hypothesis, explained, rule_b,
                                                users_b, census_verdict,
                                                census_keys, census_words,
                                                census_share)

nlohmann::json ToJson(const PrivacyRecord& privacy) { return privacy; }
PrivacyRecord PrivacyFromJson(const nlohmann::json& json) {
  return json.get<PrivacyRecord>();
}

nlohmann::json ToJson(const InspectionRecord& record) {
  nlohmann::json json = {{"schema", kSchema},
                         {"status", Name(record.status)},
                         {"stage", record.stage},
                         {"version", record.version},
                         {"name", record.name},
                         {"question", record.question},
                         {"simulation", record.simulation},
                         {"data", record.data},
                         {"origin", record.origin},
                         {"criterion", record.criterion},
                         {"model_words", record.model_words},
                         {"model_provenance", record.model_provenance},
                         {"a", record.a},
                         {"b", record.b},
                         {"ledger_name", record.ledger_name},
                         {"config_crc32c", record.config_crc32c},
                         {"data_crc32c", record.data_crc32c},
                         {"judge_crc32c", record.judge_crc32c},
                         {"surveyed", record.surveyed},
                         {"privacy", record.privacy}};
  Put(json, "above", record.above);
  Put(json, "below", record.below);
  Put(json, "histogram", record.histogram);
  Put(json, "unknown_a", record.unknown_a);
  Put(json, "unknown_b", record.unknown_b);
  Put(json, "correction_rate", record.correction_rate);
  if (record.correction_rate) {
    json["correction_level"] = record.correction_level;
  }
  Put(json, "earlier", record.earlier);
  if (!record.power.empty()) json["power"] = record.power;
  if (!record.remarks.empty()) json["remarks"] = record.remarks;
  if (record.simulation) json["simulation_only"] = record.simulation_only;
  return json;
}

Sourced MeanOf(const HistogramRecord& histogram) {
  // Most bars are of nobody, and noise in a far one would move the mean more
  // than all users do: bars that noise alone may have made are left out.
  const auto counts = [&](std::size_t i) {
    return histogram.counts[i] > 3 * histogram.deviation;
  };
  double all = 0;
  double sum = 0;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    if (!counts(i)) continue;
    const double middle = 0.5 * (histogram.edges[i] + histogram.edges[i + 1]);
    all += histogram.counts[i];
    sum += middle * histogram.counts[i];
  }
  if (!(all > 0)) return {.source = histogram.source, .deviation = 1};
  const double low = histogram.edges.front();
  const double high = histogram.edges.back();
  const double mean = std::clamp(sum / all, low, high);
  // d(sum / all) = Σ (middle - mean) d count / all.
  double moved = 0;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    if (!counts(i)) continue;
    const double middle = 0.5 * (histogram.edges[i] + histogram.edges[i + 1]);
    moved = std::hypot(moved, middle - mean);
  }
  return {.value = mean,
          .source = histogram.source,
          .deviation = std::min(high - low, histogram.deviation * moved / all)};
}

InspectionRecord InspectionFromJson(const nlohmann::json& whole,
                                    const std::string& where) {
  const auto read = [&](const nlohmann::json& json) {
    InspectionRecord record;
    record.status = StatusNamed(json.at("status").get<std::string>(), where);
    json.at("stage").get_to(record.stage);
    json.at("version").get_to(record.version);
    json.at("name").get_to(record.name);
    json.at("question").get_to(record.question);
    json.at("simulation").get_to(record.simulation);
    json.at("data").get_to(record.data);
    json.at("origin").get_to(record.origin);
    json.at("criterion").get_to(record.criterion);
    json.at("model_words").get_to(record.model_words);
    json.at("model_provenance").get_to(record.model_provenance);
    json.at("a").get_to(record.a);
    json.at("b").get_to(record.b);
    json.at("ledger_name").get_to(record.ledger_name);
    if (json.contains("config_crc32c")) {  // not in those of older programs
      json.at("config_crc32c").get_to(record.config_crc32c);
    }
    json.at("data_crc32c").get_to(record.data_crc32c);
    json.at("judge_crc32c").get_to(record.judge_crc32c);
    json.at("surveyed").get_to(record.surveyed);
    json.at("privacy").get_to(record.privacy);
    Get(json, "above", record.above);
    Get(json, "below", record.below);
    Get(json, "histogram", record.histogram);
    Get(json, "unknown_a", record.unknown_a);
    Get(json, "unknown_b", record.unknown_b);
    Get(json, "correction_rate", record.correction_rate);
    record.correction_level = json.value("correction_level", 0.0);
    Get(json, "earlier", record.earlier);
    if (json.contains("power")) json.at("power").get_to(record.power);
    if (json.contains("remarks")) json.at("remarks").get_to(record.remarks);
    record.simulation_only = json.value("simulation_only", nlohmann::json());
    return record;
  };
  return ReadRecord(whole, {"an inspection", kSchema}, where, read);
}

std::string CorrectingText(double level) {
  return level > 0 ? fmt::format("correct at least {:g} % of their examples",
                                 100 * level)
                   : std::string("correct often");
}

namespace {

// How often, of how many inspections.
struct Times {
  std::int64_t hits = 0;
  std::int64_t of = 0;
};

// "a bug on 30 % of the users VERB 19 times of 20; on 10 %, 6 of 20; a false
// alarm 1 of 20".
template <typename TimesOf>
std::string PowerSentence(const std::vector<PowerRow>& power, const char* verb,
                          const TimesOf& times_of) {
  std::string words;
  std::string alarms;
  std::string bug;
  for (auto row = power.rbegin(); row != power.rend(); ++row) {
    const Times times = times_of(*row);
    if (times.of <= 0) continue;
    if (!(row->share > 0)) {
      alarms = fmt::format("a false alarm {} of {}", times.hits, times.of);
      continue;
    }
    const std::string share = fmt::format("{:g} %", 100 * row->share);
    words +=
        words.empty() || bug != row->bug
            ? fmt::format("{}{} on {} of the {} {} {} times of {}",
                          words.empty() ? "" : "; ",
                          row->bug.empty() ? "a bug" : row->bug, share,
                          row->bug_of, verb, times.hits, times.of)
            : fmt::format("; on {}, {} of {}", share, times.hits, times.of);
    bug = row->bug;
  }
  if (words.empty() || alarms.empty()) return words + alarms;
  return words + "; " + alarms;
}

}  // namespace

std::string PowerText(const std::vector<PowerRow>& power) {
  const std::string found = PowerSentence(
      power, "is found",
      [](const PowerRow& row) { return Times{row.found, row.of}; });
  const std::string named = PowerSentence(
      power, "is named",
      [](const PowerRow& row) { return Times{row.named, row.voted}; });
  return named.empty() ? found : found + "; by the census alone, " + named;
}

bool IsInspection(const base::Path& folder) {
  return std::filesystem::exists(folder / kFile);
}

InspectionRecord ReadInspection(const base::Path& folder) {
  const base::Path path = folder / kFile;
  if (!IsInspection(folder)) {
    throw BadInput("no inspection", folder.string(),
                   "give the folder that sfumato inspect made");
  }
  return InspectionFromJson(base::ParseJson(base::ReadFile(path)),
                            path.string());
}

std::string VerifiedAs(const Earlier& earlier, const Contrast& contrast) {
  return !earlier.found()                        ? "nothing_before"
         : contrast.verdict == Verdict::kDiffers ? "still_there"
         : contrast.verdict == Verdict::kSame    ? "gone"
                                                 : "cannot_say";
}

std::string VerifiedText(const Earlier& earlier, const Contrast& contrast) {
  const std::string as = VerifiedAs(earlier, contrast);
  if (as == "nothing_before") {
    return "Nothing was found there, so there is nothing to verify.";
  }
  if (as == "still_there") return "What was seen there still differs.";
  if (as == "cannot_say") {
    return "Whether what was seen there is gone cannot be judged.";
  }
  return contrast.compared ? "What was seen there is gone."
                           : "What was seen there is gone, with its users.";
}

void WriteInspection(const base::Path& folder, const InspectionRecord& record) {
  base::WriteFileAtomically(folder / kFile, ToJson(record).dump(2) + "\n");
}

}  // namespace sfumato::runs

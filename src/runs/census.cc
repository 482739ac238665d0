#include "runs/census.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/json.h"
#include "census/answer/named_in.h"
#include "fmt/format.h"
#include "runs/json_record.h"

namespace sfumato::census {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LeastSeen, key, words, share)
}  // namespace sfumato::census

namespace sfumato::runs {
namespace {

constexpr const char* kSchema = "sfumato.census/1";
constexpr const char* kFile = "census.json";

bool Fit(const CensusRecord& record) {
  if (record.status == Status::kFinished && !record.answer) return false;
  const std::size_t groups = record.groups.size();
  if (groups != (record.design == census::Design::kEverybody ? 1 : 2)) {
    return record.groups.empty() && record.counts.empty() && !record.answer;
  }
  for (const std::vector<double>& counts : record.counts) {
    if (counts.size() != record.calibration.cells.size()) return false;
  }
  if (!record.counts.empty() && record.counts.size() != groups) return false;
  if (!record.asked.empty() && record.asked.size() != groups) return false;
  return !record.answer ||
         (record.answer->design == record.design &&
          record.answer->answers.size() == record.calibration.cells.size());
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ReferenceRecord, words,
                                                provenance, epsilon, delta,
                                                crc32c, alike, population)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CensusGroup, words, rule)

nlohmann::json ToJson(const CensusRecord& record) {
  nlohmann::json json = {{"schema", kSchema},
                         {"status", Name(record.status)},
                         {"stage", record.stage},
                         {"version", record.version},
                         {"name", record.name},
                         {"question", record.question},
                         {"simulation", record.simulation},
                         {"part", record.part},
                         {"data", record.data},
                         {"origin", record.origin},
                         {"reference", record.reference},
                         {"groups", record.groups},
                         {"case", Name(record.design)},
                         {"level", record.level},
                         {"ledger_name", record.ledger_name},
                         {"config_crc32c", record.config_crc32c},
                         {"data_crc32c", record.data_crc32c},
                         {"voter_crc32c", record.voter_crc32c},
                         {"judge_crc32c", record.judge_crc32c},
                         {"privacy", ToJson(record.privacy)},
                         {"noise", ToJson(record.noise)},
                         {"calibration", ToJson(record.calibration)},
                         {"power", record.power},
                         {"counts", record.counts},
                         {"asked", record.asked},
                         {"remarks", record.remarks}};
  const auto keep = [&](const char* key, const std::optional<Sourced>& given) {
    if (given) json[key] = {{"value", given->value}, {"source", given->source}};
  };
  keep("above", record.above);
  keep("below", record.below);
  if (record.answer) json["answer"] = ToJson(*record.answer);
  if (record.simulation) json["simulation_only"] = record.simulation_only;
  return json;
}

CensusRecord CensusFromJson(const nlohmann::json& whole,
                            const std::string& where) {
  const auto read = [&](const nlohmann::json& json) {
    CensusRecord record;
    record.status =
        census::NamedIn({Status::kCreated, Status::kRunning, Status::kFinished,
                         Status::kInterrupted, Status::kFailed},
                        json.at("status").get<std::string>(), where);
    json.at("stage").get_to(record.stage);
    json.at("version").get_to(record.version);
    json.at("name").get_to(record.name);
    json.at("question").get_to(record.question);
    json.at("simulation").get_to(record.simulation);
    record.part = json.value("part", false);
    json.at("data").get_to(record.data);
    json.at("origin").get_to(record.origin);
    json.at("reference").get_to(record.reference);
    json.at("groups").get_to(record.groups);
    const auto threshold = [&](const char* key) -> std::optional<Sourced> {
      if (!json.contains(key)) return std::nullopt;
      return Sourced{.value = json.at(key).at("value").get<double>(),
                     .source = json.at(key).at("source").get<std::string>()};
    };
    record.above = threshold("above");
    record.below = threshold("below");
    record.design =
        census::NamedIn({census::Design::kEverybody, census::Design::kTwoGroups,
                         census::Design::kOwnAccuracy},
                        json.at("case").get<std::string>(), where);
    json.at("level").get_to(record.level);
    json.at("ledger_name").get_to(record.ledger_name);
    json.at("config_crc32c").get_to(record.config_crc32c);
    json.at("data_crc32c").get_to(record.data_crc32c);
    json.at("voter_crc32c").get_to(record.voter_crc32c);
    json.at("judge_crc32c").get_to(record.judge_crc32c);
    record.privacy = PrivacyFromJson(json.at("privacy"));
    record.noise = census::NoiseLawFromJson(json.at("noise"), where);
    record.calibration =
        census::CalibrationFromJson(json.at("calibration"), where);
    json.at("power").get_to(record.power);
    json.at("counts").get_to(record.counts);
    json.at("asked").get_to(record.asked);
    json.at("remarks").get_to(record.remarks);
    if (json.contains("answer")) {
      record.answer = census::CensusAnswerFromJson(json.at("answer"), where);
    }
    record.simulation_only = json.value("simulation_only", nlohmann::json());
    if (!Fit(record)) {
      throw Corrupt(
          "a census whose counts or answer are missing, or of other groups",
          where, "the file was changed by hand");
    }
    return record;
  };
  return ReadRecord(whole, {"a census", kSchema}, where, read);
}

bool IsCensus(const base::Path& folder) {
  return std::filesystem::exists(folder / kFile);
}

CensusRecord ReadCensus(const base::Path& folder) {
  const base::Path path = folder / kFile;
  if (!IsCensus(folder)) {
    throw BadInput("no census", folder.string(),
                   "give the folder that sfumato census made");
  }
  return CensusFromJson(base::ParseJson(base::ReadFile(path)), path.string());
}

std::string SumOfVoter(const base::Path& folder,
                       const ReferenceRecord& reference) {
  std::uint32_t sum = base::Crc32c(nlohmann::json(reference).dump());
  sum = base::Crc32c(base::ReadFile(folder / "voter.json"), sum);
  // A vote for classes has learned nothing.
  const base::Path learned = folder / "voter.safetensors";
  if (std::filesystem::exists(learned)) {
    sum = base::Crc32c(base::ReadFile(learned), sum);
  }
  return fmt::format("{:08x}", sum);
}

void WriteCensus(const base::Path& folder, const CensusRecord& record) {
  base::WriteFileAtomically(folder / kFile, ToJson(record).dump(2) + "\n");
}

namespace {

// The families that a cell stands for: "rotate=30°" is "rotate", and
// "blur_or_noise" is both. A class is itself.
std::vector<std::string> KeysOf(std::string_view cell, census::About about) {
  constexpr std::string_view kOr = "_or_";
  if (about == census::About::kClasses) return {std::string(cell)};
  cell = cell.substr(0, cell.find('='));
  std::vector<std::string> keys;
  while (!cell.empty()) {
    const std::size_t end = std::min(cell.find(kOr), cell.size());
    keys.emplace_back(cell.substr(0, end));
    cell.remove_prefix(std::min(end + kOr.size(), cell.size()));
  }
  return keys;
}

// Whether as many users as the earlier census found would be seen now.
bool IsSeenAs(const std::string& key, const Earlier& earlier,
              const census::CensusAnswer& answer) {
  return std::ranges::any_of(
      answer.answers, [&](const census::CellAnswer& one) {
        const std::vector<std::string> keys = KeysOf(one.key, answer.about);
        return std::ranges::find(keys, key) != keys.end() &&
               one.seen_from <= earlier.census_share;
      });
}

}  // namespace

std::string CensusVerifiedAs(const Earlier& earlier,
                             const census::CensusAnswer& answer) {
  if (earlier.census_keys.empty()) return "nothing_before";
  const std::vector<std::string> now = NamedKeys(answer);
  if (std::ranges::find_first_of(now, earlier.census_keys) != now.end()) {
    return "still_there";
  }
  const bool seen = std::ranges::all_of(
      earlier.census_keys,
      [&](const std::string& key) { return IsSeenAs(key, earlier, answer); });
  return answer.verdict == census::CensusVerdict::kCannotSay || !seen
             ? "cannot_say"
             : "gone";
}

std::string CensusVerifiedText(const Earlier& earlier,
                               const census::CensusAnswer& answer) {
  const std::string as = CensusVerifiedAs(earlier, answer);
  const std::string now = NamedText(answer);
  if (as == "nothing_before") {
    return now.empty()
               ? "The census named nothing there, and names nothing "
                 "now."
               : "The census named nothing there, and now names: " + now + ".";
  }
  const std::string before =
      "What the census named there (" + earlier.census_words + ")";
  if (as == "still_there") return before + " is named again: " + now + ".";
  if (as == "cannot_say") return before + " cannot be judged now.";
  return before + " is not seen any more" +
         (now.empty() ? "." : "; now it names: " + now + ".");
}

std::string NamedText(const census::CensusAnswer& answer) {
  std::string text;
  for (const census::CellAnswer& one : Ranked(answer)) {
    if (one.supported) text += (text.empty() ? "" : ", ") + one.words;
  }
  return text;
}

std::vector<std::string> NamedKeys(const census::CensusAnswer& answer) {
  std::vector<std::string> keys;
  for (const census::CellAnswer& one : Ranked(answer)) {
    if (!one.supported) continue;
    for (std::string& key : KeysOf(one.key, answer.about)) {
      if (std::ranges::find(keys, key) == keys.end()) {
        keys.push_back(std::move(key));
      }
    }
  }
  return keys;
}

std::vector<census::CellAnswer> Ranked(const census::CensusAnswer& answer) {
  std::vector<census::CellAnswer> ranked = answer.answers;
  std::ranges::stable_sort(ranked, [](const census::CellAnswer& one,
                                      const census::CellAnswer& other) {
    if (one.supported != other.supported) return one.supported;
    return std::abs(one.share) > std::abs(other.share);
  });
  return ranked;
}

nlohmann::json AnswerJson(const CensusRecord& record) {
  const census::CensusAnswer& answer = *record.answer;
  nlohmann::json json = {{"verdict", Name(answer.verdict)},
                         {"sentence", answer.sentence},
                         {"next", answer.next},
                         {"case", Name(answer.design)},
                         {"level", answer.level},
                         {"users", answer.users},
                         {"answers", nlohmann::json::array()},
                         {"epsilon", record.privacy.epsilon},
                         {"delta", record.privacy.delta},
                         {"simulation", record.simulation},
                         {"reference", record.reference},
                         {"remarks", answer.remarks}};
  for (const census::CellAnswer& one : Ranked(answer)) {
    nlohmann::json row = {{"key", one.key},
                          {"words", one.words},
                          {"share", one.share},
                          {"low", one.low},
                          {"high", one.high},
                          {"supported", one.supported},
                          {"seen_from", one.seen_from}};
    row["counts"] = one.counts;
    if (one.counts.size() == 1) {
      row["count"] = one.counts[0];
    } else {
      row["share_a"] = one.share_a;
      row["share_b"] = one.share_b;
    }
    json["answers"].push_back(std::move(row));
  }
  return json;
}

}  // namespace sfumato::runs

#include "runs/monitor.h"

#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"
#include "runs/json_record.h"

namespace sfumato::runs {
namespace {

constexpr const char* kSchema = "sfumato.monitor/1";

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MonitorRow, folder, verdict,
                                                why, words, explained, floor,
                                                users_b, correction_rate,
                                                correction_deviation, unknown_a,
                                                unknown_b, census_verdict,
                                                census_words)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(
    Monitor, name, ledger_name, version, config_crc32c, simulation, planned,
    every, epsilon, delta, noise_multiplier, correction_level, population,
    against, repeated, stopped, rows)

MonitorRow RowOf(const std::string& folder, const InspectionRecord& record,
                 const Contrast& contrast) {
  MonitorRow row{.folder = folder,
                 .verdict = std::string(Name(contrast.verdict)),
                 .separation = contrast.separation,
                 .floor = contrast.separation_floor,
                 .users_b = record.b.users.value};
  if (!contrast.hypotheses.empty() && contrast.hypotheses[0].supported) {
    row.words = contrast.hypotheses[0].words;
    row.explained = contrast.hypotheses[0].explained.value;
  }
  if (!contrast.compared) {  // nothing to distinguish: a coin
    row.words = "nobody is left to compare";
    row.separation = {.value = 0.5, .low = 0.5, .high = 0.5};
    row.floor = 0.5;
  }
  if (record.correction_rate) {
    row.correction_rate = record.correction_rate->value;
    row.correction_deviation = record.correction_rate->deviation;
  }
  if (record.unknown_a) row.unknown_a = MeanOf(*record.unknown_a).value;
  if (record.unknown_b) row.unknown_b = MeanOf(*record.unknown_b).value;
  return row;
}

void Enter(const CensusRecord& census, MonitorRow& row) {
  if (!census.answer) return;
  row.census_verdict = census::Name(census.answer->verdict);
  row.census_words = NamedText(*census.answer);
}

std::string CensusText(const MonitorRow& row) {
  return row.census_words.empty()
             ? row.census_verdict
             : fmt::format("{} ({})", row.census_verdict, row.census_words);
}

std::string UnknownShareText(const MonitorRow& row) {
  if (row.unknown_a < 0 || row.unknown_b < 0) return "";
  return fmt::format("{:.1f} → {:.1f} %", 100 * row.unknown_a,
                     100 * row.unknown_b);
}

nlohmann::json ToJson(const Monitor& monitor) {
  nlohmann::json json = monitor;
  json["schema"] = kSchema;
  for (std::size_t i = 0; i < monitor.rows.size(); ++i) {
    const Estimate& separation = monitor.rows[i].separation;
    json["rows"][i].update({{"told_apart", separation.value},
                            {"told_apart_low", separation.low},
                            {"told_apart_high", separation.high}});
  }
  return json;
}

Monitor MonitorFromJson(const nlohmann::json& json, const std::string& where) {
  const auto read = [](const nlohmann::json& record) {
    auto monitor = record.get<Monitor>();
    for (std::size_t i = 0; i < monitor.rows.size(); ++i) {
      const nlohmann::json& row = record.at("rows").at(i);
      monitor.rows[i].separation = {.value = row.value("told_apart", 0.0),
                                    .low = row.value("told_apart_low", 0.0),
                                    .high = row.value("told_apart_high", 0.0)};
    }
    return monitor;
  };
  return ReadRecord(json, {"a monitor's record", kSchema}, where, read);
}

Monitor ReadMonitor(const base::Path& path) {
  return MonitorFromJson(base::ParseJson(base::ReadFile(path)), path.string());
}

}  // namespace sfumato::runs

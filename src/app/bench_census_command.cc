// `sfumato bench census`: how often the answers of a census are right.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/options.h"
#include "app/torch_part.h"
#include "base/progress.h"
#include "bench/bench_census.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

using bench::CensusFigure;
using bench::CensusTally;

constexpr const char* kHead =
    "| question | damage | censuses | differs | cannot say | named | share "
    "inside | wrong name | none of these | people right (references) | "
    "people mark | ask |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|";

std::string ShareText(std::int64_t count, const CensusTally& tally) {
  if (count == 0) return "0";
  return fmt::format(
      "{} ({:.1f} %)", count,
      100 * static_cast<double>(count) / static_cast<double>(tally.censuses));
}

std::map<std::string, int> CountsOf(const std::vector<std::string>& names) {
  std::map<std::string, int> counts;
  for (const std::string& name : names) ++counts[name];
  return counts;
}

// "none_of_these 62, scale 31": what at least 3 % mark.
std::string MarkedText(const CensusFigure& figure) {
  std::vector<std::pair<double, std::string>> most;
  for (const auto& [key, share] : figure.marked) {
    if (share >= 3) most.emplace_back(-share, key);
  }
  std::ranges::sort(most);
  std::string text;
  for (const auto& [share, key] : most) {
    text += fmt::format("{}{} {:.0f}", text.empty() ? "" : ", ", key, -share);
  }
  return text;
}

std::string RowText(const CensusFigure& figure) {
  if (!figure.note.empty()) return figure.note;
  if (figure.is_time) {
    return fmt::format("{}: {:.1f} s{}", figure.question, figure.seconds,
                       figure.ask.empty() ? "" : " · ask: " + figure.ask);
  }
  const CensusTally& tally = figure.tally;
  std::string named = ShareText(tally.named, tally);
  if (tally.partly > tally.named) {
    named += fmt::format(", one of two {}",
                         ShareText(tally.partly - tally.named, tally));
  }
  std::string wrong = ShareText(tally.wrong, tally);
  for (const auto& [key, count] : CountsOf(tally.wrong_names)) {
    wrong += fmt::format(" {} {}×", key, count);
  }
  const std::string right =
      figure.people_right < 0
          ? ""
          : fmt::format("{:.0f} % ({:.0f})", 100 * figure.people_right,
                        100 * figure.references_right);
  return fmt::format(
      "| {}{} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {}{} |",
      figure.question, figure.resampled ? " (drawn again)" : "",
      figure.damage.empty() ? "all" : figure.damage, tally.censuses,
      ShareText(tally.differs, tally), ShareText(tally.cannot_say, tally),
      named, ShareText(tally.covered, tally), wrong,
      ShareText(tally.none, tally), right, MarkedText(figure),
      figure.met ? "" : "**missed**: ", figure.ask);
}

nlohmann::json ToJson(const CensusFigure& figure) {
  if (!figure.note.empty()) return {{"note", figure.note}};
  nlohmann::json json = {
      {"question", figure.question}, {"ask", figure.ask}, {"met", figure.met}};
  if (figure.is_time) {
    json["seconds"] = figure.seconds;
    return json;
  }
  const CensusTally& tally = figure.tally;
  if (figure.people_right >= 0) {
    json["people_right"] = figure.people_right;
    json["references_right"] = figure.references_right;
  }
  json.update({{"damage", figure.damage},
               {"resampled", figure.resampled},
               {"marked", figure.marked},
               {"censuses", tally.censuses},
               {"differs", tally.differs},
               {"cannot_say", tally.cannot_say},
               {"named", tally.named},
               {"named_partly", tally.partly},
               {"covered", tally.covered},
               {"none_of_these", tally.none},
               {"none_or_cannot_say", tally.open},
               {"wrong", tally.wrong},
               {"wrong_names", CountsOf(tally.wrong_names)}});
  return json;
}

Answer Measure(const bench::CensusBench& job) {
  Answer answer;
  answer.json["figures"] = nlohmann::json::array();
  std::string notes;
  std::string table = kHead;
  const std::function<void(const CensusFigure&)> report =
      [&](const CensusFigure& figure) {
        const std::string text = RowText(figure);
        base::Note(text);  // visible if it is stopped
        // Of single damages the text shows those that fall short.
        const bool row = figure.note.empty() && !figure.is_time;
        if (!row) notes += text + "\n";
        if (row && (figure.damage.empty() || !figure.met)) table += "\n" + text;
        answer.json["figures"].push_back(ToJson(figure));
      };
  TorchFunction<decltype(bench::SfumatoBenchCensus)>("SfumatoBenchCensus")(
      &job, &report);
  answer.text = notes + "\n" + table;
  return answer;
}

const Registration kCensus(
    {.path = "bench census",
     .summary = "Measure how often the answers of a census are right: with "
                "damages that are known, on people who may be shown.",
     .example = "sfumato bench census --figure healthy --seeds 1 --effort 0.05",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto job = std::make_shared<bench::CensusBench>();
       app.add_option("--people", job->people,
                      "Who is asked: a dataset, or generated handwriting or "
                      "forum.");
       app.add_option("--reference", job->reference,
                      "What voters learn from: the same (default: other "
                      "generated people; of a dataset, half of its users).");
       AddChoice(app, "--figure", job->figure,
                 {{"all", "all"},
                  {"healthy", "healthy"},
                  {"catalogue", "catalogue"},
                  {"outside", "outside"},
                  {"pairs", "pairs"},
                  {"speed", "speed"}},
                 "What to measure.");
       AddChoice(app, "--design", job->design,
                 {{"everybody", "everybody"},
                  {"two_groups", "two_groups"},
                  {"change", "change"}},
                 "Who has damages: some of all; of the second of two groups; "
                 "or in the examples of now, beside those of before.");
       app.add_flag("--foreign", job->foreign,
                    "References are of another kind than the people.");
       app.add_option("--epsilon", job->epsilon, "Of one census.")
           ->check(CLI::Range(0.001, 100.0));
       app.add_option("--seeds", job->seeds,
                      "Voters, each learned with a seed of its own.")
           ->check(CLI::Range(1, 100));
       app.add_option("--effort", job->effort,
                      "How long a voter learns, as census.effort.")
           ->check(CLI::Range(0.01, 100.0));
       app.add_option("--threads", job->device.threads,
                      "Devices at a time (0: all cores).")
           ->check(CLI::Range(0, 4096));
       app.add_flag("--quick", job->quick, "Fewer censuses for each damage.");
       return [job, &common] {
         job->seed = common.seed;
         return Measure(*job);
       };
     }});

}  // namespace
}  // namespace sfumato::app

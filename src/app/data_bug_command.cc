// `sfumato data bug`: part of the users pass through a broken pipeline.

#include <algorithm>
#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "base/ascii.h"
#include "base/progress.h"
#include "data/transform/bugs.h"

namespace sfumato::app {
namespace {

struct BugGiven {
  std::string folder;
  std::string out;
  std::vector<std::string> settings;
  data::BugOptions options;
};

// "degrees=90" → {"degrees", 90}.
void ReadSetting(const std::string& setting, data::BugValues& values) {
  const auto equals = std::min(setting.find('='), setting.size());
  const auto value = base::ParseNumber<double>(
      std::string_view(setting).substr(std::min(equals + 1, setting.size())));
  if (!value) {
    throw BadInput(fmt::format("'{}' is not a setting", setting), "--set",
                   "NAME=NUMBER, such as degrees=90");
  }
  values[setting.substr(0, equals)] = *value;
}

std::string BugHelp() {
  std::string help = "Which bug:";
  for (const data::BugInfo& bug : data::BugCatalogue()) {
    help += fmt::format("\n  {:<16}{}", bug.name, bug.description);
    for (const data::BugParameter& parameter : bug.parameters) {
      help += fmt::format("\n  {:<18}{}={} ({} to {}): {}", "", parameter.name,
                          parameter.value, parameter.low, parameter.high,
                          parameter.meaning);
    }
  }
  return help;
}

Answer Bug(BugGiven& given, const Common& common) {
  for (const std::string& setting : given.settings) {
    ReadSetting(setting, given.options.parameters);
  }
  given.options.seed = common.seed;
  const data::FederatedDataset set(given.folder);
  set.CheckSums();  // new sums over damage would hide it
  const data::BugSummary made = data::ApplyBug(set, given.options, given.out);
  if (made.examples_affected > 0 && made.examples_changed == 0) {
    base::Warning("not one example looks different for this bug");
  }
  return {
      .text = fmt::format(
          "{}: '{}' on {} of {}, {} of {} ({} look different)\n  the truth is "
          "in column {}",
          given.out, given.options.bug, base::HumanCount(made.users_affected),
          base::HumanCount(set.users(), "user"),
          base::HumanCount(made.examples_affected),
          base::HumanCount(set.examples(), "example"),
          base::HumanCount(made.examples_changed), made.column),
      .json = {{"out", given.out},
               {"bug", given.options.bug},
               {"column", made.column},
               {"users_affected", made.users_affected},
               {"examples_affected", made.examples_affected},
               {"examples_changed", made.examples_changed}}};
}

const Registration kBug(
    {.path = "data bug",
     .summary = "Send a share of the users (or examples) through a broken "
                "pipeline; the truth is kept in a column, for scoring.",
     .example = "sfumato data make handwriting --users 20 --out people\n"
                "sfumato data bug people --bug invert --share 0.5 --out "
                "people_inverted",
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<BugGiven>();
       app.add_option("DIR", given->folder, "The dataset's folder.")
           ->required();
       app.add_option("--out", given->out, "The folder to make.")->required();
       app.add_option("--bug", given->options.bug, BugHelp())->required();
       app.add_option("--share", given->options.share,
                      "The probability with which each is affected.")
           ->capture_default_str();
       AddChoice(app, "--of", given->options.of,
                 {{"users", data::BugScope::kUsers},
                  {"examples", data::BugScope::kExamples}},
                 "Whether whole users or single examples are affected.");
       app.add_flag("--exact", given->options.exact,
                    "Affect exactly that share, rounded.");
       app.add_option("--set", given->settings,
                      "A parameter of the bug, as NAME=NUMBER.");
       return [given, &common] { return Bug(*given, common); };
     }});

}  // namespace
}  // namespace sfumato::app

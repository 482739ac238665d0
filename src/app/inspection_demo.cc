#include "app/inspection_demo.h"

#include <memory>

#include "app/inspection_answer.h"
#include "app/version.h"
#include "base/progress.h"
#include "config/train_config.h"
#include "fmt/format.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

// What the two halves of a demo would cost, and that the second is too much.
std::string CostsLine(const nlohmann::json& answer) {
  if (answer.at("census").is_null()) return "";
  return fmt::format(
      "\nThe census by itself would cost ε {} (sfumato census). The models, of "
      "so few\npeople, bring it to ε {}: with real ones that protects nobody, "
      "and takes many\nmore of them.",
      report::BoundText(answer.at("census").at("epsilon").get<double>(), 3),
      report::BoundText(answer.at("epsilon").get<double>(), 3));
}

Answer Demo(const DemoParts& parts, const base::Path& folder,
            const Common& common) {
  base::Note(parts.story);
  inspect::InspectJob job{
      .folder = folder,
      .config = config::ParseTrainConfig(parts.config, "the demo's config"),
      .version = kVersion};
  if (common.seed_given) {
    job.config.seed = static_cast<std::int64_t>(common.seed);
  }
  Answer answer = InspectInto(folder, job, /*fail_on=*/"");
  answer.text = parts.show(folder, runs::ReadContrast(folder)) + answer.text +
                CostsLine(answer.json);
  return answer;
}

}  // namespace

Command InspectionDemo(const DemoParts& parts) {
  return {.path = parts.path,
          .summary = parts.summary,
          .example = parts.example,
          .needs_torch = true,
          .define = [parts](CLI::App& app, const Common& common) -> Action {
            auto out = std::make_shared<std::string>(parts.folder);
            CLI::Option* option = app.add_option(
                "--out", *out,
                fmt::format("The folder to make (default: {0}, or {0}-2, … "
                            "when that is taken).",
                            parts.folder));
            return [parts, out, option, &common] {
              const base::Path folder =
                  option->count() > 0 ? base::Path(*out) : base::FreeName(*out);
              return Demo(parts, folder, common);
            };
          }};
}

}  // namespace sfumato::app

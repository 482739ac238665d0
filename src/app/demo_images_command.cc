// `sfumato demo images`: an update broke something on half of the phones; what,
// nobody may look. In a few minutes on two cores.

#include <memory>
#include <string>

#include "app/command.h"
#include "app/inspection_answer.h"
#include "app/version.h"
#include "base/file.h"
#include "base/image.h"
#include "base/json.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "report/terminal_picture.h"
#include "runs/train_config.h"

namespace sfumato::app {
namespace {

constexpr const char* kConfig = R"(
name = "demo"
preset = "gan_quick"
[data]
generate = "handwriting"
users = 400
examples = 60
bug = "invert"
bug_share = 0.5
[primary]
users = 200
[select]
by = "accuracy"
above = 0.8
below = 0.6
[survey]
count_noise = 4
histogram_noise = 4
correction_noise = 4
correction_level = 0.4
[inspect]
question = "Since last night's update far more people correct many of their characters. What is wrong with their images?"
samples = 500
)";

constexpr const char* kStory =
    "An app reads handwriting on people's phones. Since last night's update "
    "far\n"
    "more people correct many of their characters, and nobody may look at "
    "what\n"
    "they wrote.\n"
    "So: ask every phone how well it does, train generators on the phones that "
    "do\n"
    "well (A) and on those that do badly (B), under a privacy mechanism, and "
    "look\n"
    "at what the generators draw. (400 generated writers, so that you may "
    "check.)";

// The last grids, side by side.
void ShowGrids(const base::Path& folder, const runs::Contrast& contrast) {
  if (contrast.steps.empty()) return;
  const auto read = [&](const std::string& name) {
    return base::DecodePng(base::ReadFile(folder / name), name);
  };
  const runs::GridStep& last = contrast.steps.back();
  const base::Image grids[] = {read(last.a), read(last.b)};
  base::Note(
      "What the models draw: A, where all is well  |  B, where it is not");
  report::ShowPicture(
      base::ImageGrid(grids, {.columns = 2, .scale = 1, .gap = 6}));
}

Answer Demo(const std::string& out, bool given, const Common& common) {
  const base::Path folder = given ? base::Path(out) : base::FreeName(out);
  base::Note(kStory);
  InspectJob job{.folder = folder,
                 .config = runs::ParseTrainConfig(kConfig, "the demo's config"),
                 .version = kVersion};
  if (common.seed_given) {
    job.config.seed = static_cast<std::int64_t>(common.seed);
  }
  Answer answer = InspectInto(folder, job, /*fail_on=*/"");
  const base::Path finding = folder / "contrast.json";
  ShowGrids(folder,
            runs::ContrastFromJson(base::ParseJson(base::ReadFile(finding)),
                                   finding.string()));
  return answer;
}

const Registration kDemo(
    {.path = "demo images",
     .summary = "Find what an update broke in images that nobody may see: a "
                "whole inspection on generated people, in a few minutes.",
     .example = "sfumato demo images --out first_look",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto out = std::make_shared<std::string>("demo");
       CLI::Option* option =
           app.add_option("--out", *out,
                          "The folder to make (default: demo, or demo-2, … "
                          "when that is taken).");
       return [out, option, &common] {
         return Demo(*out, option->count() > 0, common);
       };
     }});

}  // namespace
}  // namespace sfumato::app

// `sfumato demo images`: an update broke something on half of the phones; what,
// nobody may look. In a few minutes on two cores.

#include <string>

#include "app/command.h"
#include "app/inspection_demo.h"
#include "base/file.h"
#include "base/image.h"
#include "base/progress.h"
#include "report/terminal_picture.h"

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
[census]
reference = "handwriting"
effort = 0.25
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
    "So first a census: every phone compares its own images with other "
    "writers' and\n"
    "casts one vote on what was done to them, for an ε below 1. Nobody tells "
    "it what\n"
    "is wrong. Then the pictures: generators are trained on the phones that do "
    "well\n"
    "(A) and on those that do badly (B), and draw. They show what no list of "
    "answers\n"
    "has, and on so few people their ε protects nobody. (400 generated "
    "writers, so\n"
    "that you may check.)";

// The last grids, side by side.
std::string ShowGrids(const base::Path& folder,
                      const runs::Contrast& contrast) {
  if (contrast.steps.empty()) return "";
  const auto read = [&](const std::string& name) {
    return base::DecodePng(base::ReadFile(folder / name), name);
  };
  const runs::GridStep& last = contrast.steps.back();
  const base::Image grids[] = {read(last.a), read(last.b)};
  base::Note(
      "What the models draw: A, the healthy side  |  B, the side in question");
  report::ShowPicture(
      base::ImageGrid(grids, {.columns = 2, .scale = 1, .gap = 6}));
  return "";
}

const Registration kDemo(InspectionDemo(
    {.path = "demo images",
     .summary = "Find what an update broke in images that nobody may see: a "
                "whole inspection on generated people, in a few minutes.",
     .example = "sfumato demo images --out first_look",
     .folder = "demo",
     .story = kStory,
     .config = kConfig,
     .show = ShowGrids}));

}  // namespace
}  // namespace sfumato::app

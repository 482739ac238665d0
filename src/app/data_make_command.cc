// `sfumato data make`: datasets of generated people.

#include <memory>

#include "app/command.h"
#include "base/progress.h"
#include "data/generate/forum.h"
#include "data/generate/handwriting.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr std::uint64_t kMaxUsers = 10'000'000;

struct MakeOptions {
  std::uint64_t users = 100;
  double mean = 0;
  std::string out;
  std::string name;
};

void AddOptions(CLI::App& app, MakeOptions& options, const char* mean_option,
                const char* mean_help) {
  app.add_option("--out", options.out, "The folder to make.")->required();
  app.add_option("--users", options.users, "How many people.")
      ->check(CLI::Range(std::uint64_t{1}, kMaxUsers))
      ->capture_default_str();
  app.add_option(mean_option, options.mean, mean_help)
      ->check(CLI::Range(1.0, 100'000.0))
      ->capture_default_str();
  app.add_option("--name", options.name,
                 "The set's name (default: the "
                 "folder's).");
}

Answer Made(const data::DatasetSummary& made, const MakeOptions& options,
            const char* example) {
  return {.text = fmt::format("{}: {}, {}", options.out,
                              base::HumanCount(made.users, "user"),
                              base::HumanCount(made.examples, example)),
          .json = {{"out", options.out},
                   {"users", made.users},
                   {"examples", made.examples}}};
}

const Registration kHandwriting(
    {.path = "data make handwriting",
     .summary = "Characters written by people who do not exist: 62 classes, "
                "28×28 grey, every writer with a hand of their own.",
     .example = "sfumato data make handwriting --users 100 --seed 7 --out "
                "people",
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto options = std::make_shared<MakeOptions>();
       options->mean = 200;
       AddOptions(app, *options, "--mean-examples", "Mean images per writer.");
       return [options, &common] {
         return Made(data::MakeHandwriting({.users = options->users,
                                            .seed = common.seed,
                                            .mean_examples = options->mean},
                                           options->out, options->name),
                     *options, "image");
       };
     }});

const Registration kForum(
    {.path = "data make forum",
     .summary = "Sentences of people who do not exist, on a technical question "
                "site, each with topics and habits of their own.",
     .example = "sfumato data make forum --users 100 --seed 7 --out people",
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto options = std::make_shared<MakeOptions>();
       options->mean = 150;
       AddOptions(app, *options, "--mean-sentences",
                  "Mean sentences per user.");
       return [options, &common] {
         return Made(data::MakeForum({.users = options->users,
                                      .seed = common.seed,
                                      .mean_sentences = options->mean},
                                     options->out, options->name),
                     *options, "sentence");
       };
     }});

}  // namespace
}  // namespace sfumato::app

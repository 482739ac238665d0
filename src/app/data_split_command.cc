// `sfumato data split`: examples that nobody owns are given to users.

#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "base/progress.h"
#include "data/transform/split.h"

namespace sfumato::app {
namespace {

using data::PartitionScheme;
using data::SizeRule;

struct SplitOptions {
  std::string folder;
  std::string out;
  std::string only;
  data::PartitionOptions partition;
};

Answer Split(SplitOptions& options, const Common& common) {
  ReadColumnValue(options.only, options.partition.only_column,
                  options.partition.only_value);
  options.partition.seed = common.seed;
  const data::FederatedDataset set(options.folder);
  set.CheckSums();  // new sums over damage would hide it
  const data::SplitSummary made =
      data::SplitDataset(set, options.partition, options.out);
  Answer answer{
      .text = fmt::format("{}: {}, {} ({} to {} per user)", options.out,
                          base::HumanCount(made.users, "user"),
                          base::HumanCount(made.examples, "example"),
                          base::HumanCount(made.smallest),
                          base::HumanCount(made.largest)),
      .json = {{"out", options.out},
               {"users", made.users},
               {"examples", made.examples},
               {"unused", made.unused},
               {"left_out", made.left_out},
               {"smallest", made.smallest},
               {"largest", made.largest}}};
  if (made.unused > 0) {
    answer.text +=
        fmt::format("\n  nobody got {}", base::HumanCount(made.unused));
  }
  if (made.left_out > 0) {
    answer.text +=
        fmt::format("\n  --only left out {}", base::HumanCount(made.left_out));
  }
  return answer;
}

const Registration kSplit(
    {.path = "data split",
     .summary = "Give the examples of a public pool to users: alike, a few "
                "classes each, in mixes of their own, or by a column.",
     .example =
         "sfumato data make handwriting --users 20 --out people\n"
         "sfumato data split people --regroup --users 10 --scheme classes "
         "--classes 6 --out parts",
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto options = std::make_shared<SplitOptions>();
       data::PartitionOptions& partition = options->partition;
       app.add_option("DIR", options->folder, "The dataset to split.")
           ->required();
       app.add_option("--out", options->out, "The folder to make.")->required();
       app.add_option("--users", partition.users,
                      "Number of users (not with --scheme column).");
       AddChoice(app, "--scheme", partition.scheme,
                 {{"iid", PartitionScheme::kIid},
                  {"classes", PartitionScheme::kClasses},
                  {"dirichlet", PartitionScheme::kDirichlet},
                  {"column", PartitionScheme::kColumn}},
                 "How examples are assigned to users.");
       app.add_option("--classes", partition.classes_per_user,
                      "classes: number of classes per user.")
           ->capture_default_str();
       app.add_option("--alpha", partition.alpha,
                      "dirichlet: small is one class per user, large is iid.")
           ->capture_default_str();
       app.add_option("--column", partition.column,
                      "column: each of its values becomes a user.");
       AddChoice(app, "--sizes", partition.sizes,
                 {{"equal", SizeRule::kEqual}, {"uniform", SizeRule::kUniform}},
                 "How the number of examples per user is chosen.");
       app.add_option("--mean", partition.mean_size,
                      "Mean examples per user (default: use all).");
       app.add_option("--minimum", partition.minimum_size,
                      "Minimum examples per user.")
           ->capture_default_str();
       app.add_option("--only", options->only,
                      "Take only examples with COLUMN=VALUE.");
       app.add_flag("--regroup", partition.regroup,
                    "Ignore which user each example belongs to.");
       return [options, &common] { return Split(*options, common); };
     }});

}  // namespace
}  // namespace sfumato::app

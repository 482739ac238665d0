// `sfumato data describe`: who owns how much of what.

#include <memory>

#include "app/command.h"
#include "base/progress.h"
#include "data/describe.h"

namespace sfumato::app {
namespace {

const Registration kDescribe(
    {.path = "data describe",
     .summary = "Say what there is in a dataset: users, examples, classes, "
                "sizes. Exact numbers, for data you are allowed to see.",
     .example = "sfumato data make handwriting --users 20 --out people\n"
                "sfumato data describe people",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto folder = std::make_shared<std::string>();
       app.add_option("DIR", *folder, "The dataset's folder.")->required();
       return [folder] {
         const data::FederatedDataset set(*folder);
         const data::Description description = data::Describe(set);
         return Answer{
             .text = data::ToText(description, base::ProcessTalk().utf8),
             .json = data::ToJson(description)};
       };
     }});

}  // namespace
}  // namespace sfumato::app

// `sfumato data describe`: who owns how much of what.

#include <memory>

#include "app/command.h"
#include "app/private_look.h"
#include "base/progress.h"
#include "data/describe.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

struct DescribeGiven {
  std::string folder;
  LookGiven look;
};

// What a config has to know. How many users and examples there are, and of
// which class, is private itself.
Answer Schema(const data::DatasetInfo& info) {
  nlohmann::json json = data::ToJson(info);
  // Checksums are only for those who have the contents.
  for (const char* key : {"schema", "provenance", "crc32c"}) json.erase(key);
  json["class_names"] = info.classes;
  json["classes"] = info.classes.size();
  json["exact"] = false;
  return {.text = fmt::format(
              "{}: {}, {}\nprivate data: how many users, examples and labels "
              "there are is private as well.\n"
              "--look-at-private-records shows it, and enters that in the "
              "ledger.\n",
              info.name, data::Name(info.kind),
              base::HumanCount(info.classes.size(), "class")),
          .json = json};
}

Answer Describe(const DescribeGiven& given) {
  const data::FederatedDataset set{base::Path(given.folder)};
  if (set.info().origin == data::Origin::kPrivate && !given.look.look) {
    return Schema(set.info());
  }
  EnterLook(given.look, set.info(),
            {.folder = given.folder,
             .most_records = kAllRecords,
             .command = "data describe"});
  const data::Description description = data::Describe(set);
  return {.text = data::ToText(description, base::ProcessTalk().utf8),
          .json = data::ToJson(description)};
}

const Registration kDescribe(
    {.path = "data describe",
     .summary = "Say what there is in a dataset: users, examples, classes, "
                "sizes. Exact numbers, for data you are allowed to see; of "
                "private data the schema alone.",
     .example = "sfumato data make handwriting --users 20 --out people\n"
                "sfumato data describe people",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<DescribeGiven>();
       app.add_option("DIR", given->folder, "The dataset's folder.")
           ->required();
       AddLookOptions(app, given->look);
       return [given] { return Describe(*given); };
     }});

}  // namespace
}  // namespace sfumato::app

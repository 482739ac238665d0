// `sfumato config`: the built-in configs, to look at and to change, and the
// reference of all keys.

#include <memory>

#include "app/built_in_configs.h"
#include "app/command.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "config/config_reference.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr std::size_t kMostLetters = 88;

// The first sentence says what it is, or its beginning does.
std::string FirstSentence(const std::string& text) {
  std::size_t end = 0;
  while (end < text.size()) {
    const bool closes = text[end] == '.' || text[end] == '?';
    ++end;
    const bool apart = end == text.size() || text[end] == ' ';
    const bool year = end + 1 < text.size() && text[end + 1] >= '0' &&
                      text[end + 1] <= '9';  // "et al. 2020"
    if (closes && apart && !year) break;
  }
  return base::Printable(text.substr(0, end), {.most = kMostLetters});
}

Answer List() {
  Answer answer{.text = "", .json = {{"configs", nlohmann::json::array()}}};
  for (const EmbeddedFile& file : ConfigFiles()) {
    const std::string name(file.name.substr(0, file.name.rfind('.')));
    const std::string comment = CommentOf(file);
    answer.text += fmt::format("{:<28} {}\n", name, FirstSentence(comment));
    answer.json["configs"].push_back({{"name", name}, {"for", comment}});
  }
  return answer;
}

Answer Show(const std::string& name) {
  if (name.empty()) return List();
  const EmbeddedFile* file = FindConfig(name);
  if (file == nullptr) {
    throw BadInput("no built-in config of this name", name,
                   base::DidYouMean(name, ConfigNames()));
  }
  return {.text = std::string(file->text),
          .json = {{"name", file->name}, {"toml", file->text}}};
}

Answer Reference() {
  const std::string text = config::ConfigReference();
  return {.text = text, .json = {{"markdown", text}}};
}

const Registration kConfig(
    {.path = "config",
     .summary =
         "List the built-in configs, which `train` and `inspect` take by "
         "name; print one to change it, or the reference of all keys.",
     .example = "sfumato config quick > mine.toml",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto name = std::make_shared<std::string>();
       app.add_option("NAME", *name, "The config to print.");
       auto reference = std::make_shared<bool>(false);
       app.add_flag("--reference", *reference,
                    "Print every key with its default and meaning (Markdown).")
           ->excludes("NAME");
       return
           [name, reference] { return *reference ? Reference() : Show(*name); };
     }});

}  // namespace
}  // namespace sfumato::app

#include "app/built_in_configs.h"

#include <filesystem>

#include "base/error.h"
#include "base/suggest.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr std::string_view kFolder = "configs/";
constexpr std::string_view kEnding = ".toml";

std::string_view StemOf(std::string_view name) {
  if (name.starts_with(kFolder)) name.remove_prefix(kFolder.size());
  if (name.ends_with(kEnding)) name.remove_suffix(kEnding.size());
  return name;
}

}  // namespace

const EmbeddedFile* FindConfig(std::string_view name) {
  for (const EmbeddedFile& file : ConfigFiles()) {
    if (StemOf(file.name) == StemOf(name)) return &file;
  }
  return nullptr;
}

std::vector<std::string> ConfigNames() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : ConfigFiles()) {
    names.emplace_back(StemOf(file.name));
  }
  return names;
}

std::string CommentOf(const EmbeddedFile& config) {
  std::string comment;
  for (std::string_view text = config.text; text.starts_with("#");) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(1, end - 1);
    if (line.empty()) break;  // a paragraph ends
    if (line.starts_with(" ")) line.remove_prefix(1);
    comment += fmt::format("{}{}", comment.empty() ? "" : " ", line);
    text.remove_prefix(end + 1);
  }
  return comment;
}

config::TrainConfig ReadConfig(const std::string& given,
                               const std::vector<std::string>& sets) {
  // A folder of that name is somebody's run.
  if (std::filesystem::exists(given) && !std::filesystem::is_directory(given)) {
    return config::ReadTrainConfig(given, sets);
  }
  if (const EmbeddedFile* file = FindConfig(given)) {
    return config::ParseTrainConfig(
        file->text, fmt::format("{}{} (built in)", kFolder, file->name), sets);
  }
  const std::string near =
      base::Nearest(std::string(StemOf(given)), ConfigNames());
  throw BadInput("no such file, and no built-in config of this name", given,
                 near.empty()
                     ? "check the path; `sfumato config` lists the built-in "
                       "ones"
                     : fmt::format("did you mean the built-in '{}'?", near));
}

}  // namespace sfumato::app

#include "app/config_options.h"

#include <chrono>

#include "app/built_in_configs.h"
#include "fmt/format.h"
#include "runs/run.h"

namespace sfumato::app {

config::TrainConfig ConfigGiven::Read(const Common& common) const {
  std::vector<std::string> all = sets;
  if (!device.empty()) all.push_back(fmt::format("device.name=\"{}\"", device));
  if (common.seed_given) all.push_back(fmt::format("seed={}", common.seed));
  return ReadConfig(config, all);
}

base::Path ConfigGiven::Folder(const std::string& name) const {
  if (!out.empty()) return out;
  return runs::NewRunFolder("runs", name,
                            std::chrono::floor<std::chrono::seconds>(
                                std::chrono::system_clock::now()));
}

void AddConfig(CLI::App& app, ConfigGiven& given, const std::string& what) {
  app.add_option("config", given.config,
                 "The config's file (TOML), or a built-in one's name.")
      ->required();
  app.add_option("--set", given.sets,
                 "Another value for a key: cohort.size=50. May be repeated.")
      ->allow_extra_args(false);
  app.add_option("--device", given.device, "auto, cpu or cuda.");
  app.add_option(
      "--out", given.out,
      fmt::format("The {}'s folder (default: runs/TIME_NAME).", what));
}

}  // namespace sfumato::app

// What `train` and `inspect` share: a config's file, other values for its keys,
// and the folder that is made.

#pragma once

#include <string>
#include <vector>

#include "app/command.h"
#include "base/file.h"
#include "config/train_config.h"

namespace sfumato::app {

struct ConfigGiven {
  std::string config;
  std::vector<std::string> sets;
  std::string device;
  std::string out;

  // With --set, --device and the common --seed over what the file says. Throws
  // as ReadTrainConfig.
  config::TrainConfig Read(const Common& common) const;
  // --out, or a new one below runs/.
  base::Path Folder(const std::string& name) const;
};

// `what` is made: "run", "inspection".
void AddConfig(CLI::App& app, ConfigGiven& given, const std::string& what);

}  // namespace sfumato::app

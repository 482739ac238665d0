// The configs of configs/, as they were when the program was built: they are
// found by their name in every folder.
//
//   config::TrainConfig config = ReadConfig("quick", {"rounds=5"});

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"
#include "config/train_config.h"

namespace sfumato::app {

using base::EmbeddedFile;

std::span<const EmbeddedFile> ConfigFiles();  // "quick.toml", …, by name

// The config called "quick", "quick.toml" or "configs/quick.toml"; null where
// there is none.
const EmbeddedFile* FindConfig(std::string_view name);
std::vector<std::string> ConfigNames();  // "quick", …

// What a config is for: the comment that it begins with.
std::string CommentOf(const EmbeddedFile& config);

// A file, or where there is none a built-in config of that name. Throws as
// config::ReadTrainConfig.
config::TrainConfig ReadConfig(const std::string& given,
                               const std::vector<std::string>& sets);

}  // namespace sfumato::app

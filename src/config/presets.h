// Values that a config file can start from: `preset = "gan_paper"`. The file's
// own values come after.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sfumato::config {

// First "", which means no preset.
std::vector<std::string> PresetNames();

// The preset as TOML. REQUIRES: `name` is in PresetNames().
std::string_view PresetToml(std::string_view name);

}  // namespace sfumato::config

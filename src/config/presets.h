// Configs that come with the program, as values that a file begins with:
// `preset = "gan_paper"`. What the file says itself comes after.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sfumato::config {

// The empty word, which is no preset, first.
std::vector<std::string> PresetNames();

// As TOML. REQUIRES: a name of the list.
std::string_view PresetToml(std::string_view name);

}  // namespace sfumato::config

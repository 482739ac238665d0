// The reference of all config keys, docs/config.md, made from the table of
// keys: what `sfumato config --reference` prints.

#pragma once

#include <string>

namespace sfumato::config {

// Markdown: an introduction, a table per section with a row per key, and what
// the presets set.
std::string ConfigReference();

}  // namespace sfumato::config

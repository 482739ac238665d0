// Any bytes as a training config, and what follows a first zero byte as `--set`
// over it: read or refused, never worse. What was read is written and comes
// back the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/train_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view toml = bytes.substr(0, bytes.find('\0'));
  std::vector<std::string> sets;
  if (toml.size() < size) sets.emplace_back(bytes.substr(toml.size() + 1));
  try {
    const auto config = sfumato::config::ParseTrainConfig(toml, "fuzz", sets);
    const std::string text = sfumato::config::ToToml(config);
    if (!(sfumato::config::ParseTrainConfig(text, "again") == config)) {
      std::abort();
    }
  } catch (const sfumato::Error& error) {
    if (error.kind() != sfumato::ErrorKind::kBadInput) std::abort();
  }
  return 0;
}

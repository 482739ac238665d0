#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "data/import/sentences.h"

// Sentences must be non-empty views, in order, inside the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const char* at = text.data();
  for (const std::string_view s : sfumato::data::SplitSentences(text)) {
    if (s.empty() || s.data() < at) std::abort();
    at = s.data() + s.size();
    if (at > text.data() + text.size()) std::abort();
  }
  return 0;
}

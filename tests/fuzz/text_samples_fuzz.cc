// Any bytes as a file of drawn text: read or refused, never worse. What was
// read comes back from its own text.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "base/utf8.h"
#include "runs/text_samples.h"

namespace {

using namespace sfumato;

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes,
                                      std::size_t size) {
  runs::TextSamples samples;
  try {
    samples = runs::ParseTextSamples(
        {reinterpret_cast<const char*>(bytes), size}, "fuzz");
  } catch (const Error& error) {
    Require(error.kind() == ErrorKind::kCorrupt ||
            error.kind() == ErrorKind::kUnsupported);
    Require(error.where() == "fuzz");
    return 0;
  }
  Require(samples.round >= 0);
  const runs::TextSamples again =
      runs::ParseTextSamples(runs::ToText(samples), "again");
  Require(again == samples);
  Require(base::IsUtf8(runs::TextCardOf(samples, "fuzz")));
  return 0;
}

// Any JSON as what an inspection found: read or refused. What was read comes
// back from its own JSON, and what is shown of text is text, whatever its words
// and numbers are.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"
#include "report/markdown.h"
#include "report/sections.h"
#include "runs/contrast.h"

namespace {

using namespace sfumato;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckShown(runs::Contrast contrast) {
  report::Findings findings;
  findings.contrast = std::move(contrast);
  const report::Pictures pictures;
  const report::Page page{.findings = findings, .pictures = pictures};
  std::string shown = report::TextEvidence(page) +
                      report::PhrasesSection(page) +
                      report::Markdown(findings) + report::Summary(findings);
  if (findings.contrast->text) {
    shown += report::TextHealthTable(*findings.contrast);
  }
  for (const runs::Hypothesis& hypothesis : findings.contrast->hypotheses) {
    shown += report::ExampleWords(hypothesis);
  }
  Require(base::IsUtf8(shown));
  Require(shown.find("<script") == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes,
                                      std::size_t size) {
  const nlohmann::json json =
      base::ParseJson({reinterpret_cast<const char*>(bytes), size});
  if (json.is_discarded()) return 0;
  runs::Contrast contrast;
  try {
    contrast = runs::ContrastFromJson(json, "fuzz");
  } catch (const Error&) {
    return 0;
  }
  const nlohmann::json written = runs::ToJson(contrast);
  Require(runs::ToJson(runs::ContrastFromJson(written, "again")) == written);
  CheckShown(std::move(contrast));
  return 0;
}

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

// Whether a "<" of Markdown stands neither in code nor behind a backslash.
bool OpensATag(std::string_view markdown) {
  bool code = false;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '\n') code = false;
    if (!code && markdown[i] == '\\') {
      ++i;  // the sign behind it is only a sign
    } else if (markdown[i] == '`') {
      code = !code;
    } else if (!code && markdown[i] == '<') {
      return true;
    }
  }
  return false;
}

void CheckShown(runs::Contrast contrast) {
  report::Findings findings;
  findings.contrast = std::move(contrast);
  const report::Pictures pictures;
  const report::Page page{.findings = findings, .pictures = pictures};
  std::string html = report::TextEvidence(page) + report::PhrasesSection(page);
  if (findings.contrast->text) {
    html += report::TextHealthTable(*findings.contrast);
  }
  for (const runs::Hypothesis& hypothesis : findings.contrast->hypotheses) {
    html += report::ExampleWords(hypothesis);
  }
  Require(base::IsUtf8(html));
  Require(html.find("<script") == std::string::npos);
  const std::string markdown = report::Markdown(findings);
  Require(base::IsUtf8(markdown));
  Require(!OpensATag(markdown));
  Require(base::IsUtf8(report::Summary(findings)));
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

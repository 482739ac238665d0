// Any JSON as what a census found: read or refused. What was read comes back
// from its own JSON, and what is shown of it is text, whatever its words and
// numbers are.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"
#include "report/census_page.h"
#include "runs/census.h"

namespace {

using namespace sfumato;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckShown(const runs::CensusRecord& record) {
  Require(base::IsUtf8(report::CensusSummary(record)));
  if (!record.answer) return;
  report::Findings findings;
  findings.votes = record;
  const std::string html =
      report::CensusVerdictLine(record) + report::CensusSection(findings);
  Require(base::IsUtf8(html));
  Require(html.find("<script") == std::string::npos);
  Require(base::IsUtf8(report::CensusMarkdown(findings)));
  Require(base::IsUtf8(report::CensusLines(record)));
  Require(!runs::AnswerJson(record).is_discarded());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes,
                                      std::size_t size) {
  const nlohmann::json json =
      base::ParseJson({reinterpret_cast<const char*>(bytes), size});
  if (json.is_discarded()) return 0;
  runs::CensusRecord record;
  try {
    record = runs::CensusFromJson(json, "fuzz");
  } catch (const Error&) {
    return 0;
  }
  const nlohmann::json written = runs::ToJson(record);
  Require(runs::ToJson(runs::CensusFromJson(written, "again")) == written);
  CheckShown(record);
  return 0;
}

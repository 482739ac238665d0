// The page of a census: bars of shares with their intervals, what it cost, and
// how the answer is computed.
//
//   const Report report = MakeCensusReport("runs/2026-11-15_0319_phones");
//   std::string lines = CensusSummary(record);  // for a terminal
//
// Made like the report of an inspection (page.h): MakeReport and WriteReport
// call this for the folder of a census, finished or not. One file, no request,
// no script, everything escaped, the same bytes for the same folder.

#pragma once

#include <string>

#include "base/file.h"
#include "report/findings.h"
#include "report/page.h"
#include "runs/census.h"

namespace sfumato::report {

// Throws as runs::ReadCensus. `options.samples` changes nothing: nothing is
// drawn in a census.
Report MakeCensusReport(const base::Path& folder,
                        const ReportOptions& options = {});

// A few lines: the verdict, supported answers with share and interval, how many
// were not, what share would have been seen, what it cost.
std::string CensusSummary(const runs::CensusRecord& record);

// Of the census that an inspection began with; REQUIRES: findings.votes with an
// answer. The verdict for the masthead (HTML), a section (HTML), a part of the
// Markdown, and lines for a terminal.
std::string CensusVerdictLine(const runs::CensusRecord& record);
std::string CensusSection(const Findings& findings);
std::string CensusMarkdown(const Findings& findings);
std::string CensusLines(const runs::CensusRecord& record);

}  // namespace sfumato::report

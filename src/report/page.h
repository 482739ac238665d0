// The report: one page that holds all it needs, and the same as JSON and as
// Markdown.
//
//   const Report report = MakeReport("runs/2026-11-15_0319_phones");
//   base::WriteFileAtomically(folder / "report.html", report.html);
//   WriteReport(folder, {.for_steward = true});  // makes it and writes it
//
// Takes the folder of an inspection or a census, finished or not, or of a plain
// run. What
// comes back: a page of at most 1,000,000 bytes without any request (its
// Content-Security-Policy forbids them), the same bytes for the same folder
// (unfinished, it depends on whether anybody is at work there), with everything
// that was given or drawn escaped. Outside simulation it holds no value that
// was computed from records without a mechanism. docs/report.md describes its
// sections.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/file.h"
#include "nlohmann/json.hpp"

namespace sfumato::report {

inline constexpr std::size_t kMostPageBytes = 1'000'000;

struct ReportOptions {
  bool for_steward = false;  // the section on privacy comes first
  bool samples = true;       // false: nothing drawn, for pages that travel
};

struct Report {
  std::string html = "";
  std::string markdown = "";
  nlohmann::json data = {};  // the numbers of the page; it is inside it, too
  std::string summary = "";  // verdict and first hypotheses, for a terminal
};

// Throws BadInput when there is no inspection, census or run, Corrupt naming
// the damaged file, Unsupported for a newer program's.
Report MakeReport(const base::Path& folder, const ReportOptions& options = {});

// "report.html"; a page with other options has a name of its own, such as
// "report_steward.html", and replaces nobody else's.
std::string PageName(const ReportOptions& options);

// Makes it and writes the page into the folder; the modeler's whole one with
// report.json and report.md.
Report WriteReport(const base::Path& folder, const ReportOptions& options = {});

// The data of a page as the page holds them; and as report.json. `data` names
// kReportSchema.
inline constexpr const char* kReportSchema = "sfumato.report/1";
std::string DataBlock(const nlohmann::json& data);

// Links to the sections of a page, in their order. `sections` is HTML.
std::string Contents(std::string_view sections);

// Whether a text is a page, or the data of one, that some version of this
// program wrote.
bool IsReport(std::string_view text);

// The data inside a page. Throws Corrupt if `html` is not such a page.
nlohmann::json ExtractData(std::string_view html, const std::string& where);

}  // namespace sfumato::report

// The same findings as text: for a pull request, and for a terminal.

#pragma once

#include <string>

#include "report/findings.h"

namespace sfumato::report {

// report.md. What was given or drawn is escaped.
std::string Markdown(const Findings& findings);

// Two to six lines: the verdict, the first hypotheses, what is missing.
std::string Summary(const Findings& findings);

}  // namespace sfumato::report

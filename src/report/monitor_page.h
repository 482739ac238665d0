// A series of inspections of one population, drawn: one page, one curve.
//
//   base::WriteFileAtomically(folder / "monitor.html", MonitorPage(monitor));
//
// Made like the sweep's page: one file, no request, no script, everything
// escaped, the same bytes for the same record.

#pragma once

#include <string>

#include "report/step_chart.h"
#include "runs/monitor.h"

namespace sfumato::report {

// The share of users who correct often, with one deviation to either side.
StepChart CorrectionCurve(const runs::Monitor& monitor);
// How separable the sides are, and how separable two models of one side.
StepChart SeparationCurve(const runs::Monitor& monitor);

std::string MonitorPage(const runs::Monitor& monitor);

}  // namespace sfumato::report

// What a sweep of simulated inspections found, drawn: one page, one curve.
//
//   const runs::Sweep sweep = runs::ReadSweep(folder / "sweep.json");
//   base::WriteFileAtomically(folder / "sweep.html", SweepPage(sweep, folder));
//   std::string svg = ToSvg(Draw(SweepCurve(sweep)));
//
// The page is made like the report: one file of about 1 MB at most, no request,
// no script, everything escaped, the same bytes for the same sweep. Pictures
// are those that the inspections kept; those that are gone are left out.

#pragma once

#include <string>

#include "base/file.h"
#include "report/step_chart.h"
#include "runs/sweep.h"

namespace sfumato::report {

// Found against the share of users affected, one line a bug; the false alarms
// are its first step.
StepChart SweepCurve(const runs::Sweep& sweep);

// `folder` holds the inspections' folders.
std::string SweepPage(const runs::Sweep& sweep, const base::Path& folder);

}  // namespace sfumato::report

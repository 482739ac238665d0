// The examples in the headers of `report`.

#include <functional>
#include <string>

#include "base/file.h"
#include "base/image.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "report/at_scale.h"
#include "report/axis_ticks.h"
#include "report/bar_chart.h"
#include "report/census_figures.h"
#include "report/census_page.h"
#include "report/census_words.h"
#include "report/drawing.h"
#include "report/findings.h"
#include "report/html_parts.h"
#include "report/line_chart.h"
#include "report/monitor_page.h"
#include "report/number_text.h"
#include "report/page.h"
#include "report/page_testing.h"
#include "report/pair_chart.h"
#include "report/paper_tables.h"
#include "report/pictures.h"
#include "report/report_testing.h"
#include "report/row_chart.h"
#include "report/scatter_chart.h"
#include "report/sides.h"
#include "report/step_chart.h"
#include "report/sweep_page.h"
#include "report/terminal_picture.h"
#include "report/text_table.h"

namespace sfumato::report {

void AtScaleExample() {
#include "report/at_scale.example"
}

void AxisTicksExample(double highest, double left, double right,
                      const std::function<double(double)>& y,
                      Drawing& drawing) {
#include "report/axis_ticks.example"
}

void BarChartExample() {
#include "report/bar_chart.example"
}

void CensusFiguresExample(const runs::CensusRecord& record, std::string& html) {
#include "report/census_figures.example"
}

void CensusWordsExample(const runs::CensusRecord& record) {
#include "report/census_words.example"
}

void CensusPageExample(const runs::CensusRecord& record) {
#include "report/census_page.example"
}

void DrawingExample() {
#include "report/drawing.example"
}

void FindingsExample() {
#include "report/findings.example"
}

void HtmlPartsExample(const std::string& name, const Drawing& drawing,
                      std::string& page) {
#include "report/html_parts.example"
}

void LineChartExample() {
#include "report/line_chart.example"
}

void MonitorPageExample(const base::Path& folder,
                        const runs::Monitor& monitor) {
#include "report/monitor_page.example"
}

void NumberTextExample() {
#include "report/number_text.example"
}

void PageExample(const base::Path& folder) {
#include "report/page.example"
}

void PageTestingExample(const std::string& html, const std::string& canary) {
#include "report/page_testing.example"
}

void PairChartExample() {
#include "report/pair_chart.example"
}

void PaperTablesExample() {
#include "report/paper_tables.example"
}

void PicturesExample(const base::Path& folder, const Findings& findings,
                     std::string& page) {
#include "report/pictures.example"
}

void ReportTestingExample() {
#include "report/report_testing.example"
}

void RowChartExample() {
#include "report/row_chart.example"
}

void ScatterChartExample() {
#include "report/scatter_chart.example"
}

void SidesExample() {
#include "report/sides.example"
}

void StepChartExample() {
#include "report/step_chart.example"
}

void SweepPageExample(const base::Path& folder) {
#include "report/sweep_page.example"
}

void TerminalPictureExample(const base::Image& grid) {
#include "report/terminal_picture.example"
}

void TextTableExample() {
#include "report/text_table.example"
}

}  // namespace sfumato::report

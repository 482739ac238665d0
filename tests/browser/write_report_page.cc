// Writes an inspection that never was into a folder, with its report page, for
// report_page_test.py.

#include <cstdio>

#include "report/page.h"
#include "report/report_testing.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("write_report_page FOLDER\n", stderr);
    return 2;
  }
  const sfumato::base::Path folder = argv[1];
  sfumato::report::MakeInspection(folder, {.steps = 6});
  sfumato::report::WriteReport(folder);
  return 0;
}

// `sfumato report`: the page of an inspection, a census or a run.

#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "report/page.h"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 64 << 20;

struct ReportGiven {
  std::string folder;
  bool for_steward = false;
  bool no_samples = false;
  bool extract = false;
  std::string out;
};

// A report may take the place of one, and of nothing else.
void RequireReplaceable(const std::string& out) {
  if (out.empty() || !fs::exists(out)) return;
  if (fs::is_regular_file(out) && fs::file_size(out) <= kMostBytes &&
      report::IsReport(base::ReadFile(out))) {
    return;
  }
  throw BadInput("is there, and is not a report", out,
                 "choose another name, or remove it first");
}

// The numbers inside a page that was made before.
Answer Extract(const ReportGiven& given) {
  const base::Path page = fs::is_directory(given.folder)
                              ? base::Path(given.folder) / "report.html"
                              : base::Path(given.folder);
  const nlohmann::json data =
      report::ExtractData(base::ReadFile(page), page.string());
  // Escaped, so that no locale changes it.
  Answer answer{.text = data.dump(2, ' ', true), .json = {{"data", data}}};
  if (!given.out.empty()) {
    RequireReplaceable(given.out);
    base::WriteFileAtomically(given.out, data.dump(2) + "\n");
    answer.text = given.out;
    answer.json = {{"out", given.out}};
  }
  return answer;
}

Answer MakePage(const ReportGiven& given) {
  const report::ReportOptions options{.for_steward = given.for_steward,
                                      .samples = !given.no_samples};
  const base::Path folder = given.folder;
  report::Report made;
  std::string page = given.out;
  if (given.out.empty()) {
    made = report::WriteReport(folder, options);
    page = (folder / report::PageName(options)).string();
  } else {
    RequireReplaceable(page);
    RequireEnding(page, ".html");
    made = report::MakeReport(folder, options);
    base::WriteFileAtomically(page, made.html);
  }
  const bool census = made.data.at("kind") == "census";
  const char* record = census ? "census" : "inspection";
  const char* answer = census ? "answer" : "contrast";
  return {.text = fmt::format("{}Report   {}   ({})", made.summary, page,
                              base::HumanBytes(made.html.size())),
          .json = {{"page", page},
                   {"bytes", made.html.size()},
                   {"kind", made.data.at("kind")},
                   {"status", made.data.at(record).at("status")},
                   {"verdict", made.data.at(answer).is_null()
                                   ? nlohmann::json(nullptr)
                                   : made.data.at(answer).at("verdict")},
                   {"missing", made.data.at("missing")}}};
}

const Registration kReport(
    {.path = "report",
     .summary =
         "Make the page of an inspection, a census or a run: one file that "
         "shows "
         "what was found, and what it cost. Works while it is running.",
     .example = "sfumato train quick --set rounds=5 --out shown\n"
                "sfumato report shown --for steward",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<ReportGiven>();
       app.add_option("FOLDER", given->folder,
                      "The folder of an inspection, a census or a run (with "
                      "--extract a page will do).")
           ->required();
       AddChoice(app, "--for", given->for_steward,
                 {{"modeler", false}, {"steward", true}},
                 "Who reads it; for a steward privacy comes first.");
       app.add_flag("--no-samples", given->no_samples,
                    "Leave out all pictures and drawn words, for a page to "
                    "share.");
       app.add_flag("--extract", given->extract,
                    "Print the numbers that a page holds, as JSON; writes no "
                    "file.");
       app.add_option("--out", given->out,
                      "The file to write; replaces a report, and nothing else "
                      "(default, in the folder: report.html with report.json "
                      "and report.md; report_steward.html, "
                      "report_no_samples.html).");
       return [given] {
         return given->extract ? Extract(*given) : MakePage(*given);
       };
     }});

}  // namespace
}  // namespace sfumato::app

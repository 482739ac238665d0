#include <gtest/gtest.h>

#include "app/command_line.h"
#include "app/command_testing.h"
#include "nlohmann/json.hpp"
#include "report/report_testing.h"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ReportCommandTest : public CommandTest {};

Result Sfumato(const std::string& line) { return RunCommandLine(Words(line)); }

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ReportCommandTest, WritesThreeFilesAndSaysTheVerdict) {
  report::MakeInspection("phones", {.steps = 1});
  const Result result = Sfumato("report phones");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"report.html", "report.json", "report.md"}) {
    EXPECT_TRUE(fs::exists(fs::path("phones") / name)) << name;
  }
  for (const char* part :
       {"A differs from B", "separated 0.94 (floor 0.55)", "inverted pixels",
        "91 %", "3 others not supported", "phones/report.html   ("}) {
    EXPECT_TRUE(Has(result.out, part)) << part << "\n" << result.out;
  }
}

TEST_F(ReportCommandTest, JsonNamesPageVerdictAndWhatIsMissing) {
  report::MakeInspection("phones", {.compared = false, .runs_begun = 1});
  const json made = json::parse(Sfumato("report phones --json --quiet").out);
  EXPECT_EQ(made.at("page"), "phones/report.html");
  EXPECT_EQ(made.at("bytes"), fs::file_size("phones/report.html"));
  EXPECT_TRUE(made.at("verdict").is_null());
  EXPECT_EQ(made.at("missing").size(), 4u) << "three models and the contrast";
}

TEST_F(ReportCommandTest, OptionsChooseOrderPicturesAndPlace) {
  report::MakeInspection("phones", {.steps = 1});
  ASSERT_EQ(Sfumato("report phones --for steward --no-samples --out page.html")
                .exit_code,
            0);
  EXPECT_FALSE(fs::exists("phones/report.html"));
  EXPECT_EQ(Sfumato("report phones --out page.pdf").exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists("page.pdf"));
  const std::string page = base::ReadFile("page.html");
  EXPECT_FALSE(Has(page, "<img"));
  EXPECT_LT(page.find("id=\"privacy\""), page.find("id=\"answer\""));
  EXPECT_EQ(Sfumato("report phones --for everybody").exit_code, 2);
}

TEST_F(ReportCommandTest, ExtractGivesTheNumbersOfAPageBack) {
  report::MakeInspection("phones", {.steps = 1});
  ASSERT_EQ(Sfumato("report phones").exit_code, 0);
  const json written = json::parse(base::ReadFile("phones/report.json"));
  EXPECT_TRUE(json::parse(Sfumato("report phones --extract").out) == written);
  EXPECT_TRUE(json::parse(Sfumato("report phones/report.html --extract").out) ==
              written);
  ASSERT_EQ(Sfumato("report phones --extract --out numbers.json").exit_code, 0);
  EXPECT_TRUE(json::parse(base::ReadFile("numbers.json")) == written);
  EXPECT_EQ(Sfumato("report phones/report.md --extract").exit_code, 5);
}

TEST_F(ReportCommandTest, TheStewardsPageHasAFileOfItsOwn) {
  report::MakeInspection("phones", {.steps = 1});
  ASSERT_EQ(Sfumato("report phones").exit_code, 0);
  const std::string page = base::ReadFile("phones/report.html");
  const std::string numbers = base::ReadFile("phones/report.json");
  const Result steward = Sfumato("report phones --for steward --no-samples");
  ASSERT_EQ(steward.exit_code, 0) << steward.err;
  EXPECT_TRUE(Has(steward.out, "phones/report_steward_no_samples.html"));
  EXPECT_TRUE(fs::exists("phones/report_steward_no_samples.html"));
  ASSERT_EQ(Sfumato("report phones --for steward").exit_code, 0);
  EXPECT_TRUE(fs::exists("phones/report_steward.html"));
  EXPECT_EQ(base::ReadFile("phones/report.html"), page);
  EXPECT_EQ(base::ReadFile("phones/report.json"), numbers);
}

TEST_F(ReportCommandTest, AReportTakesThePlaceOfAReportAlone) {
  report::MakeInspection("phones", {.steps = 1});
  base::WriteFileAtomically("thesis.tex", "years of work");
  base::WriteFileAtomically("other.html", "<html>mine</html>");
  base::WriteFileAtomically("other.json", "{\"schema\": \"mine/1\"}");
  ASSERT_EQ(Sfumato("report phones").exit_code, 0);
  const std::string record = base::ReadFile("phones/inspection.json");
  for (const char* taken : {"thesis.tex", "other.html", "other.json",
                            "phones/inspection.json", "phones"}) {
    for (const char* how : {"", " --extract"}) {
      const Result refused =
          Sfumato(std::string("report phones") + how + " --out " + taken);
      EXPECT_EQ(refused.exit_code, 2) << taken << how;
      EXPECT_TRUE(Has(refused.err, "is not a report")) << refused.err;
    }
  }
  EXPECT_EQ(base::ReadFile("thesis.tex"), "years of work");
  EXPECT_EQ(base::ReadFile("phones/inspection.json"), record);
  for (const char* again :
       {"page.html", "page.html --for steward", "numbers.json --extract"}) {
    const std::string line = std::string("report phones --out ") + again;
    EXPECT_EQ(Sfumato(line).exit_code, 0) << again;
    EXPECT_EQ(Sfumato(line).exit_code, 0) << again;
  }
}

TEST_F(ReportCommandTest, ErrorsHaveTheirCodes) {
  EXPECT_EQ(Sfumato("report nowhere").exit_code, 2);
  EXPECT_EQ(Sfumato("report nowhere --extract").exit_code, 2);
  report::MakeInspection("phones", {.steps = 1});
  base::WriteFileAtomically("phones/contrast.json", "{");
  const Result damaged = Sfumato("report phones");
  EXPECT_EQ(damaged.exit_code, 5);
  EXPECT_TRUE(Has(damaged.err, "contrast.json")) << damaged.err;
  EXPECT_TRUE(Has(damaged.err, "sfumato resume phones")) << damaged.err;
  EXPECT_FALSE(fs::exists("phones/report.html"));
  base::WriteFileAtomically("phones/inspection.json",
                            R"({"schema":"sfumato.inspection/9"})");
  EXPECT_EQ(Sfumato("report phones").exit_code, 4);
  base::WriteFileAtomically("newer.html",
                            "<script type=\"application/json\" id=\"data\">"
                            "{\"schema\":\"sfumato.report/2\"}</script>");
  EXPECT_EQ(Sfumato("report newer.html --extract").exit_code, 4);
}

}  // namespace
}  // namespace sfumato::app

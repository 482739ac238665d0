// Reproduce: commands, config, versions, and what the page checks of itself.

#include "fmt/format.h"
#include "report/html_parts.h"
#include "report/sections.h"

namespace sfumato::report {
namespace {

std::string Commands(const Findings& findings) {
  const std::string folder = Escaped(findings.folder);
  std::string lines;
  if (findings.inspection) {
    lines = fmt::format(
        "sfumato inspect {0}/config.toml      # the same again\n"
        "sfumato inspect {0}/config.toml --verify {0}   # after a fix: is it "
        "gone?\n"
        "sfumato report {0} --for steward     # privacy first\n"
        "sfumato report {0} --no-samples      # without pictures and drawn "
        "words\n"
        "sfumato report {0} --extract         # the page's numbers as JSON",
        folder);
  } else {
    lines = fmt::format(
        "sfumato train {0}/config.toml        # the same again\n"
        "sfumato report {0}                   # this page",
        folder);
  }
  return "<pre>" + lines + "</pre>\n";
}

std::string Versions(const Findings& findings) {
  HtmlTable table{.heads = {"run", "program", "device", "LibTorch",
                            "clients at a time", "config", "data"},
                  .rows = {},
                  .style = "hashes",
                  .wide = true};
  for (const RunFindings& run : findings.runs) {
    const runs::RunFacts& facts = run.record.facts;
    const std::int64_t at_a_time =
        facts.lanes > 0 ? facts.lanes : facts.threads;
    table.rows.push_back(
        {Escaped(run.name), Escaped(facts.version),
         Escaped(facts.device_name.empty() ? facts.device_kind
                                           : facts.device_name),
         Escaped(facts.libtorch_version),
         fmt::format("{}{}", at_a_time,
                     facts.ranks > 1 ? fmt::format(" × {}", facts.ranks) : ""),
         "<code>" + Escaped(run.record.config_crc32c) + "</code>",
         "<code>" + Escaped(facts.data_crc32c) + "</code>"});
  }
  return table.rows.empty() ? "" : ToHtml(table);
}

}  // namespace

std::string ReproduceSection(const Page& page) {
  const Findings& findings = page.findings;
  std::string html = Commands(findings);
  html += Versions(findings);
  if (!findings.record.privacy.ledger_head.empty()) {
    html += Paragraph("Ledger head when this was written: <code>" +
                      Escaped(findings.record.privacy.ledger_head) +
                      "</code>. <code>sfumato ledger verify</code> compares.");
  }
  if (!findings.config.empty()) {
    html += Folded("The config, every key",
                   "<pre>" + Escaped(findings.config) + "</pre>\n");
  }
  html += "<h3>What this page checks of itself</h3>\n<ul id=\"checks\">\n";
  html +=
      "<li>It asks for nothing: its policy forbids the browser every request, "
      "and every picture is inside.</li>\n";
  html +=
      "<li>The same folder, once finished, gives the same page, byte for "
      "byte; it carries no time and no name of a machine.</li>\n";
  html += fmt::format(
      "<li>{}</li>\n",
      findings.record.simulation
          ? "Numbers computed from records without noise are marked "
            "<em>simulation only</em>."
          : "No number on it was computed from records without noise.");
  html +=
      "<li class=\"live\" hidden>Read back here: <span id=\"check-data\">"
      "</span>.</li>\n</ul>\n";
  return Section("reproduce", "Reproduce", html);
}

}  // namespace sfumato::report

// `sfumato ledger verify`: is the history what was written?

#include <algorithm>
#include <memory>

#include "app/command.h"
#include "app/ledger_options.h"
#include "base/error.h"
#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

struct VerifyGiven {
  LedgerGiven ledger;
  std::vector<std::string> heads;
};

Answer Sound(const VerifyGiven& given, const dp::Head& head) {
  std::string text = fmt::format(
      "{}: sound. {} entries, every hash, rule and total checked, {} heads "
      "compared\n  head {}",
      given.ledger.path, base::HumanCount(static_cast<std::uint64_t>(head.seq)),
      given.heads.size(), dp::ToText(head));
  if (given.heads.empty()) {
    text +=
        "\n  a cut end, an older copy put back or a history written anew "
        "shows only against a head kept elsewhere: give --head";
  }
  return {.text = text,
          .json = {{"ledger", given.ledger.path},
                   {"sound", true},
                   {"entries", head.seq},
                   {"head", dp::ToText(head)},
                   {"heads_compared", given.heads.size()},
                   {"findings", nlohmann::json::array()}}};
}

// Exit code 2: the key is missing, and nothing that can be read without it is
// wrong.
Answer CannotSay(const VerifyGiven& given) {
  const char* what = "cannot say: the hashes have a key";
  const char* todo = "give --key-file";
  return {.text = fmt::format(
              "{}: cannot say: {}. Its hashes have a key; rules, totals and "
              "{} heads were checked, and nothing is wrong with them",
              given.ledger.path, todo, given.heads.size()),
          .json = {{"ok", false},
                   {"ledger", given.ledger.path},
                   {"sound", nullptr},
                   {"findings", nlohmann::json::array()},
                   {"error",
                    {{"kind", KindName(ErrorKind::kBadInput)},
                     {"what", what},
                     {"where", given.ledger.path},
                     {"todo", todo}}}},
          .exit_code = ExitCode(ErrorKind::kBadInput)};
}

// Exit code 5, as for every damaged file, and all findings.
Answer Unsound(const VerifyGiven& given,
               const std::vector<dp::Finding>& findings) {
  std::string text = fmt::format("{}: not sound\n", given.ledger.path);
  nlohmann::json list = nlohmann::json::array();
  for (const dp::Finding& finding : findings) {
    text += finding.seq == 0
                ? fmt::format("  ledger: {}\n", finding.what)
                : fmt::format("  entry {}: {}\n", finding.seq, finding.what);
    list.push_back({{"entry", finding.seq}, {"what", finding.what}});
  }
  const char* todo =
      "spend nothing more on its populations until you know what happened";
  return {.text = text + "  " + todo,
          .json = {{"ok", false},
                   {"ledger", given.ledger.path},
                   {"sound", false},
                   {"findings", list},
                   {"error",
                    {{"kind", KindName(ErrorKind::kCorrupt)},
                     {"what", findings.front().what},
                     {"where", given.ledger.path},
                     {"todo", todo}}}},
          .exit_code = ExitCode(ErrorKind::kCorrupt)};
}

Answer Verify(const VerifyGiven& given) {
  std::vector<dp::Head> heads;
  heads.reserve(given.heads.size());
  for (const std::string& text : given.heads) {
    heads.push_back(dp::HeadFromText(text, "--head"));
  }
  dp::Ledger ledger = given.ledger.Open(dp::Ledger::Mode::kRead);
  const std::vector<dp::Finding> findings = ledger.Verify(heads);
  if (findings.empty()) return Sound(given, ledger.head());
  const bool only_unchecked =
      std::all_of(findings.begin(), findings.end(),
                  [](const dp::Finding& finding) { return finding.unchecked; });
  return only_unchecked ? CannotSay(given) : Unsound(given, findings);
}

const Registration kVerify(
    {.path = "ledger verify",
     .summary = "Read a ledger's whole history and say whether it is what was "
                "written; compare it with heads that runs and reports kept.",
     .example =
         "sfumato ledger create ledger.sqlite --population phones --epsilon 2 "
         "--delta 1e-6\n"
         "sfumato ledger verify ledger.sqlite",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<VerifyGiven>();
       AddLedger(app, given->ledger, "The ledger's file.");
       app.add_option("--head", given->heads,
                      "A head that was kept, as NUMBER:HASH; may be repeated.");
       return [given] { return Verify(*given); };
     }});

}  // namespace
}  // namespace sfumato::app

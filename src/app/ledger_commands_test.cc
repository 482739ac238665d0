#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/command_line.h"
#include "app/command_testing.h"
#include "base/file.h"
#include "dp/accounting/gaussian.h"
#include "dp/ledger/ledger.h"
#include "nlohmann/json.hpp"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result Sfumato(const std::string& line) {
  return RunCommandLine(Words(line + " --quiet"));
}

json Json(const std::string& line) {
  return json::parse(Sfumato(line + " --json").out);
}

constexpr char kCreate[] =
    "ledger create l.sqlite --population phones --epsilon 2 --delta 1e-6";
constexpr char kSpend[] =
    "ledger spend l.sqlite --population phones --events e.jsonl --run ";

class LedgerCommandsTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    WriteEvents("e.jsonl", 100);
  }

  static void WriteEvents(const char* name, int count) {
    std::ofstream(name) << json{{"mechanism", "gaussian"},
                                {"noise_multiplier", 20.0},
                                {"sampling", {{"kind", "all"}}},
                                {"adjacency", "add-remove"},
                                {"unit", "user"},
                                {"count", count}}
                        << "\n";
  }
};

TEST_F(LedgerCommandsTest, SpendingNeedsAYesAndSaysThePriceBefore) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  WriteEvents("e.jsonl", 10);
  const Result asked = Sfumato(kSpend + std::string("a"));
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_NE(asked.err.find("--yes"), std::string::npos);
  const Result dry = Sfumato(kSpend + std::string("a --dry-run"));
  EXPECT_EQ(dry.exit_code, 0);
  EXPECT_NE(dry.out.find("Costs"), std::string::npos);
  EXPECT_EQ(Json("ledger show l.sqlite")["entries"], 2) << "nothing was spent";
  const json spent = Json(kSpend + std::string("a --yes"));
  EXPECT_EQ(spent["spent"], true);
  EXPECT_EQ(spent["events"], 10);
  // Ten Gaussians with z = 20: mu = sqrt(10) / 20.
  EXPECT_NEAR(spent["epsilon"].get<double>(),
              dp::GaussianEpsilon(std::sqrt(10) / 20, 1e-6), 1e-3);
  EXPECT_EQ(Json("ledger show l.sqlite")["head"], spent["head"]);
}

TEST_F(LedgerCommandsTest, ASpentBudgetExitsWithThreeAndSaysWhatFits) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  WriteEvents("e.jsonl", 100'000);
  for (const char* how : {"a --yes", "a --dry-run", "a"}) {
    const Result result = Sfumato(kSpend + std::string(how));
    EXPECT_EQ(result.exit_code, 3) << how << result.err;
    EXPECT_NE(result.err.find("would fit"), std::string::npos) << result.err;
  }
  const json error = Json(kSpend + std::string("a --yes"));
  EXPECT_EQ(error["error"]["kind"], "budget_spent");
}

TEST_F(LedgerCommandsTest, SpendingTheSameAgainSaysThatItIsEntered) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  WriteEvents("e.jsonl", 10);
  const json first = Json(kSpend + std::string("a --yes"));
  EXPECT_EQ(first["already_entered"], false);
  const std::string later = Json(kSpend + std::string("b --yes"))["head"];
  const Result again = Sfumato(kSpend + std::string("a"));
  EXPECT_EQ(again.exit_code, 0) << "no yes is needed: " << again.err;
  EXPECT_NE(again.out.find("already entered"), std::string::npos) << again.out;
  const json object = Json(kSpend + std::string("a --yes"));
  EXPECT_EQ(object["already_entered"], true);
  EXPECT_EQ(object["head"], first["head"]);
  EXPECT_EQ(Json("ledger show l.sqlite")["head"], later);
  WriteEvents("e.jsonl", 11);
  EXPECT_EQ(Sfumato(kSpend + std::string("a --yes")).exit_code, 2);
  EXPECT_EQ(Json("ledger show l.sqlite")["head"], later);
}

TEST_F(LedgerCommandsTest, ThePriceSaysWhatItsPercentageCounts) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  WriteEvents("e.jsonl", 10);
  const Result dry = Sfumato(kSpend + std::string("a --dry-run"));
  EXPECT_NE(dry.out.find("however the next release is chosen"),
            std::string::npos)
      << dry.out;
  WriteEvents("e.jsonl", 10'000'000);
  const Result much = Sfumato(kSpend + std::string("a --yes"));
  EXPECT_EQ(much.exit_code, 3);
  EXPECT_NE(much.err.find("times the budget"), std::string::npos) << much.err;
  EXPECT_EQ(much.err.find("e+"), std::string::npos) << much.err;
}

TEST_F(LedgerCommandsTest, ADerivedPopulationHasItsRootsLeftAndARootAllRuns) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  ASSERT_EQ(Sfumato("ledger create l.sqlite --population slow --root phones")
                .exit_code,
            0);
  ASSERT_EQ(Sfumato("ledger create l.sqlite --population fast --root phones")
                .exit_code,
            0);
  WriteEvents("e.jsonl", 10);
  ASSERT_EQ(Sfumato(kSpend + std::string("a --yes")).exit_code, 0);
  ASSERT_EQ(Sfumato("ledger spend l.sqlite --population slow --events e.jsonl "
                    "--run b --yes")
                .exit_code,
            0);
  const json all = Json("ledger show l.sqlite")["populations"];
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["runs"], 2);
  EXPECT_EQ(all[1]["runs"], 1);
  EXPECT_EQ(all[2]["runs"], 0);
  EXPECT_LT(all[0]["left"].get<double>(), 1);
  EXPECT_EQ(all[1]["left"], all[0]["left"]);
  EXPECT_EQ(all[2]["left"], all[0]["left"]);
  EXPECT_EQ(
      Json("ledger show l.sqlite --population slow")["populations"][0]["left"],
      all[0]["left"]);
}

TEST_F(LedgerCommandsTest, ShowSaysFirstWhatHoldsForEveryAnalyst) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  WriteEvents("e.jsonl", 10);
  ASSERT_EQ(Sfumato(kSpend + std::string("a --yes")).exit_code, 0);
  const std::string shown = Sfumato("ledger show l.sqlite").out;
  const auto any = shown.find("however the analyst chose");
  const auto odds = shown.find("89 times in 100");
  const auto meter = shown.find("the filter has counted");
  const auto fixed = shown.find("valid if the plan was fixed in advance");
  ASSERT_NE(fixed, std::string::npos) << shown;
  EXPECT_LT(any, odds) << shown;
  EXPECT_LT(odds, meter) << shown;
  EXPECT_LT(meter, fixed) << shown;
  EXPECT_NE(shown.find("times in 100", fixed), std::string::npos) << shown;
  EXPECT_NE(shown.find("Totals as cached"), std::string::npos) << shown;
}

TEST_F(LedgerCommandsTest, ShowSaysWhatIsLeftAndTheOdds) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  ASSERT_EQ(Sfumato("ledger create l.sqlite --population slow --root phones")
                .exit_code,
            0);
  WriteEvents("e.jsonl", 10);
  ASSERT_EQ(Sfumato(kSpend + std::string("a --yes")).exit_code, 0);
  const Result shown = Sfumato("ledger show l.sqlite");
  for (const char* part :
       {"phones", "charges phones", "valid if the plan was fixed in advance",
        "from even odds and knowing everything else", "89 times in 100",
        "owner is trusted"}) {
    EXPECT_NE(shown.out.find(part), std::string::npos) << part << shown.out;
  }
  const json all = Json("ledger show l.sqlite")["populations"];
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(all[0]["spent"].get<double>() + all[0]["left"].get<double>(), 1,
              1e-12);
  EXPECT_NEAR(all[0]["guessed_right"].get<double>(), 0.880797, 1e-5);
  EXPECT_LT(all[0]["composed_guessed_right"].get<double>(), 0.57);
  EXPECT_EQ(all[1]["root"], "phones");
  EXPECT_EQ(all[1]["runs"], 0);
  EXPECT_EQ(
      Json("ledger show l.sqlite --population phones")["populations"].size(),
      2u);
  EXPECT_EQ(Sfumato("ledger show l.sqlite --population nobody").exit_code, 2);
}

TEST_F(LedgerCommandsTest, EpsilonIsRoundedUpToTwoDigitsAtLeast) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  std::ofstream("e.jsonl") << json{{"mechanism", "gaussian"},
                                   {"noise_multiplier", 3000.0},
                                   {"sampling", {{"kind", "all"}}},
                                   {"adjacency", "add-remove"},
                                   {"unit", "user"},
                                   {"count", 1}}
                           << "\n";
  const json spent = Json(kSpend + std::string("a --yes"));
  const double exact = spent["epsilon"];
  ASSERT_LT(exact, 0.005) << "two decimals would print it as 0.00";
  const auto printed = [](const std::string& text, const std::string& before) {
    const auto at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before << "\n" << text;
    return at == std::string::npos ? 0
                                   : std::stod(text.substr(at + before.size()));
  };
  const std::string dry = Sfumato(kSpend + std::string("b --dry-run")).out;
  const std::string shown = Sfumato("ledger show l.sqlite").out;
  const json row = Json("ledger show l.sqlite")["populations"][0];
  const std::vector<std::pair<double, double>> pairs = {
      {printed(dry, "1 event, epsilon "), exact},
      {printed(shown, "has counted epsilon "), row["filter_epsilon"]},
      {printed(shown, "so far, composed: epsilon "), row["composed_epsilon"]}};
  for (const auto& [text, truth] : pairs) {
    EXPECT_GE(text, truth);
    EXPECT_LT(text, 1.01 * truth);
  }
}

TEST_F(LedgerCommandsTest, LongNamesDoNotRunIntoTheirColumns) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  const std::string name = "phones/a-look-with-a-long-name-0123abcd/a1";
  ASSERT_EQ(Sfumato("ledger create l.sqlite --root phones --population " + name)
                .exit_code,
            0);
  const std::string shown = Sfumato("ledger show l.sqlite").out;
  EXPECT_NE(shown.find(name + " "), std::string::npos) << shown;
  EXPECT_NE(shown.find(" charges phones "), std::string::npos) << shown;
}

TEST_F(LedgerCommandsTest, ShowExplainsWhyItsThreeNumbersDiffer) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  EXPECT_EQ(Sfumato("ledger show l.sqlite").out.find("do not agree"),
            std::string::npos)
      << "nothing was spent";
  WriteEvents("e.jsonl", 10);
  ASSERT_EQ(Sfumato(kSpend + std::string("a --yes")).exit_code, 0);
  const std::string shown = Sfumato("ledger show l.sqlite").out;
  EXPECT_NE(shown.find("Why these three do not agree"), std::string::npos)
      << shown;
}

// A private set of one author, in a folder of its own.
void MakePrivate(const std::string& name) {
  std::ofstream(name + ".jsonl")
      << R"({"author": "ann", "body": "I keep a secret."})"
      << "\n";
  ASSERT_EQ(Sfumato("data import text " + name +
                    ".jsonl --user author --text body --out " + name)
                .exit_code,
            0);
}

// An inspection's cells pay once, by its own runs.
TEST_F(LedgerCommandsTest, NobodySpendsOnTheCellsOfARun) {
  {
    dp::Ledger ledger = dp::Ledger::Create(
        "l.sqlite",
        {.name = "phones", .budget = {.epsilon = 50, .delta = 1e-6}});
    ledger.AddPopulation({.name = "phones/look/a1",
                          .root = "phones",
                          .partition = "look",
                          .owner = "look/a1"});
    ledger.Spend("look/a1", "phones/look/a1",
                 {{{.mechanism = dp::Gaussian{.noise_multiplier = 5}}}});
  }
  std::ofstream("e.jsonl") << json{{"mechanism", "gaussian"},
                                   {"noise_multiplier", 5},
                                   {"sampling", {{"kind", "all"}}},
                                   {"adjacency", "add-remove"},
                                   {"unit", "user"},
                                   {"count", 1}}
                           << "\n";
  for (const char* run : {"look/a1 (2)", "another"}) {
    const Result result = RunCommandLine(
        {"ledger", "spend", "l.sqlite", "--population", "phones/look/a1",
         "--run", run, "--events", "e.jsonl", "--yes"});
    EXPECT_EQ(result.exit_code, 2) << run;
    EXPECT_NE(result.err.find("charge 'phones'"), std::string::npos)
        << result.err;
  }
}

TEST_F(LedgerCommandsTest, BindSaysWhoseRecordsADatasetHolds) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  ASSERT_EQ(Sfumato("ledger create l.sqlite --population tablets --epsilon 1 "
                    "--delta 1e-6")
                .exit_code,
            0);
  MakePrivate("may");
  MakePrivate("june");
  const std::string bind = "ledger bind l.sqlite --population ";
  const json bound = Json(bind + "phones --dataset may");
  EXPECT_EQ(bound["dataset"].get<std::string>().size(), 32u);
  EXPECT_EQ(Json(bind + "phones --dataset may/")["head"], bound["head"])
      << "again: nothing";
  EXPECT_EQ(Sfumato(bind + "phones --dataset june").exit_code, 0);
  const Result other = Sfumato(bind + "tablets --dataset may");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("bound to population 'phones'"), std::string::npos)
      << other.err;
  ASSERT_EQ(Sfumato("data make handwriting --users 2 --out people").exit_code,
            0);
  EXPECT_EQ(Sfumato(bind + "phones --dataset people").exit_code, 2)
      << "people who do not exist have no budget";
  EXPECT_EQ(Json("ledger show l.sqlite")["datasets"].size(), 2u);
  EXPECT_EQ(Sfumato("ledger verify l.sqlite").exit_code, 0);
}

TEST_F(LedgerCommandsTest, PrivateRecordsAreShownOnlyWithAnEntryInTheLedger) {
  MakePrivate("people");
  const std::string show = "data show people";
  const Result plain = Sfumato(show);
  EXPECT_EQ(plain.exit_code, 2);
  EXPECT_EQ(plain.out.find("secret"), std::string::npos) << plain.out;
  EXPECT_NE(plain.err.find("--look-at-private-records"), std::string::npos);
  const std::string look = show + " --look-at-private-records";
  const Result without = Sfumato(look);
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_EQ(without.out.find("secret"), std::string::npos);
  EXPECT_NE(without.err.find("ledger create"), std::string::npos)
      << without.err;
  ASSERT_EQ(Sfumato("ledger create ledger.sqlite --population people "
                    "--epsilon 1 --delta 1e-6")
                .exit_code,
            0);
  EXPECT_EQ(Sfumato(show).exit_code, 2);
  EXPECT_TRUE(Json("ledger show ledger.sqlite")["looks"].empty());
  const Result shown = Sfumato(look + " --users 3 --per-user 2");
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("secret"), std::string::npos) << shown.out;
  const json looks = Json("ledger show ledger.sqlite")["looks"];
  ASSERT_EQ(looks.size(), 1u);
  EXPECT_EQ(looks[0]["command"], "data show");
  EXPECT_EQ(looks[0]["records"], 6) << "three users, two each, at most";
  EXPECT_NE(Sfumato("ledger show ledger.sqlite").out.find("by 'data show'"),
            std::string::npos);
  // A refusal by the description alone does not count as a look.
  EXPECT_EQ(Sfumato(look + " --only colour=red").exit_code, 2);
  EXPECT_EQ(Json("ledger show ledger.sqlite")["looks"].size(), 1u);
  ASSERT_EQ(Sfumato("ledger create other.sqlite --population people "
                    "--epsilon 1 --delta 1e-6")
                .exit_code,
            0);
  // Nobody hides a look in a ledger of their own.
  EXPECT_EQ(Sfumato(look + " --ledger other.sqlite").exit_code, 2);
  EXPECT_TRUE(Json("ledger show other.sqlite")["looks"].empty());
  EXPECT_EQ(Sfumato("ledger verify ledger.sqlite").exit_code, 0);
}

TEST_F(LedgerCommandsTest, OfAPrivateSetDescribeSaysTheSchemaAlone) {
  MakePrivate("people");
  const json schema = Json("data describe people");
  EXPECT_EQ(schema["kind"], "text");
  for (const char* secret : {"users", "examples", "words", "bytes",
                             "examples_per_user", "examples_per_class"}) {
    EXPECT_FALSE(schema.contains(secret)) << secret;
  }
  EXPECT_EQ(Sfumato("data describe people --look-at-private-records").exit_code,
            2)
      << "no ledger";
  ASSERT_EQ(Sfumato("ledger create ledger.sqlite --population people "
                    "--epsilon 1 --delta 1e-6")
                .exit_code,
            0);
  EXPECT_EQ(Json("data describe people --look-at-private-records")["users"], 1);
  EXPECT_EQ(Json("ledger show ledger.sqlite")["looks"][0]["command"],
            "data describe");
}

TEST_F(LedgerCommandsTest, VerifyExitsWithFiveAndNamesWhatItFound) {
  ASSERT_EQ(Sfumato(kCreate).exit_code, 0);
  WriteEvents("e.jsonl", 10);
  const std::string head = Json(kSpend + std::string("a --yes"))["head"];
  EXPECT_EQ(Sfumato("ledger verify l.sqlite --head " + head).exit_code, 0);
  fs::copy_file("l.sqlite", "old.sqlite");
  const std::string later = Json(kSpend + std::string("b --yes"))["head"];
  EXPECT_EQ(
      Sfumato("ledger verify l.sqlite --head " + head + " --head " + later)
          .exit_code,
      0);
  const Result cut = Sfumato("ledger verify old.sqlite --head " + later);
  EXPECT_EQ(cut.exit_code, 5);
  EXPECT_NE(cut.out.find("older copy"), std::string::npos) << cut.out;
  const json object = Json("ledger verify old.sqlite --head " + later);
  EXPECT_EQ(object["ok"], false);
  EXPECT_EQ(object["error"]["kind"], "corrupt");
  EXPECT_EQ(object["findings"].size(), 1u);
  EXPECT_EQ(Sfumato("ledger verify l.sqlite --head x").exit_code, 2);
}

TEST_F(LedgerCommandsTest, AKeyIsAskedForByName) {
  std::ofstream("key") << "0123456789abcdef0123456789abcdef\n";
  std::ofstream("short") << "012\n";
  ASSERT_EQ(Sfumato(kCreate + std::string(" --key-file key")).exit_code, 0);
  WriteEvents("e.jsonl", 10);
  const Result without = Sfumato(kSpend + std::string("a --yes"));
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_NE(without.err.find("--key-file"), std::string::npos) << without.err;
  EXPECT_EQ(Sfumato(kSpend + std::string("a --yes --key-file short")).exit_code,
            2);
  EXPECT_EQ(Sfumato(kSpend + std::string("a --yes --key-file key")).exit_code,
            0);
  EXPECT_EQ(Sfumato("ledger verify l.sqlite --key-file key").exit_code, 0);
  const Result missing = Sfumato("ledger verify l.sqlite");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.out.find("cannot say: give --key-file"), std::string::npos);
  EXPECT_EQ(missing.out.find("spend nothing"), std::string::npos);
  std::ofstream("other") << "fedcba9876543210fedcba9876543210\n";
  const json wrong = Json("ledger verify l.sqlite --key-file other");
  EXPECT_EQ(wrong["error"]["kind"], "corrupt");
  EXPECT_EQ(wrong["findings"].size(), 1u) << wrong;
}

TEST_F(LedgerCommandsTest, LinesGoOutAndIn) {
  ASSERT_EQ(
      RunCommandLine({"ledger", "create", "l.sqlite", "--population",
                      "Téléphones · ε", "--epsilon", "2", "--delta", "1e-6"})
          .exit_code,
      0);
  const Result lines = Sfumato("ledger export l.sqlite");
  ASSERT_EQ(lines.exit_code, 0);
  base::WriteFileAtomically("printed.jsonl", lines.out);
  EXPECT_EQ(Sfumato("ledger import printed.jsonl a.sqlite").exit_code, 0)
      << "also after a terminal's locale";
  ASSERT_EQ(Sfumato("ledger export l.sqlite --output written.jsonl").exit_code,
            0);
  EXPECT_EQ(base::ReadFile("written.jsonl"), lines.out);
  EXPECT_EQ(Sfumato("ledger export l.sqlite --output written.jsonl").exit_code,
            2)
      << "never over another";
  EXPECT_EQ(Sfumato("ledger import written.jsonl a.sqlite").exit_code, 2);
  EXPECT_EQ(Json("ledger export l.sqlite")["lines"].size(), 3u);
  fs::resize_file("written.jsonl", fs::file_size("written.jsonl") - 20);
  EXPECT_EQ(Sfumato("ledger import written.jsonl b.sqlite").exit_code, 5);
  std::string later = lines.out;
  const std::string schema = "\"schema\":\"";
  later.insert(later.find(schema) + schema.size(), "later.");
  base::WriteFileAtomically("later.jsonl", later);
  EXPECT_EQ(Sfumato("ledger import later.jsonl b.sqlite").exit_code, 4);
  EXPECT_FALSE(fs::exists("b.sqlite"));
}

TEST_F(LedgerCommandsTest, BadInputExitsWithTwoAndLeavesNothing) {
  fs::remove("e.jsonl");
  const char* lines[] = {
      "ledger",
      "ledger create",
      "ledger create x",
      "ledger create x --population a",
      "ledger create x --population a --epsilon 1",
      "ledger create x --population a --epsilon nan --delta 1e-6",
      "ledger create x --population a --epsilon -1 --delta 1e-6",
      "ledger create x --population a --epsilon 1 --delta 1",
      "ledger create x --population a --epsilon 1 --delta 0.5",
      "ledger create x --population a --epsilon 1 --delta 0.011",
      "ledger create x --population a --root b",
      "ledger create x --population a --epsilon 1 --delta 1e-6 --partition p",
      "ledger create x --population a --epsilon 1 --delta 1e-6 --filter pld",
      "ledger create x --population a --epsilon 1 --delta 1e-6 --key-file no",
      "ledger show nowhere",
      "ledger verify nowhere",
      "ledger export nowhere",
      "ledger import nowhere x",
      "ledger spend nowhere --population a --run b --events c --yes",
  };
  for (const char* line : lines) {
    const Result result = Sfumato(line);
    EXPECT_EQ(result.exit_code, 2) << line << "\n" << result.err;
    EXPECT_TRUE(result.err.starts_with("error: ")) << line;
    EXPECT_TRUE(fs::is_empty(".")) << line;
  }
  std::ofstream("empty").close();
  const Result empty =
      Sfumato("ledger create empty --population a --epsilon 1 --delta 1e-6");
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_NE(empty.err.find("an empty file is in the ledger's place"),
            std::string::npos)
      << empty.err;
  EXPECT_EQ(
      Sfumato("ledger create /proc/x --population a --epsilon 1 --delta 1e-6")
          .exit_code,
      6);
}

}  // namespace
}  // namespace sfumato::app

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/command.h"
#include "app/command_line.h"
#include "app/command_testing.h"
#include "base/file.h"
#include "base/image.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result Sfumato(const std::string& line) {
  return RunCommandLine(Words("privacy " + line + " --quiet"));
}

json Json(const std::string& line) {
  const Result result = Sfumato(line + " --json");
  EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.err;
  return json::parse(result.out);
}

double Epsilon(const std::string& line) {
  return Json("epsilon " + line).at("epsilon").get<double>();
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr char kFig3a[] =
    " --noise 1 --rounds 1000 --delta 4e-8 --cohort 1000 --population 250000 ";

constexpr char kEvent[] =
    R"({"mechanism":"gaussian","noise_multiplier":1.0,"sampling":{"kind":"poisson","rate":0.004},"adjacency":"add-remove","unit":"user","count":1000})";

class PrivacyCommandsTest : public CommandTest {};

// Expected values: the table of Augenstein et al. 2020 computed twice, apart
// from this program.
TEST_F(PrivacyCommandsTest, EpsilonSaysEverythingThatBelongsToTheNumber) {
  const json answer = Json(std::string("epsilon") + kFig3a);
  EXPECT_GE(answer.at("epsilon"), 1.032444);
  EXPECT_LE(answer.at("epsilon"), 1.0335);
  EXPECT_EQ(answer.at("delta"), 4e-8);
  EXPECT_EQ(answer.at("accountant"), "pld");
  EXPECT_EQ(answer.at("adjacency"), "add-remove");
  EXPECT_EQ(answer.at("unit"), "user");
  EXPECT_EQ(answer.at("sampling"), "poisson");
  EXPECT_FALSE(answer.at("proof").get<std::string>().empty());
  EXPECT_EQ(answer.at("warnings"), json::array());
  EXPECT_EQ(answer.at("rate"), 0.004);
  EXPECT_EQ(answer.at("rounds"), 1000);
  // Never more than (e^epsilon + delta) / (1 + e^epsilon).
  EXPECT_GT(answer.at("guessed_right"), 0.5);
  EXPECT_LT(answer.at("guessed_right"), 0.738);

  const std::string text = Sfumato(std::string("epsilon") + kFig3a).out;
  EXPECT_TRUE(text.starts_with("epsilon 1.03")) << text;
  for (const char* part : {"at delta 4e-8", "times as", "took part",
                           "times in 100", "add-remove", "user", "proof"}) {
    EXPECT_TRUE(Has(text, part)) << part << "\n" << text;
  }
}

TEST_F(PrivacyCommandsTest, EachAccountantGivesItsOwnNumber) {
  const std::string round = " --noise 1 --rate 0.01 --rounds 1000 --delta 1e-5";
  EXPECT_NEAR(Epsilon(round), 1.828244, 2e-3);
  EXPECT_NEAR(Epsilon(round + " --accountant rdp"), 2.101367, 1e-5);
  EXPECT_NEAR(Epsilon(std::string(kFig3a) + "--accountant published"), 2.379728,
              1e-6);
}

TEST_F(PrivacyCommandsTest, FixedSizeImpliesReplaceOne) {
  const std::string fixed = std::string(kFig3a) + "--sampling fixed";
  const json answer = Json("epsilon" + fixed);
  EXPECT_EQ(answer.at("adjacency"), "replace-one");
  EXPECT_EQ(answer.at("sampling"), "fixed");
  EXPECT_GE(answer.at("epsilon"), 10.1467);  // attained by some neighbours
  EXPECT_LE(answer.at("epsilon"), 10.575);
  EXPECT_NEAR(Epsilon(std::string(kFig3a) + "--adjacency replace-one"), 1.401,
              2e-3);
  const Result refused = Sfumato("epsilon" + fixed + " --adjacency add-remove");
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_TRUE(Has(refused.err, "replace-one")) << refused.err;
}

TEST_F(PrivacyCommandsTest, PublishedNumbersSayThatTheyProveNothing) {
  const std::string line =
      std::string("epsilon") + kFig3a + "--accountant published";
  const json answer = Json(line);
  EXPECT_EQ(answer.at("proof"), "none (published)");
  // That it proves nothing, and that it is about fixed cohorts.
  EXPECT_EQ(answer.at("warnings").size(), 2u);
  EXPECT_EQ(answer.at("sampling"), "fixed");
  EXPECT_EQ(answer.at("adjacency"), "replace-one");
  EXPECT_TRUE(answer.at("guessed_right").is_null());
  const Result shown = Sfumato(line);
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_TRUE(Has(shown.out, "none (published)"));
  EXPECT_TRUE(Has(shown.out, "warning"));
  EXPECT_FALSE(Has(shown.out, "times in")) << "no odds";
}

TEST_F(PrivacyCommandsTest, CountsMayBeWrittenWithAnExponent) {
  EXPECT_EQ(Epsilon(kFig3a),
            Epsilon(" --noise 1 --rounds 1e3 --delta 4e-8 --cohort 1e3 "
                    "--population 2.5e5"));
  EXPECT_EQ(Epsilon(kFig3a),
            Epsilon(" --noise 1 --rounds 1000 --delta 4e-8 --rate 0.004"));
}

TEST_F(PrivacyCommandsTest, DeltaComesFromThePopulationWhenNotGiven) {
  const std::string line =
      "epsilon --noise 1 --rounds 10 --cohort 10 --population 1000";
  EXPECT_NEAR(Json(line).at("delta"), 5.0119e-4, 1e-8);  // 10^-3.3
  EXPECT_TRUE(Has(Sfumato(line).out, "the usual one for the population"));
  EXPECT_FALSE(Has(Sfumato(line + " --delta 1e-5").out, "the usual one"));
  EXPECT_TRUE(Has(Sfumato("epsilon --help").out, "population^-1.1"));
  EXPECT_EQ(Sfumato("epsilon --noise 1 --rate 0.1").exit_code, 2);
}

// A delta of one over the population is met by publishing somebody at random.
TEST_F(PrivacyCommandsTest, ADeltaOfOneOverThePopulationIsRefused) {
  const std::string who = " --cohort 10 --population 1000";
  for (const std::string& command :
       {"epsilon --noise 1 --rounds 10" + who,
        "noise --epsilon 1 --rounds 10" + who,
        "rounds --epsilon 1 --noise 1" + who,
        std::string("cohort --epsilon 1 --noise 1 --rounds 10 --population "
                    "1000"),
        "plan --noise 0.1 --rounds 10" + who,
        "curve --noise 1 --rounds 10 --points 3" + who}) {
    for (const char* delta : {" --delta 1e-3", " --delta 0.9"}) {
      const Result result = Sfumato(command + delta);
      EXPECT_EQ(result.exit_code, 2) << command << delta;
      EXPECT_TRUE(Has(result.err, "--delta")) << result.err;
    }
    EXPECT_EQ(Sfumato(command + " --delta 9e-4").exit_code, 0) << command;
  }
}

TEST_F(PrivacyCommandsTest, ACurveAgainstThePopulationStaysBelowOneOverDelta) {
  const json curve = Json(
      "curve --against population --noise 1 --rounds 10 --cohort 100 "
      "--population 1000 --delta 5e-4 --points 4");
  EXPECT_EQ(curve.at("x").back(), 1999);
}

TEST_F(PrivacyCommandsTest, NoiseKeepsTheBudgetAndHardlyMore) {
  // Calibrated elsewhere, by loss distributions and by Rényi divergences.
  const std::string line =
      "noise --epsilon 1 --delta 1e-5 --rate 0.01 --rounds 10000";
  EXPECT_NEAR(Json(line).at("noise"), 3.81334, 2e-3);
  EXPECT_NEAR(Json(line + " --accountant rdp").at("noise"), 4.12581, 2e-3);
  // One release to all: the analytic Gaussian mechanism.
  const std::pair<double, double> single[] = {
      {10, 0.49989}, {1, 3.73063}, {0.2, 16.304}};
  for (const auto& [epsilon, sigma] : single) {
    const json answer = Json(
        fmt::format("noise --epsilon {} --delta 1e-5 --sampling all", epsilon));
    EXPECT_NEAR(answer.at("noise").get<double>() / sigma, 1, 1e-4);
    EXPECT_LE(answer.at("epsilon"), epsilon);
  }
  // What was printed keeps the budget when it is asked about again.
  const double noise = Json(line).at("noise");
  EXPECT_LE(Epsilon(fmt::format(
                "--noise {} --delta 1e-5 --rate 0.01 --rounds 10000", noise)),
            1.0);
  EXPECT_GT(
      Epsilon(fmt::format("--noise {} --delta 1e-5 --rate 0.01 --rounds 10000",
                          0.999 * noise)),
      1.0);
}

TEST_F(PrivacyCommandsTest, RoundsAndCohortAreTheLargestThatKeepTheBudget) {
  const std::int64_t rounds =
      Json("rounds --epsilon 2 --noise 1 --cohort 1000 --population 250000")
          .at("rounds");
  const auto after = [](std::int64_t r) {
    return Epsilon(fmt::format(
        "--noise 1 --cohort 1000 --population 250000 --rounds {}", r));
  };
  EXPECT_LE(after(rounds), 2);
  EXPECT_GT(after(rounds + 1), 2);

  const json endless =
      Json("rounds --epsilon 1 --sampling all --noise 1e6 --delta 1e-3");
  EXPECT_GE(endless.at("rounds"), 1000000);
  EXPECT_EQ(endless.at("warnings").size(), 1u);

  const std::int64_t cohort =
      Json("cohort --epsilon 2 --noise 1 --rounds 1000 --population 250000")
          .at("cohort");
  const auto with = [](std::int64_t c) {
    return Epsilon(fmt::format(
        "--noise 1 --cohort {} --population 250000 --rounds 1000", c));
  };
  EXPECT_LE(with(cohort), 2);
  EXPECT_GT(with(cohort + 1), 2);
  EXPECT_EQ(Json("cohort --epsilon 2 --noise 1 --rounds 1000 --population "
                 "250000 --sampling fixed")
                .at("adjacency"),
            "replace-one");
}

TEST_F(PrivacyCommandsTest, PlanScalesCohortAndNoiseTogether) {
  const json plan = Json(
      "plan --cohort 10 --noise 0.01 --population 2000000 --rounds 1000 "
      "--delta 5e-9");
  EXPECT_DOUBLE_EQ(plan.at("factor"), 100);
  EXPECT_EQ(plan.at("cohort"), 1000);
  EXPECT_EQ(plan.at("delta"), 5e-9);
  EXPECT_GE(plan.at("epsilon"), 0.160444);  // Fig 8a, Poisson
  EXPECT_LE(plan.at("epsilon"), 0.1607);
  EXPECT_GT(plan.at("unscaled_epsilon"), 1000);
  double last = 1e300;
  for (const json& step : plan.at("ladder")) {
    EXPECT_EQ(step.at("cohort").get<double>(),
              1000 * step.at("noise").get<double>());
    EXPECT_LT(step.at("epsilon"), last) << "more noise, less cost";
    last = step.at("epsilon");
  }
  EXPECT_GE(plan.at("ladder").size(), 3u);
}

TEST_F(PrivacyCommandsTest, APlanBeyondThePopulationIsSaidToBeOne) {
  const std::string line =
      "plan --cohort 10 --noise 0.01 --population 500 --rounds 100";
  const json plan = Json(line);
  EXPECT_TRUE(plan.at("epsilon").is_null());
  EXPECT_EQ(plan.at("cohort"), 1000);
  EXPECT_EQ(plan.at("warnings").size(), 1u);
  const std::string text = Sfumato(line).out;
  EXPECT_TRUE(text.starts_with("out of reach")) << text;
  EXPECT_TRUE(Has(text, "1,000 users per round")) << text;
}

TEST_F(PrivacyCommandsTest, VotesGiveClosedFormAndExactCost) {
  struct Case {
    const char* options;
    double closed_form;
    double exact;
  };
  const Case cases[] = {
      {"--queries 100", 1.5668, 1.0357},
      {"--queries 1000", 5.5016, 4.2077},
      {"--queries 1000 --level instance", 8.2490, 6.5526},
      {"--queries 1e3 --level instance --neighbours 10", 0.6809, 0.3974},
  };
  for (const Case& c : cases) {
    const json answer =
        Json(fmt::format("votes {} --sigma 25 --delta 1e-3", c.options));
    EXPECT_NEAR(answer.at("closed_form"), c.closed_form, 5.1e-5) << c.options;
    EXPECT_NEAR(answer.at("exact"), c.exact, 5.1e-5) << c.options;
    EXPECT_NEAR(answer.at("epsilon"), c.exact, 5.1e-5) << c.options;
  }
  const std::string text =
      Sfumato(
          "votes --queries 1000 --sigma 25 --delta 1e-3 --level instance "
          "--neighbours 10")
          .out;
  EXPECT_TRUE(Has(text, "Theorem 3")) << "the paper prints something else";
  EXPECT_TRUE(Has(text, "2.262")) << text;  // 0.16 + 2 sqrt(0.16 log 1000)
  EXPECT_FALSE(Has(Sfumato("votes --queries 9 --sigma 25 --delta 1e-3").out,
                   "Theorem 3"));
}

TEST_F(PrivacyCommandsTest, GswganSetsWhatHoldsBesideWhatWasPrinted) {
  const json random = Json("gswgan --schedule random");
  EXPECT_NEAR(random.at("epsilon"), 610, 0.5);
  EXPECT_NEAR(random.at("published"), 9.992624, 1e-6);
  EXPECT_EQ(random.at("published_proof"), "none (published)");
  EXPECT_NEAR(random.at("sigma_for_wanted_epsilon").at("random"), 14.02, 0.005);
  EXPECT_NEAR(random.at("strict").at("random"), 610, 0.5);
  EXPECT_NEAR(random.at("strict").at("round_robin"), 379, 0.5);
  EXPECT_NEAR(random.at("sigma_for_wanted_epsilon").at("round_robin"), 12.65,
              0.005);
  const json robin = Json("gswgan");
  EXPECT_NEAR(robin.at("epsilon"), 379, 0.5);
  EXPECT_EQ(robin.at("adjacency"), "replace-one");
  EXPECT_NEAR(robin.at("sigma_for_wanted_epsilon").at("round_robin"), 12.65,
              0.005);
  EXPECT_NEAR(Json("gswgan --batch 1 --epsilon 1")
                  .at("sigma_for_wanted_epsilon")
                  .at("round_robin"),
              16.68, 0.005);
}

TEST_F(PrivacyCommandsTest, TablesAreTextAndJson) {
  const json answer = Json("tables");
  EXPECT_EQ(answer.at("tables").size(), 5u);
  const std::string text = Sfumato("tables").out;
  for (const char* part :
       {"Fig 3a", "RNN", "GS-WGAN", "DP-MERF-AE", "agent", "Why they differ",
        "none (published)", "9,989,043"}) {
    EXPECT_TRUE(Has(text, part)) << part;
  }
}

TEST_F(PrivacyCommandsTest, EventsOfAFileCostTheSameAsOptions) {
  std::ofstream("one.jsonl") << kEvent << "\n";
  EXPECT_EQ(Epsilon("--events one.jsonl --delta 4e-8"), Epsilon(kFig3a));
  // The same rounds in two lines, the last without a line end.
  std::string half = kEvent;
  half.replace(half.find("1000}"), 5, "500}");
  std::ofstream("two.jsonl") << half << "\n\n" << half;
  EXPECT_NEAR(Epsilon("--events two.jsonl --delta 4e-8"), Epsilon(kFig3a),
              1e-3);
}

TEST_F(PrivacyCommandsTest, BadFilesOfEventsAreRefusedByName) {
  const std::string event = kEvent;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = event;
    changed.replace(changed.find(from), from.size(), to);
    return changed + "\n";
  };
  struct Case {
    const char* name;
    std::string content;
    const char* part;
  };
  const Case cases[] = {
      {"empty", "", "no events"},
      {"blank", "\n \n", "no events"},
      {"cut", event + "\n" + event.substr(0, 60), ":2: not valid"},
      {"cut in the middle", event.substr(0, 60) + "\n" + event + "\n", ":1"},
      {"unknown key", with("\"count\"", "\"cuont\""), "did you mean 'count'?"},
      {"missing key", with("\"noise_multiplier\":1.0,", ""),
       "missing 'noise_multiplier'"},
      {"wrong type", with("1.0", "\"1\""), "must be a number"},
      {"no number", with("1.0", "NaN"), "not valid JSON"},
      {"negative noise", with("1.0", "-1.0"), "noise_multiplier"},
      {"no rounds", with("1000}", "0}"), "count"},
      {"unknown mechanism", with("gaussian", "gausian"), "'gaussian'?"},
  };
  for (const Case& c : cases) {
    std::ofstream("e.jsonl") << c.content;
    const Result result = Sfumato("epsilon --events e.jsonl --delta 1e-6");
    EXPECT_EQ(result.exit_code, 2) << c.name;
    EXPECT_TRUE(Has(result.err, "e.jsonl")) << c.name << "\n" << result.err;
    EXPECT_TRUE(Has(result.err, c.part)) << c.name << "\n" << result.err;
    EXPECT_EQ(result.out, "") << c.name;
  }
  EXPECT_EQ(Sfumato("epsilon --events nowhere --delta 1e-6").exit_code, 2);
}

TEST_F(PrivacyCommandsTest, OptionsBesideAFileAreRefusedByName) {
  std::ofstream("e.jsonl") << kEvent << "\n";
  for (const char* option : {"--noise 1", "--rounds 10", "--cohort 3",
                             "--population 100", "--rate 0.1", "--sampling all",
                             "--adjacency replace-one", "--unit user"}) {
    const Result result = Sfumato(
        fmt::format("epsilon --events e.jsonl --delta 1e-6 {}", option));
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_TRUE(Has(result.err, Words(option)[0])) << result.err;
  }
  EXPECT_EQ(Sfumato("epsilon --events e.jsonl").exit_code, 2) << "no delta";
}

// A mechanism that reveals everything with a chance of a tenth.
TEST_F(PrivacyCommandsTest, AnEpsilonWithoutEndIsNullWithAReason) {
  std::ofstream("e.jsonl") << R"({"mechanism":"approximate","epsilon":1.0,)"
                              R"("delta":0.1,"sampling":{"kind":"all"},)"
                              R"("adjacency":"add-remove","unit":"user"})"
                           << "\n";
  const json answer = Json("epsilon --events e.jsonl --delta 1e-6");
  EXPECT_TRUE(answer.at("epsilon").is_null());
  EXPECT_EQ(answer.at("warnings").size(), 1u);
  const Result shown = Sfumato("epsilon --events e.jsonl --delta 1e-6");
  EXPECT_TRUE(shown.out.starts_with("epsilon unbounded")) << shown.out;
}

TEST_F(PrivacyCommandsTest, BadInputIsRefusedWithTheOptionsName) {
  const std::pair<const char*, const char*> cases[] = {
      {"epsilon", "--noise"},
      {"epsilon --noise 1", "--cohort"},
      {"epsilon --noise 1 --cohort 10", "--population"},
      {"epsilon --noise 1 --rate 0.1", "--delta"},
      {"epsilon --noise nan --rate 0.1 --delta 1e-5", "--noise"},
      {"epsilon --noise -1 --rate 0.1 --delta 1e-5", "--noise"},
      {"epsilon --noise 0 --rate 0.1 --delta 1e-5", "--noise"},
      {"epsilon --noise inf --rate 0.1 --delta 1e-5", "--noise"},
      {"epsilon --noise much --rate 0.1 --delta 1e-5", "--noise"},
      {"epsilon --noise 1 --rate 0 --delta 1e-5", "--rate"},
      {"epsilon --noise 1 --rate 1.1 --delta 1e-5", "--rate"},
      {"epsilon --noise 1 --rate nan --delta 1e-5", "--rate"},
      {"epsilon --noise 1 --rate 0.1 --delta 0", "--delta"},
      {"epsilon --noise 1 --rate 0.1 --delta 1", "--delta"},
      {"epsilon --noise 1 --rate 0.1 --delta nan", "--delta"},
      {"epsilon --noise 1 --rate 0.1 --delta -1e-5", "--delta"},
      {"epsilon --noise 1 --rate 0.1 --delta 1e-5 --rounds 0", "--rounds"},
      {"epsilon --noise 1 --rate 0.1 --delta 1e-5 --rounds 1.5", "--rounds"},
      {"epsilon --noise 1 --rate 0.1 --delta 1e-5 --rounds -3", "--rounds"},
      {"epsilon --noise 1 --rate 0.1 --delta 1e-5 --rounds 1e30", "--rounds"},
      {"epsilon --noise 1 --cohort 11 --population 10", "--cohort"},
      {"epsilon --noise 1 --cohort 0 --population 10", "--cohort"},
      {"epsilon --noise 1 --cohort 1 --population 0", "--population"},
      {"epsilon --noise 1 --cohort 1 --population 9 --rate 0.1", "--rate"},
      {"epsilon --noise 1 --rate 0.1 --population 9 --sampling fixed",
       "--rate"},
      {"epsilon --noise 1 --cohort 3 --delta 1e-5 --sampling fixed",
       "--population"},
      {"epsilon --noise 1 --rate 0.1 --delta 1e-5 --sampling all", "--rate"},
      {"epsilon --noise 1 --rate 0.1 --delta 1e-5 --accountant pdl", "'pld'?"},
      {"epsilon --noise 1 --rate 0.1 --delta 1e-5 --accountant publshed",
       "'published'?"},
      {"epsilon --noise 1 --rate 0.1 --delta 1e-5 --sampling poison",
       "'poisson'?"},
      {"epsilon --noise 1 --rate 0.1 --delta 1e-5 --unit usr", "'user'?"},
      {"noise --rate 0.1 --delta 1e-5", "--epsilon"},
      {"noise --epsilon 0 --rate 0.1 --delta 1e-5", "--epsilon"},
      {"noise --epsilon nan --rate 0.1 --delta 1e-5", "--epsilon"},
      {"rounds --epsilon 1e-4 --noise 0.5 --rate 0.5 --delta 1e-9",
       "not even one"},
      {"cohort --epsilon 1 --noise 1 --rounds 10", "--population"},
      {"cohort --epsilon 1 --noise 1 --population 9 --sampling all",
       "--sampling"},
      {"plan --cohort 10 --noise 0.01 --population 5", "--cohort"},
      {"plan --cohort 10 --noise 1e-300 --population 50", "--wanted-noise"},
      {"plan --noise 0.01 --population 5", "--cohort"},
      {"votes --sigma 25 --delta 1e-3", "--queries"},
      {"votes --queries 0 --sigma 25 --delta 1e-3", "--queries"},
      {"votes --queries 9 --sigma nan --delta 1e-3", "--sigma"},
      {"votes --queries 9 --sigma 25 --delta 2", "--delta"},
      {"votes --queries 9 --sigma 25 --delta 1e-3 --level agnt", "'agent'?"},
      {"gswgan --critics 0", "--critics"},
      {"gswgan --sigma -1", "--sigma"},
      {"gswgan --schedule roundrobin", "'round-robin'?"},
      {"curve --noise 1 --rate 0.1 --delta 1e-5", "--rounds"},
      {"curve --noise 1 --rounds 10 --rate 0.1 --delta 1e-5 --against round",
       "'rounds'?"},
      {"curve --noise 1 --rate 0.1 --against delta --to 2", "--to"},
      {"curve --noise 1 --rate 0.1 --against delta --from 0.1 --to 1e-3",
       "--to"},
      {"curve --noise 1 --rounds 9 --rate 0.1 --delta 1e-5 --points 1",
       "--points"},
      {"curve --noise 1 --rounds 9 --rate 0.1 --delta 1e-5 --from 0.5",
       "--from"},
      {"curve --noise 1 --rounds 9 --rate 0.1 --against population",
       "--cohort"},
      {"curve --noise 1 --rounds 9 --rate 0.1 --delta 1e-5 --out c.pdf",
       ".svg or .png"},
      {"curve --noise 1 --rounds 9 --rate 0.1 --delta 1e-5 --out c",
       ".svg or .png"},
  };
  for (const auto& [line, part] : cases) {
    const Result result = Sfumato(line);
    EXPECT_EQ(result.exit_code, 2) << line << "\n" << result.err << result.out;
    EXPECT_TRUE(result.err.starts_with("error: ")) << line;
    EXPECT_TRUE(Has(result.err, part)) << line << "\n" << result.err;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_EQ(Entries(), 0u) << line;
  }
}

TEST_F(PrivacyCommandsTest, CurvesAreTheNumbersThatEpsilonGives) {
  const json curve =
      Json(std::string("curve") + kFig3a + "--points 5 --out c.svg");
  EXPECT_EQ(curve.at("picture"), "c.svg");
  const json& x = curve.at("x");
  ASSERT_GE(x.size(), 4u);
  EXPECT_EQ(x.front(), 1.0);
  EXPECT_EQ(x.back(), 1000.0);
  std::vector<std::string> accountants;
  for (const json& series : curve.at("series")) {
    ASSERT_EQ(series.at("epsilon").size(), x.size());
    accountants.push_back(series.at("accountant"));
    EXPECT_EQ(
        series.at("epsilon").back().get<double>(),
        Epsilon(std::string(kFig3a) + "--accountant " + accountants.back()));
    for (std::size_t i = 1; i < x.size(); ++i) {
      EXPECT_GT(series["epsilon"][i], series["epsilon"][i - 1]);
    }
  }
  EXPECT_EQ(accountants, (std::vector<std::string>{"pld", "rdp", "published"}));
  const std::string svg = base::ReadFile("c.svg");
  for (const char* part :
       {"<title>", "<desc>", "currentColor", "published (no proof)",
        "stroke-dasharray", ">rounds</text>", "pld 1.04"}) {
    EXPECT_TRUE(Has(svg, part)) << part;
  }
}

TEST_F(PrivacyCommandsTest, CurvesAgainstDeltaAndPopulationFall) {
  for (const char* against : {"delta", "population"}) {
    const json curve = Json(fmt::format(
        "curve --against {} --noise 1 --rounds 1000 --cohort 1000 --population "
        "250000 --points 6 --out {}.png",
        against, against));
    for (const json& series : curve.at("series")) {
      const json& epsilon = series.at("epsilon");
      for (std::size_t i = 1; i < epsilon.size(); ++i) {
        EXPECT_LT(epsilon[i], epsilon[i - 1]) << against;
      }
    }
    const std::string name = fmt::format("{}.png", against);
    const base::Image image = base::DecodePng(base::ReadFile(name), name);
    EXPECT_EQ(image.width, 1520);
    EXPECT_EQ(image.height, 880);
    EXPECT_EQ(image.channels, 3);
  }
}

TEST_F(PrivacyCommandsTest, CurvesReplaceNothing) {
  const std::string line =
      "curve --noise 1 --rounds 9 --rate 0.1 --delta 1e-5 --points 3";
  EXPECT_EQ(Json(line).at("picture"), "curve.svg");
  EXPECT_EQ(Json(line).at("picture"), "curve-2.svg");
  const Result taken = Sfumato(line + " --out curve.svg");
  EXPECT_EQ(taken.exit_code, 2);
  EXPECT_TRUE(Has(taken.err, "already exists"));
  const Result nowhere = Sfumato(line + " --out nowhere/curve.svg");
  EXPECT_EQ(nowhere.exit_code, 6) << nowhere.err;
  EXPECT_TRUE(Has(nowhere.err, "nowhere/curve.svg"));
  EXPECT_EQ(Entries(), 2u);
}

// The tests' own locale shows ASCII only.
TEST_F(PrivacyCommandsTest, SpeakAsciiWhereNothingElseShows) {
  for (const Command& command : Commands()) {
    if (!command.path.starts_with("privacy ")) continue;
    std::istringstream lines(command.example + "\nsfumato " + command.path +
                             " --help");
    for (std::string line; std::getline(lines, line);) {
      const Result result = RunCommandLine(Words(line.substr(8)));
      EXPECT_EQ(result.exit_code, 0) << line << result.err;
      EXPECT_TRUE(std::all_of(
          result.out.begin(), result.out.end(),
          [](char c) { return static_cast<unsigned char>(c) < 128; }))
          << line << "\n"
          << result.out;
    }
  }
}

}  // namespace
}  // namespace sfumato::app

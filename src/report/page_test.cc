#include "report/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "report/page_testing.h"
#include "report/report_testing.h"
#include "report/sections.h"
#include "runs/checkpoint.h"

namespace sfumato::report {
namespace {

namespace fs = std::filesystem;

// Where nothing is yet, in a folder of the running test's own.
base::Path FreshFolder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const base::Path folder =
      base::Path(testing::TempDir()) /
      (std::string(test->test_suite_name()) + "." + test->name());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder / "phones";
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::size_t Count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// The page before its data.
std::string Visible(const std::string& html) {
  return html.substr(0, html.find("<script"));
}

ErrorKind KindThrown(const base::Path& folder) {
  try {
    MakeReport(folder);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::kBug;
}

runs::InspectionRecord Changed(
    const base::Path& folder,
    const std::function<void(runs::InspectionRecord&)>& change) {
  runs::InspectionRecord record = runs::ReadInspection(folder);
  change(record);
  runs::WriteInspection(folder, record);
  return record;
}

TEST(PageTest, HasEverySectionInOrder) {
  const Report report = MakeReport(MakeInspection(FreshFolder()));
  std::size_t before = 0;
  for (const char* id : {"answer", "hypotheses", "numbers", "map", "belief",
                         "privacy", "reproduce"}) {
    const auto at = report.html.find("<section id=\"" + std::string(id));
    ASSERT_NE(at, std::string::npos) << id;
    EXPECT_GT(at, before) << id;
    before = at;
  }
  for (const char* part :
       {"✗", "A differs from B", "B&#39;s images look like A&#39;s, inverted.",
        "inverted pixels", "91 % (84–95)", "3 others not supported",
        "right at most 87 times in 100", "mean brightness",
        "would cost ε 1.94 (δ 1e-6, user)",
        "A simulation: the noise came from a seed",
        "sfumato inspect phones/config.toml --verify phones",
        "Yes: the configs of all 4 runs are equal"}) {
    EXPECT_TRUE(Has(report.html, part)) << part;
  }
}

TEST(PageTest, ForAStewardPrivacyComesFirst) {
  const Report report =
      MakeReport(MakeInspection(FreshFolder()), {.for_steward = true});
  EXPECT_LT(report.html.find("<section id=\"privacy"),
            report.html.find("<section id=\"answer"));
  EXPECT_EQ(Count(report.html, "<section id=\"privacy"), 1u);
}

TEST(PageTest, SameFolderSameBytes) {
  const base::Path folder = MakeInspection(FreshFolder());
  const Report first = WriteReport(folder);
  const Report second = WriteReport(folder);
  EXPECT_EQ(first.html, second.html);
  EXPECT_EQ(first.markdown, second.markdown);
  EXPECT_EQ(first.html, base::ReadFile(folder / "report.html"));
  const base::Path moved = folder.parent_path() / "elsewhere" / "phones";
  fs::create_directories(moved.parent_path());
  fs::rename(folder, moved);
  EXPECT_EQ(MakeReport(moved).html, first.html) << "and whereever it lies";
}

TEST(PageTest, TwelveStepsOfThreeNoisyGridsFitIntoAMegabyte) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 12});
  const Report report = MakeReport(folder);
  EXPECT_LE(report.html.size(), kMostPageBytes);
  EXPECT_GT(report.html.size(), 200'000u) << "there are pictures in it";
  EXPECT_TRUE(Has(report.html, "levels of grey here"));
}

TEST(PageTest, AsksForNothing) {
  const Report report = MakeReport(MakeInspection(FreshFolder()));
  EXPECT_EQ(Count(report.html, "http"), 1u) << "http-equiv of the policy";
  EXPECT_TRUE(Has(report.html,
                  "http-equiv=\"Content-Security-Policy\" "
                  "content=\"default-src 'none'; img-src data:"));
  EXPECT_EQ(Count(report.html, "<img"),
            Count(report.html, "src=\"data:image/png;base64,"));
  for (const char* part : {"<link", "@import", "url(", " style=\"", "onclick",
                           "<iframe", "<base"}) {
    EXPECT_FALSE(Has(report.html, part)) << part;
  }
  EXPECT_EQ(Count(report.html, "<script"), 2u) << "its data and its code";
}

TEST(PageTest, HostileWordsStayWords) {
  const std::string evil = "</script><script>alert(1)</script>\" onload='x'";
  const base::Path folder =
      MakeInspection(FreshFolder(), {.steps = 1, .question = evil});
  Changed(folder, [&](runs::InspectionRecord& record) {
    record.name = evil;
    record.data = evil;
    record.origin = evil;
    record.stage = evil;
    record.criterion = evil;
    record.model_words = evil;
    record.model_provenance = "released";
    record.privacy.judge = {evil, 1, evil};
    record.a.words = evil;
    record.a.rule = evil;
    record.b.words = evil;
    record.privacy.proof = evil;
    record.privacy.against = evil;
    record.privacy.unit = evil;
    record.privacy.population = evil;
    record.privacy.ledger_head = evil;
    record.privacy.taken_as_fixed = {evil};
    record.privacy.parts[0] = {evil, 1, evil};
    record.privacy.entries[0] = {evil, evil, evil, evil, false};
    record.earlier = {evil, evil, evil, 0.5, evil, 1};
    record.simulation_only["bug"] = evil;
  });
  runs::Contrast contrast = FakeContrast({.steps = 1});
  contrast.sentence = contrast.reason = evil;
  contrast.hypotheses[0].words = contrast.hypotheses[0].cause = evil;
  contrast.hypotheses[3].words = evil;
  contrast.measures[0].words = evil;
  contrast.health[0].words = contrast.health[0].model = evil;
  contrast.health[0].collapsed = true;
  contrast.map[0].model = evil;
  contrast.warnings = {evil};
  contrast.simulation_only = {{evil, 1.0}};
  WriteContrast(folder, contrast);
  const Report report = MakeReport(folder);
  EXPECT_FALSE(Has(report.html, "<script>alert"));
  EXPECT_EQ(Count(report.html, "</script>"), 2u);
  EXPECT_FALSE(Has(Visible(report.html), "\" onload"));
  EXPECT_TRUE(Has(report.html, "&lt;script&gt;alert"));
  EXPECT_FALSE(Has(report.markdown, "<script>"));
  // Nothing is lost on the way: the data inside give the words back.
  const nlohmann::json data = ExtractData(report.html, "here");
  EXPECT_EQ(data.at("inspection").at("question"), evil);
  EXPECT_EQ(data, report.data);
}

TEST(PageTest, OutsideSimulationNothingForSimulationsAloneIsOnIt) {
  const base::Path folder =
      MakeInspection(FreshFolder(), {.steps = 2, .simulation = false});
  // As a careless or a hostile writer would leave them.
  nlohmann::json json = ToJson(FakeRecord({.simulation = false}));
  json["simulation_only"] = {
      {"bug", "secret-bug"},
      {"examples",
       {{{"words", "secret-example"}, {"picture", "pictures/invert.png"}}}}};
  json["above"] = {{"value", 0.73737}, {"source", "simulation_only"}};
  json["a"]["users"] = {{"value", 98765}, {"source", "simulation_only"}};
  json["histogram"]["source"] = "simulation_only";
  json["histogram"]["counts"][3] = 31313;
  base::WriteFileAtomically(folder / "inspection.json", json.dump());
  runs::Contrast contrast = FakeContrast({.steps = 2});
  contrast.simulation_only = {{"secret_distance", 41414.25}};
  WriteContrast(folder, contrast);
  fs::remove_all(folder / "a1");
  MakeRun(folder / "a1", "a1", /*simulation=*/true);  // or so it says
  base::WriteFileAtomically(
      folder / "a1" / "metrics.jsonl",
      R"({"round":1,"loss":0.51515,"test_accuracy":0.61616,"batch_spread":0.5})"
      "\n");
  const Report report = MakeReport(folder);
  for (const std::string& text :
       {report.html, report.markdown, report.data.dump(), report.summary}) {
    for (const char* secret :
         {"secret-", "secret_", "0.73737", "98765", "98,765", "31313", "31,313",
          "41414", "41,414", "0.51515", "0.61616", "simulation_only"}) {
      EXPECT_FALSE(Has(text, secret)) << secret;
    }
  }
  for (const char* rounded : {"0.737", "0.515", "0.616", "simulation only"}) {
    EXPECT_FALSE(Has(Visible(report.html), rounded)) << rounded;
  }
  EXPECT_TRUE(Has(report.html, "not released"));
  EXPECT_FALSE(Has(report.html, "would cost ε"));
  EXPECT_FALSE(Has(report.html, "This page shows real examples"));
}

// Stopped while people were generated: nothing of it may look like a bound.
TEST(PageTest, WithoutAPriceNothingIsProven) {
  const base::Path folder =
      MakeInspection(FreshFolder(), {.compared = false, .runs_begun = 0});
  Changed(folder, [](runs::InspectionRecord& record) {
    record.simulation = true;
    record.privacy = {};
  });
  const Report report = MakeReport(folder);
  EXPECT_TRUE(Has(report.html, "the price is not known yet"));
  EXPECT_TRUE(Has(report.html, "A simulation"));
  EXPECT_FALSE(Has(report.html, ">proven</span>"));
  EXPECT_FALSE(Has(report.html, "differentially private"));
  EXPECT_FALSE(Has(report.html, "secure source"));
  EXPECT_FALSE(Has(report.markdown, "differentially private"));
}

TEST(PageTest, AVerificationSaysWhatBecameOfTheFinding) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  Changed(folder, [](runs::InspectionRecord& record) {
    record.earlier = {.folder = "before", .verdict = "differs"};
  });
  const Report report = MakeReport(folder);
  EXPECT_TRUE(Has(report.html, "What was seen there still differs."));
  EXPECT_TRUE(Has(report.markdown, "What was seen there still differs."));
}

TEST(PageTest, RealExamplesOfASimulationAreSaidInRed) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  EXPECT_FALSE(Has(MakeReport(folder).html, "shows real examples"));
  Changed(folder, [](runs::InspectionRecord& record) {
    record.simulation_only["examples"] = {
        {{"words", "B: people"}, {"picture", "pictures/invert.png"}}};
  });
  const Report report = MakeReport(folder);
  EXPECT_TRUE(Has(report.html,
                  "class=\"band\" role=\"note\"><strong>This page shows real "
                  "examples</strong>, in red frames"));
  EXPECT_TRUE(Has(report.html, "B: people"));
  EXPECT_FALSE(Has(MakeReport(folder, {.samples = false}).html, "<img"));
}

// 28 bytes that no drawn letter has side by side.
std::string CanaryRow() {
  std::string row;
  for (int i = 0; i < 28; ++i) row += static_cast<char>(10 + 8 * i);
  return row;
}

// An inspection whose data's own examples lie in its folder, and are named.
base::Path WithRealExamples(const FakeOptions& options) {
  const base::Path folder = MakeInspection(FreshFolder(), options);
  base::Image person = base::BlankImage(28, 28, 1, 0);
  for (int y = 0; y < 28; ++y) {
    for (int x = 0; x < 28; ++x) {
      person.at(x, y) = static_cast<std::uint8_t>(CanaryRow()[std::size_t(x)]);
    }
  }
  base::WriteFileAtomically(
      folder / "pictures" / "real_b.png",
      base::EncodePng(base::ImageGrid(std::vector{person, person},
                                      {.columns = 2, .scale = 2, .gap = 2})));
  nlohmann::json json = ToJson(FakeRecord(options));
  json["simulation_only"]["examples"] = {
      {{"words", "people"}, {"picture", "pictures/real_b.png"}}};
  base::WriteFileAtomically(folder / "inspection.json", json.dump());
  return folder;
}

bool ShowsCanary(const std::string& html) {
  return std::ranges::any_of(PicturesIn(html), [](const base::Image& image) {
    return ShowsRow(image, CanaryRow());
  });
}

TEST(PageTest, ARealExampleIsInNoPictureUnlessDeclared) {
  // Whoever looks finds it where it may be, however small it had to be stored.
  for (const int steps : {1, 12}) {
    const Report open = MakeReport(WithRealExamples({.steps = steps}));
    EXPECT_TRUE(ShowsCanary(open.html)) << steps;
    EXPECT_TRUE(Has(open.html, "This page shows real examples"));
  }
  const Report closed =
      MakeReport(WithRealExamples({.steps = 2, .simulation = false}));
  EXPECT_GT(PicturesIn(closed.html).size(), 5u);
  EXPECT_FALSE(ShowsCanary(closed.html));
}

TEST(PageTest, InASimulationNobodyGrantedAnything) {
  const Report report = MakeReport(MakeInspection(FreshFolder(), {.steps = 1}));
  EXPECT_FALSE(Has(report.html, "granted.</strong>"));
  EXPECT_FALSE(Has(Visible(report.html), "Privacy budget"));
  EXPECT_FALSE(Has(Visible(report.html), "What the ledger has of it"));
  EXPECT_FALSE(Has(report.markdown, "granted"));
  EXPECT_FALSE(Has(report.summary, "granted"));
}

TEST(PageTest, TheMeterShowsWhatTheLedgerSays) {
  const base::Path folder =
      MakeInspection(FreshFolder(), {.steps = 1, .simulation = false});
  const Report report = MakeReport(folder);
  // 0.61 - 0.22 = 0.39; 1.94 of 4 would be 48 %, and is nowhere.
  for (const char* part :
       {"Privacy budget of “phones”: ε 4 granted.",
        "spent before 22 % · this inspection 39 % · set aside for others 5 % · "
        "left 34 %",
        "What the ledger has of it", "phones/phones-1c/a1",
        "Head after the last release: <code>5f1d0c3e9a77b2c4</code>"}) {
    EXPECT_TRUE(Has(report.html, part)) << part;
  }
  EXPECT_FALSE(Has(Visible(report.html), "48 %"));
  EXPECT_TRUE(Has(report.summary, "of the ε 4 granted, 34 % is left"));
  EXPECT_FALSE(Has(report.html, "nothing beside the plan fits"));
  Changed(folder, [](runs::InspectionRecord& record) {
    record.privacy.set_aside = record.privacy.left = 0;  // a plan is spent
  });
  EXPECT_TRUE(Has(MakeReport(folder).html, "nothing beside the plan fits"));
}

TEST(PageTest, WhatWasRepeatedIsAConditionOfTheStatement) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  const char* condition = "was not in the plan, so that what holds without";
  EXPECT_FALSE(Has(MakeReport(folder).html, condition));
  Changed(folder, [](runs::InspectionRecord& record) {
    record.privacy.repeated = true;
  });
  EXPECT_TRUE(Has(MakeReport(folder).html, condition));
  EXPECT_TRUE(Has(MakeReport(folder).markdown, condition));
}

TEST(PageTest, OneOfASeriesSaysWhatAllOfItCosts) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  EXPECT_FALSE(Has(MakeReport(folder).html, "paid for together"));
  Changed(folder, [](runs::InspectionRecord& record) {
    record.privacy.series_inspections = 12;
    record.privacy.series_epsilon = 5.4321;
  });
  const Report report = MakeReport(folder);
  EXPECT_TRUE(Has(report.html, "one of 12 inspections of the same people"));
  EXPECT_TRUE(Has(report.html, "all of them would cost ε 5.44 at δ 1e-6"));
  EXPECT_TRUE(Has(report.markdown, "5.44"));
}

// Rule 5: what the judging model gave away is nobody else's to forget.
TEST(PageTest, AJudgeThatWasReleasedBeforeHasItsOwnPrice) {
  const base::Path folder =
      MakeInspection(FreshFolder(), {.steps = 1, .simulation = false});
  EXPECT_FALSE(Has(MakeReport(folder).html, "which was released before"));
  Changed(folder, [](runs::InspectionRecord& record) {
    record.model_words = "the discriminator of the run tells";
    record.model_provenance = "released";
    record.privacy.judge = {"tells-1c", 2.3456, "gaussian z 0.5 · 20 times"};
  });
  Report report = MakeReport(folder);
  for (const char* part :
       {"decided by the discriminator of the run tells, which was released "
        "before",
        "that cost ε 2.35 at δ 1e-6 by itself (gaussian z 0.5 · 20 times; run "
        "“tells-1c” in the ledger)",
        "comes on top", "What the ledger grants, ε 4, bounds both"}) {
    EXPECT_TRUE(Has(report.html, part)) << part;
    EXPECT_TRUE(Has(report.markdown, part)) << part;
  }
  Changed(folder,
          [](runs::InspectionRecord& record) { record.privacy.judge = {}; });
  EXPECT_TRUE(Has(MakeReport(folder).html, "what that cost is not known here"));
  Changed(folder, [](runs::InspectionRecord& record) {
    record.simulation = true;
    record.privacy.judge = {"tells", 2.3456, "gaussian z 0.5 · 20 times"};
  });
  report = MakeReport(folder);
  EXPECT_TRUE(Has(report.html, "that would have cost ε 2.35 at δ 1e-6"));
  EXPECT_FALSE(Has(report.html, "What the ledger grants"));
}

TEST(PageTest, ADistanceOfTheSidesIsOfNeither) {
  const Report report = MakeReport(MakeInspection(FreshFolder(), {.steps = 1}));
  EXPECT_TRUE(Has(report.html,
                  "class mix: share that is of other classes</th><td>–</td>"
                  "<td>–</td><td>0.63</td>"));
  EXPECT_TRUE(Has(report.markdown, "of other classes | – | – | 0.63 |"));
}

TEST(PageTest, AColumnThatSaysNothingIsGreyAndSaysWhy) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  EXPECT_FALSE(Has(MakeReport(folder).html, "class=\"grey\""));
  runs::Contrast contrast = FakeContrast({.steps = 1});
  contrast.floor_source = "none";
  for (runs::Health& health : contrast.health) {
    health.classifier_score = 0;
    if (health.model[0] == 'a') continue;
    health.usable = false;
    health.collapsed = true;
    health.words = "draws plain images: it learned nothing, or all is blank";
  }
  contrast.reason = "Each of b1, b2 " + contrast.health.back().words + ".";
  WriteContrast(folder, contrast);
  const std::string html = MakeReport(folder).html;
  EXPECT_TRUE(Has(html, "<td>0.18</td><td class=\"grey\">0.79</td>"));
  EXPECT_TRUE(Has(html, "<td class=\"grey\">–</td>"));
  EXPECT_TRUE(Has(html, "B is grey: its model b1 draws plain images."));
  EXPECT_TRUE(Has(html, "There is no floor"));
  EXPECT_TRUE(Has(html, "no classifier looked at"));
  // What two models share is said once in the warnings.
  EXPECT_TRUE(Has(html,
                  "Models b1, b2 have collapsed:</strong> each draws plain "
                  "images."));
  EXPECT_EQ(Count(Visible(html), "or all is blank"), 1u);
}

TEST(PageTest, NumbersThatNoCountCouldBeAreWrittenWithAnExponent) {
  EXPECT_EQ(EstimateText(59333.4), "59,333");
  EXPECT_EQ(EstimateText(5.9333e20), "5.93e20");
  EXPECT_EQ(EstimateText(-5.9333e20), "−5.93e20");
  const runs::Sourced sourced{.value = 6e20, .source = "declared"};
  EXPECT_EQ(SourcedText(sourced, 3), "6e20 (declared)");
}

TEST(PageTest, TheRulesAreQuotedAsTheyWereUsed) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  runs::Contrast contrast = FakeContrast({.steps = 1});
  contrast.margins = {.measure = 7,
                      .own = 8.5,
                      .highest = 9.5,
                      .lone = 11,
                      .least_explained = 0.23,
                      .least_of_best = 0.71};
  WriteContrast(folder, contrast);
  const std::string html = MakeReport(folder).html;
  for (const char* part :
       {"by more than 7 floors", "9.5 times what any hypothesis explains",
        "8.5 times its own floor", "11 times its own floor", "23 % of the",
        "71 % of what the best one does"}) {
    EXPECT_TRUE(Has(html, part)) << part;
  }
}

TEST(PageTest, TheSurveysFigureIsAShareOfUsers) {
  const Report report = MakeReport(MakeInspection(FreshFolder(), {.steps = 1}));
  const char* words =
      "31 % (± 0.6) of users correct at least 20 % of their examples";
  EXPECT_TRUE(Has(report.html, words));
  EXPECT_TRUE(Has(report.markdown, words));
}

TEST(PageTest, WithoutSamplesThereIsNoPicture) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 2});
  const Report report = MakeReport(folder, {.samples = false});
  EXPECT_FALSE(Has(report.html, "<img"));
  EXPECT_FALSE(Has(report.html, "data:image"));
  EXPECT_TRUE(Has(report.html, "made without pictures"));
  EXPECT_TRUE(Has(report.html, "inverted pixels"));
}

TEST(PageTest, AnInspectionUnderWayShowsWhatIsThereAndNamesWhatIsNot) {
  const base::Path folder =
      MakeInspection(FreshFolder(), {.compared = false, .runs_begun = 2});
  Changed(folder, [](runs::InspectionRecord& record) {
    record.status = runs::Status::kRunning;
    record.stage = "training b1";
    record.histogram.reset();
  });
  std::optional<base::FileLock> worker(folder / runs::kInspectionLock);
  const Report report = MakeReport(folder);
  for (const char* part :
       {"Still running: training b1", "Model b1 was not begun.",
        "The models were not compared yet",
        "Spread of the images of the last batch",
        "users for whom it is right below 0.88"}) {
    EXPECT_TRUE(Has(report.html, part)) << part;
  }
  EXPECT_FALSE(Has(report.html, "<section id=\"hypotheses"));
  EXPECT_FALSE(Has(report.html, "<section id=\"map"));
  EXPECT_TRUE(Has(report.summary, "Still running"));
  EXPECT_EQ(report.data.at("missing").size(), 3u);

  for (const auto& [status, words] :
       {std::pair(runs::Status::kInterrupted, "Stopped before the answer"),
        std::pair(runs::Status::kFailed, "Failed before the answer"),
        std::pair(runs::Status::kCreated, "Still running"),
        std::pair(runs::Status::kRunning, "Still running")}) {
    Changed(folder, [&](auto& record) { record.status = status; });
    EXPECT_TRUE(Has(MakeReport(folder).html, words));
  }
  worker.reset();  // it was killed, and could not write that down
  const Report killed = MakeReport(folder);
  EXPECT_TRUE(Has(killed.html, "Stopped before the answer"));
  EXPECT_TRUE(Has(killed.html, "sfumato resume"));
}

TEST(PageTest, RemarksOfThePlanAreOnItAndNoBarIsBelowZero) {
  const base::Path folder = MakeInspection(FreshFolder(), {.compared = false});
  Changed(folder, [&](auto& record) {
    record.remarks = {"noise of ± 20 is <much>"};
    record.histogram->counts.front() = -51;
  });
  const Report report = MakeReport(folder);
  EXPECT_TRUE(Has(Visible(report.html), "noise of ± 20 is &lt;much&gt;"));
  EXPECT_TRUE(Has(report.markdown, "- But: noise of ± 20 is "));
  EXPECT_TRUE(Has(Visible(report.html), ">−51</td>")) << "the number stays";
  for (const char* minus : {">-", ">−"}) {
    for (const char* tick : {"20<", "40<", "50<"}) {
      EXPECT_FALSE(Has(Visible(report.html), std::string(minus) + tick));
    }
  }
}

TEST(PageTest, AMissingPictureIsNamed) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 2});
  fs::remove(folder / "pictures/b_200.png");
  const Report report = MakeReport(folder);
  EXPECT_TRUE(Has(report.html, "<code>pictures/b_200.png</code> is missing"));
  EXPECT_TRUE(Has(report.html, "no picture"));
}

TEST(PageTest, WhatIsDamagedIsCorrupt) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  const auto broken = [&](const char* file, const std::string& content) {
    const std::string whole = base::ReadFile(folder / file);
    base::WriteFileAtomically(folder / file, content);
    const ErrorKind kind = KindThrown(folder);
    base::WriteFileAtomically(folder / file, whole);
    return kind;
  };
  EXPECT_EQ(broken("inspection.json", "{\"schema\": \"sfum"),
            ErrorKind::kCorrupt);
  EXPECT_EQ(broken("contrast.json", "[1, 2"), ErrorKind::kCorrupt);
  EXPECT_EQ(
      broken("contrast.json", "{\"schema\":\"sfumato.contrast/1\",\"map\":3}"),
      ErrorKind::kCorrupt);
  nlohmann::json odd = ToJson(FakeRecord({}));
  odd["power"][0]["share"] = "many";
  EXPECT_EQ(broken("inspection.json", odd.dump()), ErrorKind::kCorrupt);
  odd = ToJson(FakeRecord({}));
  odd["simulation_only"]["examples"] = {{{"words", 3}}};
  EXPECT_EQ(broken("inspection.json", odd.dump()), ErrorKind::kCorrupt);
  EXPECT_EQ(broken("a1/run.json", "{"), ErrorKind::kCorrupt);
  EXPECT_EQ(broken("a1/metrics.jsonl", "{\"no\":1}\n"), ErrorKind::kCorrupt);
  EXPECT_EQ(broken("a1/metrics.jsonl", "nonsense\n{\"round\":1}\n"),
            ErrorKind::kCorrupt);
  EXPECT_EQ(broken("pictures/a_400.png", "GIF89a"), ErrorKind::kCorrupt);
  EXPECT_EQ(broken("config.toml", "rounds = \"many\""), ErrorKind::kCorrupt);
  runs::Contrast outside = FakeContrast({.steps = 1});
  outside.steps[0].a = "../secret.png";
  EXPECT_EQ(broken("contrast.json", ToJson(outside).dump()),
            ErrorKind::kCorrupt);
  runs::InspectionRecord record = FakeRecord({});
  record.histogram->counts.pop_back();
  EXPECT_EQ(broken("inspection.json", ToJson(record).dump()),
            ErrorKind::kCorrupt);
  EXPECT_NO_THROW(MakeReport(folder)) << "whole again";
}

TEST(PageTest, NeitherInspectionNorRunIsBadInput) {
  const base::Path folder = FreshFolder();
  EXPECT_EQ(KindThrown(folder), ErrorKind::kBadInput);
  fs::create_directories(folder);
  EXPECT_EQ(KindThrown(folder), ErrorKind::kBadInput);
}

TEST(PageTest, SettingsThatDifferBetweenTheRunsAreShownInRed) {
  const base::Path folder =
      MakeInspection(FreshFolder(), {.steps = 1, .runs_begun = 3});
  config::TrainConfig config = FakeConfig("b2");
  config.local.learning_rate = 0.7;
  runs::Run::Create(folder / "b2", config, {.version = "0.1.0"});
  const Report report = MakeReport(folder);
  EXPECT_TRUE(Has(report.html, "Not quite: 1 setting differs"));
  EXPECT_TRUE(Has(report.html,
                  "<tr class=\"bad\"><th scope=\"row\"><code>"
                  "local.learning_rate</code>"));
  EXPECT_EQ(report.data.at("unmatched_keys"),
            nlohmann::json({"local.learning_rate"}));
}

TEST(PageTest, AbsolutePathsStayAtHome) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  config::TrainConfig config = FakeConfig("phones");
  config.data.generate = "";
  config.data.bug = "";
  config.data.path = "/home/ann/secret/people";
  base::WriteFileAtomically(folder / "config.toml", config::ToToml(config));
  Changed(folder, [](runs::InspectionRecord& record) {
    record.earlier = {.folder = "/home/ann/runs/first", .verdict = "differs"};
  });
  const Report report = MakeReport(folder);
  EXPECT_FALSE(Has(report.html, "/home/"));
  EXPECT_TRUE(Has(report.html, "…/people"));
  EXPECT_FALSE(Has(report.data.dump(), "/home/"));
  EXPECT_FALSE(Has(report.html, folder.parent_path().string()));
}

TEST(PageTest, APlainRunShowsCurvesPriceAndGrids) {
  const base::Path folder = FreshFolder();
  MakeRun(folder, "alone", /*simulation=*/true);
  Report report = MakeReport(folder);
  EXPECT_TRUE(Has(report.html, "There is no checkpoint yet."));
  EXPECT_TRUE(Has(report.html, "400 rounds before the first checkpoint"));
  EXPECT_TRUE(Has(report.html, "Released so far, and counted: 400 rounds"));
  EXPECT_FALSE(Has(report.html, "nothing was asked or trained"));
  runs::Checkpoints(folder / "checkpoints")
      .Write(400, {},
             {{"epsilon", "1.25"},
              {"delta", "1e-06"},
              {"unit", "user"},
              {"adjacency", "add-remove"},
              {"proof", "by hand"}});
  fs::create_directories(folder / "samples");
  WriteGrid(folder / "samples" / "grid.png", 0, false, 0.1, 1);
  report = MakeReport(folder);
  for (const char* part :
       {"Training is finished", "would cost ε 1.25", "What the model draws",
        "Loss on devices", "<section id=\"privacy", "by hand"}) {
    EXPECT_TRUE(Has(report.html, part)) << part;
  }
  EXPECT_FALSE(Has(report.html, "<section id=\"hypotheses"));
}

TEST(PageTest, ARunThatNobodyWorksOnIsNotRunning) {
  const base::Path folder = FreshFolder();
  MakeRun(folder, "alone", /*simulation=*/true);
  {
    runs::Run run = runs::Run::Open(folder);
    run.SetStatus(runs::Status::kRunning);
    EXPECT_TRUE(Has(MakeReport(folder).html, "Training is still running"));
  }
  const Report report = MakeReport(folder);  // as after a kill
  EXPECT_TRUE(Has(report.html, "Training was stopped"));
  EXPECT_TRUE(Has(report.html, "sfumato resume"));
  EXPECT_EQ(report.data.at("runs").at(0).at("status"), "interrupted");
}

TEST(PageTest, TrainingWithoutNoiseIsSaidInRed) {
  const base::Path folder = FreshFolder();
  MakeRun(folder, "alone", /*simulation=*/true);
  runs::Checkpoints(folder / "checkpoints")
      .Write(400, {}, {{"epsilon", "unbounded"}, {"unit", "user"}});
  const Report report = MakeReport(folder);
  EXPECT_TRUE(Has(report.html, "<strong>Trained without noise.</strong>"));
  EXPECT_FALSE(Has(report.html, ">proven</span>"));
  EXPECT_TRUE(Has(report.html, "Nothing is proven here"));
}

TEST(PageTest, ACollapsedModelIsAWarning) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  runs::Contrast contrast = FakeContrast({.steps = 1});
  EXPECT_FALSE(Has(MakeReport(folder).html, "has collapsed"));
  contrast.health[2].collapsed = true;
  contrast.health[2].words = "draws one image";
  WriteContrast(folder, contrast);
  EXPECT_TRUE(Has(MakeReport(folder).html,
                  "Model b1 has collapsed:</strong> "
                  "draws one image"));
}

TEST(PageTest, VerdictsReadAsTheyAre) {
  const base::Path folder = MakeInspection(FreshFolder(), {.steps = 1});
  runs::Contrast contrast = FakeContrast({.steps = 1});
  for (const auto& [verdict, sign, words] :
       {std::tuple(runs::Verdict::kSame, "✓", "Nothing above the floor"),
        std::tuple(runs::Verdict::kCannotSay, "?", "Cannot say")}) {
    contrast.verdict = verdict;
    for (runs::Hypothesis& h : contrast.hypotheses) h.supported = false;
    WriteContrast(folder, contrast);
    const Report report = MakeReport(folder);
    EXPECT_TRUE(Has(report.html, std::string("aria-hidden=\"true\">") + sign));
    EXPECT_TRUE(Has(report.html, words));
    EXPECT_TRUE(Has(report.html, "No hypothesis is supported"));
    EXPECT_TRUE(Has(report.summary, words));
  }
}

TEST(ExtractDataTest, RefusesWhatIsNoPage) {
  for (const char* text :
       {"", "<html></html>",
        "<script type=\"application/json\" id=\"data\">{</script>",
        "<script type=\"application/json\" id=\"data\">{}</script>"}) {
    EXPECT_THROW(ExtractData(text, "x"), Error) << text;
  }
}

}  // namespace
}  // namespace sfumato::report

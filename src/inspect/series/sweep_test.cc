#include "inspect/series/sweep.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/error_testing.h"
#include "base/folder_testing.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "data/generate/handwriting.h"

namespace sfumato::inspect {
namespace {

namespace fs = std::filesystem;

config::TrainConfig Config() {
  config::TrainConfig config;
  config.name = "people";
  config.algorithm = config::Algorithm::kDpFedAvgGan;
  config.rounds = 3;
  config.seed = 10;
  config.data.generate = "handwriting";
  config.data.users = 400;
  config.data.seed = 20;
  config.data.bug = "invert";
  config.data.bug_seed = 30;
  config.select.by = config::By::kAccuracy;
  config.select.above = 0.9;
  config.select.below = 0.5;
  config.privacy.noise_multiplier = 0.1;
  return config;
}

// Inspections that find whatever is on a tenth of the users or more, and are
// refused for fewer.
struct Stub {
  std::vector<InspectJob> jobs = {};
  int interrupt_at = 0;

  InspectFunction Function() {
    return [this](const InspectJob& job, InspectOutcome& outcome) {
      jobs.push_back(job);
      EXPECT_TRUE(base::IsHeld(job.folder / runs::kInspectionLock));
      EXPECT_TRUE(base::ProcessTalk().quiet);
      EXPECT_TRUE(base::ProcessTalk().mute);
      if (static_cast<int>(jobs.size()) == interrupt_at) {
        throw base::Interrupted(2, job.folder.string(), "sfumato resume");
      }
      if (job.config.select.model.empty()) {
        fs::create_directories(job.folder / "primary");
        base::WriteFileAtomically(job.folder / "primary/classifier.safetensors",
                                  "judge");
      }
      const config::DataConfig& data = job.config.data;
      if (!data.bug.empty() && data.bug_share < 0.1) {
        throw BadInput("nobody is on side b", "select", "");
      }
      fs::create_directories(job.folder / "a1/checkpoints");
      fs::create_directories(job.folder / "data");
      base::WriteFileAtomically(job.folder / "inspection.json", "{}");
      base::WriteFileAtomically(job.folder / "report.html", "page");
      outcome.contrast.verdict =
          data.bug.empty() ? runs::Verdict::kSame : runs::Verdict::kDiffers;
      if (!data.bug.empty()) {
        outcome.contrast.hypotheses = {{.key = data.bug, .supported = true}};
      }
    };
  }
};

class InspectSweepTest : public base::FolderTest {};

TEST(ParseSharesTest, SharesRiseEachOnceAndTheZeroIsUnderstood) {
  EXPECT_EQ(ParseShares("0.5,0,0.1,0.5"), (std::vector<double>{0.1, 0.5}));
  EXPECT_EQ(ParseShares("0"), std::vector<double>{});
  EXPECT_EQ(ParseShares(kUsualShares).size(), 6u);
  for (const char* bad : {"", "0.1,", "a", "-0.1", "1.01", "nan", "0.1;0.2"}) {
    const Error error = Thrown([&] { ParseShares(bad); });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << bad;
    EXPECT_EQ(error.where(), "--shares") << bad;
  }
}

TEST(ParseBugsTest, BugsOfTheDatasKindByTheirNames) {
  const auto images = data::Kind::kImages;
  const auto text = data::Kind::kText;
  EXPECT_EQ(ParseBugs("mirror,dead-rows,mirror", "invert", images),
            (std::vector<std::string>{"mirror", "dead_rows"}));
  EXPECT_EQ(ParseBugs("", "invert", images),
            std::vector<std::string>{"invert"});
  EXPECT_EQ(ParseBugs("cut,case", "join", text),
            (std::vector<std::string>{"cut", "case"}));
  EXPECT_EQ(Thrown([&] { ParseBugs("", "", images); }).where(), "--bugs");
  EXPECT_EQ(Thrown([&] { ParseBugs("invrt", "", images); }).kind(),
            ErrorKind::kBadInput);
  EXPECT_EQ(Thrown([&] { ParseBugs("invert", "", text); }).todo(),
            "give some of join,case,cut,entities,encoding");
}

TEST(TrialsTest, EverySeedHasItsOwnPeopleNoiseAndBrokenUsers) {
  const std::vector<runs::SweepTrial> trials =
      TrialsOf({.shares = {0.1, 0.5}, .seeds = 2, .bugs = {"invert", "blur"}});
  ASSERT_EQ(trials.size(), 10u);
  EXPECT_EQ(trials[0].bug, "");
  EXPECT_EQ(trials[4].bug, "blur");
  EXPECT_EQ(trials[9].folder, "inspections/blur_0.5_2");
  const config::TrainConfig config = ConfigFor(Config(), trials[9], "kept");
  EXPECT_EQ(config.seed, 11);
  EXPECT_EQ(config.data.seed, 21);
  EXPECT_EQ(config.data.bug_seed, 31);
  EXPECT_EQ(config.data.bug, "blur");
  EXPECT_EQ(config.data.bug_share, 0.5);
  EXPECT_EQ(config.select.model, "kept");
  EXPECT_EQ(config.select.model_is, config::Provenance::kPublic);
  EXPECT_EQ(ConfigFor(Config(), trials[0], "").data.bug, "");
}

TEST_F(InspectSweepTest, RunsAllKeepsLittleAndTrainsAClassifierASeedOnce) {
  Stub stub;
  const SeriesAnswer answer = RunSweep(
      Config(), {.shares = {0.01, 0.5}, .seeds = 2, .bugs = {"invert"}}, "out",
      "1", stub.Function());
  ASSERT_EQ(stub.jobs.size(), 6u);
  EXPECT_EQ(stub.jobs[0].config.select.model, "");
  EXPECT_EQ(stub.jobs[1].config.select.model, "out/primary/1");
  EXPECT_EQ(stub.jobs[3].config.select.model, "");
  EXPECT_EQ(stub.jobs[5].config.select.model, "out/primary/2");
  EXPECT_FALSE(base::ProcessTalk().mute);
  EXPECT_TRUE(fs::exists("out/inspections/invert_0.5_1/report.html"));
  EXPECT_FALSE(fs::exists("out/inspections/invert_0.5_1/a1"));
  EXPECT_FALSE(fs::exists("out/inspections/invert_0.5_1/data"));
  EXPECT_FALSE(fs::exists("out/inspections/invert_0.01_1"));
  for (const char* name : {"sweep.html", "sweep.svg", "sweep.png"}) {
    EXPECT_TRUE(fs::exists(fs::path("out") / name)) << name;
  }
  const runs::Sweep sweep = runs::ReadSweep("out/sweep.json");
  const std::vector<runs::SweepRate> rates = runs::RatesOf(sweep.trials);
  ASSERT_EQ(rates.size(), 3u);
  EXPECT_EQ(rates[0].noticed, 0);
  EXPECT_EQ(rates[1].refused, 2);
  EXPECT_EQ(rates[1].found, 0);
  EXPECT_EQ(rates[2].found, 2);
  EXPECT_EQ(sweep.trials[1].why, "nobody is on side b");
  EXPECT_NE(answer.text.find("2/2 (34-100 %)"), std::string::npos)
      << answer.text;
}

TEST_F(InspectSweepTest, GoesOnAfterAnInterruptAndSkipsWhatIsDone) {
  const SweepOptions options{.shares = {0.5}, .seeds = 2, .bugs = {"invert"}};
  Stub first{.interrupt_at = 3};
  const Error error = Thrown(
      [&] { RunSweep(Config(), options, "out", "1", first.Function()); });
  EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  EXPECT_NE(error.todo().find("the same command"), std::string::npos);
  EXPECT_FALSE(base::ProcessTalk().mute);
  Stub second;
  RunSweep(Config(), options, "out", "1", second.Function());
  ASSERT_EQ(second.jobs.size(), 2u);
  EXPECT_EQ(second.jobs[0].folder, first.jobs[2].folder);
  const std::string done = base::ReadFile("out/sweep.html");
  Stub third;
  RunSweep(Config(), options, "out", "1", third.Function());
  EXPECT_EQ(third.jobs.size(), 0u);
  EXPECT_EQ(base::ReadFile("out/sweep.html"), done);
  // More seeds: the new ones alone.
  RunSweep(Config(), {.shares = {0.5}, .seeds = 3, .bugs = {"invert"}}, "out",
           "1", third.Function());
  EXPECT_EQ(third.jobs.size(), 2u);
}

// The helper comes while the first inspection is at work: locks of one file
// opened twice exclude each other as those of two processes do.
TEST_F(InspectSweepTest, TwoProcessesShareTheWorkAndTheBooks) {
  const SweepOptions options{.shares = {0.5}, .seeds = 2, .bugs = {"invert"}};
  Stub helper;
  Stub stub;
  const InspectFunction own = stub.Function();
  const InspectFunction first = [&](const InspectJob& job,
                                    InspectOutcome& outcome) {
    if (stub.jobs.empty()) {
      RunSweep(Config(), options, "out", "1", helper.Function());
    }
    own(job, outcome);
  };
  RunSweep(Config(), options, "out", "1", first);
  EXPECT_EQ(stub.jobs.size(), 1u);
  EXPECT_EQ(helper.jobs.size(), 3u);
  const runs::Sweep sweep = runs::ReadSweep("out/sweep.json");
  ASSERT_EQ(sweep.trials.size(), 4u);
  EXPECT_EQ(sweep.trials[3].folder, "inspections/none_1");
}

// The helper finishes the seed's other inspection, and with it the seed's
// classifier, while the first one is at work with its own and is then stopped.
TEST_F(InspectSweepTest, AStoppedInspectionGoesOnWithTheClassifierItBeganWith) {
  const SweepOptions options{.shares = {0.5}, .seeds = 1, .bugs = {"invert"}};
  Stub helper;
  const InspectFunction stopped = [&](const InspectJob& job, InspectOutcome&) {
    EXPECT_EQ(job.config.select.model, "");
    fs::create_directories(job.folder / "primary");
    base::WriteFileAtomically(job.folder / "primary/classifier.safetensors",
                              "its own");
    RunSweep(Config(), options, "out", "1", helper.Function());
    throw base::Interrupted(2, job.folder.string(), "sfumato resume");
  };
  EXPECT_EQ(
      Thrown([&] { RunSweep(Config(), options, "out", "1", stopped); }).kind(),
      ErrorKind::kInterrupted);
  ASSERT_EQ(helper.jobs.size(), 1u);
  ASSERT_EQ(base::ReadFile("out/primary/1/classifier.safetensors"), "judge");
  // One that began with the seed's classifier goes on with that.
  Stub interrupted{.interrupt_at = 2};
  const SweepOptions more{
      .shares = {0.25, 0.5}, .seeds = 1, .bugs = {"invert"}};
  EXPECT_EQ(Thrown([&] {
              RunSweep(Config(), more, "out", "1", interrupted.Function());
            }).kind(),
            ErrorKind::kInterrupted);
  ASSERT_EQ(interrupted.jobs.size(), 2u);
  EXPECT_EQ(interrupted.jobs[0].config.select.model, "");
  EXPECT_EQ(interrupted.jobs[1].config.select.model, "out/primary/1");
  base::WriteFileAtomically(interrupted.jobs[1].folder / "inspection.json",
                            "{}");
  Stub last;
  RunSweep(Config(), more, "out", "1", last.Function());
  ASSERT_EQ(last.jobs.size(), 1u);
  EXPECT_EQ(last.jobs[0].config.select.model, "out/primary/1");
}

TEST_F(InspectSweepTest, AFolderThatAnotherProcessJustMadeIsTheSweeps) {
  fs::create_directories("out/claims");
  Stub stub;
  RunSweep(Config(), {.shares = {}, .seeds = 1, .bugs = {"invert"}}, "out", "1",
           stub.Function());
  EXPECT_EQ(runs::ReadSweep("out/sweep.json").trials.size(), 1u);
}

TEST_F(InspectSweepTest, OtherErrorsEndIt) {
  const InspectFunction broken = [](const InspectJob&, InspectOutcome&) {
    throw Unavailable("the disk is full");
  };
  const SweepOptions options{.shares = {0.5}, .seeds = 1, .bugs = {"invert"}};
  EXPECT_EQ(
      Thrown([&] { RunSweep(Config(), options, "out", "1", broken); }).kind(),
      ErrorKind::kUnavailable);
}

TEST_F(InspectSweepTest, AnotherConfigOrFolderOrTooManySeedsAreRefused) {
  Stub stub;
  const SweepOptions options{.shares = {}, .seeds = 1, .bugs = {"invert"}};
  RunSweep(Config(), options, "out", "1", stub.Function());
  config::TrainConfig other = Config();
  other.rounds = 4;
  const auto kind = [&](const config::TrainConfig& config, const char* folder,
                        std::int64_t seeds) {
    return Thrown([&] {
             RunSweep(config, {.shares = {}, .seeds = seeds, .bugs = {}},
                      folder, "1", stub.Function());
           })
        .kind();
  };
  EXPECT_EQ(kind(other, "out", 1), ErrorKind::kBadInput);
  fs::create_directories("full/of");
  EXPECT_EQ(kind(Config(), "full", 1), ErrorKind::kBadInput);
  EXPECT_EQ(kind(Config(), "new", 0), ErrorKind::kBadInput);
  EXPECT_FALSE(fs::exists("new"));
}

TEST_F(InspectSweepTest, PrivateDataAreRefusedInOneLine) {
  data::MakeHandwriting({.users = 12}, "people", "people");
  std::string json = base::ReadFile("people/dataset.json");
  const std::string generated = "\"generated\"";
  const auto at = json.find(generated);
  ASSERT_NE(at, std::string::npos);
  json.replace(at, generated.size(),
               "\"private\", \"id\": \"01\", \"declared\": true");
  base::WriteFileAtomically("people/dataset.json", json);
  config::TrainConfig config = Config();
  config.data.generate = "";
  config.data.path = "people";
  Stub stub;
  const Error error = Thrown([&] {
    RunSweep(config, {.shares = {}, .seeds = 1, .bugs = {"invert"}}, "out", "1",
             stub.Function());
  });
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(error.where(), "--sweep");
  EXPECT_FALSE(fs::exists("out"));
  EXPECT_TRUE(stub.jobs.empty());
}

}  // namespace
}  // namespace sfumato::inspect

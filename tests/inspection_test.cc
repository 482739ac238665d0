// inspect, sample and resume as a user meets them, on a few people.

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/safetensors.h"
#include "dp/ledger/ledger.h"
#include "inspection_testing.h"
#include "runs/samples.h"

namespace sfumato {
namespace {

class InspectionTest : public InspectionFixture {};

TEST_F(InspectionTest, GoesFromAConfigToAPage) {
  Write("i.toml",
        "name = \"tiny\"\npreset = \"gan_quick\"\nrounds = 4\n[data]\n"
        "generate = \"handwriting\"\nusers = 40\nexamples = 12\n"
        "bug = \"invert\"\n[primary]\nname = \"logistic\"\nusers = 40\n"
        "epochs = 4\nlearning_rate = 3e-3\n[select]\nby = \"accuracy\"\n"
        "above = 0.12\nbelow = 0.12\n[cohort]\nsize = 4\n[inspect]\n"
        "samples = 60\n[gan]\nsample_every = 2\nsample_count = 60\n"
        "[survey]\ncount_noise = 1.0\n");
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--out", "look", "--json"}), 0)
      << Read("err");
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_EQ(answer.at("ok"), true);
  EXPECT_EQ(answer.at("simulation"), true);
  const runs::InspectionRecord record = runs::ReadInspection(folder_ / "look");
  EXPECT_EQ(record.status, runs::Status::kFinished);
  EXPECT_EQ(record.stage, "");
  EXPECT_TRUE(record.surveyed);
  EXPECT_EQ(record.a.runs, (Words{"a1", "a2"}));
  EXPECT_EQ(record.b.runs, (Words{"b1", "b2"}));
  EXPECT_EQ(record.model_provenance, "public");
  EXPECT_EQ(record.simulation_only.at("bug"), "invert");
  const runs::Contrast contrast =
      runs::ContrastFromJson(Json("look/contrast.json"), "contrast.json");
  EXPECT_EQ(answer.at("verdict"), runs::Name(contrast.verdict));
  ASSERT_EQ(contrast.steps.size(), 2u);  // of rounds 2 and 4
  EXPECT_EQ(contrast.steps[1].round, 4);
  for (const runs::GridStep& step : contrast.steps) {
    EXPECT_TRUE(fs::exists(folder_ / "look" / step.a)) << step.a;
    EXPECT_TRUE(fs::exists(folder_ / "look" / step.b)) << step.b;
  }
  EXPECT_TRUE(Read("look/report.html").starts_with("<!doctype html>") ||
              Read("look/report.html").starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(Sfumato({"ledger", "verify", "look/ledger.sqlite"}), 0);

  // What is finished stays as it is, and nobody else works in it.
  const std::string found = Read("look/contrast.json");
  EXPECT_EQ(Sfumato({"resume", "look"}), 0);
  EXPECT_NE(Read("out").find("nothing to do"), std::string::npos);
  EXPECT_EQ(Read("look/contrast.json"), found);
  EXPECT_EQ(
      Sfumato({"inspect", "i.toml", "--set", "rounds=5", "--out", "look"}), 2);
  EXPECT_NE(Read("err").find("another config"), std::string::npos);

  // Drawing costs nothing, and the same seed draws the same.
  ASSERT_EQ(Sfumato({"sample", "look", "--count", "50", "--npz", "--folder"}),
            0)
      << Read("err");
  EXPECT_NE(Read("out").find("0 ε"), std::string::npos);
  for (const char* model : {"a1", "a2", "b1", "b2"}) {
    const fs::path samples = folder_ / "look" / model / "samples";
    for (const char* name : {"grid.png", "samples.safetensors", "README.md",
                             "samples.npz", "images/000049.png"}) {
      EXPECT_TRUE(fs::exists(samples / name)) << model << " " << name;
    }
    EXPECT_EQ(runs::ReadSamples(samples / "samples.safetensors").count(), 50u);
  }
  EXPECT_NE(Read("look/a1/samples/README.md").find("nobody's images"),
            std::string::npos);
  ASSERT_EQ(Sfumato({"sample", "look/a1", "--count", "50", "--out", "again"}),
            0);
  ASSERT_EQ(Sfumato({"sample", "look/a1", "--count", "50", "--seed", "2",
                     "--out", "other"}),
            0);
  EXPECT_EQ(Read("again/samples.safetensors"),
            Read("look/a1/samples/samples.safetensors"));
  EXPECT_NE(Read("again/samples.safetensors"),
            Read("other/samples.safetensors"));
  struct Case {
    Words words;
    std::string says;
  };
  const std::vector<Case> cases = {
      {{"sample", "look/a1", "--count", "0"}, "--count"},
      {{"sample", "look/a1", "--count", "100001"}, "--count"},
      {{"sample", "look/a1", "--label", "7"}, "conditional"},
      {{"sample", "look/a1", "--round", "99"}, "no checkpoint of round 99"},
      {{"sample", "look/a1", "--out", "again"}, "already exists"},
      {{"sample", "look/primary"}, "run.json"},
      {{"sample", "nowhere"}, "nowhere"},
      {{"eval", "look/a1"}, "sfumato sample look/a1"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Sfumato(c.words), 2) << c.says;
    EXPECT_NE(Read("err").find(c.says), std::string::npos) << Read("err");
  }
}

TEST_F(InspectionTest, ADamagedFindingIsNamedByAllAndMendedByResume) {
  MakeBars({});
  MakeJudge({});
  WriteInspection("people");
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--out", "look"}), 0) << Read("err");
  for (int model = 1; model <= 4; ++model) {
    EXPECT_NE(Read("err").find(", model " + std::to_string(model) + " of 4: "),
              std::string::npos)
        << Read("err");
  }
  const std::string found = Read("look/contrast.json");
  const std::string ledger = Read("look/ledger.sqlite");
  for (const std::string& damage :
       {std::string("{"), std::string(), found.substr(0, found.size() / 2)}) {
    Write("look/contrast.json", damage);
    for (const Words& words :
         {Words{"report", "look"},
          Words{"inspect", "i.toml", "--verify", "look", "--out", "after"}}) {
      EXPECT_EQ(Sfumato(words), 5) << words[0];
      EXPECT_NE(Read("err").find("sfumato resume look"), std::string::npos)
          << Read("err");
    }
    EXPECT_EQ(Sfumato({"resume", "look"}), 0) << Read("err");
    EXPECT_EQ(Read("look/contrast.json"), found);
  }
  fs::remove(folder_ / "look/contrast.json");
  EXPECT_EQ(Sfumato({"resume", "look"}), 0) << Read("err");
  EXPECT_EQ(Read("look/contrast.json"), found);
  EXPECT_EQ(Read("look/ledger.sqlite"), ledger) << "nothing was paid again";
  // Another design under the same names would put people into two cells.
  std::string design = Read("look/config.toml");
  const auto twins = design.find("twins = 2");
  ASSERT_NE(twins, std::string::npos);
  design.replace(twins, 9, "twins = 1");
  Write("look/config.toml", design);
  fs::remove(folder_ / "look/contrast.json");
  EXPECT_EQ(Sfumato({"resume", "look"}), 2);
  EXPECT_NE(Read("err").find("the config is not the one"), std::string::npos)
      << Read("err");
}

TEST_F(InspectionTest, ThresholdsThatNobodyGaveAreAskedFor) {
  MakeBars({.graded = true});
  MakeJudge({});
  WriteInspection("people");
  std::string config = Read("i.toml");
  const auto replace = [&](const std::string& old, const std::string& now) {
    config.replace(config.find(old), old.size(), now);
  };
  replace("above = 0.6\nbelow = 0.4\n", "");
  replace("[survey]\n", "[survey]\nquantile_epsilon = 20\n");
  Write("i.toml", config);
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--dry-run", "--out", "look"}), 0)
      << Read("err");
  EXPECT_NE(Read("out").find("Asks     quantile 0.75 of the users' accuracy · "
                             "quantile 0.25 of the users' accuracy"),
            std::string::npos)
      << Read("out");
  EXPECT_EQ(Read("out").find("was given"), std::string::npos) << Read("out");
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--out", "look"}), 0) << Read("err");
  const runs::InspectionRecord record = runs::ReadInspection(folder_ / "look");
  ASSERT_TRUE(record.above && record.below);
  EXPECT_EQ(record.above->source, "released");
  EXPECT_EQ(record.below->source, "released");
  EXPECT_GT(record.above->value, record.below->value);
}

TEST_F(InspectionTest, BadInputLeavesNothing) {
  MakeBars({});
  MakeJudge({});
  MakeJudge({.classes = 3}, "three");
  MakeJudge({.second_class = "upright"}, "renamed");
  MakeJudge({.side = 12}, "small");
  WriteInspection("people");
  struct Case {
    Words words;
    int code;
    std::string says;
  };
  const std::vector<Case> cases = {
      {{"--set", "select.model=three"}, 2, "a model of 3 classes, and 2 are"},
      {{"--set", "select.model=renamed"},
       2,
       "its class 1 is 'upright', and theirs is 'right'"},
      {{"--set", "select.model=small"}, 2, "images of 12x12x1"},
      {{"--set", "select.model=nowhere"}, 2, "nowhere"},
      {{"--set", "select.by=everyone"}, 2, "select.by"},
      {{"--set", "select.by=class", "--set", "select.value=lft"}, 2, "left"},
      {{"--set", "select.by=column", "--set", "select.column=phne"},
       2,
       "phone"},
      {{"--set", "cohort.size=50"}, 2, "cohort.size"},
      {{"--set", "select.above=0.2"}, 2, "overlap"},
      {{"--set", "cohort.sampling=fixed"}, 4, "fixed"},
      {{"--set", "algorithm=fedavg"}, 4, "fedavg"},
      {{"--set", "privacy.epsilon=0.01"}, 3, "ε"},
      {{"--set", "data.bug=invrt"}, 2, "invert"},
      {{"--set", "data.bug=join"}, 2, "a bug of text"},
      {{"--set", "device.threads=20000"}, 2, "device.threads"},
      {{"--set", "select.by=unlike_public"}, 2, "data.public_path"},
      {{"--verify", "nowhere"}, 2, "no such folder"},
      {{"--verify", "people"}, 2, "holds no inspection"},
      {{"--out", "i.toml/below"}, 6, "cannot be made"},
  };
  for (const Case& c : cases) {
    // What can be told for nothing is told by --dry-run too.
    for (const char* also : {"--json", "--dry-run"}) {
      Words words = {"inspect", "i.toml", also};
      if (c.words[0] != "--out") words.insert(words.end(), {"--out", "look"});
      words.insert(words.end(), c.words.begin(), c.words.end());
      EXPECT_EQ(Sfumato(words), c.code) << c.words[1] << "\n" << Read("err");
      const std::string err = Read("err") + Read("out");
      EXPECT_NE(err.find(c.says), std::string::npos) << c.words[1] << "\n"
                                                     << err;
      // One error, with what to do.
      EXPECT_EQ(err.find("error:"), err.rfind("error:")) << err;
      EXPECT_FALSE(fs::exists(folder_ / "look")) << c.words[1];
    }
  }
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--dry-run", "--out", "look"}), 0)
      << Read("err");
  EXPECT_FALSE(fs::exists(folder_ / "look"));
  EXPECT_EQ(Sfumato({"sample", "judge"}), 2);
  EXPECT_NE(Read("err").find("sfumato eval judge"), std::string::npos);
  EXPECT_EQ(Sfumato({"eval", "judge", "--data", "people"}), 0) << Read("err");
  EXPECT_EQ(Sfumato({"eval", "renamed", "--data", "people"}), 2);
  EXPECT_NE(Read("err").find("its class 1 is 'upright'"), std::string::npos)
      << Read("err");
  fs::create_directories(folder_ / "full" / "of");
  EXPECT_EQ(Sfumato({"inspect", "i.toml", "--out", "full"}), 2);
  EXPECT_TRUE(fs::exists(folder_ / "full" / "of"));
  EXPECT_EQ(Sfumato({"resume", "full"}), 2);
  Write("file", "text");
  EXPECT_EQ(Sfumato({"inspect", "i.toml", "--out", "file"}), 2);
  EXPECT_EQ(Sfumato({"inspect", "i.toml", "--out", "file/below"}), 6);
  EXPECT_EQ(Read("file"), "text");
}

TEST_F(InspectionTest, VerifyingAfterAFixFindsTheUsersGone) {
  MakeBars({});
  MakeJudge({});
  MakeBars({.folder = "fixed", .bug = false});
  WriteInspection("people", 2);
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--out", "before"}), 0)
      << Read("err");
  // Two rounds find nothing: as if they had, on many users.
  auto before = Json("before/contrast.json");
  before["verdict"] = "differs";
  Write("before/contrast.json", before.dump());
  auto record_before = Json("before/inspection.json");
  record_before["b"]["users"]["value"] = 1000;
  Write("before/inspection.json", record_before.dump());
  // Without an inspection to verify, a side of nobody cannot be compared.
  EXPECT_EQ(Sfumato({"inspect", "i.toml", "--set", "data.path=fixed", "--out",
                     "refused"}),
            2);
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--set", "data.path=fixed",
                     "--verify", "before", "--out", "after", "--json"}),
            0)
      << Read("err");
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_EQ(answer.at("verified"), "gone");
  EXPECT_EQ(answer.at("verdict"), "same");
  EXPECT_EQ(answer.at("compared"), false);
  EXPECT_TRUE(answer.at("told_apart").is_null());
  const runs::InspectionRecord record = runs::ReadInspection(folder_ / "after");
  EXPECT_EQ(record.status, runs::Status::kFinished);
  EXPECT_EQ(record.b.users.source, "released");
  EXPECT_TRUE(record.b.runs.empty());
  EXPECT_EQ(record.privacy.parts.size(), 3u);  // sizes, accuracy, corrections
  EXPECT_FALSE(fs::exists(folder_ / "after" / "a1"));
  const auto contrast =
      runs::ContrastFromJson(Json("after/contrast.json"), "contrast.json");
  EXPECT_FALSE(contrast.compared);
  EXPECT_NE(contrast.reason.find("a noisy count), and 6 are needed"),
            std::string::npos)
      << contrast.reason;
  EXPECT_NE(Read("after/report.html").find("Gone: nobody is left"),
            std::string::npos);
  EXPECT_EQ(Read("after/report.html").find("separated:"), std::string::npos);
  // By another rule nobody is left either, which tells nothing.
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--set", "data.path=fixed", "--set",
                     "select.below=0.1", "--verify", "before", "--out",
                     "otherwise", "--json"}),
            0)
      << Read("err");
  EXPECT_EQ(nlohmann::json::parse(Read("out")).at("verified"), "cannot_say");
  // It stays as it is, and may itself be verified.
  EXPECT_EQ(Sfumato({"resume", "after"}), 0);
  ASSERT_EQ(
      Sfumato({"inspect", "i.toml", "--verify", "after", "--out", "later"}), 0)
      << Read("err");
}

// A crash between the last answer and the end of the survey's run leaves a
// record with all answers and a ledger where the run is open. Here the ledger
// is made anew by going on, and reserves it.
TEST_F(InspectionTest, TheSurveyIsClosedInTheLedgerAfterACrash) {
  MakeBars({});
  MakeJudge({});
  WriteInspection("people", 2);
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--out", "look"}), 0) << Read("err");
  runs::InspectionRecord record = runs::ReadInspection(folder_ / "look");
  ASSERT_TRUE(record.surveyed);
  record.status = runs::Status::kInterrupted;
  record.stage = "survey";
  runs::WriteInspection(folder_ / "look", record);
  for (const char* name : {"ledger.sqlite", "a1", "a2", "b1", "b2"}) {
    fs::remove_all(folder_ / "look" / name);
  }
  ASSERT_EQ(Sfumato({"resume", "look"}), 0) << Read("err");
  dp::Ledger ledger = dp::Ledger::Open(folder_ / "look" / "ledger.sqlite");
  const auto run = ledger.FindRun(record.ledger_name + "/survey");
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->finished);
}

TEST_F(InspectionTest, AConditionalGeneratorDrawsTheClassThatIsAskedFor) {
  MakeBars({});
  WriteInspection("people", 3);
  ASSERT_EQ(Sfumato({"train", "i.toml", "--set", "gan.conditional=true",
                     "--set", "select.by=everyone", "--set",
                     "gan.sample_count=7", "--out", "asked"}),
            0)
      << Read("err");
  const auto drawn = [&](const std::string& label, const std::string& out) {
    Words words = {"sample", "asked", "--count", "6", "--out", out};
    if (!label.empty()) words.insert(words.end(), {"--label", label});
    EXPECT_EQ(Sfumato(words), 0) << Read("err");
    return runs::ReadSamples(folder_ / out / "samples.safetensors");
  };
  const runs::ImageSamples left = drawn("left", "l");
  const runs::ImageSamples right = drawn("right", "r");
  EXPECT_EQ(left.labels, std::vector<int>(6, 0));
  EXPECT_EQ(right.labels, std::vector<int>(6, 1));
  EXPECT_NE(left.pixels, right.pixels);  // from the same normal numbers
  EXPECT_EQ(drawn("1", "one").pixels, right.pixels);
  // Not asked, all classes come in turn: each image is what its class gets.
  const runs::ImageSamples all = drawn("", "all");
  EXPECT_EQ(all.labels, (std::vector<int>{0, 1, 0, 1, 0, 1}));
  const std::size_t size = all.pixels.size() / 6;
  for (std::size_t p = 0; p < all.pixels.size(); ++p) {
    const runs::ImageSamples& own = p / size % 2 == 0 ? left : right;
    ASSERT_EQ(all.pixels[p], own.pixels[p]) << p;
  }
  EXPECT_EQ(Sfumato({"sample", "asked", "--label", "rght"}), 2);
  EXPECT_NE(Read("err").find("right"), std::string::npos) << Read("err");
  EXPECT_EQ(Sfumato({"sample", "asked", "--label", "2"}), 2);
}

TEST_F(InspectionTest, TrainAsksNoQuantilesAndTrainsNoJudge) {
  MakeBars({});
  WriteInspection("people");
  for (const Words& more :
       {Words{"--set", "select.above_quantile=0.6"},
        Words{"--set", "select.below_quantile=0.4", "--dry-run"},
        Words{"--set", "select.model=\"\""}}) {
    Words words = {"train", "i.toml", "--out", "run"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(Sfumato(words), 2) << more[1] << Read("err");
    const std::string key = more[1].substr(0, more[1].find('='));
    EXPECT_NE(Read("err").find(key), std::string::npos) << Read("err");
    EXPECT_FALSE(fs::exists(folder_ / "run"));
  }
}

TEST_F(InspectionTest, OneProcessAtATimeAndNoLauncher) {
  MakeBars({});
  MakeJudge({});
  WriteInspection("people", 400);
  const pid_t child = Start({"inspect", "i.toml", "--out", "look"}, "first");
  const auto begun = [&] {
    const fs::path path = folder_ / "look" / "a1" / "checkpoints";
    return fs::exists(path) && !fs::is_empty(path);
  };
  for (int i = 0; i < 2000 && !begun(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(Sfumato({"resume", "look"}), 6) << Read("err");
  // Not only the run that is being trained in it is locked.
  EXPECT_NE(Read("err").find("inspection.lock"), std::string::npos)
      << Read("err");
  EXPECT_TRUE(fs::exists(folder_ / "look" / "inspection.json"));
  kill(child, SIGINT);
  EXPECT_EQ(Wait(child), 130);
  EXPECT_EQ(runs::ReadInspection(folder_ / "look").status,
            runs::Status::kInterrupted);
  EXPECT_EQ(runs::ReadInspection(folder_ / "look").stage, "training a1");
  EXPECT_NE(Read("err").find("sfumato resume look"), std::string::npos)
      << Read("err");
  EXPECT_EQ(Sfumato({"sample", "look"}), 2);
  for (const char* says :
       {"1 of 4 models", "sfumato resume look", "sfumato sample look/a1"}) {
    EXPECT_NE(Read("err").find(says), std::string::npos) << Read("err");
  }
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  EXPECT_EQ(Sfumato({"resume", "look"}), 4);
  EXPECT_NE(Read("err").find("launcher"), std::string::npos) << Read("err");
  unsetenv("OMPI_COMM_WORLD_RANK");
  // What a process left that was killed before there was an inspection is used
  // again; a folder of somebody's is not.
  fs::create_directories(folder_ / "begun");
  Write("begun/inspection.lock", "");
  Write("begun/config.toml", "cut");
  EXPECT_EQ(
      Sfumato({"inspect", "i.toml", "--set", "rounds=1", "--out", "begun"}), 0)
      << Read("err");
  fs::create_directories(folder_ / "mine");
  Write("mine/config.toml", "mine");
  EXPECT_EQ(Sfumato({"inspect", "i.toml", "--out", "mine"}), 2);
  EXPECT_EQ(Read("mine/config.toml"), "mine");
}

}  // namespace
}  // namespace sfumato

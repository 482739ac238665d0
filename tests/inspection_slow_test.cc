// Inspections that take a while: killed and resumed, on private data, by every
// criterion, in colour.

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "base/image.h"
#include "base/random.h"
#include "dp/ledger/ledger.h"
#include "inspection_testing.h"
#include "report/page_testing.h"
#include "runs/census.h"

namespace sfumato {
namespace {

using namespace std::chrono_literals;

class InspectionSlowTest : public InspectionFixture {
 protected:
  std::string StageOf(const std::string& folder) {
    const fs::path path = folder_ / folder / "inspection.json";
    return fs::exists(path) ? Json(folder + "/inspection.json")
                                  .at("stage")
                                  .get<std::string>()
                            : "";
  }
  // Kills `child` as soon as its folder says `stage` or a later one. Returns
  // what it then says; nothing when the process ended before.
  std::string KilledAt(pid_t child, const std::string& stage) {
    const Words order = {"",
                         "preparing",
                         "price",
                         "census",
                         "survey",
                         "training a1",
                         "training a2",
                         "training b1",
                         "training b2",
                         "contrast"};
    const auto wanted = std::ranges::find(order, stage);
    for (int i = 0; i < 60'000; ++i) {
      if (std::ranges::find(order, StageOf("cut")) >= wanted) break;
      if (waitpid(child, nullptr, WNOHANG) == child) return "";
      std::this_thread::sleep_for(1ms);
    }
    kill(child, SIGKILL);
    return Wait(child) == -SIGKILL ? StageOf("cut") : "";
  }
};

TEST_F(InspectionSlowTest, KilledAtAnyMomentAndResumedFindsTheSame) {
  MakeBars({.graded = true});
  MakeJudge({});
  WriteInspection("people", 12);
  // Private quantiles too: a plan must not depend on how far it got.
  Words words = {"inspect", "i.toml",
                 "--set",   "select.above_quantile=0.6",
                 "--set",   "select.below_quantile=0.4",
                 "--out"};
  words.push_back("whole");
  ASSERT_EQ(Sfumato(words), 0) << Read("err");
  words.back() = "cut";
  Words next = words;
  std::set<std::string> killed;
  for (const char* stage : {"preparing", "survey", "training a1", "training b1",
                            "training b2", "contrast"}) {
    killed.insert(KilledAt(Start(next), stage));
    next = {"resume", "cut"};
  }
  EXPECT_FALSE(killed.contains(""));
  EXPECT_TRUE(killed.contains("contrast"));
  EXPECT_GE(killed.size(), 4u);  // one may pass too fast to be seen
  ASSERT_EQ(Sfumato({"resume", "cut"}), 0) << Read("err");
  EXPECT_EQ(Read("cut/contrast.json"), Read("whole/contrast.json"));
  auto whole = Json("whole/inspection.json");
  auto cut = Json("cut/inspection.json");
  for (auto* record : {&whole, &cut}) {
    record->erase("ledger_name");  // the folder's name
    record->at("simulation_only").erase("seconds");
  }
  EXPECT_EQ(cut, whole);
  EXPECT_EQ(Sfumato({"ledger", "verify", "cut/ledger.sqlite"}), 0);

  // And at moments that nobody chose.
  fs::remove_all(folder_ / "cut");
  base::Rng rng(7, {base::Key("moments")});
  next = words;
  for (int i = 0; i < 6; ++i) {
    const pid_t child = Start(next);
    std::this_thread::sleep_for(std::chrono::milliseconds(rng.Below(1500)));
    kill(child, SIGKILL);
    Wait(child);
    if (fs::exists(folder_ / "cut" / "inspection.json")) {
      next = {"resume", "cut"};
    } else {
      fs::remove_all(folder_ / "cut");  // killed before it was one
    }
  }
  ASSERT_EQ(Sfumato(next), 0) << Read("err");
  EXPECT_EQ(Read("cut/contrast.json"), Read("whole/contrast.json"));
}

TEST_F(InspectionSlowTest, EveryCriterionRuns) {
  MakeBars({});
  MakeJudge({});
  WriteInspection("people", 2);
  const std::vector<Words> criteria = {
      {"select.by=examples"},
      {"select.by=class", "select.value=right"},
      {"select.by=column", "select.column=phone", "select.value=new"},
      {"select.by=accuracy", "inspect.twins=1"},
  };
  int number = 0;
  for (const Words& sets : criteria) {
    const std::string folder = "look" + std::to_string(number++);
    Words words = {"inspect", "i.toml", "--out", folder};
    for (const std::string& set : sets) {
      words.insert(words.end(), {"--set", set});
    }
    ASSERT_EQ(Sfumato(words), 0) << sets[0] << "\n" << Read("err");
    const auto record = runs::ReadInspection(folder_ / folder);
    EXPECT_EQ(record.status, runs::Status::kFinished);
    EXPECT_NE(record.a.rule, record.b.rule) << sets[0];
    EXPECT_EQ(record.a.runs.size(), sets.back() == "inspect.twins=1" ? 1u : 2u);
    // Thirty of the sixty are on each side; examples may be on both.
    EXPECT_EQ(record.a.users.source, "released") << sets[0];
    const double all = sets[0] == "select.by=class" ? 60 : 30;
    EXPECT_NEAR(record.a.users.value, all, 12) << sets[0];
    EXPECT_NEAR(record.b.users.value, all, 12) << sets[0];
    // Who may be on both sides pays for both.
    EXPECT_EQ(record.privacy.pays_once, sets[0] == "select.by=accuracy");
    EXPECT_TRUE(fs::exists(folder_ / folder / "report.html"));
  }
}

TEST_F(InspectionSlowTest, ColourImagesOf32PixelsWork) {
  const Bars colour{.side = 32, .channels = 3};
  MakeBars(colour);
  MakeJudge(colour);
  WriteInspection("people", 2);
  ASSERT_EQ(Sfumato({"inspect", "i.toml", "--out", "look"}), 0) << Read("err");
  const auto contrast =
      runs::ContrastFromJson(Json("look/contrast.json"), "contrast.json");
  ASSERT_FALSE(contrast.steps.empty());
  const base::Image grid =
      base::DecodePng(Read("look/" + contrast.steps[0].a), "grid");
  EXPECT_EQ(grid.channels, 3);
  ASSERT_EQ(Sfumato({"sample", "look/a1", "--count", "9", "--folder"}), 0)
      << Read("err");
  const base::Image one =
      base::DecodePng(Read("look/a1/samples/images/000008.png"), "one");
  EXPECT_EQ(one.width, 32);
  EXPECT_EQ(one.height, 32);
  EXPECT_EQ(one.channels, 3);
}

class PrivateInspectionTest : public InspectionSlowTest {
 protected:
  void SetUp() override {
    InspectionSlowTest::SetUp();
    const Bars phones{
        .folder = "phones", .origin = data::Origin::kPrivate, .canary = true};
    MakeBars(phones);
    MakeJudge(phones);
    WriteInspection("phones", 2);
  }
  int Grant(const std::string& epsilon) {
    return Sfumato({"ledger", "create", "ledger.sqlite", "--population",
                    "phones", "--epsilon", epsilon, "--delta", "1e-3"});
  }
  int Inspect(const std::string& folder, const Words& more = {"--yes"}) {
    Words words = {"inspect", "i.toml",
                   "--out",   folder,
                   "--set",   "select.users_a=30",
                   "--set",   "select.users_b=30"};
    words.insert(words.end(), more.begin(), more.end());
    return Sfumato(words);
  }

  // With a census first, whose voter learns for moments.
  Words WithCensus(const Words& more = {"--yes"}) {
    if (!fs::exists(folder_ / "others")) {
      MakeBars({.folder = "others", .bug = false});
    }
    Words words = {"--set", "census.reference=others", "--set",
                   "census.effort=0.02"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // What the ledger has released of the census's vote.
  std::int64_t VotesPaid(const std::string& ledger_name) {
    dp::Ledger ledger = dp::Ledger::Open(folder_ / "ledger.sqlite");
    std::int64_t paid = 0;
    for (const dp::RunPart& part :
         ledger.PartsOf(ledger_name + "/census/vote")) {
      paid += dp::CountOf(part.run.released);
    }
    return paid;
  }

  // Keys of `json`, at any depth, below which there is something.
  static void Keys(const nlohmann::json& json, std::set<std::string>& keys) {
    for (const auto& [key, value] : json.items()) {
      if (json.is_object() && !value.is_null()) keys.insert(key);
      if (value.is_structured()) Keys(value, keys);
    }
  }
  // Where a text, a row of pixels or a path of this machine stands, as it is or
  // inside a picture; also one that lies in a page as data.
  std::vector<std::string> Found(const std::string& folder,
                                 const std::string& what) {
    std::vector<std::string> places;
    for (const auto& entry :
         fs::recursive_directory_iterator(folder_ / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string bytes = base::ReadFile(entry.path());
      std::vector<base::Image> images;
      if (entry.path().extension() == ".html") {
        images = report::PicturesIn(bytes);
      } else if (entry.path().extension() == ".png") {
        images = {base::DecodePng(bytes, entry.path())};
      }
      // A text's letters are nearly one grey, and would be seen everywhere.
      if (bytes.find(what) != std::string::npos ||
          (what == CanaryRow() &&
           std::ranges::any_of(images, [&](const base::Image& image) {
             return report::ShowsRow(image, what);
           }))) {
        places.push_back(entry.path().string());
      }
    }
    return places;
  }
};

TEST_F(PrivateInspectionTest, IsRefusedUntilEverythingIsSaid) {
  const auto refused = [&](int code, const std::string& says,
                           const Words& more) {
    EXPECT_EQ(Inspect("look", more), code) << says << "\n" << Read("err");
    EXPECT_NE(Read("err").find(says), std::string::npos) << Read("err");
    EXPECT_FALSE(fs::exists(folder_ / "look")) << says;
  };
  refused(2, "ledger create", {"--yes"});
  ASSERT_EQ(Grant("0.5"), 0) << Read("err");
  refused(3, "does not fit", {"--yes"});
  fs::remove(folder_ / "ledger.sqlite");
  ASSERT_EQ(Grant("1000"), 0) << Read("err");
  refused(2, "--yes", {});
  refused(4, "select.model_is", {"--yes", "--set", "select.model_is=\"\""});
  refused(4, "select.model_is", {"--yes", "--set", "select.model_is=released"});
  refused(2, "users_a", {"--yes", "--set", "select.users_a=0"});
  refused(2, "data.test_share", {"--yes", "--set", "data.test_share=0.2"});
  refused(2, "data.test_share", {"--dry-run", "--set", "data.test_share=0.2"});
  MakeJudge({.classes = 3}, "three");
  refused(2, "3 classes", {"--yes", "--set", "select.model=three"});
  // None of it was entered.
  ASSERT_EQ(Sfumato({"ledger", "show", "ledger.sqlite", "--json"}), 0);
  EXPECT_EQ(Read("out").find("look-"), std::string::npos) << Read("out");
}

TEST_F(PrivateInspectionTest, TellsNothingThatNoMechanismMade) {
  ASSERT_EQ(Grant("1000"), 0) << Read("err");
  // Who looks for it would find it.
  EXPECT_FALSE(Found("phones", CanaryRow()).empty());
  EXPECT_FALSE(Found("phones", "canary_name").empty());
  ASSERT_EQ(Inspect("look"), 0) << Read("err");
  EXPECT_GT(report::PicturesIn(Read("look/report.html")).size(), 2u);
  for (const std::string& secret :
       {CanaryRow(), std::string("canary_name"), folder_.string()}) {
    EXPECT_EQ(Found("look", secret), std::vector<std::string>());
  }
  for (const char* talk : {"out", "err"}) {
    EXPECT_EQ(Read(talk).find("canary_name"), std::string::npos);
  }

  const runs::InspectionRecord record = runs::ReadInspection(folder_ / "look");
  EXPECT_FALSE(record.simulation);
  EXPECT_FALSE(record.privacy.seeded);
  EXPECT_EQ(record.origin, "private");
  EXPECT_EQ(record.model_provenance, "fixed");
  EXPECT_EQ(record.a.users.source, "released");
  EXPECT_EQ(record.b.users.source, "released");
  EXPECT_GT(record.a.users.deviation, 0);
  ASSERT_TRUE(record.histogram);
  EXPECT_EQ(record.histogram->source, "released");
  // 30 users less the canary are right, 30 are wrong: exact bars would be 0
  // but in three places. Noise of deviation 2 leaves 17 or more of the others
  // at 0 once in 10^12.
  EXPECT_LT(std::ranges::count(record.histogram->counts, 0.0), 17);
  for (const char* file : {"look/inspection.json", "look/contrast.json",
                           "look/report.json", "look/a1/run.json"}) {
    std::set<std::string> keys;
    Keys(Json(file), keys);
    for (const char* secret : {"simulation_only", "seconds", "loss",
                               "frechet_distance", "bug", "test_accuracy"}) {
      EXPECT_FALSE(keys.contains(secret)) << file << " " << secret;
    }
  }
  for (const char* model : {"a1", "a2", "b1", "b2"}) {
    for (const auto& line : Metrics(std::string("look/") + model)) {
      for (const char* secret : {"loss", "cohort", "clipped_share",
                                 "not_finite", "client_norm", "seconds"}) {
        EXPECT_FALSE(line.contains(secret)) << model << " " << secret;
      }
    }
  }
  EXPECT_EQ(Sfumato({"ledger", "verify", "ledger.sqlite"}), 0);
  EXPECT_FALSE(fs::exists(folder_ / "look" / "ledger.sqlite"));

  // The same seed again is another draw.
  ASSERT_EQ(Inspect("again"), 0) << Read("err");
  EXPECT_NE(Checkpoints("look/a1").rbegin()->second,
            Checkpoints("again/a1").rbegin()->second);
  EXPECT_NE(runs::ReadInspection(folder_ / "again").histogram->counts,
            record.histogram->counts);
  // The card of what it draws says that it holds for real.
  ASSERT_EQ(Sfumato({"sample", "look/b1", "--count", "5"}), 0) << Read("err");
  EXPECT_NE(Read("look/b1/samples/README.md").find("| simulation | no |"),
            std::string::npos);
}

// T6 from the public data to the page: the discriminator is trained on the
// devices, its cost is in the ledger, and so it is `released`.
TEST_F(PrivateInspectionTest, SelectsByADiscriminatorThatItsUsersTrained) {
  MakeBars({.folder = "open", .bug = false});
  ASSERT_EQ(Grant("1000"), 0) << Read("err");
  Write("d.toml",
        "algorithm = \"dp_fedavg\"\nrounds = 20\n[data]\npath = \"phones\"\n"
        "public_path = \"open\"\n[model]\nname = \"logistic\"\n[cohort]\n"
        "size = 20\npopulation = 60\n[local]\nepochs = 4\n[privacy]\n"
        "noise_multiplier = 0.5\nclip_norm = 1.0\ndelta = 1e-3\n");
  ASSERT_EQ(Sfumato({"train", "d.toml", "--yes", "--out", "tells"}), 0)
      << Read("err");
  const Words by_it = {"--yes",
                       "--set",
                       "select.by=unlike_public",
                       "--set",
                       "select.model=tells",
                       "--set",
                       "select.model_is=released",
                       "--set",
                       "select.above=0.5",
                       "--set",
                       "select.below=0.3"};
  ASSERT_EQ(Inspect("look", by_it), 0) << Read("err");
  const auto record = runs::ReadInspection(folder_ / "look");
  EXPECT_EQ(record.status, runs::Status::kFinished);
  EXPECT_EQ(record.model_provenance, "released");
  EXPECT_EQ(record.model_words, "the discriminator of the run tells");
  // The discriminator's rounds are not this inspection's; the page says both.
  EXPECT_GT(record.privacy.judge.epsilon, 1);
  EXPECT_NE(Read("look/report.html")
                .find("the discriminator of the run tells, which was released "
                      "before"),
            std::string::npos);
  // The second half of the sixty exchanged light and dark; the first half looks
  // as the public ones do. User 3 looks like nobody.
  EXPECT_NEAR(record.a.users.value, 29, 12);
  EXPECT_NEAR(record.b.users.value, 30, 12);
  EXPECT_FALSE(record.privacy.pays_once);
  EXPECT_EQ(Sfumato({"ledger", "verify", "ledger.sqlite"}), 0);

  // A classifier of two classes is no discriminator, and the other way.
  Words by_judge = by_it;
  by_judge[4] = "select.model=judge";
  by_judge[6] = "select.model_is=fixed";
  EXPECT_EQ(Inspect("no", by_judge), 2);
  EXPECT_NE(Read("err").find("a classifier, where a discriminator"),
            std::string::npos)
      << Read("err");
  EXPECT_EQ(Inspect("no", {"--yes", "--set", "select.model=tells"}), 2);
  EXPECT_NE(Read("err").find("a discriminator, where a classifier"),
            std::string::npos)
      << Read("err");
  // What every device gets must be public.
  EXPECT_EQ(Sfumato({"train", "d.toml", "--yes", "--out", "no", "--set",
                     "data.public_path=phones"}),
            4);
  EXPECT_NE(Read("err").find("private data in the place of public ones"),
            std::string::npos)
      << Read("err");
}

TEST_F(PrivateInspectionTest, TooFewUsersAreRefusedByTheirNoisyNumber) {
  ASSERT_EQ(Grant("1000"), 0) << Read("err");
  ASSERT_EQ(Inspect("look", {"--yes", "--set", "select.users_a=60", "--set",
                             "select.users_b=60", "--set", "cohort.size=25"}),
            2)
      << Read("err");
  // About thirty are there; two halves of 25 need fifty.
  const std::string err = Read("err");
  for (const char* says :
       {"users (a noisy count), and 50 are needed: 25 a round from each of 2",
        "--set cohort.size=1", "--set inspect.twins=1 with cohorts up to"}) {
    EXPECT_NE(err.find(says), std::string::npos) << err;
  }
  // What the models would have cost is back; a resume tells the same again.
  dp::Ledger ledger = dp::Ledger::Open(folder_ / "ledger.sqlite");
  const dp::Totals totals = ledger.TotalsOf("phones");
  EXPECT_EQ(totals.used, totals.used_reserved);
  EXPECT_EQ(Sfumato({"resume", "look"}), 2);
  EXPECT_EQ(Read("err").find("sfumato resume"), std::string::npos);
  EXPECT_NE(Read("err").find("50 are needed"), std::string::npos)
      << Read("err");
}

TEST_F(PrivateInspectionTest, ACensusComesFirstInOnePlanWithOnePrice) {
  ASSERT_EQ(Grant("1000"), 0) << Read("err");
  ASSERT_EQ(Inspect("dry", WithCensus({"--dry-run"})), 0) << Read("err");
  for (const char* says :
       {"census 0.49", "Census   one vote per user", "Power    damage on "}) {
    EXPECT_NE(Read("out").find(says), std::string::npos) << Read("out");
  }
  EXPECT_EQ(Inspect("no", WithCensus({"--yes", "--set",
                                      "census.adjacency=replace_one"})),
            4);
  EXPECT_NE(Read("err").find("census.adjacency"), std::string::npos);
  EXPECT_EQ(
      Inspect("no", WithCensus({"--yes", "--set", "census.reference=phones"})),
      4)
      << "private references";
  EXPECT_FALSE(fs::exists(folder_ / "no"));
  ASSERT_EQ(Inspect("look", WithCensus({"--yes", "--json"})), 0) << Read("err");
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_TRUE(answer.at("census").contains("verdict"));
  EXPECT_GE(answer.at("census").at("answers").size(), 3u);
  EXPECT_NEAR(answer.at("census").at("epsilon").get<double>(), 0.5, 0.01);
  const runs::InspectionRecord record = runs::ReadInspection(folder_ / "look");
  EXPECT_EQ(record.privacy.parts.at(0).what, "census");
  EXPECT_GT(record.privacy.epsilon, 0.5);
  EXPECT_EQ(record.privacy.entries.at(0).run,
            record.ledger_name + "/census/vote");
  EXPECT_TRUE(record.privacy.entries.at(0).finished);
  EXPECT_EQ(VotesPaid(record.ledger_name), 1);
  // Rule 7: nobody's image, name or place is in anything that was written.
  ASSERT_TRUE(fs::exists(folder_ / "look/census/census.json"));
  for (const std::string& secret :
       {CanaryRow(), std::string("canary_name"), folder_.string()}) {
    EXPECT_EQ(Found("look", secret), std::vector<std::string>());
  }
  std::set<std::string> keys;
  Keys(Json("look/census/census.json"), keys);
  for (const char* secret : {"simulation_only", "seconds", "bug"}) {
    EXPECT_FALSE(keys.contains(secret)) << secret;
  }
  EXPECT_NE(Read("look/report.html").find("id=\"census\""), std::string::npos);
  // It is no census of its own.
  EXPECT_EQ(Sfumato({"resume", "look/census"}), 2);
  EXPECT_NE(Read("err").find("sfumato resume "), std::string::npos);
}

TEST_F(PrivateInspectionTest, KilledAfterTheVoteAsksAndPaysForItOnce) {
  ASSERT_EQ(Grant("1000"), 0) << Read("err");
  Words words = {"inspect", "i.toml",
                 "--out",   "cut",
                 "--set",   "select.users_a=30",
                 "--set",   "select.users_b=30",
                 "--set",   "rounds=12",
                 "--set",   "privacy.spare_rounds=4"};
  const Words more = WithCensus();
  words.insert(words.end(), more.begin(), more.end());
  ASSERT_NE(KilledAt(Start(words), "training a1"), "");
  const runs::CensusRecord before = runs::ReadCensus(folder_ / "cut/census");
  ASSERT_TRUE(before.answer);
  const std::string name = runs::ReadInspection(folder_ / "cut").ledger_name;
  EXPECT_EQ(VotesPaid(name), 1);
  ASSERT_EQ(Sfumato({"resume", "cut"}), 0) << Read("err");
  const runs::CensusRecord after = runs::ReadCensus(folder_ / "cut/census");
  EXPECT_EQ(after.counts, before.counts);
  EXPECT_EQ(after.voter_crc32c, before.voter_crc32c);
  EXPECT_EQ(VotesPaid(name), 1);
  EXPECT_FALSE(runs::ReadInspection(folder_ / "cut").privacy.repeated);
  // Counts that are lost are asked for again, and only with a yes.
  runs::CensusRecord lost = after;
  lost.status = runs::Status::kInterrupted;
  lost.counts.clear();
  lost.answer.reset();
  runs::WriteCensus(folder_ / "cut/census", lost);
  runs::InspectionRecord record = runs::ReadInspection(folder_ / "cut");
  record.status = runs::Status::kInterrupted;
  runs::WriteInspection(folder_ / "cut", record);
  EXPECT_EQ(Sfumato({"resume", "cut"}), 2);
  EXPECT_EQ(VotesPaid(name), 1);
  ASSERT_EQ(Sfumato({"resume", "cut", "--yes"}), 0) << Read("err");
  EXPECT_EQ(VotesPaid(name), 2);
  record = runs::ReadInspection(folder_ / "cut");
  EXPECT_TRUE(record.privacy.repeated);
  EXPECT_GT(record.privacy.epsilon,
            runs::ReadCensus(folder_ / "cut/census").privacy.epsilon);
}

TEST_F(PrivateInspectionTest, GoesOnAfterAKillAndAsksOnce) {
  ASSERT_EQ(Grant("1000"), 0) << Read("err");
  Words words = {"inspect",
                 "i.toml",
                 "--out",
                 "cut",
                 "--yes",
                 "--set",
                 "rounds=12",
                 "--set",
                 "privacy.spare_rounds=4",
                 "--set",
                 "select.users_a=30",
                 "--set",
                 "select.users_b=30"};
  ASSERT_NE(KilledAt(Start(words), "training a1"), "");
  const auto before = runs::ReadInspection(folder_ / "cut");
  ASSERT_TRUE(before.surveyed);
  // Nobody is asked for a yes again, and no question is asked again.
  ASSERT_EQ(Sfumato({"resume", "cut"}), 0) << Read("err");
  const auto after = runs::ReadInspection(folder_ / "cut");
  EXPECT_EQ(after.status, runs::Status::kFinished);
  EXPECT_EQ(after.ledger_name, before.ledger_name);
  EXPECT_EQ(after.histogram->counts, before.histogram->counts);
  EXPECT_EQ(after.privacy.epsilon, before.privacy.epsilon);
  EXPECT_GT(after.privacy.epsilon, 0);
  EXPECT_EQ(Sfumato({"ledger", "verify", "ledger.sqlite"}), 0);
}

}  // namespace
}  // namespace sfumato

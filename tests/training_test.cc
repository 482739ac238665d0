// train, resume and eval as a user meets them.

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <set>
#include <thread>

#include "base/crc32c.h"
#include "base/safetensors.h"
#include "data/dataset_writer.h"
#include "fmt/format.h"
#include "training_testing.h"

namespace sfumato {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

class TrainingTest : public TrainingFixture {};

TEST_F(TrainingTest, ARunHoldsAllThatItSays) {
  MakePeople();
  WriteConfig(6, "[checkpoint]\nevery = 2\nkeep_every = 4\n");
  ASSERT_EQ(
      Sfumato({"train", "c.toml", "--out", "r", "--json", "--tensorboard"}), 0)
      << Read("err");
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_EQ(answer.at("ok"), true);
  EXPECT_EQ(answer.at("rounds_done"), 6);
  EXPECT_EQ(answer.at("simulation"), true);
  const auto files = Checkpoints("r");
  EXPECT_EQ(files.size(), 3u);  // the first, each fourth and the last
  EXPECT_TRUE(files.contains("round_000002.safetensors"));
  EXPECT_TRUE(files.contains("round_000004.safetensors"));
  ASSERT_TRUE(files.contains("round_000006.safetensors"));
  const base::SafetensorsFile last(folder_ / "r" / "checkpoints" /
                                   "round_000006.safetensors");
  // 28·28·62 weights and 62 biases.
  EXPECT_EQ(last.Get<float>("model/layer0.weight").size(), 48'608u);
  EXPECT_EQ(last.metadata().at("unit"), "user");
  EXPECT_NEAR(std::stod(last.metadata().at("epsilon")),
              answer.at("epsilon").get<double>(), 1e-9);
  const auto lines = Metrics("r");
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_TRUE(lines[0].contains("loss"));
  EXPECT_TRUE(lines[5].contains("test_accuracy"));
  EXPECT_FALSE(fs::is_empty(folder_ / "r" / "tb"));
  EXPECT_EQ(Sfumato({"ledger", "verify", "r/ledger.sqlite"}), 0);
  // A finished run is left as it is.
  EXPECT_EQ(Sfumato({"resume", "r"}), 0);
  EXPECT_EQ(Checkpoints("r"), files);
  EXPECT_EQ(Sfumato({"eval", "r", "--csv", "users.csv"}), 0) << Read("err");
  EXPECT_TRUE(Read("users.csv").starts_with("user,examples,correct,loss\n"));
  EXPECT_EQ(Sfumato({"eval", "r", "--csv", "users.csv"}), 2);
  // Other data than it was trained on.
  Write("t.csv", "label,a,b\n0,1,2\n1,3,4\n");
  ASSERT_EQ(Sfumato({"data", "import", "table", "t.csv", "--label", "label",
                     "--public", "--out", "table"}),
            0)
      << Read("err");
  EXPECT_EQ(Sfumato({"eval", "r", "--data", "table"}), 2) << Read("err");
  EXPECT_EQ(Sfumato({"train", "c.toml", "--out", "s", "--set",
                     "data.test_share=0", "--set", "data.test_path=table"}),
            2);
  EXPECT_NE(Read("err").find("data.test_path"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "s"));
}

TEST_F(TrainingTest, TheSameSeedGivesTheSameBytesOnAnyNumberOfThreads) {
  MakePeople();
  WriteConfig(4);
  ASSERT_EQ(
      Sfumato({"train", "c.toml", "--out", "a", "--set", "device.threads=1"}),
      0)
      << Read("err");
  ASSERT_EQ(
      Sfumato({"train", "c.toml", "--out", "b", "--set", "device.threads=2"}),
      0);
  ASSERT_EQ(Sfumato({"train", "c.toml", "--out", "c", "--set", "seed=2"}), 0);
  EXPECT_EQ(Checkpoints("a"), Checkpoints("b"));
  EXPECT_EQ(Metrics("a"), Metrics("b"));
  EXPECT_NE(Checkpoints("a"), Checkpoints("c"));
}

TEST_F(TrainingTest, CtrlCSavesAndResumeGivesTheSameBytes) {
  MakePeople();
  WriteConfig(400, "[checkpoint]\nevery = 1000\n[evaluation]\nevery = 0\n");
  ASSERT_EQ(Sfumato({"train", "c.toml", "--out", "whole"}), 0) << Read("err");
  const pid_t child = Start({"train", "c.toml", "--out", "cut"});
  for (int i = 0; i < 2000; ++i) {
    std::this_thread::sleep_for(5ms);
    std::error_code none;
    if (fs::file_size(folder_ / "cut" / "metrics.jsonl", none) > 2000 &&
        !none) {
      break;
    }
  }
  kill(child, SIGINT);
  EXPECT_EQ(Wait(child), 130);
  EXPECT_NE(Read("err").find("sfumato resume cut"), std::string::npos);
  ASSERT_EQ(Checkpoints("cut").size(), 1u);
  EXPECT_FALSE(Checkpoints("cut").contains("round_000400.safetensors"));
  ASSERT_EQ(Sfumato({"resume", "cut"}), 0) << Read("err");
  EXPECT_EQ(Checkpoints("cut").at("round_000400.safetensors"),
            Checkpoints("whole").at("round_000400.safetensors"));
  EXPECT_EQ(Metrics("cut"), Metrics("whole"));
}

TEST_F(TrainingTest, BadConfigsAreRefusedByNameAndLeaveNothing) {
  MakePeople();
  WriteConfig(3);
  struct Case {
    Words words;
    int code;
    std::string says;
  };
  const std::vector<Case> cases = {
      {{"--set", "round=3"}, 2, "rounds"},
      {{"--set", "rounds=0"}, 2, "rounds"},
      {{"--set", "rounds=many"}, 2, "rounds"},
      {{"--set", "cohort.size=nan"}, 2, "cohort.size"},
      {{"--set", "cohort.size=100"}, 2, "cohort.size"},
      {{"--set", "model.name=logistc"}, 2, "logistic"},
      {{"--set", "model.name=cifar_cn"}, 2, "cifar_cnn"},
      {{"--set", "data.path=nowhere"}, 2, "nowhere"},
      {{"--set", "privacy.noise_multiplier=0"}, 2, "privacy"},
      {{"--set", "privacy.noise_multiplier=1e-9"}, 2, "noise"},
      {{"--set", "server.optimizer=adm"}, 2, "adam"},
      {{"--set", "algorithm=dp_fedag"}, 2, "dp_fedavg"},
      {{"--set", "rounds"}, 2, "="},
      {{"--device", "cuda"}, 6, "CUDA"},
      {{"--set", "device.threads=20000"}, 2, "device.threads"},
      {{"--set", "data.bug=invrt"}, 2, "invert"},
      {{"--set", "data.bug=join"}, 2, "a bug of text"},
      {{"--set", "model.name=word_lm"}, 2, "takes text"},
      {{"--set", "select.by=accuracy", "--set", "select.model=x"},
       2,
       "select.above"},
      {{"--set", "select.by=class", "--set", "select.value=nosuch"},
       2,
       "nosuch"},
      {{"--set", "select.by=examples", "--set", "select.model=nowhere"},
       2,
       "nowhere"},
      {{"--out", "c.toml/below"}, 6, "c.toml/below"},
      {{"--out", "people"}, 2, "already exists"},
  };
  for (const Case& c : cases) {
    if (c.words[1] == "cuda" &&
        std::system("nvidia-smi >/dev/null 2>&1") == 0) {
      continue;
    }
    for (const bool dry_run : {false, true}) {
      SCOPED_TRACE(c.words[1] + (dry_run ? ", dry run" : ""));
      Words words = {"train", "c.toml"};
      words.insert(words.end(), c.words.begin(), c.words.end());
      if (c.words[0] != "--out") words.insert(words.end(), {"--out", "r"});
      if (dry_run) words.push_back("--dry-run");
      EXPECT_EQ(Sfumato(words), c.code) << Read("err");
      EXPECT_NE(Read("err").find(c.says), std::string::npos) << Read("err");
      EXPECT_FALSE(fs::exists(folder_ / "r"));
      fs::remove_all(folder_ / "r");
    }
  }
  for (const std::string& text :
       {std::string(""), std::string("rounds = "), std::string("\xff\xfe"),
        std::string("[data]\npath = 3\n"),
        std::string("rounds = 99999999999999999999")}) {
    Write("bad.toml", text);
    EXPECT_EQ(Sfumato({"train", "bad.toml", "--out", "r"}), 2) << text;
    EXPECT_FALSE(fs::exists(folder_ / "r"));
  }
  EXPECT_EQ(Sfumato({"train", "none.toml", "--out", "r"}), 2);
  fs::create_directories(folder_ / "full" / "of");
  EXPECT_EQ(Sfumato({"train", "c.toml", "--out", "full"}), 2);
  EXPECT_TRUE(fs::exists(folder_ / "full" / "of"));
}

TEST_F(TrainingTest, ADamagedCheckpointIsNamedAndNothingIsLost) {
  MakePeople();
  WriteConfig(3);
  ASSERT_EQ(Sfumato({"train", "c.toml", "--out", "r"}), 0) << Read("err");
  const fs::path last =
      folder_ / "r" / "checkpoints" / "round_000003.safetensors";
  const std::string whole = base::ReadFile(last);
  // As if it had been stopped, and the newest checkpoint cut.
  auto record = nlohmann::json::parse(Read("r/run.json"));
  record["status"] = "running";
  Write("r/run.json", record.dump());
  fs::resize_file(last, whole.size() / 2);
  EXPECT_EQ(Sfumato({"resume", "r"}), 5);
  EXPECT_NE(Read("err").find("round_000003"), std::string::npos);
  fs::remove(last);
  EXPECT_EQ(Sfumato({"resume", "r"}), 0) << Read("err");
  EXPECT_EQ(base::ReadFile(last), whole);
}

TEST_F(TrainingTest, OtherDataUnderTheSameNameAreRefused) {
  MakePeople();
  WriteConfig(3);
  ASSERT_EQ(Sfumato({"train", "c.toml", "--out", "r"}), 0) << Read("err");
  auto record = nlohmann::json::parse(Read("r/run.json"));
  record["status"] = "running";
  Write("r/run.json", record.dump());
  fs::remove_all(folder_ / "people");
  ASSERT_EQ(Sfumato({"data", "make", "handwriting", "--users", "20", "--seed",
                     "9", "--mean-examples", "8", "--out", "people"}),
            0);
  EXPECT_EQ(Sfumato({"resume", "r"}), 2);
  EXPECT_NE(Read("err").find("not what the run began with"), std::string::npos)
      << Read("err");
}

// Half of the images' bytes, between the end of one process and the next.
void ZeroHalf(const fs::path& file) {
  std::string bytes = base::ReadFile(file);
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2),
            bytes.end(), '\0');
  base::WriteFileAtomically(file, bytes);
}

TEST_F(TrainingTest, DataThatWereZeroedAreNotTrainedOn) {
  MakePeople();
  WriteConfig(3);
  ASSERT_EQ(Sfumato({"train", "c.toml", "--out", "r"}), 0) << Read("err");
  auto record = nlohmann::json::parse(Read("r/run.json"));
  record["status"] = "running";
  Write("r/run.json", record.dump());
  ZeroHalf(folder_ / "people" / "data.safetensors");
  EXPECT_EQ(Sfumato({"resume", "r"}), 5);
  EXPECT_NE(Read("err").find("checksum"), std::string::npos) << Read("err");
  EXPECT_EQ(Sfumato({"train", "c.toml", "--out", "s"}), 5);
  EXPECT_EQ(Sfumato({"train", "c.toml", "--dry-run"}), 5);
  EXPECT_FALSE(fs::exists(folder_ / "s"));
}

TEST_F(TrainingTest, GeneratorsNeedNoLabels) {
  data::DatasetInfo info;
  info.origin = data::Origin::kPublic;
  info.image = {28, 28, 1};
  data::DatasetWriter writer(folder_ / "unlabelled", info);
  for (int user = 0; user < 6; ++user) {
    writer.BeginUser("u" + std::to_string(user));
    const std::vector<std::uint8_t> pixels(28 * 28, 40 * user);
    for (int i = 0; i < 3; ++i) writer.Add({.pixels = pixels});
  }
  writer.Finish();
  Write("g.toml",
        "preset = \"gan_quick\"\nrounds = 2\n[data]\npath = \"unlabelled\"\n"
        "[cohort]\nsize = 3\n[gan]\nlatent = 4\nsample_count = 4\n"
        "generator_steps = 1\n[local]\nmax_steps = 1\n[privacy]\n"
        "noise_multiplier = 1\n");
  EXPECT_EQ(Sfumato({"train", "g.toml", "--dry-run"}), 0) << Read("err");
  EXPECT_EQ(Sfumato({"train", "g.toml", "--out", "r"}), 0) << Read("err");
  EXPECT_EQ(Sfumato({"sample", "r", "--count", "4", "--out", "drawn"}), 0)
      << Read("err");
  // What looks at labels says that there are none.
  const Words conditional = {"train", "g.toml", "--set",
                             "gan.conditional=true"};
  WriteConfig(2);
  const Words classifier = {"train", "c.toml",
                            "--set", "data.path=unlabelled",
                            "--set", "cohort.size=2"};
  for (const Words& train : {conditional, classifier}) {
    for (const char* end : {"--dry-run", "--quiet"}) {
      Words words = train;
      words.insert(words.end(), {"--out", "s", end});
      EXPECT_EQ(Sfumato(words), 2) << train[3] << end;
      EXPECT_NE(Read("err").find("without labels"), std::string::npos)
          << Read("err");
    }
  }
  EXPECT_FALSE(fs::exists(folder_ / "s"));
}

TEST_F(TrainingTest, ADryRunSaysTheCostAndWritesNothing) {
  MakePeople();
  WriteConfig(50);
  ASSERT_EQ(Sfumato({"train", "c.toml", "--dry-run", "--json"}), 0)
      << Read("err");
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_GT(answer.at("epsilon").get<double>(), 0);
  EXPECT_GT(answer.at("estimated_seconds").get<double>(), 0);
  EXPECT_GT(answer.at("memory_bytes").get<double>(), 1e6);
  EXPECT_EQ(answer.at("parameters"), 48'670);
  EXPECT_EQ(answer.at("trained"), false);
  EXPECT_FALSE(fs::exists(folder_ / "runs"));
}

// People who are generated have no folder, and no ledger beside it.
TEST_F(TrainingTest, ADryRunOfGeneratedPeopleSaysTheCost) {
  ASSERT_EQ(Sfumato({"train", "quick_private", "--dry-run", "--json", "--set",
                     "data.users=200", "--set", "cohort.size=20", "--set",
                     "privacy.epsilon=5", "--set", "privacy.delta=0"}),
            0)
      << Read("err");
  const auto answer = nlohmann::json::parse(Read("out"));
  EXPECT_EQ(answer.at("simulation"), true);
  EXPECT_LE(answer.at("epsilon").get<double>(), 5);
}

// Private data: two features, two classes, one user of whom has none, and a
// record that must not be found anywhere.
class PrivateTrainingTest : public TrainingFixture {
 protected:
  static constexpr float kCanary = 1234.56789f;

  void SetUp() override {
    TrainingFixture::SetUp();
    data::DatasetInfo info;
    info.name = "phones";
    info.kind = data::Kind::kFeatures;
    info.origin = data::Origin::kPrivate;
    info.feature_count = 2;
    info.classes = {"no", "yes"};
    info.declared = true;
    data::DatasetWriter writer(folder_ / "phones", info);
    for (int user = 0; user < 30; ++user) {
      writer.BeginUser("canary_name_" + std::to_string(user));
      for (int i = 0; i < (user == 7 ? 0 : 6); ++i) {
        const float features[] = {user == 3 ? kCanary : float(i % 2), 1};
        writer.Add({.features = features, .label = i % 2});
      }
    }
    writer.Finish();
    Write("p.toml",
          "name = \"p\"\nrounds = 5\n[data]\npath = \"phones\"\n[model]\n"
          "name = \"logistic\"\n[cohort]\nsize = 10\npopulation = 30\n"
          "[privacy]\nnoise_multiplier = 2\nclip_norm = 0.5\ndelta = 1e-3\n");
  }
  int Grant(const std::string& epsilon) {
    return Sfumato({"ledger", "create", "ledger.sqlite", "--population",
                    "phones", "--epsilon", epsilon, "--delta", "1e-3"});
  }
};

TEST_F(PrivateTrainingTest, SpendsInTheLedgerAndTellsNothingElse) {
  // No ledger, no yes, no population: each is refused, and nothing stays.
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes"}), 2);
  EXPECT_NE(Read("err").find("ledger create"), std::string::npos);
  ASSERT_EQ(Grant("5"), 0) << Read("err");
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r"}), 2);
  EXPECT_NE(Read("err").find("--yes"), std::string::npos);
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes", "--set",
                     "cohort.population=0"}),
            2);
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes", "--set",
                     "algorithm=fedavg"}),
            4);
  EXPECT_FALSE(fs::exists(folder_ / "r"));
  EXPECT_EQ(Sfumato({"train", "p.toml"}), 2);
  EXPECT_FALSE(fs::exists(folder_ / "runs"));

  ASSERT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes"}), 0)
      << Read("err");
  const auto lines = Metrics("r");
  ASSERT_EQ(lines.size(), 5u);
  for (const char* secret : {"loss", "cohort", "clipped_share", "not_finite",
                             "client_norm", "test_accuracy", "seconds"}) {
    EXPECT_FALSE(lines[4].contains(secret)) << secret;
  }
  EXPECT_TRUE(lines[4].contains("epsilon"));
  EXPECT_FALSE(fs::exists(folder_ / "r" / "ledger.sqlite"));
  EXPECT_EQ(Sfumato({"ledger", "verify", "ledger.sqlite"}), 0);
  EXPECT_EQ(Sfumato({"eval", "r", "--data", "phones"}), 4);

  const std::string canary(reinterpret_cast<const char*>(&kCanary), 4);
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "r")) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = base::ReadFile(entry.path());
    EXPECT_EQ(bytes.find(canary), std::string::npos) << entry.path();
    EXPECT_EQ(bytes.find("canary_name"), std::string::npos) << entry.path();
    EXPECT_EQ(bytes.find("1234.56"), std::string::npos) << entry.path();
    EXPECT_EQ(bytes.find(folder_.string()), std::string::npos) << entry.path();
  }
  // Two runs of one config are two draws.
  ASSERT_EQ(Sfumato({"train", "p.toml", "--out", "s", "--yes"}), 0)
      << Read("err");
  EXPECT_NE(Checkpoints("r").rbegin()->second,
            Checkpoints("s").rbegin()->second);
}

// Whoever makes a second ledger has no second budget, and no place to hide a
// look at records.
TEST_F(PrivateTrainingTest, ADatasetKeepsToItsFirstLedger) {
  ASSERT_EQ(Grant("5"), 0) << Read("err");
  ASSERT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes"}), 0)
      << Read("err");
  ASSERT_EQ(Sfumato({"ledger", "create", "mine.sqlite", "--population",
                     "phones", "--epsilon", "1e6", "--delta", "1e-3"}),
            0);
  for (const Words& words :
       {Words{"train", "p.toml", "--out", "s", "--yes", "--set",
              "privacy.ledger=mine.sqlite"},
        {"train", "p.toml", "--dry-run", "--set", "privacy.ledger=mine.sqlite"},
        {"data", "describe", "phones", "--look-at-private-records", "--ledger",
         "mine.sqlite"},
        {"ledger", "bind", "mine.sqlite", "--population", "phones", "--dataset",
         "phones"}}) {
    EXPECT_EQ(Sfumato(words), 2) << words[0] << words[1];
    EXPECT_NE(Read("err").find("another ledger"), std::string::npos)
        << Read("err");
    EXPECT_FALSE(fs::exists(folder_ / "s"));
  }
  // Without a word of the ledger it would work.
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "s", "--yes"}), 0)
      << Read("err");
}

// How many users there are is public under replace-one alone.
TEST_F(PrivateTrainingTest, AFixedCohortTellsNoNumberOfUsers) {
  const auto dry_run = [&](const std::string& population) {
    return Sfumato({"train", "p.toml", "--dry-run", "--set",
                    "cohort.sampling=fixed", "--set", "cohort.size=1", "--set",
                    "cohort.population=" + population});
  };
  EXPECT_EQ(dry_run("0"), 2);  // nobody gets it by leaving it out
  EXPECT_EQ(Read("err").find("30"), std::string::npos) << Read("err");
  ASSERT_EQ(Grant("5"), 0) << Read("err");  // add-remove
  std::string said;
  for (const char* guess : {"29", "30"}) {  // one of them is right
    EXPECT_EQ(dry_run(guess), 2);
    EXPECT_TRUE(said.empty() || said == Read("err")) << said << Read("err");
    said = Read("err");
    EXPECT_EQ(said.find("30"), std::string::npos) << said;
  }
}

// Whether a number is right is told only under a ledger by which it is public,
// and to which the data are bound from then on.
TEST_F(PrivateTrainingTest, AFixedCohortIsComparedOnceItsDataAreBound) {
  const auto grant = [&](const std::string& file, const std::string& kind) {
    return Sfumato({"ledger", "create", file, "--population", "phones",
                    "--epsilon", "50", "--delta", "1e-3", "--adjacency", kind});
  };
  ASSERT_EQ(grant("one.sqlite", "replace-one"), 0) << Read("err");
  ASSERT_EQ(grant("two.sqlite", "add-remove"), 0) << Read("err");
  EXPECT_EQ(Sfumato({"train", "p.toml", "--yes", "--out", "r", "--set",
                     "cohort.sampling=fixed", "--set", "cohort.population=999",
                     "--set", "privacy.ledger=one.sqlite", "--set",
                     "privacy.delta=1e-4"}),
            2);
  EXPECT_NE(Read("err").find("999"), std::string::npos) << Read("err");
  EXPECT_EQ(Read("err").find("30"), std::string::npos) << Read("err");
  EXPECT_FALSE(fs::exists(folder_ / "r"));
  EXPECT_EQ(Sfumato({"train", "p.toml", "--yes", "--out", "r", "--set",
                     "privacy.ledger=two.sqlite"}),
            2)
      << "the set keeps to the ledger under which something was told";
}

// A bound by a larger delta than was granted is none by the ledger's terms.
TEST_F(PrivateTrainingTest, NoRunTakesALargerDeltaThanWasGranted) {
  ASSERT_EQ(Grant("5"), 0) << Read("err");
  for (const char* delta : {"0.4", "0.01", "0.0011"}) {
    EXPECT_EQ(Sfumato({"train", "p.toml", "--yes", "--out", "r", "--set",
                       std::string("privacy.delta=") + delta, "--set",
                       "cohort.population=2", "--set", "cohort.size=1"}),
              2)
        << delta;
    EXPECT_NE(Read("err").find("privacy.delta"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(folder_ / "r"));
}

// What was refused has bound nothing: the right set would be refused next.
TEST_F(PrivateTrainingTest, ARefusedTrainingBindsNoDataset) {
  ASSERT_EQ(Grant("5"), 0) << Read("err");
  EXPECT_NE(Sfumato({"train", "p.toml", "--out", "r", "--yes", "--set",
                     "model.name=lenet5"}),
            0);
  std::string bytes = Read("phones/data.safetensors");
  bytes[bytes.size() - 9] ^= 1;
  Write("phones/data.safetensors", bytes);
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes"}), 5)
      << Read("err");
  EXPECT_FALSE(fs::exists(folder_ / "r"));
  EXPECT_FALSE(fs::exists(folder_ / "phones/ledger.id"));
  ASSERT_EQ(Sfumato({"ledger", "export", "ledger.sqlite"}), 0);
  EXPECT_EQ(Read("out").find("binding"), std::string::npos) << Read("out");
}

// A folder may have a name that a run in a ledger may not.
TEST_F(PrivateTrainingTest, AnyFolderNamesItsRun) {
  ASSERT_EQ(Grant("9"), 0) << Read("err");
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "new\nline", "--yes"}), 0)
      << Read("err");
  EXPECT_EQ(
      Sfumato({"train", "p.toml", "--out", std::string(230, 'r'), "--yes"}), 0)
      << Read("err");
}

// A repeated round is paid again, whatever the config says of checkpoints.
TEST_F(PrivateTrainingTest, NoMoreRoundsAreLostThanAreSpare) {
  ASSERT_EQ(Grant("9"), 0);
  const std::vector<std::string> train = {"train",
                                          "p.toml",
                                          "--yes",
                                          "--set",
                                          "checkpoint.every=50",
                                          "--set",
                                          "checkpoint.keep_every=1"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = train;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  ASSERT_EQ(Sfumato(with({"--out", "r"})), 0) << Read("err");
  EXPECT_EQ(Checkpoints("r").size(), 5u);
  ASSERT_EQ(Sfumato(with({"--out", "s", "--set", "privacy.spare_rounds=2"})), 0)
      << Read("err");
  EXPECT_EQ(Checkpoints("s").size(), 3u);  // of rounds 2, 4 and 5
}

TEST_F(PrivateTrainingTest, ASetWithoutAnIdIsRefused) {
  ASSERT_EQ(Grant("5"), 0);
  auto description = nlohmann::json::parse(Read("phones/dataset.json"));
  ASSERT_EQ(description.at("id").get<std::string>().size(), 32u);
  description.erase("id");
  Write("phones/dataset.json", description.dump());
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes"}), 4);
  EXPECT_NE(Read("err").find("without an id"), std::string::npos);
}

TEST_F(PrivateTrainingTest, ClassesThatNobodyDeclaredAreRefused) {
  ASSERT_EQ(Grant("5"), 0);
  auto description = nlohmann::json::parse(Read("phones/dataset.json"));
  ASSERT_EQ(description.erase("declared"), 1u);
  Write("phones/dataset.json", description.dump());
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes"}), 4);
  EXPECT_NE(Read("err").find("--classes"), std::string::npos) << Read("err");
  EXPECT_EQ(Read("err").find("yes"), std::string::npos) << "names a class";
}

// One person with a class of their own must not show in any checkpoint.
TEST_F(PrivateTrainingTest, AModelHasTheClassesThatWereDeclared) {
  std::string csv = "who,what,x,y\n";
  for (int user = 0; user < 20; ++user) {
    csv +=
        "u" + std::to_string(user) + (user % 2 ? ",flu" : ",cold") + ",1,2\n";
  }
  Write("without.csv", csv);
  Write("with.csv", csv + "v,leprosy,3,4\n");
  std::vector<std::string> models;
  for (const std::string set : {"without", "with"}) {
    ASSERT_EQ(
        Sfumato({"data", "import", "table", set + ".csv", "--user", "who",
                 "--label", "what", "--classes", "cold,flu", "--out", set}),
        0)
        << Read("err");
    ASSERT_EQ(Sfumato({"ledger", "create", set + ".sqlite", "--population", set,
                       "--epsilon", "50", "--delta", "1e-3"}),
              0);
    ASSERT_EQ(Sfumato({"train", "p.toml", "--set", "data.path=" + set, "--set",
                       "privacy.ledger=" + set + ".sqlite", "--yes", "--out",
                       set + "_run"}),
              0)
        << Read("err");
    const base::SafetensorsFile last(folder_ / (set + "_run") / "checkpoints" /
                                     "round_000005.safetensors");
    std::string model;
    for (const auto& [name, tensor] : last.tensors()) {
      model += name + ":" + std::to_string(tensor.bytes.size()) + " ";
    }
    models.push_back(model + last.metadata().at("classes") +
                     last.metadata().at("class_names"));
    EXPECT_EQ(base::ReadFile(folder_ / (set + "_run") / "run.json").find("lep"),
              std::string::npos);
  }
  EXPECT_EQ(models[0], models[1]);
  // Without classes there are no labels to train on.
  ASSERT_EQ(Sfumato({"data", "import", "table", "with.csv", "--user", "who",
                     "--label", "what", "--out", "none"}),
            0);
  EXPECT_NE(Read("out").find("no labels were kept"), std::string::npos);
  ASSERT_EQ(Sfumato({"ledger", "create", "none.sqlite", "--population", "none",
                     "--epsilon", "50", "--delta", "1e-3"}),
            0);
  EXPECT_EQ(Sfumato({"train", "p.toml", "--set", "data.path=none", "--yes",
                     "--set", "privacy.ledger=none.sqlite", "--out", "r"}),
            2);
  EXPECT_NE(Read("err").find("import it again with --classes"),
            std::string::npos)
      << Read("err");
}

// What a run keeps of private data is random, and found in no other place.
TEST_F(PrivateTrainingTest, ARunKeepsNoSumOfPrivateContents) {
  ASSERT_EQ(Grant("5"), 0);
  ASSERT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes"}), 0)
      << Read("err");
  const auto description = nlohmann::json::parse(Read("phones/dataset.json"));
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "r")) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = base::ReadFile(entry.path());
    for (const auto& [tensor, sum] : description.at("crc32c").items()) {
      EXPECT_EQ(bytes.find(sum.get<std::string>()), std::string::npos)
          << tensor << " in " << entry.path();
    }
  }
  const std::string edition = description.at("edition").get<std::string>();
  EXPECT_EQ(nlohmann::json::parse(Read("r/run.json")).at("data_crc32c"),
            fmt::format("{:08x}", base::Crc32c(edition)));
  auto record = nlohmann::json::parse(Read("r/run.json"));
  record["status"] = "running";
  Write("r/run.json", record.dump());
  ZeroHalf(folder_ / "phones" / "data.safetensors");
  EXPECT_EQ(Sfumato({"resume", "r", "--yes"}), 5) << Read("err");
}

TEST_F(PrivateTrainingTest, GoingOnNeedsAYesUntilOneWasSaid) {
  ASSERT_EQ(Grant("5"), 0);
  ASSERT_EQ(Sfumato({"train", "p.toml", "--out", "r/", "--yes"}), 0)
      << Read("err");
  // As if it had been killed before anybody answered.
  auto record = nlohmann::json::parse(Read("r/run.json"));
  EXPECT_TRUE(record.at("ledger_run").get<std::string>().starts_with("r-"));
  record["status"] = "created";
  Write("r/run.json", record.dump());
  EXPECT_EQ(Sfumato({"resume", "r"}), 2);
  EXPECT_NE(Read("err").find("--yes"), std::string::npos) << Read("err");
  EXPECT_EQ(Sfumato({"resume", "r", "--yes"}), 0) << Read("err");
  // What all rounds cost, though none was left to do.
  EXPECT_EQ(Read("out").find("ε 0 "), std::string::npos) << Read("out");
}

// Stopping by hand may depend on what was seen: only the plan's price is
// proven, after any round.
TEST_F(PrivateTrainingTest, EveryRoundCarriesThePriceOfTheWholePlan) {
  ASSERT_EQ(Grant("9"), 0);
  ASSERT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes", "--json",
                     "--set", "checkpoint.keep_every=1"}),
            0)
      << Read("err");
  const double planned = Json("out").at("epsilon");
  EXPECT_EQ(Json("out").at("epsilon_spent"), planned);
  for (const nlohmann::json& line : Metrics("r")) {
    EXPECT_EQ(line.at("epsilon"), planned) << line;
  }
  ASSERT_EQ(Checkpoints("r").size(), 5u);
  for (const auto& [name, bytes] : Checkpoints("r")) {
    const base::SafetensorsFile file(folder_ / "r" / "checkpoints" / name);
    EXPECT_EQ(std::stod(file.metadata().at("epsilon")), planned) << name;
  }
}

// When a round ended says how long it took, which depends on private data.
TEST_F(PrivateTrainingTest, EventFilesHaveTheDayAlone) {
  ASSERT_EQ(Grant("9"), 0);
  ASSERT_EQ(
      Sfumato({"train", "p.toml", "--out", "r", "--yes", "--tensorboard"}), 0)
      << Read("err");
  const auto today =
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  std::set<double> times;
  for (const auto& entry : fs::directory_iterator(folder_ / "r" / "tb")) {
    // A record: length, its sum, an event that begins with field 1, a double.
    const std::string bytes = base::ReadFile(entry.path());
    for (std::size_t at = 0; at + 12 < bytes.size();) {
      std::uint64_t length = 0;
      std::memcpy(&length, bytes.data() + at, 8);
      ASSERT_EQ(bytes[at + 12], 0x09);
      double time = 0;
      std::memcpy(&time, bytes.data() + at + 13, 8);
      times.insert(time);
      at += 12 + length + 4;
    }
  }
  ASSERT_FALSE(times.empty());
  for (const double time : times) {
    EXPECT_EQ(std::fmod(time, 86400), 0) << time;
    EXPECT_LE(
        std::abs(
            time -
            std::chrono::duration<double>(today.time_since_epoch()).count()),
        86400);
  }
}

// A cell pays once with the other cells, so that everybody's data charged to
// each of them would be paid once for many trainings.
TEST_F(PrivateTrainingTest, ADatasetIsChargedToItsOwnPopulation) {
  ASSERT_EQ(Grant("9"), 0);
  for (const char* cell : {"a1", "a2"}) {
    ASSERT_EQ(Sfumato({"ledger", "create", "ledger.sqlite", "--population",
                       cell, "--root", "phones", "--partition", "look"}),
              0)
        << Read("err");
  }
  ASSERT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes"}), 0)
      << Read("err");
  for (const char* how : {"--dry-run", "--yes"}) {
    EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "s", how, "--set",
                       "privacy.population=a1"}),
              2)
        << how;
    EXPECT_NE(Read("err").find("bound to population 'phones'"),
              std::string::npos)
        << Read("err");
  }
  EXPECT_FALSE(fs::exists(folder_ / "s"));
  // Other people's records under the same name.
  auto description = Json("phones/dataset.json");
  description["id"] = std::string(32, 'b');
  Write("phones/dataset.json", description.dump());
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "s", "--yes"}), 2);
  EXPECT_NE(Read("err").find("ledger bind"), std::string::npos) << Read("err");
  ASSERT_EQ(Sfumato({"ledger", "bind", "ledger.sqlite", "--population",
                     "phones", "--dataset", "phones"}),
            0)
      << Read("err");
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "s", "--yes"}), 0)
      << Read("err");
  EXPECT_EQ(Sfumato({"ledger", "verify", "ledger.sqlite"}), 0);
}

TEST_F(PrivateTrainingTest, ResumingNeedsAYesForWhatWasNotAgreedTo) {
  ASSERT_EQ(Grant("9"), 0);
  ASSERT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes", "--set",
                     "checkpoint.keep_every=1"}),
            0)
      << Read("err");
  // A copy of the run as it was after two rounds.
  fs::copy(folder_ / "r", folder_ / "copy", fs::copy_options::recursive);
  for (const char* later : {"3", "4", "5"}) {
    ASSERT_TRUE(
        fs::remove(folder_ / "copy" / "checkpoints" /
                   (std::string("round_00000") + later + ".safetensors")));
  }
  auto record = Json("copy/run.json");
  record["status"] = "interrupted";
  Write("copy/run.json", record.dump());
  const auto entries = [&] {
    EXPECT_EQ(Sfumato({"ledger", "show", "ledger.sqlite", "--json"}), 0);
    return Json("out").at("entries").get<int>();
  };
  const int before = entries();
  const std::string plan = Read("copy/plan.json");
  auto changed = nlohmann::json::parse(plan);
  changed["runs"][0]["events"][0]["count"] = 1;
  Write("copy/plan.json", changed.dump());
  EXPECT_EQ(Sfumato({"resume", "copy", "--yes"}), 2);
  EXPECT_NE(Read("err").find("agreed to"), std::string::npos) << Read("err");
  Write("copy/plan.json", plan);
  EXPECT_EQ(Sfumato({"resume", "copy"}), 2);
  EXPECT_NE(Read("err").find("--yes"), std::string::npos) << Read("err");
  EXPECT_EQ(entries(), before) << "nothing was reserved";
  EXPECT_EQ(Json("copy/run.json").at("status"), "interrupted");
  EXPECT_EQ(Sfumato({"resume", "copy", "--yes", "--json"}), 0) << Read("err");
  EXPECT_NE(Read("err").find("paid again"), std::string::npos) << Read("err");
  // Eight rounds were released in the end, and each says so.
  const double spent = Json("out").at("epsilon_spent");
  EXPECT_GT(spent, Json("out").at("epsilon").get<double>());
  EXPECT_GT(entries(), before);
}

TEST_F(PrivateTrainingTest, ASlashAtTheEndOfTheDataFindsTheSameLedger) {
  fs::create_directory(folder_ / "sets");
  fs::rename(folder_ / "phones", folder_ / "sets" / "phones");
  ASSERT_EQ(Sfumato({"ledger", "create", "sets/ledger.sqlite", "--population",
                     "phones", "--epsilon", "9", "--delta", "1e-3"}),
            0);
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes", "--set",
                     "data.path=sets/phones/"}),
            0)
      << Read("err");
}

TEST_F(PrivateTrainingTest, RecordsThatCannotBeReadStopNobody) {
  ASSERT_EQ(Grant("50"), 0);
  // A label that no class has, in one of the users' records.
  const fs::path file = folder_ / "phones" / "data.safetensors";
  std::string bytes = base::ReadFile(file);
  const base::SafetensorsFile open(file);
  const auto labels = open.Get<std::int32_t>("labels");
  const auto at = static_cast<std::size_t>(
      reinterpret_cast<const char*>(labels.data()) -
      reinterpret_cast<const char*>(open.Get<float>("features").data()));
  const auto features = static_cast<std::size_t>(bytes.find(std::string(
      reinterpret_cast<const char*>(open.Get<float>("features").data()), 48)));
  bytes[features + at] = 99;
  base::WriteFileAtomically(file, bytes);
  // As another program wrote it, which knows no sums.
  auto description = nlohmann::json::parse(Read("phones/dataset.json"));
  description.erase("crc32c");
  Write("phones/dataset.json", description.dump());
  ASSERT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes", "--set",
                     "cohort.sampling=everyone"}),
            0)
      << Read("err");
  EXPECT_EQ(Read("err").find("label"), std::string::npos) << Read("err");
  const base::SafetensorsFile last(folder_ / "r" / "checkpoints" /
                                   "round_000005.safetensors");
  for (const float x : last.Get<float>("model/layer0.weight")) {
    EXPECT_TRUE(std::isfinite(x));
  }
}

TEST_F(PrivateTrainingTest, AKeyedLedgerAsksForItsKey) {
  Write("key", std::string(32, 'k'));
  ASSERT_EQ(
      Sfumato({"ledger", "create", "ledger.sqlite", "--population", "phones",
               "--epsilon", "5", "--delta", "1e-3", "--key-file", "key"}),
      0)
      << Read("err");
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes"}), 2);
  EXPECT_NE(Read("err").find("--key-file"), std::string::npos) << Read("err");
  EXPECT_FALSE(fs::exists(folder_ / "r"));
  EXPECT_EQ(
      Sfumato({"train", "p.toml", "--out", "r", "--yes", "--key-file", "key"}),
      0)
      << Read("err");
  EXPECT_EQ(Sfumato({"ledger", "verify", "ledger.sqlite", "--key-file", "key"}),
            0);
}

TEST_F(PrivateTrainingTest, ASpentBudgetStopsBeforeAnythingIsTrained) {
  ASSERT_EQ(Grant("3"), 0);
  EXPECT_EQ(Sfumato({"train", "p.toml", "--out", "r", "--yes", "--set",
                     "rounds=1000"}),
            3);
  EXPECT_NE(Read("err").find("rounds="), std::string::npos) << Read("err");
  EXPECT_FALSE(fs::exists(folder_ / "r"));
}

}  // namespace
}  // namespace sfumato

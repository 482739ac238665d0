#include "runs/run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "nlohmann/json.hpp"
#include "runs/runs_testing.h"

namespace sfumato::runs {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

config::TrainConfig Config() {
  config::TrainConfig config;
  config.data.generate = "handwriting";
  config.privacy.epsilon = 2;
  config.seed = 17;
  return config;
}

RunFacts Facts(bool simulation = true) {
  return {.version = "0.1.0",
          .simulation = simulation,
          .cpu_count = 2,
          .device_kind = "cpu",
          .libtorch_version = "1.13.1",
          .threads = 2,
          .lanes = 0,
          .ranks = 1};
}

nlohmann::json Record(const base::Path& folder) {
  return nlohmann::json::parse(base::ReadFile(folder / "run.json"));
}

TEST(RunTest, IsThereBeforeAnythingElseHappens) {
  const base::Path folder = FreshPath();
  const runs::Run run = runs::Run::Create(folder, Config(), Facts());
  EXPECT_EQ(NamesIn(folder), (Names{"run.json", "config.toml", "run.lock"}));
  EXPECT_EQ(base::ReadFile(folder / "config.toml"), config::ToToml(Config()));
  const auto record = Record(folder);
  EXPECT_EQ(record.at("schema"), "sfumato.run/1");
  EXPECT_EQ(record.at("status"), "created");
  EXPECT_EQ(record.at("seed"), 17);
  EXPECT_TRUE(record.at("simulation").is_null()) << "nobody knows yet";
  EXPECT_FALSE(run.gate().simulation()) << "who does not know is outside";
}

TEST(RunTest, SaysWhatItRunsOnAndNoMore) {
  const base::Path folder = FreshPath();
  runs::Run run = runs::Run::Create(folder, Config(), {.version = "0.1.0"});
  RunFacts facts = Facts();
  facts.ledger_run = "first-1a2b3c4d";
  facts.data_crc32c = "00c0ffee";
  run.Start(facts);
  EXPECT_TRUE(run.gate().simulation());
  auto record = Record(folder);
  EXPECT_EQ(record.at("config_crc32c").get<std::string>().size(), 8u);
  record.erase("config_crc32c");
  EXPECT_EQ(record, nlohmann::json::parse(R"({
    "schema": "sfumato.run/1", "status": "running", "version": "0.1.0",
    "simulation": true, "seed": 17, "ledger_run": "first-1a2b3c4d",
    "data_crc32c": "00c0ffee",
    "machine": {"cpu_count": 2, "device_kind": "cpu", "device_name": "",
                "libtorch_version": "1.13.1"},
    "setup": {"threads": 2, "lanes": 0, "ranks": 1}})"));
}

TEST(RunTest, GoesOnWhereItWas) {
  const base::Path folder = FreshPath();
  {
    runs::Run run = runs::Run::Create(folder, Config(), {});
    run.Start(Facts());
    run.SetStatus(Status::kInterrupted);
  }
  std::ofstream(folder / ".run.json.partial-1f-7-1") << "half";
  const runs::Run run = runs::Run::Open(folder);
  EXPECT_EQ(run.status(), Status::kInterrupted);
  EXPECT_EQ(run.config(), Config());
  EXPECT_EQ(run.facts(), Facts());
  EXPECT_TRUE(run.gate().simulation());
  EXPECT_EQ(NamesIn(folder), (Names{"run.json", "config.toml", "run.lock"}));
}

TEST(RunTest, EveryStatusReadsBack) {
  const base::Path folder = FreshPath();
  runs::Run run = runs::Run::Create(folder, Config(), {});
  for (const Status status :
       {Status::kCreated, Status::kRunning, Status::kFinished,
        Status::kInterrupted, Status::kFailed}) {
    run.SetStatus(status);
    EXPECT_EQ(ReadRun(folder).status, status);
  }
}

TEST(RunTest, NeverChangesBetweenSimulationAndPrivateData) {
  for (const bool first : {false, true}) {
    const base::Path folder = FreshPath();
    {
      runs::Run::Create(folder, Config(), {}).Start(Facts(first));
    }
    runs::Run run = runs::Run::Open(folder);
    const Error error = Thrown([&] { run.Start(Facts(!first)); });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_EQ(run.gate().simulation(), first);
    EXPECT_NO_THROW(run.Start(Facts(first)));
  }
}

TEST(RunTest, HasOneWriterAndAnyNumberOfReaders) {
  const base::Path folder = FreshPath();
  {
    const runs::Run run = runs::Run::Create(folder, Config(), {});
    EXPECT_EQ(Thrown([&] { runs::Run::Open(folder); }).kind(),
              ErrorKind::kUnavailable);
    EXPECT_NO_THROW(ReadRun(folder));
  }
  EXPECT_NO_THROW(runs::Run::Open(folder));
}

TEST(RunTest, ReplacesNothing) {
  const base::Path folder = FreshPath();
  {
    runs::Run::Create(folder, Config(), {});
  }
  Error error = Thrown([&] { runs::Run::Create(folder, Config(), {}); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_TRUE(Contains(error.todo(), "sfumato resume"));

  // Somebody's own folder, even with files of the same names.
  for (const char* name : {"config.toml", "notes.txt", "run.json"}) {
    const base::Path mine = FreshPath("mine");
    fs::create_directories(mine);
    base::WriteFileAtomically(mine / name, "mine");
    error = Thrown([&] { runs::Run::Create(mine, Config(), {}); });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << name;
    EXPECT_EQ(NamesIn(mine), (Names{name}));
    EXPECT_EQ(base::ReadFile(mine / name), "mine");
  }
  const base::Path file = FreshPath("file");
  base::WriteFileAtomically(file, "mine");
  EXPECT_EQ(Thrown([&] { runs::Run::Create(file, Config(), {}); }).kind(),
            ErrorKind::kBadInput);
  EXPECT_EQ(Thrown([&] { runs::Run::Create(file / "x", Config(), {}); }).kind(),
            ErrorKind::kUnavailable);
}

TEST(RunTest, AnEmptyFolderWillDo) {
  const base::Path folder = FreshPath();
  fs::create_directories(folder);
  EXPECT_NO_THROW(runs::Run::Create(folder, Config(), {}));
}

TEST(RunTest, WhatWasKilledBeforeItBeganIsUsedAgain) {
  const base::Path folder = FreshPath();
  fs::create_directories(folder);
  std::ofstream(folder / "run.lock");
  std::ofstream(folder / "config.toml") << "half";
  std::ofstream(folder / ".run.json.partial-1f-7-1") << "half";
  const Error error = Thrown([&] { runs::Run::Open(folder); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_TRUE(Contains(error.todo(), "same --out"));
  const runs::Run run = runs::Run::Create(folder, Config(), {});
  EXPECT_EQ(NamesIn(folder), (Names{"run.json", "config.toml", "run.lock"}));
}

TEST(RunTest, KilledAtAnyInstantItIsThereOrCanBeMade) {
  for (int i = 0; i < 30; ++i) {
    const base::Path folder = FreshPath();
    const pid_t child = fork();
    if (child == 0) {
      runs::Run run = runs::Run::Create(folder, Config(), {});
      for (;;) run.SetStatus(Status::kRunning);
    }
    usleep(static_cast<useconds_t>(100 * i));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (fs::exists(folder / "run.json")) {
      EXPECT_EQ(runs::Run::Open(folder).config(), Config());
    } else {
      EXPECT_NO_THROW(runs::Run::Create(folder, Config(), {}));
    }
  }
}

TEST(RunTest, SaysWhyThereIsNoRun) {
  const base::Path folder = FreshPath();
  EXPECT_EQ(Thrown([&] { runs::Run::Open(folder); }).kind(),
            ErrorKind::kBadInput);
  fs::create_directories(folder);
  const Error error = Thrown([&] { runs::Run::Open(folder); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_TRUE(Contains(error.what(), "no run.json"));
  EXPECT_TRUE(fs::is_empty(folder)) << "looking leaves nothing behind";
}

TEST(RunTest, DamageIsNamed) {
  const base::Path folder = FreshPath();
  {
    runs::Run::Create(folder, Config(), {}).Start(Facts());
  }
  const std::string whole = base::ReadFile(folder / "run.json");
  const std::string config = base::ReadFile(folder / "config.toml");
  const auto kind = [&] {
    const Error error = Thrown([&] { runs::Run::Open(folder); });
    EXPECT_NE(error.todo(), "");
    return error.kind();
  };

  std::vector<std::string> damaged = {"",     whole.substr(0, 40), "[]", "{}",
                                      "null", "{\"schema\":1}"};
  auto json = nlohmann::json::parse(whole);
  for (const auto& [key, value] : json.items()) {
    if (key == "seed") continue;  // the config has it
    auto without = json;
    without.erase(key);
    damaged.push_back(without.dump());
    auto other = json;
    other[key] = nlohmann::json::array();
    damaged.push_back(other.dump());
  }
  json["status"] = "asleep";
  damaged.push_back(json.dump());
  for (const std::string& text : damaged) {
    base::WriteFileAtomically(folder / "run.json", text);
    EXPECT_EQ(kind(), ErrorKind::kCorrupt) << text;
  }
  base::WriteFileAtomically(folder / "run.json", whole);

  base::WriteFileAtomically(folder / "config.toml", "rounds = 3\n" + config);
  EXPECT_EQ(kind(), ErrorKind::kCorrupt);
  std::string changed = config;
  changed.replace(changed.find("rounds = 100"), 12, "rounds = 200");
  base::WriteFileAtomically(folder / "config.toml", changed);
  EXPECT_EQ(kind(), ErrorKind::kCorrupt) << "valid, but not this run's";
  fs::remove(folder / "config.toml");
  EXPECT_EQ(kind(), ErrorKind::kCorrupt);
  base::WriteFileAtomically(folder / "config.toml", config);
  EXPECT_NO_THROW(runs::Run::Open(folder));

  fs::remove(folder / "run.json");
  base::WriteFileAtomically(folder / "metrics.jsonl", "");
  EXPECT_EQ(kind(), ErrorKind::kCorrupt);
}

TEST(RunTest, AConfigInOlderWordsIsStillTheRuns) {
  // An older program wrote fewer keys and other comments.
  const base::Path folder = FreshPath();
  {
    runs::Run::Create(folder, Config(), {});
  }
  const std::string older =
      "seed = 17\ndata.generate = \"handwriting\"\nprivacy.epsilon = 2\n";
  auto json = Record(folder);
  json["config_crc32c"] = "e556ba4c";  // of `older`, by another implementation
  base::WriteFileAtomically(folder / "config.toml", older);
  base::WriteFileAtomically(folder / "run.json", json.dump());
  {
    runs::Run::Open(folder).Start(Facts());
  }
  EXPECT_EQ(runs::Run::Open(folder).config(), Config());
  EXPECT_EQ(base::ReadFile(folder / "config.toml"), older);
}

TEST(RunTest, SaysWhenANewerProgramWroteIt) {
  const base::Path folder = FreshPath();
  {
    runs::Run::Create(folder, Config(), {});
  }
  auto json = Record(folder);
  json["schema"] = "sfumato.run/2";
  base::WriteFileAtomically(folder / "run.json", json.dump());
  EXPECT_EQ(Thrown([&] { runs::Run::Open(folder); }).kind(),
            ErrorKind::kUnsupported);
}

TEST(NewRunFolderTest, HasTimeAndNameAndIsNotTaken) {
  const base::Path parent = FreshPath();
  // 2026-11-15 03:19:59 UTC: 20,772 days after 1970, and 11,999 seconds.
  const std::chrono::sys_seconds now{
      std::chrono::seconds{20'772LL * 86'400 + 11'999}};
  const auto made = [&](const char* name) {
    const base::Path folder = NewRunFolder(parent, name, now);
    fs::create_directories(folder);
    return folder.filename().string();
  };
  EXPECT_EQ(made("phones"), "2026-11-15_0319_phones");
  EXPECT_EQ(made("phones"), "2026-11-15_0319_phones-2");
  EXPECT_EQ(made("phones"), "2026-11-15_0319_phones-3");
  EXPECT_EQ(made(""), "2026-11-15_0319_run");
  EXPECT_EQ(made("../a b/\n"), "2026-11-15_0319_.._a_b__");
  EXPECT_EQ(NewRunFolder(parent, "other", now).parent_path(), parent);
}

}  // namespace
}  // namespace sfumato::runs

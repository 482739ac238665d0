#include "runs/checkpoint.h"

#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <vector>

#include "runs/runs_testing.h"

namespace sfumato::runs {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

void Write(Checkpoints& checkpoints, std::int64_t round, std::size_t size = 4) {
  const std::vector<float> weights(size, static_cast<float>(round));
  const base::TensorOut tensor{
      "model/w", base::DType::kF32, {size}, std::as_bytes(std::span(weights))};
  checkpoints.Write(round, std::span(&tensor, 1), {{"epsilon", "0.5"}});
}

// Files may not grow beyond `bytes` while it lives: the nearest that a test
// without rights comes to a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : old_signal_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{bytes, old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    signal(SIGXFSZ, old_signal_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit old_limit_;
  void (*old_signal_)(int);
};

TEST(CheckpointsTest, GivesBackTheLast) {
  const base::Path folder = FreshPath();
  EXPECT_FALSE(LatestCheckpoint(folder)) << "no folder, no checkpoint";
  {
    Checkpoints checkpoints(folder);
    EXPECT_FALSE(checkpoints.latest());
    Write(checkpoints, 7);
    EXPECT_EQ(checkpoints.latest()->round, 7);
  }
  const auto latest = LatestCheckpoint(folder);
  ASSERT_TRUE(latest);
  EXPECT_EQ(latest->round, 7);
  EXPECT_EQ(latest->path.filename(), "round_000007.safetensors");
  const base::SafetensorsFile file(latest->path);
  EXPECT_EQ(file.Get<float>("model/w")[3], 7);
  base::Metadata metadata = file.metadata();
  EXPECT_EQ(metadata.at("crc32c").size(), 8u);
  metadata.erase("crc32c");
  EXPECT_EQ(metadata, (base::Metadata{{"schema", "sfumato.checkpoint/1"},
                                      {"round", "7"},
                                      {"epsilon", "0.5"}}));
}

TEST(CheckpointsTest, EqualRunsWriteEqualBytes) {
  const base::Path a = FreshPath("a"), b = FreshPath("b");
  Checkpoints once(a), again(b);
  Write(once, 3);
  Write(again, 1);  // another history
  Write(again, 3);
  EXPECT_EQ(base::ReadFile(once.latest()->path),
            base::ReadFile(again.latest()->path));
}

TEST(CheckpointsTest, KeepsFirstAndLast) {
  const base::Path folder = FreshPath();
  Checkpoints checkpoints(folder);
  for (int round = 2; round <= 12; ++round) Write(checkpoints, round);
  EXPECT_EQ(NamesIn(folder),
            (Names{"round_000002.safetensors", "round_000012.safetensors"}));
}

TEST(CheckpointsTest, KeepsEverySoManyth) {
  const base::Path folder = FreshPath();
  Checkpoints checkpoints(folder, {.keep_every = 5});
  for (int round = 1; round <= 12; ++round) Write(checkpoints, round);
  EXPECT_EQ(NamesIn(folder),
            (Names{"round_000001.safetensors", "round_000005.safetensors",
                   "round_000010.safetensors", "round_000012.safetensors"}));
}

TEST(CheckpointsTest, OpeningSweepsWhatAKilledProcessLeft) {
  const base::Path folder = FreshPath();
  {
    Checkpoints checkpoints(folder);
    for (int round = 1; round <= 3; ++round) Write(checkpoints, round);
  }
  // Killed while writing the fifth, and after the third before the second was
  // removed.
  fs::copy(folder / "round_000003.safetensors",
           folder / "round_000002.safetensors");
  std::ofstream(folder / ".round_000005.safetensors.partial-1f-7-1") << "half";
  std::ofstream(folder / "notes.txt") << "mine";
  const Checkpoints checkpoints(folder);
  EXPECT_EQ(checkpoints.latest()->round, 3);
  EXPECT_EQ(NamesIn(folder), (Names{"notes.txt", "round_000001.safetensors",
                                    "round_000003.safetensors"}));
}

TEST(CheckpointsTest, ADamagedLastOneIsNamedAndTheOneBeforeStays) {
  const base::Path folder = FreshPath();
  {
    Checkpoints checkpoints(folder, {.keep_every = 1});
    for (int round = 1; round <= 3; ++round) Write(checkpoints, round);
  }
  const base::Path last = folder / "round_000003.safetensors";
  const std::string whole = base::ReadFile(last);
  std::string other_schema = whole, other_round = whole, flipped = whole;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  other_schema.replace(whole.find("checkpoint/1"), 12, "checkpoint_1");
  other_round.replace(whole.find("\"round\":\"3\""), 11, "\"round\":\"4\"");
  for (const std::string& damaged :
       {std::string(), whole.substr(0, 5), whole.substr(0, 100),
        whole.substr(0, whole.size() - 1), whole + "x",
        std::string(whole.size(), '\0'), other_schema, other_round, flipped}) {
    base::WriteFileAtomically(last, damaged);
    for (const bool open : {false, true}) {
      const Error error = Thrown([&] {
        open ? void(Checkpoints(folder)) : void(LatestCheckpoint(folder));
      });
      EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
      EXPECT_EQ(error.where(), last.string());
      EXPECT_TRUE(Contains(error.todo(), "delete the file"));
    }
    EXPECT_EQ(NamesIn(folder).size(), 3u) << "nothing may be removed now";
  }
  fs::remove(last);  // as it says
  EXPECT_EQ(LatestCheckpoint(folder)->round, 2);
}

TEST(CheckpointsTest, SaysWhenANewerProgramWroteIt) {
  const base::Path folder = FreshPath();
  fs::create_directories(folder);
  base::WriteSafetensors(folder / "round_000001.safetensors", {},
                         {{"schema", "sfumato.checkpoint/2"}});
  const Error error = Thrown([&] { LatestCheckpoint(folder); });
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
}

TEST(CheckpointsTest, AFullDiskLeavesTheLastOneWhole) {
  const base::Path folder = FreshPath();
  Checkpoints checkpoints(folder);
  Write(checkpoints, 1);
  Write(checkpoints, 2);
  const Error error = [&] {
    const FullDisk full(1000);
    return Thrown([&] { Write(checkpoints, 3, 1 << 20); });
  }();
  EXPECT_EQ(error.kind(), ErrorKind::kUnavailable);
  EXPECT_TRUE(Contains(error.where(), "round_000003.safetensors"));
  EXPECT_TRUE(Contains(error.todo(), "from round 2")) << error.todo();
  EXPECT_EQ(checkpoints.latest()->round, 2);
  EXPECT_EQ(LatestCheckpoint(folder)->round, 2);
  EXPECT_EQ(NamesIn(folder),
            (Names{"round_000001.safetensors", "round_000002.safetensors"}));
  Write(checkpoints, 3);  // there is room again
  EXPECT_EQ(LatestCheckpoint(folder)->round, 3);
}

TEST(CheckpointsTest, AFolderThatCannotBeMadeIsUnavailable) {
  const base::Path file = FreshPath();
  base::WriteFileAtomically(file, "a file");
  const Error error = Thrown([&] { Checkpoints(file / "checkpoints"); });
  EXPECT_EQ(error.kind(), ErrorKind::kUnavailable);
}

TEST(CheckpointRoundTest, ReadsMetadataOrRefuses) {
  const auto round = [](const char* schema, const char* text) {
    return CheckpointRound({{"schema", schema}, {"round", text}}, "here");
  };
  EXPECT_EQ(round("sfumato.checkpoint/1", "120"), 120);
  for (const char* bad :
       {"", "-1", "1.5", "1x", " 1", "99999999999999999999"}) {
    const Error error = Thrown([&] { round("sfumato.checkpoint/1", bad); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << bad;
  }
  EXPECT_THROW(CheckpointRound({}, "here"), Error);
  EXPECT_THROW(round("sfumato.run/1", "1"), Error);
}

}  // namespace
}  // namespace sfumato::runs

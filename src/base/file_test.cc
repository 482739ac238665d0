#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "base/error.h"

namespace sfumato::base {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test.
Path FreshFolder(const std::string& name) {
  const Path folder = Path(testing::TempDir()) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

std::size_t EntriesIn(const Path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(FileTest, AtomicWriteReplacesWhole) {
  const Path path = FreshFolder("atomic") / "a.txt";
  WriteFileAtomically(path, "one");
  WriteFileAtomically(path, "three");
  EXPECT_EQ(ReadFile(path), "three");
  EXPECT_EQ(EntriesIn(path.parent_path()), 1u) << "no staging file stays";
}

TEST(FileTest, FailedWriteKeepsTheOldContentAndLeavesNothing) {
  const Path folder = FreshFolder("failed");
  fs::create_directories(folder / "target" / "not_empty");
  EXPECT_THROW(WriteFileAtomically(folder / "target", "x"), Error);
  EXPECT_EQ(EntriesIn(folder), 1u);
  EXPECT_THROW(WriteFileAtomically("/nowhere/at/all", "x"), Error);
}

TEST(FileTest, AnErrorWhileWritingPieceByPieceLeavesTheOldContent) {
  const Path path = FreshFolder("pieces") / "a.txt";
  WriteFileAtomically(path, [](OutputFile& file) {
    file.Write("one ");
    file.Write("two");
  });
  EXPECT_EQ(ReadFile(path), "one two");
  EXPECT_THROW(WriteFileAtomically(path,
                                   [](OutputFile& file) {
                                     file.Write("half");
                                     throw std::runtime_error("no more");
                                   }),
               std::runtime_error);
  EXPECT_EQ(ReadFile(path), "one two");
  EXPECT_EQ(EntriesIn(path.parent_path()), 1u) << "no staging file stays";
}

TEST(FileTest, SweepingTakesUnfinishedFilesAndNothingElse) {
  const Path folder = FreshFolder("swept");
  WriteFileAtomically(folder / "a.partial-notes", "mine");
  WriteFileAtomically(folder / ".hidden", "mine");
  std::ofstream(folder / ".a.txt.partial-1f-7-1") << "half";
  fs::create_directory(folder / ".run.partial-1f-7-2");
  SweepPartialFiles(folder);
  EXPECT_EQ(EntriesIn(folder), 3u);
  EXPECT_FALSE(fs::exists(folder / ".a.txt.partial-1f-7-1"));
  EXPECT_NO_THROW(SweepPartialFiles(folder / "not_there"));
}

TEST(FileTest, WhatWasFlushedCanBeReadByOthers) {
  const Path path = FreshFolder("flushed") / "a.txt";
  OutputFile file(path);
  file.Write("so far");
  file.Flush();
  EXPECT_EQ(ReadFile(path), "so far");
}

TEST(FileTest, NeverReplacesWhatIsNoFile) {
  const Path folder = FreshFolder("special");
  fs::create_symlink("elsewhere", folder / "link");
  EXPECT_THROW(WriteFileAtomically(folder / "link", "x"), Error);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(EntriesIn(folder), 1u);
}

TEST(FileTest, KnowsWhetherThereIsRoom) {
  const Path folder = FreshFolder("room");
  EXPECT_NO_THROW(RequireSpace(folder / "not" / "yet" / "there", 1));
  try {
    RequireSpace(folder / "not" / "yet" / "there", 1e18);
    FAIL() << "an exabyte was granted";
  } catch (const Error& error) {
    EXPECT_TRUE(
        std::string(error.what()).starts_with("about 1 EB are needed and "))
        << error.what();
  }
}

TEST(FileTest, ReadRefusesMissingAndTooLong) {
  const Path path = FreshFolder("read") / "a.txt";
  EXPECT_THROW(ReadFile(path), Error);
  EXPECT_THROW(ReadFile(path.parent_path()), Error) << "a folder is no file";
  WriteFileAtomically(path, "12345");
  EXPECT_EQ(ReadFile(path, 5), "12345");
  EXPECT_THROW(ReadFile(path, 4), Error);
}

TEST(FileTest, WritingToAFullDiskThrows) {
  if (!fs::exists("/dev/full")) return;
  OutputFile file("/dev/full");
  EXPECT_THROW(
      {
        file.Write(std::string(1 << 20, 'x'));
        file.Close();
      },
      Error);
}

TEST(FileLockTest, HasOneHolderAtATime) {
  const Path path = FreshFolder("locked") / "lock";
  {
    FileLock first(path);
    try {
      FileLock second(path);
      ADD_FAILURE() << "two holders";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUnavailable);
    }
    const FileLock moved = std::move(first);
    EXPECT_THROW(FileLock{path}, Error) << "moved, not given up";
    EXPECT_TRUE(IsHeld(path));
  }
  EXPECT_FALSE(IsHeld(path));
  EXPECT_FALSE(IsHeld("/nowhere/at/all"));
  EXPECT_NO_THROW(FileLock{path});
  EXPECT_THROW(FileLock("/nowhere/at/all"), Error);
}

TEST(FileLockTest, EndsWithItsProcess) {
  const Path path = FreshFolder("locked_by_the_dead") / "lock";
  const pid_t child = fork();
  if (child == 0) {
    const FileLock lock(path);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(IsHeld(path));
  EXPECT_NO_THROW(FileLock{path});
}

TEST(StagedFolderTest, AppearsOnlyWhenCommitted) {
  const Path folder = FreshFolder("staged");
  {
    StagedFolder staged(folder / "deep" / "out/");
    WriteFileAtomically(staged.path() / "a", "x");
    EXPECT_FALSE(fs::exists(folder / "deep" / "out"));
    staged.Commit();
  }
  EXPECT_EQ(ReadFile(folder / "deep" / "out" / "a"), "x");
  EXPECT_EQ(EntriesIn(folder / "deep"), 1u);
}

TEST(StagedFolderTest, LeavesNothingWithoutCommit) {
  const Path folder = FreshFolder("uncommitted");
  {
    StagedFolder staged(folder / "out");
    WriteFileAtomically(staged.path() / "a", "x");
  }
  EXPECT_EQ(EntriesIn(folder), 0u);
}

TEST(StagedFolderTest, TakesAwayTheFoldersItMadeOnTheWay) {
  const Path folder = FreshFolder("way");
  {
    StagedFolder staged(folder / "a" / "b" / "out");
  }
  EXPECT_EQ(EntriesIn(folder), 0u);
  fs::create_directory(folder / "mine");
  {
    StagedFolder staged(folder / "mine" / "out");
  }
  EXPECT_TRUE(fs::exists(folder / "mine")) << "it was there before";
}

TEST(StagedFolderTest, LeavesALivingWriterAlone) {
  const Path folder = FreshFolder("living");
  StagedFolder first(folder / "out");
  StagedFolder second(folder / "out");
  EXPECT_TRUE(fs::exists(first.path()));
  EXPECT_NE(first.path(), second.path());
  first.Commit();
  EXPECT_THROW(second.Commit(), Error) << "the first has won";
}

TEST(StagedFolderTest, MayBeMadeInsideAnother) {
  const Path folder = FreshFolder("nested");
  StagedFolder outer(folder / "out");
  StagedFolder inner(outer.path() / "inner");
  WriteFileAtomically(inner.path() / "a", "x");
  inner.Commit();
  outer.Commit();
  EXPECT_EQ(ReadFile(folder / "out" / "inner" / "a"), "x");
}

TEST(StagedFolderTest, NeverOverwrites) {
  const Path folder = FreshFolder("taken");
  fs::create_directory(folder / "out");
  EXPECT_THROW(StagedFolder(folder / "out"), Error);
  fs::create_symlink("nowhere", folder / "dangling");
  EXPECT_THROW(StagedFolder(folder / "dangling"), Error);
  EXPECT_THROW(StagedFolder(""), Error);
  // Somebody else makes the target while we are writing.
  StagedFolder staged(folder / "late");
  fs::create_directory(folder / "late");
  EXPECT_THROW(staged.Commit(), Error);
}

TEST(StagedFolderTest, SweepsWhatAKilledProcessLeft) {
  const Path folder = FreshFolder("killed");
  const pid_t child = fork();
  if (child == 0) {
    StagedFolder staged(folder / "out");
    _exit(0);  // no destructor runs
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(EntriesIn(folder), 1u);
  {
    StagedFolder staged(folder / "out");
    EXPECT_EQ(EntriesIn(folder), 1u) << "only our own staging folder";
  }
  EXPECT_EQ(EntriesIn(folder), 0u);
}

TEST(MappedFileTest, ShowsTheBytesOfAFile) {
  const Path folder = FreshFolder("mapped");
  WriteFileAtomically(folder / "a", "abc");
  MappedFile file(folder / "a");
  const MappedFile moved = std::move(file);
  ASSERT_EQ(moved.bytes().size(), 3u);
  EXPECT_EQ(std::to_integer<char>(moved.bytes()[2]), 'c');
  WriteFileAtomically(folder / "empty", "");
  EXPECT_TRUE(MappedFile(folder / "empty").bytes().empty());
  EXPECT_THROW(MappedFile(folder / "missing"), Error);
  EXPECT_THROW(MappedFile{folder}, Error);
}

TEST(FileTest, ANormalFolderHasNoSlashBehindItsName) {
  EXPECT_EQ(NormalFolder("runs/./first/"), "runs/first");
  EXPECT_EQ(NormalFolder("runs/a/../first"), "runs/first");
  EXPECT_EQ(NormalFolder("/"), "/");
}

}  // namespace
}  // namespace sfumato::base

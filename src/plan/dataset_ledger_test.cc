#include "plan/dataset_ledger.h"

#include <filesystem>

#include "base/folder_testing.h"

namespace sfumato::plan {
namespace {

namespace fs = std::filesystem;

using LedgerBesideTest = base::FolderTest;

TEST_F(LedgerBesideTest, ADatasetHasOneLedgerHoweverItsFolderIsWritten) {
  fs::create_directories("data/people");
  fs::create_directories("elsewhere");
  fs::create_directory_symlink(fs::absolute("data/people"), "elsewhere/link");
  fs::create_directory_symlink(fs::absolute("data/people"), "link");
  for (const char* way :
       {"data/people", "data/people/", "data/people//", "./data/people",
        "data/../data/people/.", "elsewhere/link", "elsewhere/link/", "link"}) {
    EXPECT_EQ(LedgerBeside(way), "data/ledger.sqlite") << way;
  }
  const fs::path there = fs::current_path() / "data/ledger.sqlite";
  EXPECT_EQ(fs::absolute(LedgerBeside(fs::absolute("data/people"))), there);
  fs::current_path("data/people");
  EXPECT_EQ(LedgerBeside("."), there);
  EXPECT_EQ(LedgerBeside("../people/"), there);
  fs::current_path("..");
  EXPECT_EQ(LedgerBeside("people/"), "ledger.sqlite");
  fs::current_path("..");
}

}  // namespace
}  // namespace sfumato::plan

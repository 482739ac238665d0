#include "fed/mpi_cohort.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <numeric>

#include "base/file.h"
#include "fed/fed_testing.h"

namespace sfumato::fed {
namespace {

using Places = std::vector<std::size_t>;

TEST(ShareOfTest, DividesEveryoneOnce) {
  const std::vector<std::int64_t> steps = {5, 1, 0, 9, 3, 3, 0, 2};
  for (const int ranks : {1, 2, 3, 10}) {
    Places all;
    for (int rank = 0; rank < ranks; ++rank) {
      const Places share = ShareOf(steps, rank, ranks);
      EXPECT_TRUE(std::ranges::is_sorted(share));
      all.insert(all.end(), share.begin(), share.end());
    }
    std::ranges::sort(all);
    Places everyone(steps.size());
    std::iota(everyone.begin(), everyone.end(), 0);
    EXPECT_EQ(all, everyone) << ranks;
  }
}

TEST(ShareOfTest, SharesAreOfAboutEqualSteps) {
  // The largest goes to whoever has least; a user counts one more than their
  // steps. Loads: 10 | 0, 10 | 6, 10 | 10, 14 | 10, 14 | 13.
  const std::vector<std::int64_t> steps = {2, 3, 5, 3, 9};
  EXPECT_EQ(ShareOf(steps, 0, 2), (Places{3, 4}));
  EXPECT_EQ(ShareOf(steps, 1, 2), (Places{0, 1, 2}));
}

TEST(MpiSessionTest, NeedsALauncher) {
  if (MpiLaunched()) GTEST_SKIP() << "this test was itself launched by MPI";
  const Error error = Thrown([] { MpiSession session; });
  EXPECT_NE(error.kind(), ErrorKind::kBug);
}

#if SFUMATO_HAS_MPI

class MpiCohortTest : public FolderTest {
 protected:
  // What root, two cores and a machine without ssh need; harmless elsewhere.
  static std::string Launcher(int ranks) {
    return fmt::format(
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm=isolated "
        "OMPI_MCA_btl_vader_single_copy_mechanism=none "
        "OMPI_MCA_hwloc_base_binding_policy=none "
        "timeout 60 {} -n {} ",
        SFUMATO_MPIRUN, ranks);
  }
  // The exit code.
  int Check(const std::string& launcher, const std::string& out,
            const std::string& fails = "") {
    const std::string line = fmt::format(
        "{} {} {} {} > {} 2>&1", launcher, SFUMATO_MPI_CHECK,
        (folder_ / out).string(), fails, (folder_ / "said").string());
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string Said() { return base::ReadFile(folder_ / "said"); }
};

TEST_F(MpiCohortTest, AnyNumberOfRanksGivesTheSameBits) {
  ASSERT_EQ(Check("", "alone"), 0) << Said();
  const std::string alone = base::ReadFile(folder_ / "alone");
  EXPECT_GT(alone.size(), 100u);
  for (const int ranks : {1, 3}) {
    ASSERT_EQ(Check(Launcher(ranks), "ranks"), 0) << Said();
    EXPECT_EQ(base::ReadFile(folder_ / "ranks"), alone) << ranks;
  }
}

TEST_F(MpiCohortTest, ARankThatFailsSaysWhyAndEndsTheRun) {
  const int code = Check(Launcher(3), "ranks", "throw");
  EXPECT_EQ(code, ExitCode(ErrorKind::kUnavailable)) << Said();
  EXPECT_NE(Said().find("rank 1 ends the run: the device is on fire"),
            std::string::npos)
      << Said();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "ranks"));
}

TEST_F(MpiCohortTest, ARankThatIsKilledEndsTheRun) {
  const int code = Check(Launcher(3), "ranks", "kill");
  EXPECT_NE(code, 0);
  EXPECT_NE(code, 124) << "the launcher hung";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "ranks"));
}

#endif

}  // namespace
}  // namespace sfumato::fed

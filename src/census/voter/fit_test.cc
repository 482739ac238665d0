#include "census/voter/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/folder_testing.h"
#include "base/random.h"

namespace sfumato::census {
namespace {

class FitTest : public base::FolderTest {
 protected:
  // Users around `centre`, scattered like means of `examples` numbers.
  static at::Tensor Users(std::int64_t count, double centre,
                          std::int64_t examples, std::uint64_t seed) {
    base::Rng rng(seed);
    at::Tensor users = at::empty({count, 6});
    for (std::int64_t i = 0; i < users.numel(); ++i) {
      users.data_ptr<float>()[i] = static_cast<float>(
          rng.Normal(centre, 1 / std::sqrt(static_cast<double>(examples))));
    }
    return users;
  }

  // Healthy users around 0, users with a damage around 3.
  static Fit Made() {
    std::vector<std::int64_t> states(300, 0);
    states.resize(600, 1);
    Fit fit(at::cat({Users(300, 0, 20, 1), Users(300, 3, 20, 2)}), states, 0);
    std::vector<std::int64_t> sizes(200, 10);
    sizes.resize(400, 40);
    fit.SetScatter(at::cat({Users(200, 0, 10, 5), Users(200, 0, 40, 6)}),
                   sizes);
    for (const std::int64_t state : {0, 1}) {
      const double centre = 3.0 * static_cast<double>(state);
      fit.Admit(state,
                at::cat({Users(200, centre, 10, 3), Users(200, centre, 40, 4)}),
                sizes, 0.98);
    }
    return fit;
  }

  static int Fitting(const Fit& fit, std::int64_t state, double centre,
                     std::int64_t examples) {
    const at::Tensor users = Users(200, centre, examples, 9);
    int fitting = 0;
    for (std::int64_t i = 0; i < 200; ++i) {
      fitting += fit.Fits(state, users[i], examples) ? 1 : 0;
    }
    return fitting;
  }
};

// The threshold is the 98 % quantile: of 200 users 4 are expected beyond it,
// and more than 16 with probability below 1e-5.
TEST_F(FitTest, UsersOfAStateFitIt) {
  const Fit fit = Made();
  for (const std::int64_t examples : {10, 40}) {
    EXPECT_GE(Fitting(fit, 0, 0, examples), 184) << examples;
    EXPECT_GE(Fitting(fit, 1, 3, examples), 184) << examples;
  }
}

TEST_F(FitTest, UsersOfAnotherStateAndOfNoneDoNotFit) {
  const Fit fit = Made();
  EXPECT_EQ(Fitting(fit, 1, 0, 20), 0);
  EXPECT_EQ(Fitting(fit, 0, 3, 20), 0);
  EXPECT_EQ(Fitting(fit, 0, 1.5, 20), 0);
  EXPECT_EQ(Fitting(fit, 1, 1.5, 20), 0);
}

// A user with many examples has no excuse to lie as far off as one with few.
TEST_F(FitTest, TheMoreExamplesTheNearerAUserHasToBe) {
  const Fit fit = Made();
  const at::Tensor off = at::full({6}, 0.5F);
  EXPECT_TRUE(fit.Fits(0, off, 5));
  EXPECT_FALSE(fit.Fits(0, off, 400));
}

// Damages of many strengths: users lie apart by more than their examples
// explain, and more examples do not bring them together.
TEST_F(FitTest, AStateOfManyStrengthsFitsUsersWithManyExamples) {
  const auto varied = [](std::int64_t count, std::int64_t examples,
                         std::uint64_t seed) {
    base::Rng rng(seed);
    at::Tensor strength = at::empty({count, 6});
    for (std::int64_t i = 0; i < strength.numel(); ++i) {
      strength.data_ptr<float>()[i] = static_cast<float>(rng.Uniform(3, 6));
    }
    return strength + Users(count, 0, examples, seed + 1);
  };
  std::vector<std::int64_t> states(300, 0);
  states.resize(600, 1);
  Fit fit(at::cat({Users(300, 0, 20, 1), varied(300, 20, 20)}), states, 0);
  std::vector<std::int64_t> sizes(200, 10);
  sizes.resize(400, 40);
  fit.SetScatter(at::cat({Users(200, 0, 10, 5), Users(200, 0, 40, 6)}), sizes);
  fit.Admit(1, varied(200, 10, 30), std::vector<std::int64_t>(200, 10), 0.98);
  const at::Tensor many = varied(200, 400, 40);
  int fitting = 0;
  for (std::int64_t i = 0; i < 200; ++i) {
    fitting += fit.Fits(1, many[i], 400) ? 1 : 0;
  }
  EXPECT_GE(fitting, 184);
  EXPECT_FALSE(fit.Fits(1, at::zeros({6}), 400));
}

TEST_F(FitTest, ReadsBackWhatItWrote) {
  const Fit fit = Made();
  const params::NamedTensors state = fit.State();
  base::WriteSafetensors(folder_ / "fit.safetensors", params::ToFile(state));
  const Fit again{base::SafetensorsFile(folder_ / "fit.safetensors"), 2, 6};
  for (const double centre : {0.0, 0.3, 1.5, 3.0}) {
    EXPECT_EQ(Fitting(again, 0, centre, 20), Fitting(fit, 0, centre, 20));
    EXPECT_EQ(Fitting(again, 1, centre, 20), Fitting(fit, 1, centre, 20));
  }
}

}  // namespace
}  // namespace sfumato::census

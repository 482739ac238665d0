// What tests of releases share: a ledger in a folder of its own. Included by
// tests only.

#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/error_testing.h"
#include "dp/ledger/ledger.h"
#include "fed/release/entered.h"
#include "fmt/format.h"

namespace sfumato::fed {

inline constexpr Randomness kSimulation = {.simulation = true, .seed = 7};
inline constexpr Randomness kReal = {.simulation = false};

// A folder of its own for each test, in memory where there is such a place.
class MemoryFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    const std::filesystem::path memory = "/dev/shm";
    const std::filesystem::path place =
        access(memory.c_str(), W_OK) == 0
            ? memory
            : std::filesystem::path(testing::TempDir());
    folder_ = place / fmt::format("fed_test.{}.{}.{}", getpid(),
                                  info->test_suite_name(), info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

// A ledger of the population `phones`.
class LedgerTest : public MemoryFolderTest {
 protected:
  // A new ledger with this budget.
  void Grant(double epsilon) {
    ledger_.emplace(dp::Ledger::Create(
        folder_ / fmt::format("{}.sqlite", epsilon),
        {.name = "phones", .budget = {.epsilon = epsilon, .delta = 1e-6}}));
  }
  std::int64_t Released() {
    return dp::CountOf(ledger_->TotalsOf("phones").released);
  }
  std::int64_t Reserved() {
    return dp::CountOf(ledger_->TotalsOf("phones").reserved);
  }

  std::optional<dp::Ledger> ledger_;
};

}  // namespace sfumato::fed

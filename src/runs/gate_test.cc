#include "runs/gate.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace sfumato::runs {
namespace {

// A number without a label does not compile.
static_assert(!std::is_constructible_v<Value, std::string, double>);
static_assert(!std::is_constructible_v<Value, std::string, Label, Content>);
static_assert(!std::is_default_constructible_v<Value>);
// Nor does a gate that nobody has decided about.
static_assert(!std::is_default_constructible_v<Gate>);
static_assert(!std::is_constructible_v<Gate, bool>);

TEST(GateTest, LetsSimulationOnlyValuesOutOfSimulationsOnly) {
  for (const auto& [value, outside] :
       {std::pair{Released("epsilon", 0.81), true},
        std::pair{Public("noise_multiplier", 1.0), true},
        std::pair{SimulationOnly("loss", 2.3), false}}) {
    EXPECT_TRUE(Gate::Simulation().Lets(value)) << value.key();
    EXPECT_EQ(Gate::PrivateData().Lets(value), outside) << value.key();
  }
}

TEST(GateTest, ValuesKeepTheirTypes) {
  EXPECT_EQ(std::get<bool>(Public("a", true).content()), true);
  EXPECT_EQ(std::get<std::int64_t>(Public("a", 3).content()), 3);
  EXPECT_EQ(std::get<std::int64_t>(Public("a", std::size_t{3}).content()), 3);
  EXPECT_EQ(std::get<double>(Public("a", 0.5f).content()), 0.5);
  EXPECT_EQ(std::get<std::string>(Public("a", "text").content()), "text");
  EXPECT_EQ(std::get<Png>(Public("a", Png{"x"}).content()).bytes, "x");
}

TEST(GateTest, ReplacesInvalidUtf8) {
  EXPECT_EQ(std::get<std::string>(Public("a", "x\xffy é").content()),
            "x\xEF\xBF\xBDy é");
}

TEST(GateTest, LabelsHaveTheNamesOfTheDocuments) {
  EXPECT_EQ(Name(Released("a", 1).label()), "released");
  EXPECT_EQ(Name(Public("a", 1).label()), "public");
  EXPECT_EQ(Name(SimulationOnly("a", 1).label()), "simulation_only");
}

}  // namespace
}  // namespace sfumato::runs

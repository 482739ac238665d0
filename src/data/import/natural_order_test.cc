#include "data/import/natural_order.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

TEST(NaturalOrderTest, CountsAsPeopleDo) {
  const std::vector<std::string> sorted = {"",
                                           "1",
                                           "01",
                                           "2",
                                           "10",
                                           "a",
                                           "a1",
                                           "a01",
                                           "a1b",
                                           "a2",
                                           "a10",
                                           "b",
                                           "s99999999999999999999",
                                           "s100000000000000000000",
                                           "é"};
  // "01" and "1" have one value; their bytes decide.
  std::vector<std::string> expected = sorted;
  std::swap(expected[1], expected[2]);
  std::swap(expected[6], expected[7]);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_EQ(NaturalLess{}(expected[i], expected[j]), i < j)
          << expected[i] << " and " << expected[j];
    }
  }
}

}  // namespace
}  // namespace sfumato::data

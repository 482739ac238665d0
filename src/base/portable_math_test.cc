#include "base/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sfumato::base {
namespace {

// The C library is the independent second implementation; both are within a
// few units in the last place of the true value.
TEST(PortableMathTest, AgreesWithTheLibraryToFourteenDigits) {
  for (double x = -690.0; x < 690.0; x += 0.37) {
    EXPECT_NEAR(PortableExp(x) / std::exp(x), 1.0, 1e-14) << x;
  }
  for (double x = 1e-300; x < 1e300; x *= 1.7) {
    const double scale = std::max(1e-3, std::fabs(std::log(x)));
    EXPECT_NEAR(PortableLog(x), std::log(x), 1e-14 * scale) << x;
  }
  for (double x = -100.0; x < 100.0; x += 0.013) {
    EXPECT_NEAR(PortableSin(x), std::sin(x), 1e-13) << x;
    EXPECT_NEAR(PortableCos(x), std::cos(x), 1e-13) << x;
  }
  for (double x = -1e5; x < 1e5; x += 97.3) {
    EXPECT_NEAR(PortableSin(x), std::sin(x), 1e-11) << x;
    EXPECT_NEAR(PortableCos(x), std::cos(x), 1e-11) << x;
  }
}

TEST(PortableMathTest, IsExactWhereTheAnswerIs) {
  EXPECT_EQ(PortableExp(0.0), 1.0);
  EXPECT_EQ(PortableLog(1.0), 0.0);
  EXPECT_EQ(PortableSin(0.0), 0.0);
  EXPECT_EQ(PortableCos(0.0), 1.0);
  EXPECT_EQ(PortableExp(-1e9), 0.0);
}

}  // namespace
}  // namespace sfumato::base

#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace sfumato::base {
namespace {

TEST(Crc32cTest, GivesThePublishedChecksums) {
  // RFC 3720, appendix B.4, and the catalogue's check value.
  std::string up, down;
  for (int i = 0; i < 32; ++i) {
    up += static_cast<char>(i);
    down += static_cast<char>(31 - i);
  }
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62A8AB43u);
  EXPECT_EQ(Crc32c(up), 0x46DD794Eu);
  EXPECT_EQ(Crc32c(down), 0x113FDB5Cu);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(""), 0u);
}

TEST(Crc32cTest, PiecesGiveTheSumOfTheWhole) {
  // RFC 3720, B.4: 32 bytes that count up.
  std::string bytes;
  for (int i = 0; i < 32; ++i) bytes += static_cast<char>(i);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    EXPECT_EQ(Crc32c(bytes.substr(cut), Crc32c(bytes.substr(0, cut))),
              0x46DD794Eu)
        << cut;
  }
}

}  // namespace
}  // namespace sfumato::base

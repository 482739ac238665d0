#include "base/crc32c.h"

#include <array>

namespace sfumato::base {
namespace {

// The polynomial 0x1EDC6F41 with its bits reversed: the lowest comes first.
constexpr std::uint32_t kPolynomial = 0x82F63B78;

constexpr std::array<std::uint32_t, 256> MakeTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) {
      rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    }
    table[byte] = rest;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = MakeTable();

}  // namespace

std::uint32_t Crc32c(std::string_view bytes) {
  std::uint32_t rest = ~std::uint32_t{0};
  for (const char c : bytes) {
    rest = (rest >> 8) ^ kTable[(rest ^ static_cast<unsigned char>(c)) & 0xFF];
  }
  return ~rest;
}

}  // namespace sfumato::base

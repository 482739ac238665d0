#include "base/crc32c.h"

#include <array>
#include <cstddef>

namespace sfumato::base {
namespace {

// The polynomial 0x1EDC6F41 with its bits reversed: the lowest comes first.
constexpr std::uint32_t kPolynomial = 0x82F63B78;

using Table = std::array<std::uint32_t, 256>;

constexpr Table MakeTable() {
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) {
      rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    }
    table[byte] = rest;
  }
  return table;
}

constexpr std::size_t kSlices = 8;

// Table s: what a byte does to the sum with s zero bytes behind it. Eight bytes
// are then looked up side by side (Kounavis and Berry 2005, "slicing-by-8").
constexpr std::array<Table, kSlices> MakeTables() {
  std::array<Table, kSlices> tables{MakeTable()};
  for (std::size_t s = 1; s < kSlices; ++s) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t rest = tables[s - 1][byte];
      tables[s][byte] = (rest >> 8) ^ tables[0][rest & 0xFF];
    }
  }
  return tables;
}

constexpr std::array<Table, kSlices> kTables = MakeTables();

}  // namespace

std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint32_t rest = ~before;
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  for (; bytes.size() >= kSlices; bytes.remove_prefix(kSlices)) {
    rest ^= byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    rest = kTables[7][rest & 0xFF] ^ kTables[6][(rest >> 8) & 0xFF] ^
           kTables[5][(rest >> 16) & 0xFF] ^ kTables[4][rest >> 24] ^
           kTables[3][byte(4)] ^ kTables[2][byte(5)] ^ kTables[1][byte(6)] ^
           kTables[0][byte(7)];
  }
  for (const char c : bytes) {
    rest =
        (rest >> 8) ^ kTables[0][(rest ^ static_cast<unsigned char>(c)) & 0xFF];
  }
  return ~rest;
}

}  // namespace sfumato::base

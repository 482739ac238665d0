// Arrays as NumPy saves them (`numpy.save`): one array per file.
//
//   const std::string bytes = base::ReadFile("X.npy");
//   const NpyArray x = ParseNpy(bytes, "X.npy");
//   x.shape;     // {7291, 256}
//   x.Value(0);  // the first element
//
// Little-endian f4, f8, i4, i8 and u1 in C order are understood.
//
// Source: NumPy Enhancement Proposal 1, format versions 1 to 3.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {

enum class NpyType { kF4, kF8, kU1, kI4, kI8 };

struct NpyArray {
  NpyType type = NpyType::kF4;
  std::vector<std::uint64_t> shape;  // empty for a single value
  std::string_view data;             // of the parsed bytes
  std::size_t count = 1;             // elements, the product of `shape`

  // Element `i` in C order. REQUIRES: i < count.
  double Value(std::size_t i) const;
};

// Throws BadInput with `where`@offset when `bytes` is damaged or its header
// does not match its size, Unsupported when it is sound but of another type or
// order. Nothing is allocated for what the header only promises.
NpyArray ParseNpy(std::string_view bytes, const std::string& where);

}  // namespace sfumato::data

// CRC-32C (Castagnoli), the checksum of TensorBoard's event files and of much
// else: finds damage, proves nothing against somebody who means it.
//
//   std::uint32_t sum = base::Crc32c(bytes);
//   sum = base::Crc32c(more, sum);  // of both, end to end
//
// Source: RFC 3720, section 12.1 and appendix B.4.

#pragma once

#include <cstdint>
#include <string_view>

namespace sfumato::base {

// The sum of what gave `before` (nothing: 0) followed by `bytes`.
std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace sfumato::base

// CRC-32C (Castagnoli), the checksum of TensorBoard's event files and of much
// else: finds damage, proves nothing against somebody who means it.
//
//   std::uint32_t sum = base::Crc32c(bytes);
//
// Source: RFC 3720, section 12.1 and appendix B.4.

#pragma once

#include <cstdint>
#include <string_view>

namespace sfumato::base {

std::uint32_t Crc32c(std::string_view bytes);

}  // namespace sfumato::base

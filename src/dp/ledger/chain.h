// The chain that ties every entry of a ledger to all entries before it.
//
//   std::string hash = ChainHash(key, previous_hash, body);
//
// SHA-256 of the previous hash (64 hex digits, none for the first entry)
// followed by the entry's text; with a key, HMAC-SHA-256 of the same. A head
// names a moment: with one that was kept, Ledger::Verify can later check that
// the history up to then is still there.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"

namespace sfumato::dp {

struct Head {
  std::int64_t seq = 0;   // the last entry's number; the first is 1
  std::string hash = "";  // its hash, 64 hex digits
  bool operator==(const Head&) const = default;
};

std::string ToText(const Head& head);  // "17:5e8f…"
// Throws BadInput naming `where`.
Head HeadFromText(std::string_view text, const std::string& where);

std::string ChainHash(std::string_view key, std::string_view previous_hash,
                      std::string_view body);

// The key in a file: all its bytes but line ends at the end. Throws BadInput
// when there are fewer than 16.
std::string ReadChainKey(const base::Path& path);

}  // namespace sfumato::dp

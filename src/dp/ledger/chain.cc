#include "dp/ledger/chain.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kLeastKey = 16;

bool IsHash(std::string_view text) {
  return text.size() == kHashDigits &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return base::IsDigit(c) || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

std::string ToText(const Head& head) {
  return fmt::format("{}:{}", head.seq, head.hash);
}

Head HeadFromText(std::string_view text, const std::string& where) {
  const auto colon = std::min(text.find(':'), text.size());
  const auto seq = base::ParseNumber<std::int64_t>(text.substr(0, colon));
  const std::string hash =
      base::ToLower(text.substr(std::min(colon + 1, text.size())));
  if (!seq || *seq < 1 || !IsHash(hash)) {
    throw BadInput(fmt::format("'{}' is not a head", text), where,
                   "NUMBER:HASH, as 'sfumato ledger show' prints it, with 64 "
                   "hex digits");
  }
  return {.seq = *seq, .hash = hash};
}

std::string ChainHash(std::string_view key, std::string_view previous_hash,
                      std::string_view body) {
  std::string text;
  text.reserve(previous_hash.size() + body.size());
  text.append(previous_hash).append(body);
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  const bool done =
      key.empty() ? EVP_Digest(bytes, text.size(), digest, &size, EVP_sha256(),
                               nullptr) == 1
                  : HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                         bytes, text.size(), digest, &size) != nullptr;
  if (!done || size != kHashDigits / 2) {
    throw Unavailable("no SHA-256 in this OpenSSL", "ledger",
                      "check the installation of OpenSSL");
  }
  std::string hex;
  hex.reserve(kHashDigits);
  for (unsigned int i = 0; i < size; ++i) {
    hex += "0123456789abcdef"[digest[i] >> 4];
    hex += "0123456789abcdef"[digest[i] & 15];
  }
  return hex;
}

std::string ReadChainKey(const base::Path& path) {
  std::string key = base::ReadFile(path, 4096);
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r')) {
    key.pop_back();
  }
  if (key.size() < kLeastKey) {
    throw BadInput(
        "a key that is too short", path.string(),
        fmt::format("give {} bytes or more, such as from 'openssl rand "
                    "-hex 32'",
                    kLeastKey));
  }
  return key;
}

}  // namespace sfumato::dp

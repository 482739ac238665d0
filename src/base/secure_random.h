// Random numbers that nobody can predict, for privacy.
//
//   base::SecureRandom random;
//   random.Fill(buffer);
//
// AES-256 in counter mode, keyed with 48 bytes of the operating system's
// entropy. The state is never written anywhere, cannot be copied, is not
// shared between threads or inherited by a forked child, and is wiped at the
// end. Every 2^20 blocks the generator takes a fresh key from the system.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sfumato::base {

class SecureRandom {
 public:
  using result_type = std::uint64_t;

  SecureRandom();  // throws Unavailable without entropy
  ~SecureRandom();
  SecureRandom(const SecureRandom&) = delete;
  SecureRandom& operator=(const SecureRandom&) = delete;

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }
  std::uint64_t operator()();

  void Fill(std::span<std::byte> bytes);

 private:
  void Rekey();
  void Refill();

  struct Cipher;
  std::unique_ptr<Cipher> cipher_;
  std::vector<std::byte> buffer_;
  std::size_t used_;
  std::uint64_t bytes_since_key_ = 0;
  int process_ = 0;
};

}  // namespace sfumato::base

#include "base/secure_random.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace sfumato::base {
namespace {

constexpr std::size_t kBufferBytes = 16384;
constexpr std::uint64_t kBytesPerKey = 16ull << 20;

void ReadEntropy(std::span<unsigned char> bytes) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got =
        getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Unavailable("the operating system gave no entropy", "getrandom",
                        "run where the getrandom system call is allowed");
    }
    filled += static_cast<std::size_t>(got);
  }
}

}  // namespace

struct SecureRandom::Cipher {
  Cipher() : context(EVP_CIPHER_CTX_new()) {}
  ~Cipher() { EVP_CIPHER_CTX_free(context); }
  EVP_CIPHER_CTX* context;
};

SecureRandom::SecureRandom()
    : cipher_(std::make_unique<Cipher>()), buffer_(kBufferBytes) {
  Rekey();
}

SecureRandom::~SecureRandom() {
  OPENSSL_cleanse(buffer_.data(), buffer_.size());
}

void SecureRandom::Rekey() {
  std::array<unsigned char, 48> entropy;
  ReadEntropy(entropy);
  const int ok =
      EVP_EncryptInit_ex(cipher_->context, EVP_aes_256_ctr(), nullptr,
                         entropy.data(), entropy.data() + 32);
  OPENSSL_cleanse(entropy.data(), entropy.size());
  if (ok != 1) {
    throw Unavailable("AES-256 in counter mode could not be started", "OpenSSL",
                      "check the OpenSSL installation");
  }
  bytes_since_key_ = 0;
  process_ = getpid();
  used_ = kBufferBytes;
}

void SecureRandom::Refill() {
  if (bytes_since_key_ >= kBytesPerKey) Rekey();
  std::memset(buffer_.data(), 0, buffer_.size());
  auto* out = reinterpret_cast<unsigned char*>(buffer_.data());
  int length = 0;
  if (EVP_EncryptUpdate(cipher_->context, out, &length, out, kBufferBytes) !=
          1 ||
      length != static_cast<int>(kBufferBytes)) {
    throw Unavailable("AES-256 in counter mode failed", "OpenSSL");
  }
  bytes_since_key_ += kBufferBytes;
  used_ = 0;
}

void SecureRandom::Fill(std::span<std::byte> bytes) {
  // A forked child must not repeat its parent's numbers.
  if (process_ != getpid()) Rekey();
  while (!bytes.empty()) {
    if (used_ == kBufferBytes) Refill();
    const std::size_t n = std::min(bytes.size(), kBufferBytes - used_);
    std::memcpy(bytes.data(), buffer_.data() + used_, n);
    // What was handed out is forgotten.
    std::memset(buffer_.data() + used_, 0, n);
    used_ += n;
    bytes = bytes.subspan(n);
  }
}

std::uint64_t SecureRandom::operator()() {
  std::uint64_t value;
  Fill(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace sfumato::base

#include "base/printable.h"

#include "base/utf8.h"
#include "fmt/format.h"

namespace sfumato::base {
namespace {

// Control, bidirectional, zero-width and other invisible characters.
bool IsHidden(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x34F ||
         c == 0x61C || (c >= 0x115F && c <= 0x1160) || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0x3164 || c == 0xFEFF ||
         (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xFFF0 && c <= 0xFFFB) ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

// U+FFFD that was written, not one that stands for bytes.
bool IsReplacement(std::string_view text) {
  return text.starts_with("\xEF\xBF\xBD");
}

}  // namespace

std::string Printable(std::string_view bytes, const PrintableOptions& options) {
  std::string out;
  std::size_t letters = 0;
  while (!bytes.empty()) {
    if (letters++ == options.most) return out + "…";
    const CodePoint c = DecodeUtf8(bytes);
    if (c.value == kReplacementCharacter && !IsReplacement(bytes)) {
      for (const char byte : bytes.substr(0, c.size)) {
        out += fmt::format("\\x{:02X}", static_cast<unsigned char>(byte));
      }
    } else if (IsHidden(c.value)) {
      out += fmt::format("\\u{{{:X}}}", static_cast<unsigned>(c.value));
    } else {
      out += bytes.substr(0, c.size);
    }
    bytes.remove_prefix(c.size);
  }
  return out;
}

}  // namespace sfumato::base

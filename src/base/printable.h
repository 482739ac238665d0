// Text from anywhere, as people can look at it without harm.
//
//   Printable("a\xE9\n");           // R"(a\xE9\u{A})"
//   Printable(word, {.most = 40});  // its first 40 letters and "…"
//
// What comes back is UTF-8 without control characters, without marks that turn
// or hide text (bidirectional and zero-width ones) and on one line. Bytes that
// are not UTF-8 are written \xE9, such characters \u{202E}. A second pass
// changes nothing but what is too long.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sfumato::base {

struct PrintableOptions {
  std::size_t most = 80;  // letters; what is longer ends in "…"
};

std::string Printable(std::string_view bytes,
                      const PrintableOptions& options = {});

}  // namespace sfumato::base

// Any bytes as HTML and as Markdown: clean lines of UTF-8 come out.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "data/import/html.h"
#include "data/import/markdown.h"

namespace {

void CheckLines(const std::string& text) {
  const bool clean = sfumato::base::IsUtf8(text) && !text.starts_with('\n') &&
                     !text.ends_with('\n') && text.find("\n\n") == text.npos &&
                     text.find("  ") == text.npos &&
                     text.find('\t') == text.npos;
  if (!clean) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CheckLines(sfumato::data::HtmlToText(bytes));
  CheckLines(sfumato::data::PlainToText(bytes));
  CheckLines(sfumato::data::CommentToText(bytes));
  return 0;
}

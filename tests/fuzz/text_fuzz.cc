// Any bytes are a sentence: normalising gives clean tokens, and text bugs leave
// text that the dataset writer takes.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "data/text.h"
#include "data/transform/text_bugs.h"

namespace {

using namespace sfumato;

void Require(bool condition) {
  if (!condition) std::abort();
}

// Decoding advances to the end, and writing what was read gives well-formed
// text: the same text when it was well-formed before.
void CheckDecoding(std::string_view text) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const base::CodePoint c = base::DecodeUtf8(rest);
    Require(c.size >= 1 && c.size <= rest.size());
    base::AppendUtf8(c.value, out);
    rest.remove_prefix(c.size);
  }
  Require(base::IsUtf8(out));
  Require(base::IsUtf8(text) == (out == text));
}

void CheckTokens(std::string_view tokens) {
  Require(base::IsUtf8(tokens));
  Require(tokens.empty() || (tokens.front() != ' ' && tokens.back() != ' '));
  Require(tokens.find("  ") == std::string_view::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  CheckDecoding(text);
  for (const bool fold_case : {false, true}) {
    const std::string tokens =
        data::NormaliseText(text, {.fold_case = fold_case});
    CheckTokens(tokens);
    Require(tokens.find('\n') == std::string::npos);
    Require(data::NormaliseText(tokens, {.fold_case = fold_case}) == tokens);
  }
  const std::string tokens = data::NormaliseText(text);
  for (const data::TextBug& bug : data::TextBugs()) {
    CheckTokens(bug.apply(text, data::TextForm::kRaw));
    CheckTokens(bug.apply(tokens, data::TextForm::kTokens));
  }
  return 0;
}

// Any bytes are a sentence: normalising gives clean tokens, each of them a word
// that a vocabulary takes; text bugs leave text that the dataset writer takes,
// and all of it can be shown.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "base/utf8.h"
#include "data/text.h"
#include "data/transform/text_bugs.h"
#include "data/vocabulary.h"

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

// Joined they are the sentence again; alone, each stays what it is.
void CheckWords(const std::string& tokens) {
  std::string joined;
  std::int64_t words = 0;
  for (const std::string_view token : data::SplitTokens(tokens)) {
    joined.append(joined.empty() ? "" : " ").append(token);
    Require(data::NormaliseText(token) == token);
    words += token.size() <= data::Vocabulary::kLongestWord ? 1 : 0;
  }
  Require(joined == tokens);
  data::WordCounter counter;
  counter.Add(tokens, data::TextForm::kTokens);
  for (const auto& [word, count] : counter.Counts()) words -= count;
  Require(words == 0);
}

void CheckShown(std::string_view text) {
  const std::string shown = base::Printable(text, {.most = text.size()});
  Require(base::IsUtf8(shown));
  Require(base::Printable(shown, {.most = shown.size()}) == shown);
  Require(base::Letters(base::Printable(text, {.most = 1})) <= 16);
  for (const char c : shown) Require(c != 0x7F && (c < 0 || c >= ' '));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  CheckDecoding(text);
  CheckShown(text);
  for (const bool fold_case : {false, true}) {
    const std::string tokens =
        data::NormaliseText(text, {.fold_case = fold_case});
    CheckTokens(tokens);
    Require(tokens.find('\n') == std::string::npos);
    Require(data::NormaliseText(tokens, {.fold_case = fold_case}) == tokens);
  }
  const std::string tokens = data::NormaliseText(text);
  CheckWords(tokens);
  for (const data::TextBug& bug : data::TextBugs()) {
    CheckTokens(bug.apply(text, data::TextForm::kRaw));
    CheckTokens(bug.apply(tokens, data::TextForm::kTokens));
  }
  return 0;
}

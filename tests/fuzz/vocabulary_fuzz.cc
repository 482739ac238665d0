// Any bytes as a file of words: read or refused with text that can be shown.
// What was read comes back from its own text, and so does where it came from.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/utf8.h"
#include "data/vocabulary.h"
#include "plan/vocabulary_source.h"

namespace {

using namespace sfumato;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckWords(const data::VocabularyText& text) {
  Require(data::ParseVocabulary(data::ToText(text), "again").words ==
          text.words);
  if (text.words.empty()) return;
  const data::Vocabulary words(text.words);
  std::int64_t id = data::Vocabulary::kFirstWord;
  for (const std::string& word : text.words) {
    Require(words.IdOf(word) == id && words.WordOf(id) == word);
    ++id;
  }
  Require(words.symbols() == id && words.Sum().size() == 8);
}

void CheckSource(const data::VocabularyText& text) {
  const plan::VocabularySource source = plan::SourceOf(text, "fuzz");
  Require(plan::SourceOf({.remarks = plan::RemarksOf(source)}, "again") ==
          source);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes,
                                      std::size_t size) {
  try {
    const data::VocabularyText text = data::ParseVocabulary(
        {reinterpret_cast<const char*>(bytes), size}, "fuzz");
    CheckWords(text);
    CheckSource(text);
  } catch (const Error& error) {
    Require(error.kind() == ErrorKind::kBadInput);
    Require(error.where().starts_with("fuzz"));
    Require(base::IsUtf8(error.what()) && base::IsUtf8(error.todo()));
  }
  return 0;
}

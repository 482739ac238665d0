// Cuts running text into sentences.
//
//   SplitSentences("Try 3.10.2. It works!");  // {"Try 3.10.2.", "It works!"}
//
// A sentence ends at a line break, or at a run of . ! ? … (with the quotes and
// brackets that close after it) before white space. Dots inside words (3.10.2,
// main.cc, e.g.) never end one; neither does the dot of a title, an initial, a
// list number or an abbreviation that wants a continuation. People who never
// press shift are understood: "it fails. it works" is two sentences, but after
// an ellipsis or a closing quote a small letter continues the sentence.
//
// Made for English. Text in a line that belongs to one paragraph must be
// joined by the caller: a hard-wrapped line counts as a line break.

#pragma once

#include <string_view>
#include <vector>

namespace sfumato::data {

// The sentences in order, as views into `text`, without the white space around
// them; none is empty. Any bytes are accepted.
std::vector<std::string_view> SplitSentences(std::string_view text);

// `text` without the ASCII white space at both ends.
std::string_view Trim(std::string_view text);

// The lines of `text` in order, trimmed, without the empty ones.
std::vector<std::string_view> SplitLines(std::string_view text);

}  // namespace sfumato::data

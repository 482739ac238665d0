// The prose inside the little Markdown that comments are written in.
//
//   const char* comment = "**No**, see [the docs](https://x.org) on `foo`.";
//   CommentToText(comment);  // "No, see the docs on foo."

#pragma once

#include <string>
#include <string_view>

namespace sfumato::data {

// `comment` without the marks of emphasis and inline code, with links and tags
// ([tag:beer]) reduced to their text. Marks without a partner stay, and so do
// stars and underscores inside words and sums. Lines as PlainToText gives them.
std::string CommentToText(std::string_view comment);

}  // namespace sfumato::data
